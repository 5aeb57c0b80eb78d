/// \file
/// Changes of the mapping of work to threads, on copies of a kernel model.
#ifndef GPU_ESTIMATE_MODEL_TRANSFORM_COARSENING_H
#define GPU_ESTIMATE_MODEL_TRANSFORM_COARSENING_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include <optional>

namespace gpuestimate {

/// True if the threads of a block cooperate by barriers, shuffles or tiles in
/// shared memory, so that work cannot be mapped to threads in another way.
bool cooperates(const KernelModel &Kernel);

/// Returns the kernel with x and y exchanged everywhere: dependences on
/// threadIdx.x become dependences on threadIdx.y. The caller exchanges the
/// launch.
KernelModel withExchangedXY(const KernelModel &Kernel);

/// Thread coarsening: returns the kernel in which one thread does the work of
/// Factor threads, which in Kernel belong to consecutive blocks along a
/// dimension (0 = x). Their instructions are interleaved; the caller divides
/// the grid by Factor. Operations that these threads share (a load whose
/// address does not depend on the dimension) are done once. Registers grow by
/// the values that each further copy keeps across iterations, and by the values
/// that it loads in its largest basic block. Returns nullopt if threads
/// cooperate or if trip counts differ along the dimension.
std::optional<KernelModel> coarsen(const KernelModel &Kernel,
                                   unsigned Dimension, unsigned Factor);

} // namespace gpuestimate

#endif
