/// \file
/// A kernel model as text, for `--dump kernel-model` and the messages of
/// failing tests.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_PRINTKERNEL_H
#define GPU_ESTIMATE_MODEL_KERNEL_PRINTKERNEL_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// "global", "shared", ...
llvm::StringRef name(MemorySpace Space);
/// "load", "store", ...
llvm::StringRef name(AccessKind Kind);

/// Prints the loop tree with its operations and accesses, one line each, and
/// the unknowns.
void print(llvm::raw_ostream &OS, const KernelModel &Kernel);

} // namespace gpuestimate

#endif
