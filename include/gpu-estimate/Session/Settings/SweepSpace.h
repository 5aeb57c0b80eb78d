/// \file
/// What `gpu-estimate sweep --vary NAME=VALUES` varies.
///
///   NAME     sm_count, core_clock, memory_clock; any other value of a GPU
///            model, as for `--set`; block (shapes), block.x, block.y, block.z;
///            else an argument or unknown of the kernel
///   VALUES   700MHz,900MHz   700:1500:100MHz (first, last, step)   1:64:*2
///
/// A range includes its last value where a step meets it. A unit that is given
/// once in a range holds for all of it; a number without a unit is in the unit
/// of the column (MHz, GB/s, bytes, cycles, us). Errors are UsageErrors.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_SWEEPSPACE_H
#define GPU_ESTIMATE_SESSION_SETTINGS_SWEEPSPACE_H

#include "gpu-estimate/Scaling/ScalingMethod.h"
#include "gpu-estimate/Scaling/Surface.h"
#include "gpu-estimate/Session/Settings/TuningSpace.h"

namespace gpuestimate {

/// What an axis changes.
enum class SweptKind : uint8_t {
  SmCount,
  CoreClock,
  MemoryClock,
  ModelValue, ///< by setGpuValue()
  Block,      ///< whole shapes
  BlockSize,  ///< one dimension
  Parameter
};

struct SweptAxis {
  SweptKind Kind = SweptKind::Parameter;
  SurfaceAxis Values;
  /// In base units: hertz, a count; of clocks and multiprocessors.
  std::vector<double> Numbers;
  /// Of GPU values "KEY=VALUE"; of parameters the value as written.
  std::vector<std::string> Texts;
  std::vector<BlockShape> Shapes; ///< of Block
  unsigned Dimension = 0;         ///< of BlockSize

  /// Clocks are moved without another evaluation.
  bool isClock() const {
    return Kind == SweptKind::CoreClock || Kind == SweptKind::MemoryClock;
  }
  /// Not of the launch; clocks apart.
  bool isOfGpu() const {
    return Kind == SweptKind::SmCount || Kind == SweptKind::ModelValue;
  }
};

/// `--scaling`.
struct ScalingRequest {
  std::optional<ScalingMethod> Method; ///< not given: the best one of the GPU
  bool Compare = false;                ///< "both"
};

/// The options of `sweep`.
struct SweepRequest {
  std::vector<SweptAxis> Axes;
  SurfaceLimits Limits;
};

/// "NAME=VALUES".
llvm::Expected<SweptAxis> parseSweptAxis(llvm::StringRef Text);

/// Most points of one sweep.
inline constexpr size_t MaxSweepPoints = 10'000'000;

/// Errors: no axis; two of one name or that contradict each other; more than
/// MaxSweepPoints points.
llvm::Error checkAxes(llvm::ArrayRef<SweptAxis> Axes);

} // namespace gpuestimate

#endif
