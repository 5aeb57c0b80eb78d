/// \file
/// Frees and moves memory for other parts of the library.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_MEMORYAPI_H
#define GPU_ESTIMATE_LIB_RUNTIME_MEMORYAPI_H

#include "Api.h"
#include <cstdint>

namespace gpuestimate {

class ApiCall;

/// cudaMemPrefetchAsync.
cudaError_t prefetchManaged(ApiCall &Call, const void *Start, uint64_t Bytes,
                            bool ToHost, cudaStream_t Stream);

/// cudaMemAdvise: memory that the GPU shall access where it is, and memory that
/// shall lie on the host, does not migrate. Other advice changes nothing.
cudaError_t adviseManaged(ApiCall &Call, const void *Start, uint64_t Bytes,
                          cudaMemoryAdvise Advice, bool OfHost);

/// Frees memory of cudaMalloc and its kin; Async: in the order of a stream,
/// while the host goes on.
cudaError_t releaseDevice(ApiCall &Call, void *Place, bool Async);

} // namespace gpuestimate

#endif
