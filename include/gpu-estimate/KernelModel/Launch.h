/// \file
/// How a kernel is launched: what the source says (LaunchSite) and the
/// numbers that one evaluation uses (Launch).
#ifndef GPU_ESTIMATE_KERNELMODEL_LAUNCH_H
#define GPU_ESTIMATE_KERNELMODEL_LAUNCH_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpuestimate {

/// A launch written in host code. Expressions are over host variables that
/// could not be evaluated ("n" for a parameter of the calling function);
/// null where not even that was possible.
struct LaunchSite {
  std::shared_ptr<ExprContext> Context; ///< owns the expressions
  std::string Kernel;                   ///< mangled name
  std::array<Expr, 3> Grid, Block;
  Expr DynamicSharedBytes;
  /// Kernel argument name -> host expression. Pointers: the number of bytes
  /// of the buffer, where its allocation was seen.
  llvm::StringMap<Expr> Arguments;
  SourceLocation Location;
};

/// One evaluated launch.
struct Launch {
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  /// "command-line" | "config" | "annotation" | "host-code" | "default"
  std::string Source = "default";
  SourceLocation Location; ///< of the launch in host code

  uint64_t threadsPerBlock() const { return Block[0] * Block[1] * Block[2]; }
  uint64_t blocks() const { return Grid[0] * Grid[1] * Grid[2]; }
};

} // namespace gpuestimate

#endif
