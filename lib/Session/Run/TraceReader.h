/// \file
/// A trace of the executor as an emulation of the kernel's function here.
#ifndef GPU_ESTIMATE_LIB_SESSION_RUN_TRACEREADER_H
#define GPU_ESTIMATE_LIB_SESSION_RUN_TRACEREADER_H

#include "gpu-estimate/Emulate/Emulate.h"
#include "gpu-estimate/Run/Records.h"

namespace gpuestimate {

/// Kernel: the function that was traced, after prepareForAnalysis(). Fails if
/// the trace is about a function of another shape: then the program was built
/// by another version.
llvm::Expected<Emulation> readTrace(const RunTrace &Trace,
                                    const llvm::Function &Kernel);

} // namespace gpuestimate

#endif
