/// \file
/// What the files of the driver's interface have in common: its results are
/// those of the runtime, and an address is a number.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_DRIVERCALLS_H
#define GPU_ESTIMATE_LIB_RUNTIME_DRIVERCALLS_H

#include "Api.h"

#pragma GCC visibility push(default)
#include "gpu_estimate/driver_api.h"
#pragma GCC visibility pop

namespace gpuestimate {

inline void *pointer(CUdeviceptr Address) {
  return reinterpret_cast<void *>(Address);
}

inline CUresult result(cudaError_t Error) { return CUresult(Error); }

} // namespace gpuestimate

#endif
