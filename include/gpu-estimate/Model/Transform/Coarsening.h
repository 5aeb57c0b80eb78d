/// \file
/// Changes of the mapping of work to threads, on copies of a kernel model.
#ifndef GPU_ESTIMATE_MODEL_TRANSFORM_COARSENING_H
#define GPU_ESTIMATE_MODEL_TRANSFORM_COARSENING_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include <optional>

namespace gpuestimate {

/// Barriers, shuffles or tiles in shared memory: work that blocks do
/// together and that does not survive another mapping as it stands.
bool cooperates(const KernelModel &Kernel);

/// The kernel with the roles of x and y exchanged everywhere: what depended on
/// threadIdx.x depends on threadIdx.y. The launch is the caller's to exchange.
KernelModel withExchangedXY(const KernelModel &Kernel);

/// The kernel in which a thread does what Factor threads of blocks that follow
/// each other along a dimension (0 = x) do in Kernel, side by side in the
/// instruction stream; the grid is to be that much smaller. Operations that
/// those threads have in common (a load whose address does not depend on the
/// dimension) are done once. Registers grow by what each further copy keeps
/// across iterations, and by what it loads in its largest block.
/// Nothing where threads cooperate or where trip counts differ along the
/// dimension.
std::optional<KernelModel> coarsen(const KernelModel &Kernel,
                                   unsigned Dimension, unsigned Factor);

} // namespace gpuestimate

#endif
