// Types and devices of tensors, and their options.
#ifndef GPU_ESTIMATE_PYTORCH_SCALAR_TYPES_H
#define GPU_ESTIMATE_PYTORCH_SCALAR_TYPES_H

#include "narrow_types.h"

#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace c10 {

enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat,
  ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16, Float8_e5m2 = 23,
  Float8_e4m3fn, UInt16 = 27, UInt32, UInt64, Undefined = 45
};
const char *toString(ScalarType);
std::ostream &operator<<(std::ostream &, ScalarType);
size_t elementSize(ScalarType);
bool isFloatingType(ScalarType);
bool isIntegralType(ScalarType, bool IncludeBool = false);
bool isComplexType(ScalarType);

// The ScalarType of a C++ type, and the other way round.
template <typename T> struct CppTypeToScalarType;
namespace impl {
template <ScalarType S> struct ScalarTypeToCPPType;
} // namespace impl
#define GPU_ESTIMATE_SCALAR_TYPE(T, NAME)                                      \
  template <> struct CppTypeToScalarType<T> {                                  \
    static constexpr ScalarType value = ScalarType::NAME;                      \
  };                                                                           \
  namespace impl {                                                             \
  template <> struct ScalarTypeToCPPType<ScalarType::NAME> {                   \
    using type = T;                                                            \
  };                                                                           \
  }
GPU_ESTIMATE_SCALAR_TYPE(uint8_t, Byte)
GPU_ESTIMATE_SCALAR_TYPE(int8_t, Char)
GPU_ESTIMATE_SCALAR_TYPE(int16_t, Short)
GPU_ESTIMATE_SCALAR_TYPE(int, Int)
GPU_ESTIMATE_SCALAR_TYPE(int64_t, Long)
GPU_ESTIMATE_SCALAR_TYPE(Half, Half)
GPU_ESTIMATE_SCALAR_TYPE(float, Float)
GPU_ESTIMATE_SCALAR_TYPE(double, Double)
GPU_ESTIMATE_SCALAR_TYPE(complex<float>, ComplexFloat)
GPU_ESTIMATE_SCALAR_TYPE(complex<double>, ComplexDouble)
GPU_ESTIMATE_SCALAR_TYPE(bool, Bool)
GPU_ESTIMATE_SCALAR_TYPE(BFloat16, BFloat16)
GPU_ESTIMATE_SCALAR_TYPE(Float8_e5m2, Float8_e5m2)
GPU_ESTIMATE_SCALAR_TYPE(Float8_e4m3fn, Float8_e4m3fn)
GPU_ESTIMATE_SCALAR_TYPE(uint16_t, UInt16)
GPU_ESTIMATE_SCALAR_TYPE(uint32_t, UInt32)
#undef GPU_ESTIMATE_SCALAR_TYPE

struct Scalar {
  Scalar(double = 0);
  template <typename T> T to() const;
  double toDouble() const;
  int64_t toLong() const;
};

enum class MemoryFormat : int8_t {
  Contiguous, Preserve, ChannelsLast, ChannelsLast3d
};
enum class Layout : int8_t { Strided, Sparse };
enum class DeviceType : int8_t { CPU, CUDA };
using DeviceIndex = int8_t;
struct Device {
  Device(DeviceType, DeviceIndex = -1) {}
  Device(const char *) {}
  DeviceIndex index() const;
  DeviceType type() const;
  bool is_cuda() const;
  bool is_cpu() const;
  std::string str() const;
};
bool operator==(const Device &, const Device &);
bool operator!=(const Device &, const Device &);
std::ostream &operator<<(std::ostream &, const Device &);

struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(ScalarType) {}
  TensorOptions(Device) {}
  TensorOptions(DeviceType) {}
  TensorOptions dtype(ScalarType) const;
  ScalarType dtype() const;
  TensorOptions device(Device) const;
  TensorOptions device(DeviceType, DeviceIndex = -1) const;
  Device device() const;
  TensorOptions layout(Layout) const;
  TensorOptions memory_format(MemoryFormat) const;
  TensorOptions requires_grad(bool) const;
  TensorOptions pinned_memory(bool) const;
};
std::ostream &operator<<(std::ostream &, const TensorOptions &);

template <typename T> struct ArrayRef {
  ArrayRef() = default;
  ArrayRef(const T &) {}
  ArrayRef(std::initializer_list<T>) {}
  ArrayRef(const std::vector<T> &) {}
  ArrayRef(const T *, size_t) {}
  const T &operator[](size_t) const;
  const T &at(size_t) const;
  const T &front() const;
  const T &back() const;
  size_t size() const;
  bool empty() const;
  const T *data() const;
  const T *begin() const;
  const T *end() const;
  ArrayRef slice(size_t, size_t) const;
  ArrayRef slice(size_t) const;
  bool equals(ArrayRef) const;
  std::vector<T> vec() const;
};
template <typename T> bool operator==(ArrayRef<T>, ArrayRef<T>);
template <typename T> bool operator!=(ArrayRef<T>, ArrayRef<T>);
template <typename T> std::ostream &operator<<(std::ostream &, ArrayRef<T>);
using IntArrayRef = ArrayRef<int64_t>;

template <typename T> using optional = std::optional<T>;
using std::make_optional;
using std::nullopt;
using std::nullopt_t;

constexpr auto kUInt8 = ScalarType::Byte;
constexpr auto kByte = ScalarType::Byte;
constexpr auto kInt8 = ScalarType::Char;
constexpr auto kChar = ScalarType::Char;
constexpr auto kInt16 = ScalarType::Short;
constexpr auto kShort = ScalarType::Short;
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
constexpr auto kUInt16 = ScalarType::UInt16;
constexpr auto kUInt32 = ScalarType::UInt32;
constexpr auto kFloat8_e4m3fn = ScalarType::Float8_e4m3fn;
constexpr auto kFloat8_e5m2 = ScalarType::Float8_e5m2;
constexpr auto kComplexFloat = ScalarType::ComplexFloat;
constexpr auto kComplexDouble = ScalarType::ComplexDouble;
constexpr auto kCUDA = DeviceType::CUDA;
constexpr auto kCPU = DeviceType::CPU;
constexpr auto kStrided = Layout::Strided;

} // namespace c10

namespace at {
using namespace c10;
} // namespace at

#endif
