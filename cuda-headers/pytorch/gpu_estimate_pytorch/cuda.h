// Streams, guards and generators of random numbers on GPUs.
#ifndef GPU_ESTIMATE_PYTORCH_CUDA_H
#define GPU_ESTIMATE_PYTORCH_CUDA_H

#include "tensor.h"

#include <cublas_v2.h>

#include <memory>
#include <mutex>

namespace c10::cuda {
struct CUDAStream {
  operator cudaStream_t() const;
  cudaStream_t stream() const;
  DeviceIndex device_index() const;
  void synchronize() const;
};
CUDAStream getCurrentCUDAStream(DeviceIndex = -1);
CUDAStream getDefaultCUDAStream(DeviceIndex = -1);
CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1);
DeviceIndex current_device();
DeviceIndex device_count();
void set_device(DeviceIndex);
void device_synchronize();
struct CUDAGuard {
  explicit CUDAGuard(Device) {}
  explicit CUDAGuard(DeviceIndex) {}
  void set_index(DeviceIndex);
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device>) {}
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream) {}
};
} // namespace c10::cuda

namespace c10 {
struct DeviceGuard {
  explicit DeviceGuard(Device) {}
};
} // namespace c10

namespace at {

struct PhiloxCudaState {
  PhiloxCudaState() = default;
  PhiloxCudaState(uint64_t Seed, uint64_t Offset)
      : seed_(Seed), offset_(Offset) {}
  uint64_t seed_ = 0, offset_ = 0;
};
struct Generator {
  template <typename T> T *get() const;
};
struct CUDAGeneratorImpl {
  PhiloxCudaState philox_cuda_state(uint64_t);
  std::pair<uint64_t, uint64_t> philox_engine_inputs(uint64_t);
  uint64_t current_seed() const;
  std::mutex mutex_;
};
template <typename T>
T *get_generator_or_default(const std::optional<Generator> &,
                            const Generator &);

namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(DeviceIndex);
int warp_size();
cublasHandle_t getCurrentCUDABlasHandle();

namespace philox {
// PyTorch gives seed and offset, of which the second is a load for graphs.
inline C10_HOST_DEVICE std::tuple<uint64_t, uint64_t>
unpack(PhiloxCudaState State) {
  return std::make_tuple(State.seed_, State.offset_);
}
} // namespace philox

namespace detail {
const Generator &getDefaultCUDAGenerator(DeviceIndex = -1);
bool canUse32BitIndexMath(const Tensor &, int64_t = 2147483647);
} // namespace detail

template <typename T> C10_HOST_DEVICE constexpr T ATenCeilDiv(T A, T B) {
  return (A + B - 1) / B;
}
} // namespace cuda
using cuda::ATenCeilDiv;

inline std::optional<Device> device_of(const Tensor &T) { return T.device(); }
} // namespace at

template <typename T>
static inline __device__ T gpuAtomicAdd(T *Address, T Value) {
  return atomicAdd(Address, Value);
}
static inline __device__ at::Half gpuAtomicAdd(at::Half *Address,
                                               at::Half Value) {
  return atomicAdd(reinterpret_cast<__half *>(Address),
                   static_cast<__half>(Value));
}
static inline __device__ at::BFloat16 gpuAtomicAdd(at::BFloat16 *Address,
                                                   at::BFloat16 Value) {
  return at::BFloat16(atomicAdd(reinterpret_cast<__nv_bfloat16 *>(Address),
                                static_cast<__nv_bfloat16>(Value)));
}
template <typename T>
static inline __device__ c10::complex<T> gpuAtomicAdd(c10::complex<T> *Address,
                                                      c10::complex<T> Value) {
  return {atomicAdd(&Address->real_, Value.real_),
          atomicAdd(&Address->imag_, Value.imag_)};
}
static inline __device__ void gpuAtomicAddNoReturn(float *Address,
                                                   float Value) {
  atomicAdd(Address, Value);
}
static inline __device__ void gpuAtomicAddNoReturn(at::Half *Address,
                                                   at::Half Value) {
  gpuAtomicAdd(Address, Value);
}

template <typename T>
static __device__ __forceinline__ T
WARP_SHFL_XOR(T Value, int Lanes, int Width = warpSize,
              unsigned Mask = 0xffffffff) {
  return __shfl_xor_sync(Mask, Value, Lanes, Width);
}
template <typename T>
static __device__ __forceinline__ T
WARP_SHFL_DOWN(T Value, unsigned Lanes, int Width = warpSize,
               unsigned Mask = 0xffffffff) {
  return __shfl_down_sync(Mask, Value, Lanes, Width);
}
template <typename T>
static __device__ __forceinline__ T WARP_SHFL(T Value, int Lane,
                                              int Width = warpSize,
                                              unsigned Mask = 0xffffffff) {
  return __shfl_sync(Mask, Value, Lane, Width);
}

#endif
