/// \file
/// Makes the operation of a kernel launch.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_LAUNCHAPI_H
#define GPU_ESTIMATE_LIB_RUNTIME_LAUNCHAPI_H

#include "Operations.h"

namespace gpuestimate {

class Process;

/// By the host's function, or by a handle of a loaded kernel; null where there
/// is none.
Kernel *kernelOf(Process &P, const void *Function);

KernelOperation operation(Kernel *K, dim3 Grid, dim3 Block, uint64_t Shared);

/// Takes the arguments' bytes: from pointers to each, or from one buffer.
cudaError_t copyArguments(ApiCall &Call, KernelOperation &K, void **Arguments,
                          void **Extra);

/// Checks the launch, takes its arguments and puts it into the stream.
cudaError_t launch(ApiCall &Call, KernelOperation K, void **Arguments,
                   void **Extra, cudaStream_t Stream);

} // namespace gpuestimate

#endif
