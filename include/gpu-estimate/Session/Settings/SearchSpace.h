/// \file
/// What `gpu-estimate tune` and `sweep` vary: axes with their values, whose
/// product is a space of points.
///
///   NAME     tune: a macro (-D), an argument (--param), block (--block)
///            sweep (--vary): sm_count, core_clock, memory_clock; any other
///            value of a GPU model, as for `--set`; block, block.x, block.y,
///            block.z; else an argument or unknown of the kernel
///   values   32,64,128    32:1024:32 (first, last, step)    8:256:*2
///            700MHz,900MHz    700:1500:100MHz
///   shapes   32:1024:32   8:32:8x1:8   16x16,32x8
///
/// A range includes its last value where a step meets it. A unit that is given
/// once in a range holds for all of it; a number without a unit is in the unit
/// of the column (MHz, GB/s, bytes, cycles, us). Errors are UsageErrors that
/// say what was expected.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_SEARCHSPACE_H
#define GPU_ESTIMATE_SESSION_SETTINGS_SEARCHSPACE_H

#include "gpu-estimate/Scaling/ScalingMethod.h"
#include "gpu-estimate/Scaling/Surface.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gpuestimate {

using BlockShape = std::array<uint64_t, 3>;

/// What an axis changes. The axes of a tuning are in this order.
enum class AxisKind : uint8_t {
  Macro,
  Parameter, ///< argument, host variable or unknown
  Block,     ///< whole shapes
  BlockSize, ///< one dimension
  SmCount,
  CoreClock,
  MemoryClock,
  ModelValue ///< by setGpuValue()
};

struct SpaceAxis {
  AxisKind Kind = AxisKind::Parameter;
  SurfaceAxis Values;
  /// In base units: hertz, a count; of arguments, clocks and multiprocessors.
  std::vector<double> Numbers;
  std::vector<std::string> Texts; ///< of GPU values: "KEY=VALUE"
  std::vector<BlockShape> Shapes; ///< of Block
  unsigned Dimension = 0;         ///< of BlockSize

  /// Clocks are moved without another evaluation.
  bool isClock() const {
    return Kind == AxisKind::CoreClock || Kind == AxisKind::MemoryClock;
  }
  /// Not of the launch; clocks apart.
  bool isOfGpu() const {
    return Kind == AxisKind::SmCount || Kind == AxisKind::ModelValue;
  }
};

/// The options of `tune`.
struct TuningRequest {
  /// Macros, then arguments, then the shapes of blocks, unless blocks are those
  /// of the launch.
  std::vector<SpaceAxis> Axes;
  /// Expressions over macros, arguments and blockDim.x, .y, .z; empty: the
  /// launch's own, with as many threads as it has.
  std::vector<std::string> Grid;       ///< up to three
  std::string DynamicShared;           ///< bytes; empty: the launch's own
  std::vector<std::string> Conditions; ///< all must be other than 0
  /// Largest relative difference of times that are called a tie.
  std::optional<double> Tie;
  unsigned Top = 20; ///< rows of reports for people; 0: all
};

/// `--scaling`.
struct ScalingRequest {
  std::optional<ScalingMethod> Method; ///< not given: the best one of the GPU
  bool Compare = false;                ///< "both"
};

/// The options of `sweep`.
struct SweepRequest {
  std::vector<SpaceAxis> Axes;
  SurfaceLimits Limits;
};

/// "8,16,32", "32:1024:32", or both mixed; at least one value. Text that is no
/// range is a value as it stands; commas in brackets do not separate.
llvm::Expected<std::vector<std::string>>
parseTuningValues(llvm::StringRef Text);
llvm::Expected<std::vector<BlockShape>> parseShapes(llvm::StringRef Text);

/// "NAME=VALUES" of a macro or an argument, with values as they are spelled.
llvm::Expected<SpaceAxis> parseTunedAxis(AxisKind Kind, llvm::StringRef Text);
/// The shapes of blocks, as an axis of the name "block".
llvm::Expected<SpaceAxis> parseBlockAxis(llvm::StringRef Shapes);
/// "NAME=VALUES" of --vary.
llvm::Expected<SpaceAxis> parseSweptAxis(llvm::StringRef Text);

/// Most points of a space.
inline constexpr size_t MaxTuningPoints = 4'000'000;
inline constexpr size_t MaxSweepPoints = 10'000'000;

/// The axes of --vary. Errors: no axis; two of one name or that contradict each
/// other; more than MaxSweepPoints points.
llvm::Error checkAxes(llvm::ArrayRef<SpaceAxis> Axes);

/// One point of a space: [axis] index of a value.
using SpacePoint = std::vector<uint32_t>;

/// The choices of a point among the axes of a kind, which stand together.
llvm::ArrayRef<uint32_t> choicesOf(AxisKind Kind,
                                   llvm::ArrayRef<SpaceAxis> Axes,
                                   const SpacePoint &Point);

/// Values of names in the expressions of a request.
class TuningNames {
public:
  /// Names of a point: macros whose value is a number, arguments, and blockDim.
  /// Block: null if the block of the launch is not known yet.
  TuningNames(llvm::ArrayRef<SpaceAxis> Axes, const SpacePoint &Point,
              const BlockShape *Block);

  llvm::Expected<double> evaluate(llvm::StringRef What,
                                  llvm::StringRef Expression) const;
  llvm::Expected<uint64_t> size(llvm::StringRef What,
                                llvm::StringRef Expression) const;

private:
  llvm::StringMap<double> Values;
};

/// Points that satisfy the conditions, the last axis fastest: those of one set
/// of macros stand together; within it those of one set of arguments. Errors:
/// more than MaxTuningPoints combinations, two axes of one name, a condition
/// that names nothing known, or none that is left.
llvm::Expected<std::vector<SpacePoint>>
enumeratePoints(const TuningRequest &Request);

} // namespace gpuestimate

#endif
