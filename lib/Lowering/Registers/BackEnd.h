/// \file
/// A device module through clang's passes and an LLVM back end, to assembly: as
/// the user's compiler would make it. The module of the analysis stays as it
/// is.
#ifndef GPU_ESTIMATE_LIB_LOWERING_REGISTERS_BACKEND_H
#define GPU_ESTIMATE_LIB_LOWERING_REGISTERS_BACKEND_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <memory>

namespace gpuestimate {

/// The -O level of the compile, 1 to 3: the module's flag "gpu-estimate.level";
/// 3 without it, since an analysis is always that of optimised code.
unsigned levelOf(const llvm::Module &M);

/// A copy of a device module as the front end made it, with the bodies of those
/// kernels only that IsWanted accepts by their mangled names.
std::unique_ptr<llvm::Module>
copyKernels(const llvm::Module &Source,
            llvm::function_ref<bool(llvm::StringRef)> IsWanted);

/// Follows the loops of kernels through clang's passes.
class KernelObserver {
public:
  virtual ~KernelObserver() = default;
  /// Functions are inlined and the loops that are small enough are unrolled
  /// completely; no other loop is unrolled yet.
  virtual void beforeUnrolling(llvm::Function &,
                               llvm::FunctionAnalysisManager &) = 0;
  /// Clang's passes are done.
  virtual void beforeBackEnd(llvm::Function &,
                             llvm::FunctionAnalysisManager &) = 0;
};

/// Optimises M as clang would at the level of its flag, without its debug
/// information, calls Observer, if any, for each kernel, and writes the
/// target's assembly, without the kernels that call a function whose body is
/// missing and that IsProvided does not know. With Observer, comments name the
/// block of the IR that a block of the code is of. Fails when no kernel is
/// left, LLVM lacks the target, the back end reports an error or crashes
/// (std::errc::state_not_recoverable), or (std::errc::value_too_large) M has
/// more than MaxInstructions after clang's passes: the back end cannot be
/// interrupted.
llvm::Error emitAssembly(llvm::Module &M,
                         llvm::function_ref<bool(llvm::StringRef)> IsProvided,
                         llvm::raw_pwrite_stream &OS,
                         KernelObserver *Observer = nullptr,
                         uint64_t MaxInstructions = UINT64_MAX);

} // namespace gpuestimate

#endif
