/// \file
/// Reductions in memory of an outlined kernel.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_ATOMICUPDATES_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_ATOMICUPDATES_H

#include "OutlinedKernel.h"

namespace gpuestimate {

/// Promotes variables to registers, gives each element one address, and turns
/// simple branches into selects.
void simplifyKernel(llvm::Function &Kernel);

/// Turns updates such as `h[x[i]] += 1` into atomic operations. If all threads
/// update the same element, each block reduces its threads' parts first and one
/// thread per block updates memory. Sm: compute capability times 10.
llvm::Error convertToAtomics(llvm::Function &Kernel,
                             llvm::ArrayRef<ReductionUpdate> Updates,
                             unsigned Sm);

} // namespace gpuestimate

#endif
