/// \file
/// Sectors of requests whose addresses are drawn.
///
/// Of k lanes, each at one of R places with equal chances, of which c are in
/// some sector, none comes to it with probability (1 - c/R)^k, so that
///   E(sectors) = sum over sectors of 1 - (1 - c/R)^k,
/// and lanes that take part with a probability p have 1 - p c/R for a factor.
/// Lanes that load their values from one place count as one.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_DRAWNSECTORS_H
#define GPU_ESTIMATE_LIB_EVALUATE_DRAWNSECTORS_H

#include "gpu-estimate/Evaluate/LaneValues.h"
#include <cmath>

namespace gpuestimate {

/// Sectors that have equally many places of a value: Number of them, Places in
/// each.
struct SectorClass {
  double Number, Places;
};

/// Where Range places of Width bytes, Unit bytes apart, the first one Offset
/// bytes behind the beginning of a sector, lie in sectors. Empty where a sector
/// may hold parts of places, which is not counted.
llvm::SmallVector<SectorClass, 3> sectorsOfPlaces(double Offset, double Unit,
                                                  double Range, double Width,
                                                  double Sector);

class DrawnSectors {
public:
  DrawnSectors(BoundKernel &Bound, const GpuModel &Gpu);

  /// Whether expected() may know them.
  bool knows(unsigned Access) const { return Places[Access].has_value(); }
  /// Expected sectors of a request, after enterScope. Addresses: of the lanes.
  /// Chance: of each of them to take part. Nothing where they are not known:
  /// where other things than a drawn value tell the lanes apart, or places lie
  /// across the borders of sectors.
  std::optional<double> expected(unsigned Access,
                                 llvm::ArrayRef<double> Addresses,
                                 llvm::ArrayRef<double> Chance);

private:
  BoundKernel &Bound;
  std::vector<std::optional<DrawnPlace>> Places; ///< [access]
  std::vector<unsigned> Sector;                  ///< [access]
  /// What was found last: most requests of an access differ only in the draws.
  struct KnownClasses {
    double Offset = NAN;
    llvm::SmallVector<SectorClass, 3> Classes;
    std::vector<double> OfDraws; ///< [number of certain draws], NaN: not known
  };
  std::vector<KnownClasses> Classes; ///< [access]
};

} // namespace gpuestimate

#endif
