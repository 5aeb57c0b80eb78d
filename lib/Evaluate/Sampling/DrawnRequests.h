/// \file
/// Expected costs of requests whose addresses are drawn.
///
/// Of k lanes, each at one of R places with equal chances, of which c are in
/// some sector, none comes to it with probability (1 - c/R)^k, so that
///   E(sectors) = sum over sectors of 1 - (1 - c/R)^k,
/// and lanes that take part with a probability p have 1 - p c/R for a factor.
/// Lanes that load their values from one place count as one. Costs for which
/// there is no such sum are means over outcomes.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_DRAWNREQUESTS_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_DRAWNREQUESTS_H

#include "Evaluate/Access/LaneValues.h"
#include "RememberedRequests.h"
#include "llvm/ADT/SmallString.h"
#include <cmath>

namespace gpuestimate {

/// Sectors that have equally many places of a value: Number of them, Places in
/// each.
struct SectorClass {
  double Number, Places;
};

/// Where Range places of Width bytes, Unit bytes apart, the first one Offset
/// bytes behind the beginning of a sector, lie in sectors; all whole numbers.
/// Where a sector may hold parts of many places, without what the first and the
/// last of them differ in.
llvm::SmallVector<SectorClass, 8> sectorsOfPlaces(double Offset, double Unit,
                                                  double Range, double Width,
                                                  double Sector);

/// What all requests depend on that cost the same on average.
struct DrawnRequest {
  double Unit, Range; ///< of BoundKernel::drawnPlace() and drawn()
  double Position;    ///< of the first place, less than the counter's period
  unsigned Sector;    ///< bytes; 0: they are none of a flat object
  /// [lane] lanes of one number draw one value.
  llvm::ArrayRef<uint8_t> Draws;
  /// [lane] to take part, independently.
  llvm::ArrayRef<double> Chance;
};

/// Means over all draws; of what is not known exactly over as many outcomes as
/// it takes to know them within two hundredths. Width: bytes per lane.
RequestCounts expectedCounts(const DrawnRequest &Request, unsigned Width,
                             RequestCounter &Counter);

/// The requests of a bound kernel, by that memory.
class DrawnRequests {
public:
  DrawnRequests(BoundKernel &Bound, const GpuModel &Gpu,
                RememberedRequests &Requests, RequestShapes &Shapes);

  /// What the access costs after enterScope. On: the lanes that take part, or
  /// Chance: of each of them to do so. Null where other things than a drawn
  /// value tell the lanes apart.
  const RequestCounts *find(unsigned Access, uint64_t On,
                            llvm::ArrayRef<double> Chance);

private:
  void groupLanes(unsigned Value);

  BoundKernel &Bound;
  RememberedRequests &Requests;
  RequestShapes &Shapes;
  unsigned Lanes;
  std::vector<unsigned> Sector; ///< [access]
  /// Lanes that load a value from one place have the same number.
  struct Groups {
    uint64_t Draw = 0; ///< that they were found for
    std::array<uint8_t, MaxLanes> Of;
  };
  std::vector<Groups> Grouped; ///< [value]
  llvm::SmallString<64> Key;
};

} // namespace gpuestimate

#endif
