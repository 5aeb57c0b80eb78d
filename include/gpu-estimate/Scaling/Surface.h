/// \file
/// Time, power and energy of one kernel over configurations of one GPU, and
/// what a reader wants of them: the Pareto front, its knee, the best points.
#ifndef GPU_ESTIMATE_SCALING_SURFACE_H
#define GPU_ESTIMATE_SCALING_SURFACE_H

#include "gpu-estimate/Model/Result/LaunchTotal.h"
#include "gpu-estimate/Model/Result/OpenSize.h"
#include "gpu-estimate/Model/Result/Refusals.h"
#include "llvm/ADT/ArrayRef.h"
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// One thing that is varied.
struct SurfaceAxis {
  std::string Name;   ///< as on the command line: "core_clock", "l2.size", "n"
  std::string Column; ///< with the unit: "core_clock_mhz", "l2_size_bytes"
  std::string Unit;   ///< for people: "MHz"; empty for plain numbers
  std::vector<std::string> Labels; ///< of each value, in the unit
  /// Number of each value, in the unit; empty if a value is no number (a block
  /// shape).
  std::vector<double> Numbers;

  size_t size() const { return Labels.size(); }
};

struct SurfacePoint {
  Seconds Time = Seconds(std::numeric_limits<double>::quiet_NaN());
  /// Mean power of the board in watts; NaN where the GPU states no energies.
  double Watts = std::numeric_limits<double>::quiet_NaN();
  unsigned Bottleneck = 0; ///< index into Surface::Bottlenecks

  /// False where the launch is impossible in this configuration.
  bool hasTime() const { return !std::isnan(Time.value()); }
  double joules() const { return Watts * Time.value(); }
};

/// [axis] index of the value of a point among the product of axes of these
/// sizes, the last one fastest: {1, 2} of point 5 with the sizes {2, 3}.
std::vector<uint32_t> indicesOf(llvm::ArrayRef<size_t> Sizes, size_t Point);

/// A point with its time in seconds or its energy in joules.
struct PointValue {
  size_t Point = 0;
  double Value = 0;
};

/// The fastest point of a surface, and that of least energy, with unknown sizes
/// at an end of their tables; nothing where no point has a time or
/// an energy there.
struct BestAtSizes {
  std::optional<PointValue> Fastest, LeastEnergy;

  /// Takes what is better of another part of the points.
  void take(const BestAtSizes &Part);
};

/// One kernel on one GPU.
struct Surface {
  std::string Kernel, Name; ///< mangled, demangled
  SourceLocation Location;
  std::string Gpu, GpuName, Model;
  std::string Predictor = "analytic"; ///< ScalingMethod of the times
  std::string PredictorReason;        ///< why it, for people
  /// The times by each ScalingMethod, in the order of the points, where they
  /// are to be compared; else empty.
  std::vector<std::pair<std::string, std::vector<Seconds>>> Compared;
  size_t Launches = 1; ///< different launches, whose times are added
  std::vector<SurfaceAxis> Axes;
  /// The product of all axes, the last one fastest.
  std::vector<SurfacePoint> Points;
  std::vector<std::string> Bottlenecks;
  std::optional<double> PricePerHour; ///< of the GPU, in the user's currency
  std::vector<std::string> WhatIf;    ///< "--set" in force
  /// Why points have no time, with their number.
  RefusalCounts Refused;
  std::vector<std::string> Notes; ///< extrapolations, missing energies
  /// How the grid of the first launch goes with the varied block, for people;
  /// empty where the block is not varied.
  std::string Grids;
  /// The launches with the first value of each axis of the launch, on the card
  /// as it is; without a bottleneck if they have no time.
  LaunchTotal AsIs;
  double Level = DefaultIntervalLevel; ///< probability of its interval
  /// Sizes that are not known: the points are for the middle of their tables.
  std::vector<OpenSize> Unknown;
  std::optional<BestAtSizes> AtLeast, AtLargest; ///< nothing: not evaluated

  /// Index of the value of each axis.
  std::vector<uint32_t> indices(size_t Point) const;
  /// "core_clock 1000 MHz, memory_clock 877 MHz"
  std::string describe(size_t Point) const;
  bool hasPower() const;
  /// What the launches of a point cost, in the currency of the price.
  std::optional<double> cost(size_t Point) const;
};

/// Empty where the points are the product of the axes, those with a time have a
/// bottleneck and the others are refused, as far as All were tried; else the
/// first violation (Support/Invariants.h).
std::string checkSurface(const Surface &S, bool All);

/// Points that no other point beats in both time and energy, the fastest first.
/// The first of equal points counts. Empty without energies.
std::vector<size_t> paretoFront(const Surface &S);

/// The point of a front with the largest distance from the line between its
/// ends, both axes running from 0 to 1: where more time saves little energy and
/// less time costs much. nullopt for fronts of less than three points.
std::optional<size_t> kneeOf(const Surface &S,
                             const std::vector<size_t> &Front);

/// Limits that the user gives.
struct SurfaceLimits {
  std::optional<double> PowerCapWatts;
  std::optional<double> EnergyBudgetJoules;
  std::optional<Seconds> TimeLimit;
};

/// A point that is best for something: "least energy within 3 ms".
struct BestPoint {
  std::string Id;              ///< for programs: "least-energy"
  std::string For;             ///< for people
  std::optional<size_t> Point; ///< nullopt: no point satisfies the limit
};

/// The fastest point, and with energies those of least energy and of least
/// energy-delay product; for each limit the best point that satisfies it: the
/// fastest under a power cap or within an energy budget, the one of least
/// energy within a time limit.
std::vector<BestPoint> bestPoints(const Surface &S,
                                  const SurfaceLimits &Limits);

} // namespace gpuestimate

#endif
