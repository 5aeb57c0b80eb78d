/// \file
/// Executes the launch of a SampleRequest in this process.
#ifndef GPU_ESTIMATE_EXECUTE_SAMPLEDLAUNCH_H
#define GPU_ESTIMATE_EXECUTE_SAMPLEDLAUNCH_H

#include "gpu-estimate/Execute/Executor.h"
#include "gpu-estimate/Run/SampleRequest.h"

namespace gpuestimate {

/// Executes the sampled thread blocks one after the other, with checks, so that
/// equal requests have equal results. Fails for code that cannot be compiled,
/// buffers for which there is no memory, and launches without threads.
llvm::Expected<ExecutionResult> executeSampledLaunch(const SampleRequest &R);

} // namespace gpuestimate

#endif
