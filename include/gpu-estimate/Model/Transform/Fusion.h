/// \file
/// Kernel fusion: the effect of loop fusion on consecutive nests.
#ifndef GPU_ESTIMATE_MODEL_TRANSFORM_FUSION_H
#define GPU_ESTIMATE_MODEL_TRANSFORM_FUSION_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Returns a kernel whose threads do First's work and then Second's, for
/// launches of equal grids and blocks. Arguments of equal names are merged. A
/// value that Second loads from an address which First's thread has loaded or
/// stored, outside of loops, stays in a register. Errors, as a clause: a thread
/// of Second needs what another thread of First has written (or overwrites what
/// it reads), or threads cooperate.
llvm::Expected<KernelModel> fuse(const KernelModel &First,
                                 const KernelModel &Second);

} // namespace gpuestimate

#endif
