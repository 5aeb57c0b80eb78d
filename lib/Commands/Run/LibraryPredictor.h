/// \file
/// Predicts calls into libraries (docs/run.md, "Libraries"): which operation a
/// call is, and of which size.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_RUN_LIBRARYPREDICTOR_H
#define GPU_ESTIMATE_LIB_COMMANDS_RUN_LIBRARYPREDICTOR_H

#include "gpu-estimate/Evaluate/Library/LibraryKernels.h"
#include "gpu-estimate/Run/Records.h"

namespace gpuestimate {

/// The time of the call's kernels. The error says why there is no model of it.
llvm::Expected<LibraryKernelTime> libraryTime(const GpuModel &Gpu,
                                              const RunLibraryCall &Call);

} // namespace gpuestimate

#endif
