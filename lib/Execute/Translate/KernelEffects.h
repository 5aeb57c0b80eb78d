/// \file
/// Which memory a kernel reads and writes, from its code alone.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_KERNELEFFECTS_H
#define GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_KERNELEFFECTS_H

#include "gpu-estimate/Execute/Executor.h"

namespace llvm {
class Function;
} // namespace llvm

namespace gpuestimate {

/// The effects of a kernel after prepareForAnalysis(), with those of the
/// functions that it calls. The address of each access is followed back to a
/// parameter or variable; where that fails, the effects are not known.
KernelEffects effectsOf(const llvm::Function &Kernel);

} // namespace gpuestimate

#endif
