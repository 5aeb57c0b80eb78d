/// \file
/// How a kernel is launched: what the source says (LaunchSite) and the
/// numbers that one evaluation uses (Launch).
#ifndef GPU_ESTIMATE_MODEL_KERNEL_LAUNCH_H
#define GPU_ESTIMATE_MODEL_KERNEL_LAUNCH_H

#include "gpu-estimate/Model/Kernel/BufferContents.h"
#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpuestimate {

/// One launch for several alike: host code launches a kernel in a loop, and
/// each variant holds the loop variables' values of some of its iterations.
struct LaunchVariant {
  llvm::StringMap<double>
      Values;        ///< free parameter of the expressions -> value
  double Weight = 1; ///< number of launches that this one stands for
};

/// A query of host code to the runtime's occupancy API.
struct OccupancyQuery {
  enum KindType : uint8_t {
    ActiveBlocks, ///< resident blocks of Threads per multiprocessor
    BlockSize,    ///< block size that gives the most resident warps
    GridSize,     ///< resident blocks of that size on the whole GPU
  } Kind = ActiveBlocks;
  std::string Kernel; ///< mangled name; "" unknown
  // Null: unknown.
  Expr Threads; ///< of a block; BlockSize and GridSize: at most, 0 any number
  Expr DynamicSharedBytes;
};

/// What a pointer points to: Offset bytes behind the start of a buffer.
struct PointerOrigin {
  std::string Buffer; ///< a name of the buffer that is unique in its launch
  Expr Offset;
};

/// A launch written in host code, or stated by a file that the compiler wrote
/// beside the code. Expressions are over host variables that could not be
/// evaluated ("n" for a parameter of the calling function); null where not even
/// that was possible.
struct LaunchSite {
  std::shared_ptr<ExprContext> Context; ///< owns the expressions
  std::string Kernel;                   ///< mangled name
  std::array<Expr, 3> Grid, Block;
  Expr DynamicSharedBytes;
  /// Kernel argument name -> host expression. Pointers: the number of bytes
  /// of the buffer, where its allocation was seen.
  llvm::StringMap<Expr> Arguments;
  /// Pointer argument -> where it points to, if host code tells it.
  llvm::StringMap<PointerOrigin> Origins;
  /// What host code has put into the buffers, where it has a form.
  ContentsOfBuffers Contents;
  SourceLocation Location;
  bool IsCompilersRecord = false; ///< no host code: a file of the compiler

  std::string Function; ///< the host function that contains the launch
  /// Launches in one run of the host program, by the loops around the launch;
  /// constant 1 outside loops, null if unknown. Branches that cannot be decided
  /// count as taken, except exits after an error.
  Expr Repeats;
  /// Only where host loops decide the launch's values and their iterations can
  /// be enumerated (`for (s = 1; s < 1024; s *= 2)`): the different ones when
  /// there are at most MaxVariants, else the middle iterations of MaxVariants
  /// equal stretches. Weights sum to Repeats, up to outer
  /// loops that could not be enumerated. In order of execution.
  std::vector<LaunchVariant> Variants;
  static constexpr unsigned MaxVariants = 3;
  /// Free parameters that are variables of a host loop which cannot be
  /// enumerated: first and last value (inclusive, over the other parameters).
  struct Range {
    Expr First, Last;
  };
  llvm::StringMap<Range> Ranges;
  /// Default values of free parameters that have a constant on the straight
  /// path and an unknown value on another (`int n = 1024; if (argc > 1) n =
  /// ...`). A user of such a default states it as an assumption.
  llvm::StringMap<double> Defaults;
  /// Free parameters whose values are results of occupancy queries.
  llvm::StringMap<OccupancyQuery> Queries;
};

/// One evaluated launch.
struct Launch {
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  /// "command-line" | "config" | "annotation" | "host-code" | "compiler" |
  /// "default"
  std::string Source = "default";
  SourceLocation Location; ///< of the LaunchSite

  uint64_t threadsPerBlock() const { return Block[0] * Block[1] * Block[2]; }
  uint64_t blocks() const { return Grid[0] * Grid[1] * Grid[2]; }
};

/// A launch with the numbers that its kernel's parameters have.
struct LaunchWithArguments {
  Launch Used;
  Bindings Values; ///< for evaluate()
};

} // namespace gpuestimate

#endif
