/// \file
/// Frees memory for other parts of the library.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_MEMORYAPI_H
#define GPU_ESTIMATE_LIB_RUNTIME_MEMORYAPI_H

#include "Api.h"

namespace gpuestimate {

class ApiCall;

/// Frees memory of cudaMalloc and its kin; Async: in the order of a stream,
/// while the host goes on.
cudaError_t releaseDevice(ApiCall &Call, void *Place, bool Async);

} // namespace gpuestimate

#endif
