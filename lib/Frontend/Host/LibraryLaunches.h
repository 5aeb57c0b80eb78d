/// \file
/// Launches of CUB's and Thrust's kernels by calls of their algorithms.
///
/// A kernel of these libraries has its tuning in a policy, which is a template
/// argument: threads of a block and items of a thread. The number of items is
/// an argument of the call, so that for most kernels
///
///   thread blocks = ceil(items / (threads of a block * items of a thread)).
///
/// Example: `cub::DeviceScan::InclusiveSum(tmp, bytes, in, out, 1 << 20)` with
/// a policy of 128 threads and 24 items launches DeviceScanKernel with 342
/// blocks and DeviceScanInitKernel with 3 of 128 threads. The rules are those
/// of the dispatch headers of CCCL 3.0 (cub/device/dispatch, Thrust's
/// system/cuda/detail). A kernel or policy of another name has no rule.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_LIBRARYLAUNCHES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_LIBRARYLAUNCHES_H

#include "HostValue.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

struct HostAnalysis;

/// A kernel of a library, and the functions of the library by which the user's
/// code reaches it; canonical declarations.
struct LibraryKernel {
  const clang::FunctionDecl *Kernel = nullptr;
  std::vector<const clang::FunctionDecl *> Entries;
};

/// A call of a library's function, or the construction of one of its objects.
struct LibraryUse {
  const clang::FunctionDecl *Callee = nullptr;
  llvm::ArrayRef<const clang::Expr *> Arguments;
  clang::SourceLocation Begin;
  ProgramPoint Point;
};

/// One kernel's launches by one call.
struct LibraryLaunch {
  Expr Grid, Threads;
  Expr DynamicSharedBytes; ///< null: unknown
  /// By the names of the kernel's parameters and of their members.
  llvm::StringMap<Expr> Arguments;
  Expr Count; ///< launches by one call; constant 0: none for so many items
};

/// What Use launches of Kernel. Siblings: all kernels that it can launch.
/// Nothing: a call that only asks for the size of its temporary storage, an
/// object without a number of elements, or a kernel without a rule.
std::optional<LibraryLaunch>
libraryLaunch(HostAnalysis &Host, const clang::FunctionDecl &Kernel,
              llvm::ArrayRef<const clang::FunctionDecl *> Siblings,
              const LibraryUse &Use, const CallFrame &Frame);

/// Whether the rule of a kernel is known.
bool hasLaunchRule(const clang::FunctionDecl &Kernel);

} // namespace gpuestimate

#endif
