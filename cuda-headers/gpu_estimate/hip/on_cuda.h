/// \file
/// HIP's host interface in a CUDA source, which has the overloads of CUDA's
/// functions already: a call goes to them.

#ifndef GPU_ESTIMATE_HIP_ON_CUDA_H
#define GPU_ESTIMATE_HIP_ON_CUDA_H

#include "host_constants.h"

#define GPU_ESTIMATE_HIP_FORWARD(Hip, Cuda)                                    \
  template <class... Arguments>                                                \
  static inline __host__ auto Hip(Arguments... arguments)                      \
      -> decltype(Cuda(arguments...)) {                                        \
    return Cuda(arguments...);                                                 \
  }
#define GPU_ESTIMATE_HIP_CALL(Name)                                            \
  GPU_ESTIMATE_HIP_FORWARD(hip##Name, cuda##Name)
#include "runtime_calls.h"
GPU_ESTIMATE_HIP_CALL(MemPrefetchAsync)
GPU_ESTIMATE_HIP_CALL(MemAdvise)
GPU_ESTIMATE_HIP_CALL(GraphInstantiate)
GPU_ESTIMATE_HIP_CALL(GraphExecUpdate)
GPU_ESTIMATE_HIP_CALL(GraphAddDependencies)
GPU_ESTIMATE_HIP_CALL(OccupancyMaxPotentialBlockSize)
GPU_ESTIMATE_HIP_CALL(GetDeviceProperties)
#undef GPU_ESTIMATE_HIP_CALL
GPU_ESTIMATE_HIP_FORWARD(hipHostFree, cudaFreeHost)
GPU_ESTIMATE_HIP_FORWARD(make_hipPitchedPtr, make_cudaPitchedPtr)
GPU_ESTIMATE_HIP_FORWARD(make_hipPos, make_cudaPos)
GPU_ESTIMATE_HIP_FORWARD(make_hipExtent, make_cudaExtent)
#undef GPU_ESTIMATE_HIP_FORWARD

template <class T>
static inline __host__ hipError_t
hipHostMalloc(T **p, size_t bytes, unsigned flags = hipHostMallocDefault) {
  return cudaHostAlloc(p, bytes, flags);
}
template <class T> static inline hipChannelFormatDesc hipCreateChannelDesc() {
  return cudaCreateChannelDesc<T>();
}

#endif
