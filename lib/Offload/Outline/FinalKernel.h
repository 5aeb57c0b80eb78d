/// \file
/// The second kernel of a reduction without an atomic operation.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_FINALKERNEL_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_FINALKERNEL_H

#include "OutlinedKernel.h"

namespace gpuestimate {

/// Makes a kernel of one block that reduces the partial results which the
/// blocks of the first kernel have stored. Source receives its name and
/// arguments.
llvm::Function *makeFinalKernel(llvm::Module &M,
                                llvm::ArrayRef<PartialResults> Partials,
                                const llvm::DebugLoc &Location,
                                KernelSource &Source);

} // namespace gpuestimate

#endif
