/// \file
/// The operators that HIP has for its short vector types, element by element,
/// with another vector or a number. They are templates, as in HIP, so that a
/// program may define its own.

#ifndef GPU_ESTIMATE_HIP_VECTOR_OPERATORS_H
#define GPU_ESTIMATE_HIP_VECTOR_OPERATORS_H

#include <type_traits>

namespace gpu_estimate_hip {

/// Number and type of the elements; no Size for another type.
template <class V> struct Vector {
  static constexpr int Size = 0;
};
#define GPU_ESTIMATE_HIP_VECTOR(Name, Type)                                    \
  template <> struct Vector<Name##1> {                                         \
    static constexpr int Size = 1;                                             \
    typedef Type Element;                                                      \
  };                                                                           \
  template <> struct Vector<Name##2> {                                         \
    static constexpr int Size = 2;                                             \
    typedef Type Element;                                                      \
  };                                                                           \
  template <> struct Vector<Name##3> {                                         \
    static constexpr int Size = 3;                                             \
    typedef Type Element;                                                      \
  };                                                                           \
  template <> struct Vector<Name##4> {                                         \
    static constexpr int Size = 4;                                             \
    typedef Type Element;                                                      \
  };
GPU_ESTIMATE_HIP_VECTOR(char, signed char)
GPU_ESTIMATE_HIP_VECTOR(uchar, unsigned char)
GPU_ESTIMATE_HIP_VECTOR(short, short)
GPU_ESTIMATE_HIP_VECTOR(ushort, unsigned short)
GPU_ESTIMATE_HIP_VECTOR(int, int)
GPU_ESTIMATE_HIP_VECTOR(uint, unsigned int)
GPU_ESTIMATE_HIP_VECTOR(long, long)
GPU_ESTIMATE_HIP_VECTOR(ulong, unsigned long)
GPU_ESTIMATE_HIP_VECTOR(longlong, long long)
GPU_ESTIMATE_HIP_VECTOR(ulonglong, unsigned long long)
GPU_ESTIMATE_HIP_VECTOR(float, float)
GPU_ESTIMATE_HIP_VECTOR(double, double)
#undef GPU_ESTIMATE_HIP_VECTOR

template <class V>
using IfVector = std::enable_if_t<(Vector<V>::Size > 0), V>;
template <class V, class S>
using IfNumber = std::enable_if_t<
    (Vector<V>::Size > 0) && std::is_arithmetic<S>::value, V>;

#define GPU_ESTIMATE_HIP_BOTH                                                  \
  static __inline__ __host__ __device__ __attribute__((always_inline))

/// All elements equal to a number.
template <class V> GPU_ESTIMATE_HIP_BOTH V fill(typename Vector<V>::Element s) {
  V v;
  v.x = s;
  if constexpr (Vector<V>::Size > 1)
    v.y = s;
  if constexpr (Vector<V>::Size > 2)
    v.z = s;
  if constexpr (Vector<V>::Size > 3)
    v.w = s;
  return v;
}

} // namespace gpu_estimate_hip

// clang-format off
#define GPU_ESTIMATE_HIP_OPERATOR(Op, Assign)                                  \
  template <class V>                                                           \
  GPU_ESTIMATE_HIP_BOTH gpu_estimate_hip::IfVector<V> &operator Assign(        \
      V &a, const V &b) {                                                      \
    a.x Assign b.x;                                                            \
    if constexpr (gpu_estimate_hip::Vector<V>::Size > 1)                       \
      a.y Assign b.y;                                                          \
    if constexpr (gpu_estimate_hip::Vector<V>::Size > 2)                       \
      a.z Assign b.z;                                                          \
    if constexpr (gpu_estimate_hip::Vector<V>::Size > 3)                       \
      a.w Assign b.w;                                                          \
    return a;                                                                  \
  }                                                                            \
  template <class V, class S>                                                  \
  GPU_ESTIMATE_HIP_BOTH gpu_estimate_hip::IfNumber<V, S> &operator Assign(     \
      V &a, S s) {                                                             \
    return a Assign gpu_estimate_hip::fill<V>(s);                              \
  }                                                                            \
  template <class V>                                                           \
  GPU_ESTIMATE_HIP_BOTH gpu_estimate_hip::IfVector<V> operator Op(             \
      V a, const V &b) {                                                       \
    return a Assign b;                                                         \
  }                                                                            \
  template <class V, class S>                                                  \
  GPU_ESTIMATE_HIP_BOTH gpu_estimate_hip::IfNumber<V, S> operator Op(          \
      V a, S s) {                                                              \
    return a Assign gpu_estimate_hip::fill<V>(s);                              \
  }                                                                            \
  template <class V, class S>                                                  \
  GPU_ESTIMATE_HIP_BOTH gpu_estimate_hip::IfNumber<V, S> operator Op(          \
      S s, const V &b) {                                                       \
    V a = gpu_estimate_hip::fill<V>(s);                                        \
    return a Assign b;                                                         \
  }
GPU_ESTIMATE_HIP_OPERATOR(+, +=)
GPU_ESTIMATE_HIP_OPERATOR(-, -=)
GPU_ESTIMATE_HIP_OPERATOR(*, *=)
GPU_ESTIMATE_HIP_OPERATOR(/, /=)
GPU_ESTIMATE_HIP_OPERATOR(%, %=)
GPU_ESTIMATE_HIP_OPERATOR(&, &=)
GPU_ESTIMATE_HIP_OPERATOR(|, |=)
GPU_ESTIMATE_HIP_OPERATOR(^, ^=)
GPU_ESTIMATE_HIP_OPERATOR(<<, <<=)
GPU_ESTIMATE_HIP_OPERATOR(>>, >>=)
// clang-format on
#undef GPU_ESTIMATE_HIP_OPERATOR

template <class V>
GPU_ESTIMATE_HIP_BOTH gpu_estimate_hip::IfVector<V> operator-(const V &a) {
  return gpu_estimate_hip::fill<V>(0) - a;
}
template <class V>
GPU_ESTIMATE_HIP_BOTH
    std::enable_if_t<(gpu_estimate_hip::Vector<V>::Size > 0), bool>
    operator==(const V &a, const V &b) {
  bool equal = a.x == b.x;
  if constexpr (gpu_estimate_hip::Vector<V>::Size > 1)
    equal = equal && a.y == b.y;
  if constexpr (gpu_estimate_hip::Vector<V>::Size > 2)
    equal = equal && a.z == b.z;
  if constexpr (gpu_estimate_hip::Vector<V>::Size > 3)
    equal = equal && a.w == b.w;
  return equal;
}
template <class V>
GPU_ESTIMATE_HIP_BOTH
    std::enable_if_t<(gpu_estimate_hip::Vector<V>::Size > 0), bool>
    operator!=(const V &a, const V &b) {
  return !(a == b);
}

#undef GPU_ESTIMATE_HIP_BOTH

#endif
