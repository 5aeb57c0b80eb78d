/// \file
/// Expected costs of requests with indirect addresses (expected coalescing).
///
/// The index of each of k lanes is uniform over R elements, c of which lie in
/// some sector. No lane accesses that sector with probability (1 - c/R)^k, so
/// that
///   E(sectors) = sum over sectors of 1 - (1 - c/R)^k.
/// Example: 32 lanes that read floats at random indices of an array of 8
/// sectors access 8 (1 - (7/8)^32) = 7.9 of them. A lane that is active with
/// probability p has the factor 1 - p c/R. Lanes that load their index from one
/// address count as one. Costs without such a sum are means over random
/// outcomes.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_INDIRECTREQUESTCOSTS_H
#define GPU_ESTIMATE_LIB_EVALUATE_SAMPLING_INDIRECTREQUESTCOSTS_H

#include "Evaluate/Access/LaneState.h"
#include "RequestCostCache.h"
#include "llvm/ADT/SmallString.h"
#include <cmath>

namespace gpuestimate {

/// Sectors that hold equally many elements.
struct SectorClass {
  double Sectors;  ///< number of such sectors
  double Elements; ///< in each of them
};

/// Classes of the sectors of an array: Range elements of Width bytes, Unit
/// bytes apart, the first one Offset bytes behind the beginning of a sector;
/// all are integers. If elements straddle many sectors, the array is assumed to
/// be periodic, which neglects its first and last sector.
llvm::SmallVector<SectorClass, 8> sectorClasses(double Offset, double Unit,
                                                double Range, double Width,
                                                double SectorBytes);

/// Everything that the expected cost of an indirect request depends on.
struct IndirectRequest {
  double BytesPerIndex;
  double Range;         ///< of the index
  double Position;      ///< of element 0, modulo the period of the cost model
  unsigned SectorBytes; ///< 0: shared or local memory, sectors are sampled
  /// [lane] lanes with equal numbers have one random value.
  llvm::ArrayRef<uint8_t> ValueGroups;
  /// [lane] probability of being active, independently of other lanes.
  llvm::ArrayRef<double> Probability;
};

/// Expected cost over all values of the index. Costs without a closed form are
/// means over as many random outcomes as reduce their standard error to 2 %.
/// Width: bytes per lane.
RequestCost expectedCost(const IndirectRequest &Request, unsigned Width,
                         RequestCostModel &Model);

/// Costs of the indirect requests of a kernel, memoised in
/// RequestCostTables::indirect().
class IndirectRequestCosts {
public:
  IndirectRequestCosts(LaneState &State, const GpuModel &Gpu,
                       RequestCostCache &Requests, RequestCostTables &Tables);

  /// Cost of the access after enterScope(). ActiveLanes is the mask of active
  /// lanes; if Probability is not empty, it replaces the mask. Null if the
  /// address has not the form of IndirectAddress.
  const RequestCost *find(unsigned Access, uint64_t ActiveLanes,
                          llvm::ArrayRef<double> Probability);

private:
  void groupLanes(unsigned Index);

  LaneState &State;
  const LaunchProgram &Program;
  RequestCostCache &Requests;
  RequestCostTables &Tables;
  unsigned Lanes;
  std::vector<unsigned> SectorBytes; ///< [access]
  struct Groups {
    uint64_t ValueVersion = 0; ///< IndexSampler::version() of the groups
    /// Lanes that load the index from one address have equal numbers.
    std::array<uint8_t, MaxLanes> LaneGroup;
  };
  std::vector<Groups> IndexGroups; ///< [index]
  llvm::SmallString<64> Key;
};

} // namespace gpuestimate

#endif
