/// \file
/// Arithmetic of one 16-bit floating-point type and its pair, for expansion by
/// half.h and bfloat16.h.
///
/// Deliberately without a guard. The includer names the type (GE_T), its pair
/// (GE_T2), clang's native type (GE_N) and the raw storage types. Scalars use
/// the native type and pairs the native two-element vector, so that the code
/// has `half` and `<2 x half>` operations, one per hardware instruction.

struct GE_RAW {
  unsigned short x;
};
struct GE_RAW2 {
  unsigned short x, y;
};

struct __align__(2) GE_T {
  GE_N v;

  GE_T() = default;
  __host__ __device__ constexpr GE_T(GE_N a) : v(a) {}
  __host__ __device__ constexpr GE_T(float a) : v(static_cast<GE_N>(a)) {}
  __host__ __device__ constexpr GE_T(double a) : v(static_cast<GE_N>(a)) {}
#define GE_FROM_INTEGER(Integer)                                               \
  __host__ __device__ constexpr GE_T(Integer a)                                \
      : v(static_cast<GE_N>(static_cast<float>(a))) {}
  GE_FROM_INTEGER(short)
  GE_FROM_INTEGER(unsigned short)
  GE_FROM_INTEGER(int)
  GE_FROM_INTEGER(unsigned int)
  GE_FROM_INTEGER(long)
  GE_FROM_INTEGER(unsigned long)
  GE_FROM_INTEGER(long long)
  GE_FROM_INTEGER(unsigned long long)
#undef GE_FROM_INTEGER
  __host__ __device__ GE_T(GE_RAW a) : v(__builtin_bit_cast(GE_N, a)) {}

  __host__ __device__ constexpr operator float() const {
    return static_cast<float>(v);
  }
  __host__ __device__ operator GE_RAW() const {
    return __builtin_bit_cast(GE_RAW, v);
  }
  __host__ __device__ explicit operator bool() const {
    return static_cast<float>(v) != 0.0f;
  }
};

struct __align__(4) GE_T2 {
  GE_T x, y;

  GE_T2() = default;
  __host__ __device__ GE_T2(GE_T a, GE_T b) : x(a), y(b) {}
  __host__ __device__ operator GE_RAW2() const {
    return __builtin_bit_cast(GE_RAW2, *this);
  }
  __host__ __device__ GE_T2(GE_RAW2 a)
      : x(__builtin_bit_cast(GE_N, a.x)), y(__builtin_bit_cast(GE_N, a.y)) {}
};

namespace gpu_estimate_cuda {
typedef GE_N GE_V2 __attribute__((ext_vector_type(2)));
GPU_ESTIMATE_HOST_DEVICE GE_V2 native(GE_T2 a) {
  return __builtin_bit_cast(GE_V2, a);
}
GPU_ESTIMATE_HOST_DEVICE GE_T2 pair(GE_V2 a) {
  return __builtin_bit_cast(GE_T2, a);
}
GPU_ESTIMATE_HOST_DEVICE GE_N clampUnit(GE_N a) {
  a = a < (GE_N)0.0f ? (GE_N)0.0f : a;
  return a > (GE_N)1.0f ? (GE_N)1.0f : a;
}
GPU_ESTIMATE_HOST_DEVICE GE_V2 clampUnit(GE_V2 a) {
  GE_V2 r = {clampUnit(a.x), clampUnit(a.y)};
  return r;
}
} // namespace gpu_estimate_cuda

// Arithmetic with its operators, plain, unfused (_rn) and saturating forms.
#define GE_ARITHMETIC(op, name)                                                \
  GPU_ESTIMATE_HOST_DEVICE GE_T operator op(GE_T a, GE_T b) {                  \
    return GE_T(static_cast<GE_N>(a.v op b.v));                                \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T &operator op##=(GE_T & a, GE_T b) {            \
    a = a op b;                                                                \
    return a;                                                                  \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T2 operator op(GE_T2 a, GE_T2 b) {               \
    return gpu_estimate_cuda::pair(gpu_estimate_cuda::native(a)                \
                                       op gpu_estimate_cuda::native(b));       \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T2 &operator op##=(GE_T2 & a, GE_T2 b) {         \
    a = a op b;                                                                \
    return a;                                                                  \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T __h##name(GE_T a, GE_T b) { return a op b; }   \
  GPU_ESTIMATE_HOST_DEVICE GE_T __h##name##_rn(GE_T a, GE_T b) {               \
    return a op b;                                                             \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T __h##name##_sat(GE_T a, GE_T b) {              \
    return GE_T(gpu_estimate_cuda::clampUnit((a op b).v));                     \
  }
GE_ARITHMETIC(+, add)
GE_ARITHMETIC(-, sub)
GE_ARITHMETIC(*, mul)
GE_ARITHMETIC(/, div)
#undef GE_ARITHMETIC

#define GE_PAIR_ARITHMETIC(op, name)                                           \
  GPU_ESTIMATE_HOST_DEVICE GE_T2 __h##name##2(GE_T2 a, GE_T2 b) {              \
    return a op b;                                                             \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T2 __h##name##2_rn(GE_T2 a, GE_T2 b) {           \
    return a op b;                                                             \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T2 __h##name##2_sat(GE_T2 a, GE_T2 b) {          \
    return gpu_estimate_cuda::pair(                                            \
        gpu_estimate_cuda::clampUnit(gpu_estimate_cuda::native(a op b)));      \
  }
GE_PAIR_ARITHMETIC(+, add)
GE_PAIR_ARITHMETIC(-, sub)
GE_PAIR_ARITHMETIC(*, mul)
#undef GE_PAIR_ARITHMETIC
GPU_ESTIMATE_HOST_DEVICE GE_T2 __h2div(GE_T2 a, GE_T2 b) { return a / b; }

GPU_ESTIMATE_HOST_DEVICE GE_T operator+(GE_T a) { return a; }
GPU_ESTIMATE_HOST_DEVICE GE_T operator-(GE_T a) {
  return GE_T(static_cast<GE_N>(-a.v));
}
GPU_ESTIMATE_HOST_DEVICE GE_T2 operator-(GE_T2 a) {
  return gpu_estimate_cuda::pair(-gpu_estimate_cuda::native(a));
}
GPU_ESTIMATE_HOST_DEVICE GE_T &operator++(GE_T &a) { return a += GE_T(1.0f); }
GPU_ESTIMATE_HOST_DEVICE GE_T &operator--(GE_T &a) { return a -= GE_T(1.0f); }
GPU_ESTIMATE_HOST_DEVICE GE_T __hneg(GE_T a) { return -a; }
GPU_ESTIMATE_HOST_DEVICE GE_T2 __hneg2(GE_T2 a) { return -a; }
GPU_ESTIMATE_HOST_DEVICE GE_T __habs(GE_T a) {
  return GE_T(static_cast<GE_N>(__builtin_elementwise_abs(a.v)));
}
GPU_ESTIMATE_HOST_DEVICE GE_T2 __habs2(GE_T2 a) {
  return gpu_estimate_cuda::pair(
      __builtin_elementwise_abs(gpu_estimate_cuda::native(a)));
}

// Fused multiply-add.
GPU_ESTIMATE_HOST_DEVICE GE_T __hfma(GE_T a, GE_T b, GE_T c) {
  return GE_T(static_cast<GE_N>(__builtin_elementwise_fma(a.v, b.v, c.v)));
}
GPU_ESTIMATE_HOST_DEVICE GE_T __hfma_sat(GE_T a, GE_T b, GE_T c) {
  return GE_T(gpu_estimate_cuda::clampUnit(__hfma(a, b, c).v));
}
GPU_ESTIMATE_HOST_DEVICE GE_T2 __hfma2(GE_T2 a, GE_T2 b, GE_T2 c) {
  return gpu_estimate_cuda::pair(__builtin_elementwise_fma(
      gpu_estimate_cuda::native(a), gpu_estimate_cuda::native(b),
      gpu_estimate_cuda::native(c)));
}
GPU_ESTIMATE_HOST_DEVICE GE_T2 __hfma2_sat(GE_T2 a, GE_T2 b, GE_T2 c) {
  return gpu_estimate_cuda::pair(gpu_estimate_cuda::clampUnit(
      gpu_estimate_cuda::native(__hfma2(a, b, c))));
}

// Comparison; the "u" forms also hold for unordered operands.
#define GE_COMPARE(op, name)                                                   \
  GPU_ESTIMATE_HOST_DEVICE bool operator op(GE_T a, GE_T b) {                  \
    return a.v op b.v;                                                         \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE bool __h##name(GE_T a, GE_T b) {                    \
    return a.v op b.v;                                                         \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE bool __h##name##u(GE_T a, GE_T b) {                 \
    return a.v op b.v || a.v != a.v || b.v != b.v;                             \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T2 __h##name##2(GE_T2 a, GE_T2 b) {              \
    return GE_T2(GE_T(a.x.v op b.x.v ? 1.0f : 0.0f),                           \
                 GE_T(a.y.v op b.y.v ? 1.0f : 0.0f));                          \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE bool __hb##name##2(GE_T2 a, GE_T2 b) {              \
    return a.x.v op b.x.v && a.y.v op b.y.v;                                   \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE bool operator op(GE_T2 a, GE_T2 b) {                \
    return __hb##name##2(a, b);                                                \
  }
GE_COMPARE(==, eq)
GE_COMPARE(!=, ne)
GE_COMPARE(<, lt)
GE_COMPARE(<=, le)
GE_COMPARE(>, gt)
GE_COMPARE(>=, ge)
#undef GE_COMPARE
GPU_ESTIMATE_HOST_DEVICE bool __hisnan(GE_T a) { return a.v != a.v; }
GPU_ESTIMATE_HOST_DEVICE int __hisinf(GE_T a) {
  return __builtin_isinf_sign(static_cast<float>(a.v));
}

#define GE_EXTREMUM(name, builtin)                                             \
  GPU_ESTIMATE_HOST_DEVICE GE_T __h##name(GE_T a, GE_T b) {                    \
    return GE_T(static_cast<GE_N>(builtin(a.v, b.v)));                         \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T2 __h##name##2(GE_T2 a, GE_T2 b) {              \
    return gpu_estimate_cuda::pair(                                            \
        builtin(gpu_estimate_cuda::native(a), gpu_estimate_cuda::native(b)));  \
  }                                                                            \
  GPU_ESTIMATE_HOST_DEVICE GE_T __h##name##_nan(GE_T a, GE_T b) {              \
    return __h##name(a, b);                                                    \
  }
GE_EXTREMUM(min, __builtin_elementwise_min)
GE_EXTREMUM(max, __builtin_elementwise_max)
#undef GE_EXTREMUM

// Functions are computed in single precision and rounded, as the hardware's
// special function unit does for most of them.
#define GE_FUNCTION(name, expression)                                          \
  GPU_ESTIMATE_DEVICE GE_T h##name(GE_T a) {                                   \
    float x = static_cast<float>(a.v);                                         \
    return GE_T(static_cast<GE_N>(expression));                                \
  }                                                                            \
  GPU_ESTIMATE_DEVICE GE_T2 h2##name(GE_T2 a) {                                \
    return GE_T2(h##name(a.x), h##name(a.y));                                  \
  }
GE_FUNCTION(sqrt, sqrtf(x))
GE_FUNCTION(rsqrt, rsqrtf(x))
GE_FUNCTION(rcp, __frcp_rn(x))
GE_FUNCTION(exp, __expf(x))
GE_FUNCTION(exp2, exp2f(x))
GE_FUNCTION(exp10, __exp10f(x))
GE_FUNCTION(log, __logf(x))
GE_FUNCTION(log2, __log2f(x))
GE_FUNCTION(log10, __log10f(x))
GE_FUNCTION(sin, __sinf(x))
GE_FUNCTION(cos, __cosf(x))
GE_FUNCTION(tanh, tanhf(x))
GE_FUNCTION(floor, floorf(x))
GE_FUNCTION(ceil, ceilf(x))
GE_FUNCTION(trunc, truncf(x))
GE_FUNCTION(rint, rintf(x))
#undef GE_FUNCTION

// Read-only loads, shuffles and atomic addition, through integers of the size.
GPU_ESTIMATE_DEVICE GE_T __ldg(const GE_T *p) {
  return __builtin_bit_cast(GE_T,
                            __ldg(reinterpret_cast<const unsigned short *>(p)));
}
GPU_ESTIMATE_DEVICE GE_T2 __ldg(const GE_T2 *p) {
  return __builtin_bit_cast(GE_T2,
                            __ldg(reinterpret_cast<const unsigned int *>(p)));
}
#if defined(__HIP__)
#define GE_SHUFFLE(name, Lane)                                                 \
  GPU_ESTIMATE_DEVICE GE_T2 name(GE_T2 v, Lane lane, int width = warpSize) {   \
    return __builtin_bit_cast(                                                 \
        GE_T2, name(__builtin_bit_cast(unsigned int, v), lane, width));        \
  }                                                                            \
  GPU_ESTIMATE_DEVICE GE_T name(GE_T v, Lane lane, int width = warpSize) {     \
    unsigned int bits = __builtin_bit_cast(unsigned short, v);                 \
    return __builtin_bit_cast(                                                 \
        GE_T, static_cast<unsigned short>(name(bits, lane, width)));           \
  }
GE_SHUFFLE(__shfl, int)
GE_SHUFFLE(__shfl_up, unsigned int)
GE_SHUFFLE(__shfl_down, unsigned int)
GE_SHUFFLE(__shfl_xor, int)
#undef GE_SHUFFLE
#else
#define GE_SHUFFLE(name, Lane)                                                 \
  GPU_ESTIMATE_DEVICE GE_T2 name(unsigned int mask, GE_T2 v, Lane lane,        \
                                 int width = 32) {                             \
    return __builtin_bit_cast(                                                 \
        GE_T2, name(mask, __builtin_bit_cast(unsigned int, v), lane, width));  \
  }                                                                            \
  GPU_ESTIMATE_DEVICE GE_T name(unsigned int mask, GE_T v, Lane lane,          \
                                int width = 32) {                              \
    unsigned int bits = __builtin_bit_cast(unsigned short, v);                 \
    return __builtin_bit_cast(                                                 \
        GE_T, static_cast<unsigned short>(name(mask, bits, lane, width)));     \
  }
GE_SHUFFLE(__shfl_sync, int)
GE_SHUFFLE(__shfl_up_sync, unsigned int)
GE_SHUFFLE(__shfl_down_sync, unsigned int)
GE_SHUFFLE(__shfl_xor_sync, int)
#undef GE_SHUFFLE
#endif

/// LLVM has no scalar form of the packed addition that clang could emit; a
/// 32-bit floating-point addition to the same word stands for it (same size,
/// same unit).
GPU_ESTIMATE_DEVICE GE_T2 atomicAdd(GE_T2 *address, GE_T2 v) {
  return __builtin_bit_cast(GE_T2, atomicAdd(reinterpret_cast<float *>(address),
                                             __builtin_bit_cast(float, v)));
}
GPU_ESTIMATE_DEVICE GE_T atomicAdd(GE_T *address, GE_T v) {
  return GE_T(static_cast<GE_N>(__atomic_fetch_add(
      reinterpret_cast<GE_N *>(address), v.v, __ATOMIC_RELAXED)));
}
