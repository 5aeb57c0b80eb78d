/// \file
/// How much dynamic shared memory a kernel needs at least, where no launch
/// tells how much it gets: Triton's `global_smem` has its size in another file.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_DYNAMICSHARED_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_DYNAMICSHARED_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"

namespace gpuestimate {

/// Bytes from the start of dynamic shared memory to the end of the last access
/// whose offset is known: the largest of Resources::DynamicSharedAtLeast and of
/// the addresses that the threads of a block of L access in the first and the
/// last iteration of each loop. Accesses whose address depends on arguments or
/// on data are left out; one whose condition does is taken to be executed. 0 if
/// the kernel has none, or no offset is known.
uint64_t leastDynamicShared(const KernelModel &Kernel, const Launch &L);

} // namespace gpuestimate

#endif
