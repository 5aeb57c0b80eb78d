/// \file
/// Launches in device code (dynamic parallelism), as the repair of the source
/// writes them (cuda-headers/gpu_estimate/dialect.h):
/// `gpu_estimate_device_launch<kernel>(grid, block, shared)(arguments)`.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_DEVICELAUNCHES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_DEVICELAUNCHES_H

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
} // namespace clang

namespace gpuestimate {

struct DeviceLaunch {
  const clang::FunctionDecl *Kernel = nullptr;
  /// Grid, block, bytes of dynamic shared memory; null: the default.
  const clang::Expr *Sizes[3] = {};
  llvm::SmallVector<const clang::Expr *> Arguments;
};

/// The launch that a call of the operator is; nothing for other calls.
std::optional<DeviceLaunch> deviceLaunch(const clang::CallExpr &Call);

/// Does device code of the translation unit launch kernels?
bool hasDeviceLaunches(clang::ASTContext &Context);

} // namespace gpuestimate

#endif
