// c10::Half and c10::BFloat16: 16 bits in memory, arithmetic in float.
#ifndef GPU_ESTIMATE_PYTORCH_NARROW_TYPES_H
#define GPU_ESTIMATE_PYTORCH_NARROW_TYPES_H

#include "macros.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace c10 {

struct alignas(2) Half {
  unsigned short x;
  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }
  Half() = default;
  constexpr C10_HOST_DEVICE Half(unsigned short Bits, from_bits_t) : x(Bits) {}
  C10_HOST_DEVICE Half(float Value) : Half(__float2half(Value)) {}
  C10_HOST_DEVICE Half(const __half &Value)
      : x(reinterpret_cast<const unsigned short &>(Value)) {}
  C10_HOST_DEVICE operator float() const {
    return __half2float(reinterpret_cast<const __half &>(x));
  }
  C10_HOST_DEVICE operator __half() const {
    return reinterpret_cast<const __half &>(x);
  }
};

struct alignas(2) BFloat16 {
  unsigned short x;
  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }
  BFloat16() = default;
  constexpr C10_HOST_DEVICE BFloat16(unsigned short Bits, from_bits_t)
      : x(Bits) {}
  C10_HOST_DEVICE BFloat16(float Value)
      : BFloat16(__float2bfloat16(Value)) {}
  explicit C10_HOST_DEVICE BFloat16(const __nv_bfloat16 &Value)
      : x(reinterpret_cast<const unsigned short &>(Value)) {}
  C10_HOST_DEVICE operator float() const {
    return __bfloat162float(reinterpret_cast<const __nv_bfloat16 &>(x));
  }
  explicit C10_HOST_DEVICE operator __nv_bfloat16() const {
    return reinterpret_cast<const __nv_bfloat16 &>(x);
  }
};

#define GPU_ESTIMATE_NARROW_OPERATOR(T, OP)                                    \
  inline C10_HOST_DEVICE T operator OP(T A, T B) {                             \
    return static_cast<float>(A) OP static_cast<float>(B);                     \
  }                                                                            \
  inline C10_HOST_DEVICE T &operator OP##=(T &A, T B) {                        \
    return A = A OP B;                                                         \
  }                                                                            \
  inline C10_HOST_DEVICE float operator OP(T A, float B) {                     \
    return static_cast<float>(A) OP B;                                         \
  }                                                                            \
  inline C10_HOST_DEVICE float operator OP(float A, T B) {                     \
    return A OP static_cast<float>(B);                                         \
  }                                                                            \
  inline C10_HOST_DEVICE float &operator OP##=(float &A, T B) {                \
    return A OP##= static_cast<float>(B);                                      \
  }                                                                            \
  inline C10_HOST_DEVICE double operator OP(T A, double B) {                   \
    return static_cast<float>(A) OP B;                                         \
  }                                                                            \
  inline C10_HOST_DEVICE double operator OP(double A, T B) {                   \
    return A OP static_cast<float>(B);                                         \
  }                                                                            \
  inline C10_HOST_DEVICE T operator OP(T A, int B) {                           \
    return A OP T(static_cast<float>(B));                                      \
  }                                                                            \
  inline C10_HOST_DEVICE T operator OP(int A, T B) {                           \
    return T(static_cast<float>(A)) OP B;                                      \
  }                                                                            \
  inline C10_HOST_DEVICE T operator OP(T A, int64_t B) {                       \
    return A OP T(static_cast<float>(B));                                      \
  }                                                                            \
  inline C10_HOST_DEVICE T operator OP(int64_t A, T B) {                       \
    return T(static_cast<float>(A)) OP B;                                      \
  }
#define GPU_ESTIMATE_NARROW_OPERATORS(T)                                       \
  GPU_ESTIMATE_NARROW_OPERATOR(T, +)                                           \
  GPU_ESTIMATE_NARROW_OPERATOR(T, -)                                           \
  GPU_ESTIMATE_NARROW_OPERATOR(T, *)                                           \
  GPU_ESTIMATE_NARROW_OPERATOR(T, /)                                           \
  inline C10_HOST_DEVICE T operator-(T A) { return -static_cast<float>(A); }
GPU_ESTIMATE_NARROW_OPERATORS(Half)
GPU_ESTIMATE_NARROW_OPERATORS(BFloat16)
#undef GPU_ESTIMATE_NARROW_OPERATORS
#undef GPU_ESTIMATE_NARROW_OPERATOR

struct alignas(1) Float8_e4m3fn {
  uint8_t x;
};
struct alignas(1) Float8_e5m2 {
  uint8_t x;
};
template <typename T> struct alignas(sizeof(T) * 2) complex {
  using value_type = T;
  T real_, imag_;
  constexpr C10_HOST_DEVICE complex(T Real = T(), T Imaginary = T())
      : real_(Real), imag_(Imaginary) {}
  template <typename U>
  explicit constexpr C10_HOST_DEVICE complex(const complex<U> &B)
      : real_(B.real_), imag_(B.imag_) {}
  constexpr C10_HOST_DEVICE T real() const { return real_; }
  constexpr C10_HOST_DEVICE T imag() const { return imag_; }
  constexpr C10_HOST_DEVICE complex &operator+=(const complex &B) {
    real_ += B.real_;
    imag_ += B.imag_;
    return *this;
  }
  constexpr C10_HOST_DEVICE complex &operator-=(const complex &B) {
    real_ -= B.real_;
    imag_ -= B.imag_;
    return *this;
  }
  constexpr C10_HOST_DEVICE complex &operator*=(const complex &B) {
    T Real = real_ * B.real_ - imag_ * B.imag_;
    imag_ = real_ * B.imag_ + imag_ * B.real_;
    real_ = Real;
    return *this;
  }
  constexpr C10_HOST_DEVICE complex &operator/=(const complex &B) {
    T Square = B.real_ * B.real_ + B.imag_ * B.imag_;
    *this *= complex(B.real_ / Square, -B.imag_ / Square);
    return *this;
  }
};
#define GPU_ESTIMATE_COMPLEX_OPERATOR(OP)                                      \
  template <typename T>                                                        \
  constexpr C10_HOST_DEVICE complex<T> operator OP(const complex<T> &A,        \
                                                   const complex<T> &B) {      \
    complex<T> Result = A;                                                     \
    return Result OP##= B;                                                     \
  }                                                                            \
  template <typename T>                                                        \
  constexpr C10_HOST_DEVICE complex<T> operator OP(const complex<T> &A,        \
                                                   const T &B) {               \
    return A OP complex<T>(B);                                                 \
  }                                                                            \
  template <typename T>                                                        \
  constexpr C10_HOST_DEVICE complex<T> operator OP(const T &A,                 \
                                                   const complex<T> &B) {      \
    return complex<T>(A) OP B;                                                 \
  }
GPU_ESTIMATE_COMPLEX_OPERATOR(+)
GPU_ESTIMATE_COMPLEX_OPERATOR(-)
GPU_ESTIMATE_COMPLEX_OPERATOR(*)
GPU_ESTIMATE_COMPLEX_OPERATOR(/)
#undef GPU_ESTIMATE_COMPLEX_OPERATOR
template <typename T>
constexpr C10_HOST_DEVICE complex<T> operator-(const complex<T> &A) {
  return {-A.real_, -A.imag_};
}
template <typename T>
constexpr C10_HOST_DEVICE bool operator==(const complex<T> &A,
                                          const complex<T> &B) {
  return A.real_ == B.real_ && A.imag_ == B.imag_;
}

} // namespace c10

namespace std {
template <typename T>
constexpr C10_HOST_DEVICE c10::complex<T> conj(const c10::complex<T> &A) {
  return {A.real_, -A.imag_};
}
template <typename T>
constexpr C10_HOST_DEVICE T real(const c10::complex<T> &A) {
  return A.real_;
}
template <typename T>
constexpr C10_HOST_DEVICE T imag(const c10::complex<T> &A) {
  return A.imag_;
}
template <> struct numeric_limits<c10::Half> : numeric_limits<float> {
  static constexpr C10_HOST_DEVICE c10::Half lowest() {
    return {0xFBFF, c10::Half::from_bits()};
  }
  static constexpr C10_HOST_DEVICE c10::Half max() {
    return {0x7BFF, c10::Half::from_bits()};
  }
  static constexpr C10_HOST_DEVICE c10::Half infinity() {
    return {0x7C00, c10::Half::from_bits()};
  }
};
template <> struct numeric_limits<c10::BFloat16> : numeric_limits<float> {
  static constexpr C10_HOST_DEVICE c10::BFloat16 lowest() {
    return {0xFF7F, c10::BFloat16::from_bits()};
  }
  static constexpr C10_HOST_DEVICE c10::BFloat16 max() {
    return {0x7F7F, c10::BFloat16::from_bits()};
  }
  static constexpr C10_HOST_DEVICE c10::BFloat16 infinity() {
    return {0x7F80, c10::BFloat16::from_bits()};
  }
};
} // namespace std

namespace at {
using c10::BFloat16;
using c10::Float8_e4m3fn;
using c10::Float8_e5m2;
using c10::Half;

// The type in which values of T are summed.
template <typename T, bool IsCuda> struct AccumulateType {
  using type =
      std::conditional_t<std::is_integral_v<T>, int64_t,
                         std::conditional_t<sizeof(T) <= 2 ||
                                                (IsCuda && sizeof(T) == 4),
                                            float, double>>;
};
template <typename T, bool IsCuda>
using acc_type = typename AccumulateType<T, IsCuda>::type;
template <typename T> using opmath_type = acc_type<T, true>;

// Limits of a type for sums and minima in kernels.
template <typename T> struct numeric_limits {
  static C10_HOST_DEVICE T lowest() { return std::numeric_limits<T>::lowest(); }
  static C10_HOST_DEVICE T max() { return std::numeric_limits<T>::max(); }
  static C10_HOST_DEVICE T lower_bound() {
    return -std::numeric_limits<T>::infinity();
  }
  static C10_HOST_DEVICE T upper_bound() {
    return std::numeric_limits<T>::infinity();
  }
};
} // namespace at

#endif
