// What CUDA extensions of PyTorch commonly use of its C++ interface, without
// PyTorch: tensors of unknown sizes. Searched after all other folders, so that
// an installed PyTorch is preferred. Nothing here can be linked.
#ifndef GPU_ESTIMATE_PYTORCH_H
#define GPU_ESTIMATE_PYTORCH_H

#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace c10 {
enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16
};
enum class DeviceType : int8_t { CPU, CUDA };
struct Device {
  Device(DeviceType, int8_t = -1) {}
  int8_t index() const;
  bool is_cuda() const;
};
struct TensorOptions {
  TensorOptions dtype(ScalarType) const;
  ScalarType dtype() const;
  TensorOptions device(Device) const;
  TensorOptions requires_grad(bool) const;
};
std::ostream &operator<<(std::ostream &, const TensorOptions &);
struct IntArrayRef {
  IntArrayRef(std::initializer_list<int64_t>) {}
  IntArrayRef(const std::vector<int64_t> &) {}
  int64_t operator[](size_t) const;
  size_t size() const;
  const int64_t *begin() const;
  const int64_t *end() const;
  std::vector<int64_t> vec() const;
};
} // namespace c10

namespace at {
using c10::Device;
using c10::IntArrayRef;
using c10::ScalarType;
using c10::TensorOptions;

template <typename T> struct RestrictPtrTraits {
  typedef T *__restrict__ PtrType;
};
template <typename T> struct DefaultPtrTraits {
  typedef T *PtrType;
};
template <typename T, size_t N, template <typename> class Traits, typename Index>
struct AccessorBase {
  typename Traits<T>::PtrType Data;
  Index Sizes[N], Strides[N];
  __host__ __device__ Index size(Index I) const { return Sizes[I]; }
  __host__ __device__ Index stride(Index I) const { return Strides[I]; }
};
// A view of the elements with the first indices fixed.
template <typename T, size_t N, template <typename> class Traits, typename Index>
struct TensorAccessor {
  T *Data;
  const Index *Sizes, *Strides;
  __host__ __device__ TensorAccessor<T, N - 1, Traits, Index>
  operator[](Index I) const {
    return {Data + Strides[0] * I, Sizes + 1, Strides + 1};
  }
  __host__ __device__ Index size(Index I) const { return Sizes[I]; }
};
template <typename T, template <typename> class Traits, typename Index>
struct TensorAccessor<T, 1, Traits, Index> {
  T *Data;
  const Index *Sizes, *Strides;
  __host__ __device__ T &operator[](Index I) const {
    return Data[Strides[0] * I];
  }
  __host__ __device__ Index size(Index I) const { return Sizes[I]; }
};
template <typename T, size_t N, template <typename> class Traits, typename Index>
struct GenericPackedTensorAccessor : AccessorBase<T, N, Traits, Index> {
  __host__ __device__ TensorAccessor<T, N - 1, Traits, Index>
  operator[](Index I) const {
    return {this->Data + this->Strides[0] * I, this->Sizes + 1,
            this->Strides + 1};
  }
};
template <typename T, template <typename> class Traits, typename Index>
struct GenericPackedTensorAccessor<T, 1, Traits, Index>
    : AccessorBase<T, 1, Traits, Index> {
  __host__ __device__ T &operator[](Index I) const {
    return this->Data[this->Strides[0] * I];
  }
};
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 =
    GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <typename T, size_t N,
          template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 =
    GenericPackedTensorAccessor<T, N, Traits, int64_t>;

class Tensor {
public:
  int64_t size(int64_t) const;
  int64_t stride(int64_t) const;
  int64_t dim() const;
  int64_t numel() const;
  int64_t element_size() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  ScalarType scalar_type() const;
  ScalarType dtype() const;
  ScalarType type() const;
  Device device() const;
  int64_t get_device() const;
  TensorOptions options() const;
  bool is_cuda() const;
  bool is_contiguous() const;
  bool defined() const;
  template <typename T> T *data_ptr() const;
  template <typename T> const T *const_data_ptr() const;
  template <typename T> T *mutable_data_ptr() const;
  template <typename T> T *data() const;
  void *data_ptr() const;
  template <typename T> T item() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
  template <typename T, size_t N,
            template <typename> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;
  Tensor contiguous() const;
  Tensor clone() const;
  Tensor flatten() const;
  Tensor view(IntArrayRef) const;
  Tensor reshape(IntArrayRef) const;
  Tensor transpose(int64_t, int64_t) const;
  Tensor t() const;
  Tensor to(ScalarType) const;
  Tensor to(Device) const;
  Tensor sum() const;
  Tensor unsqueeze(int64_t) const;
  Tensor squeeze() const;
  Tensor &zero_();
};

Tensor empty(IntArrayRef, TensorOptions = {});
Tensor zeros(IntArrayRef, TensorOptions = {});
Tensor ones(IntArrayRef, TensorOptions = {});
Tensor full(IntArrayRef, double, TensorOptions = {});
Tensor empty_like(const Tensor &, TensorOptions = {});
Tensor zeros_like(const Tensor &, TensorOptions = {});
Tensor ones_like(const Tensor &, TensorOptions = {});

namespace cuda {
struct CUDAStream {
  operator cudaStream_t() const;
  cudaStream_t stream() const;
};
CUDAStream getCurrentCUDAStream(int8_t = -1);
cudaDeviceProp *getCurrentDeviceProperties();
struct CUDAGuard {
  explicit CUDAGuard(Device) {}
};
using OptionalCUDAGuard = CUDAGuard;
} // namespace cuda
inline Device device_of(const Tensor &T) { return T.device(); }
} // namespace at

namespace c10::cuda {
using at::cuda::CUDAGuard;
using at::cuda::CUDAStream;
using at::cuda::getCurrentCUDAStream;
} // namespace c10::cuda

namespace torch {
using at::DefaultPtrTraits;
using at::Device;
using at::empty;
using at::empty_like;
using at::full;
using at::IntArrayRef;
using at::ones;
using at::ones_like;
using at::PackedTensorAccessor32;
using at::PackedTensorAccessor64;
using at::RestrictPtrTraits;
using at::ScalarType;
using at::Tensor;
using at::TensorOptions;
using at::zeros;
using at::zeros_like;
constexpr auto kUInt8 = ScalarType::Byte;
constexpr auto kInt8 = ScalarType::Char;
constexpr auto kInt32 = ScalarType::Int;
constexpr auto kInt = ScalarType::Int;
constexpr auto kInt64 = ScalarType::Long;
constexpr auto kLong = ScalarType::Long;
constexpr auto kFloat16 = ScalarType::Half;
constexpr auto kHalf = ScalarType::Half;
constexpr auto kBFloat16 = ScalarType::BFloat16;
constexpr auto kFloat32 = ScalarType::Float;
constexpr auto kFloat = ScalarType::Float;
constexpr auto kFloat64 = ScalarType::Double;
constexpr auto kDouble = ScalarType::Double;
constexpr auto kBool = ScalarType::Bool;
constexpr auto kCUDA = c10::DeviceType::CUDA;
constexpr auto kCPU = c10::DeviceType::CPU;
inline TensorOptions dtype(ScalarType T) { return TensorOptions().dtype(T); }
inline TensorOptions device(Device D) { return TensorOptions().device(D); }
} // namespace torch

namespace pybind11 {
struct module_ {
  template <typename... Ts> module_ &def(Ts &&...) { return *this; }
};
} // namespace pybind11

#define TORCH_CHECK(CONDITION, ...) ((void)(CONDITION))
#define TORCH_INTERNAL_ASSERT(CONDITION, ...) ((void)(CONDITION))
#define AT_ASSERTM(CONDITION, ...) ((void)(CONDITION))
#define AT_ASSERT(CONDITION, ...) ((void)(CONDITION))
#define AT_ERROR(...) ((void)0)
#define AT_CUDA_CHECK(CALL) ((void)(CALL))
#define C10_CUDA_CHECK(CALL) ((void)(CALL))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)cudaGetLastError())
#define PYBIND11_MODULE(NAME, VARIABLE)                                        \
  static void gpuEstimateModule(pybind11::module_ &VARIABLE)
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME extension
#endif
// Of the types of a tensor, float is taken.
#define GPU_ESTIMATE_PYTORCH_DISPATCH(...)                                     \
  do {                                                                         \
    using scalar_t = float;                                                    \
    __VA_ARGS__();                                                             \
  } while (false)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                            \
  GPU_ESTIMATE_PYTORCH_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                   \
  GPU_ESTIMATE_PYTORCH_DISPATCH(__VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                 \
  GPU_ESTIMATE_PYTORCH_DISPATCH(__VA_ARGS__)

#endif
