// What CUDA extensions of PyTorch commonly use of its C++ interface, for a module
// that executes without PyTorch's libraries: python/gpu_estimate/pytorch/extension.py
// builds it, loads it, and does what a function here asks of PyTorch. A tensor is a
// number of its table, with the address of its elements on the modelled card.
#ifndef GPU_ESTIMATE_PYTORCH_RUN_H
#define GPU_ESTIMATE_PYTORCH_RUN_H

#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// The interface to extension.py. Its ctypes structures have the same fields.
extern "C" {
enum { GPU_ESTIMATE_MAX_DIMS = 12 };
enum GpuEstimateKind : int32_t {
  GPU_ESTIMATE_NONE,
  GPU_ESTIMATE_TENSOR,
  GPU_ESTIMATE_INTEGER,
  GPU_ESTIMATE_REAL,
  GPU_ESTIMATE_BOOLEAN,
  GPU_ESTIMATE_LIST, // of integers: Dims numbers in Sizes
  GPU_ESTIMATE_TEXT,
  GPU_ESTIMATE_TENSORS, // the next Dims values
};
struct GpuEstimateValue {
  int32_t Kind, Type; // GpuEstimateKind, c10::ScalarType
  int64_t Integer;    // the number of a tensor
  double Real;
  void *Data; // of a tensor; the characters of a text
  int32_t Dims, IsOnCard;
  int64_t Sizes[GPU_ESTIMATE_MAX_DIMS], Strides[GPU_ESTIMATE_MAX_DIMS];
};
// Does a method or function of PyTorch. Not 0: Problem has the reason.
typedef int (*GpuEstimatePerform)(const char *Name, const GpuEstimateValue *Arguments,
                                  int Count, GpuEstimateValue *Result, char *Problem,
                                  int ProblemSize);
typedef void (*GpuEstimateForget)(int64_t Tensor);
}

namespace gpu_estimate_extension {
inline GpuEstimatePerform &performer() {
  static GpuEstimatePerform Function = nullptr;
  return Function;
}
inline GpuEstimateForget &forgetter() {
  static GpuEstimateForget Function = nullptr;
  return Function;
}
inline std::vector<GpuEstimateValue> &noValues() {
  static std::vector<GpuEstimateValue> None;
  return None;
}
} // namespace gpu_estimate_extension

namespace c10 {
enum class ScalarType : int8_t {
  Byte = 0, Char = 1, Short = 2, Int = 3, Long = 4, Half = 5, Float = 6, Double = 7,
  Bool = 11, BFloat16 = 15, Undefined = -1
};
inline std::ostream &operator<<(std::ostream &Out, ScalarType T) {
  return Out << "ScalarType(" << int(T) << ")";
}
inline const char *toString(ScalarType) { return "ScalarType"; }
using Half = __half;
using BFloat16 = __nv_bfloat16;
enum class DeviceType : int8_t { CPU, CUDA };
using DeviceIndex = int8_t;
struct Device {
  DeviceType Type;
  int8_t Index;
  Device(DeviceType Type, int8_t Index = -1) : Type(Type), Index(Index) {}
  DeviceType type() const { return Type; }
  int8_t index() const { return Index < 0 ? 0 : Index; }
  bool is_cuda() const { return Type == DeviceType::CUDA; }
  bool is_cpu() const { return Type == DeviceType::CPU; }
  bool operator==(const Device &D) const { return Type == D.Type; }
  bool operator!=(const Device &D) const { return Type != D.Type; }
};
inline std::ostream &operator<<(std::ostream &Out, const Device &D) {
  return Out << (D.is_cuda() ? "cuda:0" : "cpu");
}
struct TensorOptions {
  ScalarType Type = ScalarType::Float;
  Device Where = Device(DeviceType::CPU);
  TensorOptions() = default;
  TensorOptions(ScalarType Type) : Type(Type) {}
  TensorOptions(Device Where) : Where(Where) {}
  TensorOptions(DeviceType Where) : Where(Where) {}
  TensorOptions dtype(ScalarType T) const {
    TensorOptions O = *this;
    O.Type = T;
    return O;
  }
  ScalarType dtype() const { return Type; }
  TensorOptions device(Device D) const {
    TensorOptions O = *this;
    O.Where = D;
    return O;
  }
  TensorOptions device(DeviceType D, int8_t = -1) const { return device(Device(D)); }
  Device device() const { return Where; }
  template <class T> TensorOptions layout(T) const { return *this; }
  TensorOptions requires_grad(bool = true) const { return *this; }
  TensorOptions memory_format(int) const { return *this; }
};
inline std::ostream &operator<<(std::ostream &Out, const TensorOptions &O) {
  return Out << O.Type << " on " << O.Where;
}
struct IntArrayRef {
  std::vector<int64_t> Values;
  IntArrayRef() = default;
  IntArrayRef(int64_t Value) : Values{Value} {}
  IntArrayRef(std::initializer_list<int64_t> V) : Values(V) {}
  IntArrayRef(const std::vector<int64_t> &V) : Values(V) {}
  IntArrayRef(const int64_t *Data, size_t Count) : Values(Data, Data + Count) {}
  int64_t operator[](size_t I) const { return Values[I]; }
  size_t size() const { return Values.size(); }
  bool empty() const { return Values.empty(); }
  const int64_t *data() const { return Values.data(); }
  const int64_t *begin() const { return Values.data(); }
  const int64_t *end() const { return Values.data() + Values.size(); }
  int64_t back() const { return Values.back(); }
  std::vector<int64_t> vec() const { return Values; }
  bool operator==(const IntArrayRef &R) const { return Values == R.Values; }
  bool operator!=(const IntArrayRef &R) const { return Values != R.Values; }
};
inline std::ostream &operator<<(std::ostream &Out, const IntArrayRef &R) {
  Out << '[';
  for (size_t I = 0; I < R.size(); ++I)
    Out << (I ? ", " : "") << R[I];
  return Out << ']';
}
template <class T> using ArrayRef = std::vector<T>;
template <class T> using optional = std::optional<T>;
constexpr std::nullopt_t nullopt = std::nullopt;
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
} // namespace c10

namespace at {
using c10::Device;
using c10::DeviceType;
using c10::IntArrayRef;
using c10::ScalarType;
using c10::TensorOptions;
using c10::Half;
using c10::BFloat16;
constexpr auto kByte = ScalarType::Byte;
constexpr auto kHalf = ScalarType::Half;
constexpr auto kBFloat16 = ScalarType::BFloat16;
constexpr auto kFloat = ScalarType::Float;
constexpr auto kDouble = ScalarType::Double;
constexpr auto kInt = ScalarType::Int;
constexpr auto kLong = ScalarType::Long;
constexpr auto kBool = ScalarType::Bool;
constexpr auto kCUDA = DeviceType::CUDA;
constexpr auto kCPU = DeviceType::CPU;

template <typename T> struct RestrictPtrTraits {
  typedef T *__restrict__ PtrType;
};
template <typename T> struct DefaultPtrTraits {
  typedef T *PtrType;
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
  __host__ __device__ Index stride(Index I) const { return Strides[I]; }
};
template <typename T, template <typename> class Traits, typename Index>
struct TensorAccessor<T, 1, Traits, Index> {
  T *Data;
  const Index *Sizes, *Strides;
  __host__ __device__ T &operator[](Index I) const { return Data[Strides[0] * I]; }
  __host__ __device__ Index size(Index I) const { return Sizes[I]; }
  __host__ __device__ Index stride(Index I) const { return Strides[I]; }
};
template <typename T, size_t N, template <typename> class Traits, typename Index>
struct AccessorBase {
  typename Traits<T>::PtrType Data;
  Index Sizes[N], Strides[N];
  __host__ __device__ Index size(Index I) const { return Sizes[I]; }
  __host__ __device__ Index stride(Index I) const { return Strides[I]; }
  __host__ __device__ T *data() const { return Data; }
};
template <typename T, size_t N, template <typename> class Traits, typename Index>
struct GenericPackedTensorAccessor : AccessorBase<T, N, Traits, Index> {
  __host__ __device__ TensorAccessor<T, N - 1, Traits, Index>
  operator[](Index I) const {
    return {this->Data + this->Strides[0] * I, this->Sizes + 1, this->Strides + 1};
  }
};
template <typename T, template <typename> class Traits, typename Index>
struct GenericPackedTensorAccessor<T, 1, Traits, Index>
    : AccessorBase<T, 1, Traits, Index> {
  __host__ __device__ T &operator[](Index I) const {
    return this->Data[this->Strides[0] * I];
  }
};
template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, int64_t>;

class Tensor;
struct Scalar {
  double Value;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Scalar(T Value) : Value(double(Value)) {}
};

namespace detail {
inline GpuEstimateValue value() {
  GpuEstimateValue V;
  std::memset(&V, 0, sizeof(V));
  return V;
}
inline GpuEstimateValue value(int64_t Number) {
  GpuEstimateValue V = value();
  V.Kind = GPU_ESTIMATE_INTEGER;
  V.Integer = Number;
  return V;
}
inline GpuEstimateValue value(int Number) { return value(int64_t(Number)); }
inline GpuEstimateValue value(bool Truth) {
  GpuEstimateValue V = value(int64_t(Truth));
  V.Kind = GPU_ESTIMATE_BOOLEAN;
  return V;
}
inline GpuEstimateValue value(double Number) {
  GpuEstimateValue V = value();
  V.Kind = GPU_ESTIMATE_REAL;
  V.Real = Number;
  return V;
}
inline GpuEstimateValue value(Scalar S) { return value(S.Value); }
inline GpuEstimateValue value(const IntArrayRef &R) {
  GpuEstimateValue V = value();
  V.Kind = GPU_ESTIMATE_LIST;
  V.Dims = int32_t(std::min<size_t>(R.size(), GPU_ESTIMATE_MAX_DIMS));
  for (int32_t I = 0; I < V.Dims; ++I)
    V.Sizes[I] = R[size_t(I)];
  return V;
}
// Type and place of a new tensor.
inline GpuEstimateValue value(const TensorOptions &O) {
  GpuEstimateValue V = value();
  V.Type = int32_t(O.Type);
  V.IsOnCard = O.Where.is_cuda();
  return V;
}
inline GpuEstimateValue value(ScalarType T) { return value(TensorOptions(T)); }
inline GpuEstimateValue value(const Tensor &T);
inline GpuEstimateValue perform(const char *Name,
                                const std::vector<GpuEstimateValue> &Arguments) {
  GpuEstimateValue Result = value();
  char Problem[1024] = "";
  if (gpu_estimate_extension::performer()(Name, Arguments.data(),
                                          int(Arguments.size()), &Result, Problem,
                                          sizeof(Problem)))
    throw c10::Error(Problem);
  return Result;
}
template <class... Ts> Tensor tensor(const char *Name, const Ts &...Arguments);
} // namespace detail

class Tensor {
public:
  Tensor() = default;
  explicit Tensor(const GpuEstimateValue &V)
      : State(new GpuEstimateValue(V), [](GpuEstimateValue *Old) {
          gpu_estimate_extension::forgetter()(Old->Integer);
          delete Old;
        }) {}
  const GpuEstimateValue &state() const {
    if (!State)
      throw c10::Error("an undefined tensor");
    return *State;
  }
  int64_t axis(int64_t I) const { return I < 0 ? I + state().Dims : I; }
  int64_t size(int64_t I) const {
    if (axis(I) < 0 || axis(I) >= state().Dims)
      throw c10::Error("Dimension out of range");
    return state().Sizes[axis(I)];
  }
  int64_t stride(int64_t I) const { return state().Strides[axis(I)]; }
  int64_t dim() const { return state().Dims; }
  int64_t ndimension() const { return dim(); }
  int64_t numel() const {
    int64_t All = 1;
    for (int I = 0; I < state().Dims; ++I)
      All *= state().Sizes[I];
    return All;
  }
  int64_t element_size() const {
    switch (scalar_type()) {
    case ScalarType::Double:
    case ScalarType::Long:
      return 8;
    case ScalarType::Float:
    case ScalarType::Int:
      return 4;
    case ScalarType::Half:
    case ScalarType::BFloat16:
    case ScalarType::Short:
      return 2;
    default:
      return 1;
    }
  }
  int64_t itemsize() const { return element_size(); }
  int64_t nbytes() const { return numel() * element_size(); }
  IntArrayRef sizes() const { return {state().Sizes, size_t(state().Dims)}; }
  IntArrayRef strides() const { return {state().Strides, size_t(state().Dims)}; }
  ScalarType scalar_type() const { return ScalarType(state().Type); }
  ScalarType dtype() const { return scalar_type(); }
  ScalarType type() const { return scalar_type(); }
  Device device() const {
    return Device(state().IsOnCard ? DeviceType::CUDA : DeviceType::CPU, 0);
  }
  int64_t get_device() const { return 0; }
  TensorOptions options() const {
    return TensorOptions(scalar_type()).device(device());
  }
  bool is_cuda() const { return state().IsOnCard != 0; }
  bool is_cpu() const { return !is_cuda(); }
  bool is_contiguous() const {
    int64_t Step = 1;
    for (int I = state().Dims - 1; I >= 0; --I) {
      if (state().Sizes[I] != 1 && state().Strides[I] != Step)
        return false;
      Step *= state().Sizes[I];
    }
    return true;
  }
  bool defined() const { return bool(State); }
  bool is_floating_point() const {
    ScalarType T = scalar_type();
    return T == ScalarType::Float || T == ScalarType::Double ||
           T == ScalarType::Half || T == ScalarType::BFloat16;
  }
  bool requires_grad() const { return false; }
  template <typename T> T *data_ptr() const { return static_cast<T *>(state().Data); }
  template <typename T> const T *const_data_ptr() const { return data_ptr<T>(); }
  template <typename T> T *mutable_data_ptr() const { return data_ptr<T>(); }
  template <typename T> T *data() const { return data_ptr<T>(); }
  void *data_ptr() const { return state().Data; }
  const void *const_data_ptr() const { return state().Data; }
  template <typename T> T item() const {
    return static_cast<T>(detail::perform("item", {state()}).Real);
  }
  template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const {
    return accessor<PackedTensorAccessor32<T, N, Traits>, T, N>();
  }
  template <typename T, size_t N, template <typename> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const {
    return accessor<PackedTensorAccessor64<T, N, Traits>, T, N>();
  }
  Tensor contiguous() const { return is_contiguous() ? *this : method("contiguous"); }
  Tensor clone() const { return method("clone"); }
  Tensor detach() const { return *this; }
  Tensor flatten(int64_t First = 0, int64_t Last = -1) const {
    return method("flatten", First, Last);
  }
  Tensor view(IntArrayRef Shape) const { return method("view", Shape); }
  Tensor reshape(IntArrayRef Shape) const { return method("reshape", Shape); }
  Tensor expand(IntArrayRef Shape) const { return method("expand", Shape); }
  Tensor permute(IntArrayRef Axes) const { return method("permute", Axes); }
  Tensor transpose(int64_t A, int64_t B) const { return method("transpose", A, B); }
  Tensor t() const { return method("t"); }
  Tensor to(ScalarType T) const {
    return T == scalar_type() ? *this : method("to", detail::value(T));
  }
  Tensor to(Device) const { return *this; }
  Tensor cuda() const { return *this; }
  Tensor toType(ScalarType T) const { return to(T); }
  Tensor sum() const { return method("sum"); }
  Tensor mean() const { return method("mean"); }
  Tensor max() const { return method("max"); }
  Tensor squeeze() const { return method("squeeze"); }
  Tensor squeeze(int64_t Axis) const { return method("squeeze", Axis); }
  Tensor unsqueeze(int64_t Axis) const { return method("unsqueeze", Axis); }
  Tensor select(int64_t Axis, int64_t I) const { return method("select", Axis, I); }
  Tensor slice(int64_t Axis, int64_t From, int64_t To) const {
    return method("narrow", Axis, From, To - From);
  }
  Tensor &zero_() { return method("zero_"), *this; }
  Tensor &fill_(Scalar S) { return method("fill_", S), *this; }
  Tensor &copy_(const Tensor &T) { return method("copy_", T), *this; }
  Tensor &add_(const Tensor &T) { return method("add_", T), *this; }
  Tensor &mul_(Scalar S) { return method("mul_", S), *this; }
  Tensor &div_(Scalar S) { return method("div_", S), *this; }
  Tensor operator+(const Tensor &T) const { return method("add", T); }
  Tensor operator-(const Tensor &T) const { return method("sub", T); }
  Tensor operator*(const Tensor &T) const { return method("mul", T); }
  Tensor operator/(const Tensor &T) const { return method("div", T); }
  Tensor operator+(Scalar S) const { return method("add", S); }
  Tensor operator*(Scalar S) const { return method("mul", S); }
  Tensor operator/(Scalar S) const { return method("div", S); }

private:
  template <class... Ts> Tensor method(const char *Name, const Ts &...Rest) const {
    return detail::tensor(Name, *this, Rest...);
  }
  template <class Accessor, class T, size_t N> Accessor accessor() const {
    if (dim() != int64_t(N))
      throw c10::Error("a packed accessor with other dimensions than its tensor");
    Accessor A;
    A.Data = data_ptr<T>();
    for (size_t I = 0; I < N; ++I) {
      A.Sizes[I] = static_cast<decltype(A.Sizes[0] + 0)>(state().Sizes[I]);
      A.Strides[I] = static_cast<decltype(A.Strides[0] + 0)>(state().Strides[I]);
    }
    return A;
  }
  std::shared_ptr<GpuEstimateValue> State;
};

namespace detail {
inline GpuEstimateValue value(const Tensor &T) {
  return T.defined() ? T.state() : value();
}
inline GpuEstimateValue value(const GpuEstimateValue &V) { return V; }
template <class... Ts> Tensor tensor(const char *Name, const Ts &...Arguments) {
  return Tensor(perform(Name, {value(Arguments)...}));
}
} // namespace detail

inline Tensor empty(IntArrayRef S, TensorOptions O = {}) {
  return detail::tensor("empty", S, O);
}
inline Tensor zeros(IntArrayRef S, TensorOptions O = {}) {
  return detail::tensor("zeros", S, O);
}
inline Tensor ones(IntArrayRef S, TensorOptions O = {}) {
  return detail::tensor("ones", S, O);
}
inline Tensor full(IntArrayRef S, Scalar Value, TensorOptions O = {}) {
  return detail::tensor("full", S, Value, O);
}
inline Tensor empty_like(const Tensor &T) { return detail::tensor("empty_like", T); }
inline Tensor zeros_like(const Tensor &T) { return detail::tensor("zeros_like", T); }
inline Tensor ones_like(const Tensor &T) { return detail::tensor("ones_like", T); }
inline Tensor empty_like(const Tensor &T, TensorOptions O) {
  return empty(T.sizes(), O);
}
inline Tensor zeros_like(const Tensor &T, TensorOptions O) {
  return zeros(T.sizes(), O);
}
#define GPU_ESTIMATE_UNARY(NAME)                                               \
  inline Tensor NAME(const Tensor &T) { return detail::tensor(#NAME, T); }
#define GPU_ESTIMATE_BINARY(NAME)                                              \
  inline Tensor NAME(const Tensor &A, const Tensor &B) {                       \
    return detail::tensor(#NAME, A, B);                                        \
  }
GPU_ESTIMATE_UNARY(relu) GPU_ESTIMATE_UNARY(sigmoid) GPU_ESTIMATE_UNARY(tanh)
GPU_ESTIMATE_UNARY(exp) GPU_ESTIMATE_UNARY(sqrt) GPU_ESTIMATE_UNARY(abs)
GPU_ESTIMATE_UNARY(sum) GPU_ESTIMATE_UNARY(mean) GPU_ESTIMATE_UNARY(neg)
GPU_ESTIMATE_BINARY(matmul) GPU_ESTIMATE_BINARY(mm) GPU_ESTIMATE_BINARY(bmm)
GPU_ESTIMATE_BINARY(add) GPU_ESTIMATE_BINARY(sub) GPU_ESTIMATE_BINARY(mul)
GPU_ESTIMATE_BINARY(div)
#undef GPU_ESTIMATE_UNARY
#undef GPU_ESTIMATE_BINARY

namespace cuda {
struct CUDAStream {
  operator cudaStream_t() const { return nullptr; }
  cudaStream_t stream() const { return nullptr; }
};
inline CUDAStream getCurrentCUDAStream(int8_t = -1) { return {}; }
inline CUDAStream getDefaultCUDAStream(int8_t = -1) { return {}; }
inline cudaDeviceProp *getCurrentDeviceProperties() {
  static cudaDeviceProp Properties = [] {
    cudaDeviceProp P;
    (void)cudaGetDeviceProperties(&P, 0);
    return P;
  }();
  return &Properties;
}
struct CUDAGuard {
  explicit CUDAGuard(Device) {}
  explicit CUDAGuard(int8_t) {}
};
using OptionalCUDAGuard = CUDAGuard;
} // namespace cuda
inline Device device_of(const Tensor &T) { return T.device(); }
} // namespace at

namespace c10::cuda {
using at::cuda::CUDAGuard;
using at::cuda::CUDAStream;
using at::cuda::getCurrentCUDAStream;
using at::cuda::OptionalCUDAGuard;
} // namespace c10::cuda

namespace torch {
using namespace at;
using c10::nullopt;
using c10::optional;
constexpr auto kUInt8 = ScalarType::Byte;
constexpr auto kInt8 = ScalarType::Char;
constexpr auto kInt32 = ScalarType::Int;
constexpr auto kInt64 = ScalarType::Long;
constexpr auto kFloat16 = ScalarType::Half;
constexpr auto kFloat32 = ScalarType::Float;
constexpr auto kFloat64 = ScalarType::Double;
inline TensorOptions dtype(ScalarType T) { return TensorOptions().dtype(T); }
inline TensorOptions device(Device D) { return TensorOptions().device(D); }
inline TensorOptions device(DeviceType D) { return TensorOptions().device(D); }
} // namespace torch

namespace gpu_estimate_extension {

// Arguments of a call, from the first on.
struct Reader {
  const GpuEstimateValue *Next, *End;
  const GpuEstimateValue &take() {
    if (Next == End)
      throw c10::Error("too few arguments");
    return *Next++;
  }
};

template <class T> struct Converter {
  static T from(Reader &R) {
    const GpuEstimateValue &V = R.take();
    static_assert(std::is_arithmetic_v<T>, "an argument of a type that modules built "
                                           "by gpu-estimate do not take");
    if (V.Kind == GPU_ESTIMATE_REAL) {
      if (std::is_integral_v<T>)
        throw c10::Error("a number with a fraction for an integer");
      return static_cast<T>(V.Real);
    }
    if (V.Kind != GPU_ESTIMATE_INTEGER && V.Kind != GPU_ESTIMATE_BOOLEAN)
      throw c10::Error("incompatible function arguments: a number is expected");
    return static_cast<T>(V.Integer);
  }
};
template <> struct Converter<at::Tensor> {
  static at::Tensor from(Reader &R) {
    const GpuEstimateValue &V = R.take();
    if (V.Kind == GPU_ESTIMATE_NONE)
      return {};
    if (V.Kind != GPU_ESTIMATE_TENSOR)
      throw c10::Error("incompatible function arguments: a tensor is expected");
    return at::Tensor(V);
  }
};
template <> struct Converter<std::string> {
  static std::string from(Reader &R) {
    const GpuEstimateValue &V = R.take();
    return V.Kind == GPU_ESTIMATE_TEXT ? static_cast<const char *>(V.Data) : "";
  }
};
template <> struct Converter<std::vector<int64_t>> {
  static std::vector<int64_t> from(Reader &R) {
    const GpuEstimateValue &V = R.take();
    return {V.Sizes, V.Sizes + V.Dims};
  }
};
template <> struct Converter<c10::IntArrayRef> {
  static c10::IntArrayRef from(Reader &R) {
    return Converter<std::vector<int64_t>>::from(R);
  }
};
template <> struct Converter<std::vector<at::Tensor>> {
  static std::vector<at::Tensor> from(Reader &R) {
    int Count = R.take().Dims;
    std::vector<at::Tensor> All;
    for (int I = 0; I < Count; ++I)
      All.push_back(Converter<at::Tensor>::from(R));
    return All;
  }
};
template <class T> struct Converter<std::optional<T>> {
  static std::optional<T> from(Reader &R) {
    if (R.Next != R.End && R.Next->Kind == GPU_ESTIMATE_NONE) {
      R.take();
      return std::nullopt;
    }
    return Converter<T>::from(R);
  }
};

using Results = std::vector<GpuEstimateValue>;
/// Tensors that are returned live until the caller has taken them.
inline std::vector<at::Tensor> &returned() {
  static std::vector<at::Tensor> Tensors;
  return Tensors;
}
inline void give(Results &Out, const at::Tensor &T) {
  Out.push_back(at::detail::value(T));
  if (T.defined())
    returned().push_back(T);
}
template <class T>
std::enable_if_t<std::is_arithmetic_v<T>> give(Results &Out, T Number) {
  if constexpr (std::is_same_v<T, bool>)
    Out.push_back(at::detail::value(Number));
  else if constexpr (std::is_integral_v<T>)
    Out.push_back(at::detail::value(int64_t(Number)));
  else
    Out.push_back(at::detail::value(double(Number)));
}
inline void give(Results &Out, const std::vector<at::Tensor> &Tensors) {
  GpuEstimateValue Head = at::detail::value();
  Head.Kind = GPU_ESTIMATE_TENSORS;
  Head.Dims = int32_t(Tensors.size());
  Out.push_back(Head);
  for (const at::Tensor &T : Tensors)
    give(Out, T);
}
template <class... Ts> void give(Results &Out, const std::tuple<Ts...> &Values) {
  GpuEstimateValue Head = at::detail::value();
  Head.Kind = GPU_ESTIMATE_TENSORS;
  Head.Dims = int32_t(sizeof...(Ts));
  Out.push_back(Head);
  std::apply([&](const auto &...Each) { (give(Out, Each), ...); }, Values);
}
template <class A, class B> void give(Results &Out, const std::pair<A, B> &Values) {
  give(Out, std::tuple<A, B>(Values.first, Values.second));
}

struct Function {
  std::string Name;
  std::function<void(Reader &, Results &)> Call;
};
inline std::vector<Function> &functions() {
  static std::vector<Function> All;
  return All;
}
template <class Result, class... Ts>
void add(const char *Name, Result (*Function)(Ts...)) {
  functions().push_back({Name, [Function](Reader &In, Results &Out) {
    // Braces evaluate in order.
    std::tuple<std::decay_t<Ts>...> Arguments{
        Converter<std::decay_t<Ts>>::from(In)...};
    if constexpr (std::is_void_v<Result>)
      std::apply([&](auto &...Each) { Function(static_cast<Ts>(Each)...); },
                 Arguments);
    else
      give(Out, std::apply(
                    [&](auto &...Each) { return Function(static_cast<Ts>(Each)...); },
                    Arguments));
  }});
}
} // namespace gpu_estimate_extension

namespace pybind11 {
struct arg {
  explicit arg(const char *) {}
  template <class T> arg operator=(const T &) const { return *this; }
};
struct module_ {
  template <class Result, class... Ts, class... Rest>
  module_ &def(const char *Name, Result (*Function)(Ts...), const Rest &...) {
    gpu_estimate_extension::add(Name, Function);
    return *this;
  }
  module_ &doc() { return *this; }
  module_ &operator=(const char *) { return *this; }
};
} // namespace pybind11
namespace py = pybind11;

#define GPU_ESTIMATE_CHECK_FAILED(CONDITION, ...)                              \
  do {                                                                         \
    if (!(CONDITION))                                                          \
      throw c10::Error(::gpu_estimate_extension::text(__VA_ARGS__));           \
  } while (false)
namespace gpu_estimate_extension {
template <class... Ts> std::string text(const Ts &...Parts) {
  std::ostringstream Out;
  (Out << ... << Parts);
  return Out.str().empty() ? "a check failed" : Out.str();
}
} // namespace gpu_estimate_extension
#define TORCH_CHECK(CONDITION, ...)                                            \
  GPU_ESTIMATE_CHECK_FAILED(CONDITION, #CONDITION " is false. ", ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define AT_ASSERT TORCH_CHECK
#define AT_ERROR(...) throw c10::Error(::gpu_estimate_extension::text(__VA_ARGS__))
#define GPU_ESTIMATE_CUDA_CHECK(CALL)                                          \
  do {                                                                         \
    cudaError_t GpuEstimateError = (CALL);                                     \
    if (GpuEstimateError != cudaSuccess)                                       \
      throw c10::Error(std::string("CUDA error: ") +                           \
                       cudaGetErrorString(GpuEstimateError));                  \
  } while (false)
#define AT_CUDA_CHECK GPU_ESTIMATE_CUDA_CHECK
#define C10_CUDA_CHECK GPU_ESTIMATE_CUDA_CHECK
#define C10_CUDA_KERNEL_LAUNCH_CHECK() GPU_ESTIMATE_CUDA_CHECK(cudaGetLastError())
#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME extension
#endif
#define PYBIND11_MODULE(NAME, VARIABLE)                                        \
  static void gpuEstimateModule(pybind11::module_ &);                          \
  static const bool GpuEstimateModuleIsMade = [] {                             \
    pybind11::module_ Module;                                                  \
    gpuEstimateModule(Module);                                                 \
    return true;                                                               \
  }();                                                                         \
  static void gpuEstimateModule(pybind11::module_ &VARIABLE)

#define GPU_ESTIMATE_CASE(ENUM, TYPE, ...)                                     \
  case at::ScalarType::ENUM: {                                                 \
    using scalar_t = TYPE;                                                     \
    __VA_ARGS__();                                                             \
    break;                                                                     \
  }
#define GPU_ESTIMATE_SWITCH(KIND, NAME, CASES)                                 \
  do {                                                                         \
    switch (KIND) {                                                            \
      CASES                                                                    \
    default:                                                                   \
      throw c10::Error(std::string("\"") + NAME +                              \
                       "\" not implemented for this type");                    \
    }                                                                          \
  } while (false)
#define GPU_ESTIMATE_FLOATS(...)                                               \
  GPU_ESTIMATE_CASE(Float, float, __VA_ARGS__)                                 \
  GPU_ESTIMATE_CASE(Double, double, __VA_ARGS__)
#define GPU_ESTIMATE_INTEGERS(...)                                             \
  GPU_ESTIMATE_CASE(Byte, uint8_t, __VA_ARGS__)                                \
  GPU_ESTIMATE_CASE(Char, int8_t, __VA_ARGS__)                                 \
  GPU_ESTIMATE_CASE(Short, int16_t, __VA_ARGS__)                               \
  GPU_ESTIMATE_CASE(Int, int32_t, __VA_ARGS__)                                 \
  GPU_ESTIMATE_CASE(Long, int64_t, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(KIND, NAME, ...)                            \
  GPU_ESTIMATE_SWITCH(KIND, NAME, GPU_ESTIMATE_FLOATS(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(KIND, NAME, ...)                   \
  GPU_ESTIMATE_SWITCH(KIND, NAME,                                              \
                      GPU_ESTIMATE_FLOATS(__VA_ARGS__)                         \
                          GPU_ESTIMATE_CASE(Half, c10::Half, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(KIND, NAME, ...)                                 \
  GPU_ESTIMATE_SWITCH(KIND, NAME,                                              \
                      GPU_ESTIMATE_FLOATS(__VA_ARGS__)                         \
                          GPU_ESTIMATE_INTEGERS(__VA_ARGS__))

// What extension.py calls.
extern "C" {
inline __attribute__((visibility("default"), used)) void
gpu_estimate_extension_begin(GpuEstimatePerform Perform, GpuEstimateForget Forget) {
  gpu_estimate_extension::performer() = Perform;
  gpu_estimate_extension::forgetter() = Forget;
}
inline __attribute__((visibility("default"), used)) const char *
gpu_estimate_extension_name(int Number) {
  auto &All = gpu_estimate_extension::functions();
  return size_t(Number) < All.size() ? All[size_t(Number)].Name.c_str() : nullptr;
}
/// The number of results, of which at most Room are written; -1: Problem has the
/// reason.
inline __attribute__((visibility("default"), used)) int
gpu_estimate_extension_call(int Number, const GpuEstimateValue *Arguments, int Count,
                            GpuEstimateValue *Out, int Room, char *Problem,
                            int ProblemSize) {
  try {
    gpu_estimate_extension::Reader In{Arguments, Arguments + Count};
    gpu_estimate_extension::Results Found;
    gpu_estimate_extension::functions()[size_t(Number)].Call(In, Found);
    if (In.Next != In.End)
      throw c10::Error("too many arguments");
    for (size_t I = 0; I < Found.size() && I < size_t(Room); ++I)
      Out[I] = Found[I];
    return int(Found.size());
  } catch (const std::exception &E) {
    std::strncpy(Problem, E.what(), size_t(ProblemSize) - 1);
    return -1;
  }
}
inline __attribute__((visibility("default"), used)) void
gpu_estimate_extension_taken() {
  gpu_estimate_extension::returned().clear();
}
}

#endif
