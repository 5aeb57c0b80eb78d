/// \file
/// HIP's builtin variables and warp functions, from clang's builtins. Sizes of
/// blocks and grids are calls of ROCm's device library, as in ROCm's headers,
/// so that an analysis recognises them by name.

#ifndef GPU_ESTIMATE_HIP_DEVICE_H
#define GPU_ESTIMATE_HIP_DEVICE_H

extern "C" __device__ __attribute__((const)) size_t __ockl_get_local_size(unsigned);
extern "C" __device__ __attribute__((const)) size_t __ockl_get_num_groups(unsigned);

#define GPU_ESTIMATE_HIP_FIELD(Name, Value)                                    \
  __declspec(property(get = get_##Name)) unsigned Name;                        \
  static __inline__ __device__ __attribute__((always_inline)) unsigned         \
      get_##Name() {                                                           \
    return static_cast<unsigned>(Value);                                       \
  }
#define GPU_ESTIMATE_HIP_VARIABLE(Variable, X, Y, Z)                           \
  struct gpu_estimate_##Variable##_t {                                         \
    GPU_ESTIMATE_HIP_FIELD(x, X)                                               \
    GPU_ESTIMATE_HIP_FIELD(y, Y)                                               \
    GPU_ESTIMATE_HIP_FIELD(z, Z)                                               \
    __device__ operator dim3() const { return dim3(x, y, z); }                 \
  };                                                                           \
  extern const __device__ __attribute__((weak)) gpu_estimate_##Variable##_t    \
      Variable;

GPU_ESTIMATE_HIP_VARIABLE(threadIdx, __builtin_amdgcn_workitem_id_x(),
                          __builtin_amdgcn_workitem_id_y(),
                          __builtin_amdgcn_workitem_id_z())
GPU_ESTIMATE_HIP_VARIABLE(blockIdx, __builtin_amdgcn_workgroup_id_x(),
                          __builtin_amdgcn_workgroup_id_y(),
                          __builtin_amdgcn_workgroup_id_z())
GPU_ESTIMATE_HIP_VARIABLE(blockDim, __ockl_get_local_size(0),
                          __ockl_get_local_size(1), __ockl_get_local_size(2))
GPU_ESTIMATE_HIP_VARIABLE(gridDim, __ockl_get_num_groups(0),
                          __ockl_get_num_groups(1), __ockl_get_num_groups(2))
#undef GPU_ESTIMATE_HIP_VARIABLE
#undef GPU_ESTIMATE_HIP_FIELD

// The names of HIP's first versions.
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#define GPU_ESTIMATE_HIP                                                       \
  static __inline__ __device__ __attribute__((always_inline))

#if defined(__AMDGCN_WAVEFRONT_SIZE)
static constexpr __device__ int warpSize = __AMDGCN_WAVEFRONT_SIZE;
#else
static constexpr int warpSize = 64; // of host code
#endif

GPU_ESTIMATE_HIP void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
GPU_ESTIMATE_HIP void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
GPU_ESTIMATE_HIP void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}

GPU_ESTIMATE_HIP unsigned __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

// Reads the register of another lane; values of other types go by their bits.
GPU_ESTIMATE_HIP int gpu_estimate_permute(int value, int lane) {
  return __builtin_amdgcn_ds_bpermute(lane << 2, value);
}
GPU_ESTIMATE_HIP int gpu_estimate_within(int lane, int self, int width) {
  return (lane & (width - 1)) + (self & ~(width - 1));
}

#define GPU_ESTIMATE_HIP_SHUFFLES(Type, ToBits, FromBits)                      \
  GPU_ESTIMATE_HIP Type __shfl(Type v, int lane, int width = warpSize) {       \
    int self = __lane_id();                                                    \
    return FromBits(gpu_estimate_permute(                                      \
        ToBits(v), gpu_estimate_within(lane, self, width)));                   \
  }                                                                            \
  GPU_ESTIMATE_HIP Type __shfl_up(Type v, unsigned d, int width = warpSize) {  \
    int self = __lane_id(), from = self - static_cast<int>(d);                 \
    return FromBits(gpu_estimate_permute(                                      \
        ToBits(v), from < (self & ~(width - 1)) ? self : from));               \
  }                                                                            \
  GPU_ESTIMATE_HIP Type __shfl_down(Type v, unsigned d,                        \
                                    int width = warpSize) {                    \
    int self = __lane_id(), from = self + static_cast<int>(d);                 \
    return FromBits(gpu_estimate_permute(                                      \
        ToBits(v), from > (self | (width - 1)) ? self : from));                \
  }                                                                            \
  GPU_ESTIMATE_HIP Type __shfl_xor(Type v, int mask, int width = warpSize) {   \
    int self = __lane_id(), from = self ^ mask;                                \
    return FromBits(gpu_estimate_permute(                                      \
        ToBits(v), from > (self | (width - 1)) ? self : from));                \
  }

GPU_ESTIMATE_HIP_SHUFFLES(int, , )
GPU_ESTIMATE_HIP_SHUFFLES(unsigned, static_cast<int>, static_cast<unsigned>)
#define GPU_ESTIMATE_FLOAT_BITS(X) __builtin_bit_cast(int, X)
#define GPU_ESTIMATE_BITS_FLOAT(X) __builtin_bit_cast(float, X)
GPU_ESTIMATE_HIP_SHUFFLES(float, GPU_ESTIMATE_FLOAT_BITS,
                          GPU_ESTIMATE_BITS_FLOAT)
#undef GPU_ESTIMATE_FLOAT_BITS
#undef GPU_ESTIMATE_BITS_FLOAT
#undef GPU_ESTIMATE_HIP_SHUFFLES

// Values of 64 bits go as two words.
#define GPU_ESTIMATE_HIP_SHUFFLE(Function, Type, Lane)                         \
  GPU_ESTIMATE_HIP Type Function(Type v, Lane lane, int width = warpSize) {    \
    unsigned long long bits = __builtin_bit_cast(unsigned long long, v);       \
    unsigned low = Function(static_cast<unsigned>(bits), lane, width);         \
    unsigned high = Function(static_cast<unsigned>(bits >> 32), lane, width);  \
    return __builtin_bit_cast(                                                 \
        Type, static_cast<unsigned long long>(high) << 32 | low);              \
  }
#define GPU_ESTIMATE_HIP_SHUFFLES(Type)                                        \
  GPU_ESTIMATE_HIP_SHUFFLE(__shfl, Type, int)                                  \
  GPU_ESTIMATE_HIP_SHUFFLE(__shfl_up, Type, unsigned)                          \
  GPU_ESTIMATE_HIP_SHUFFLE(__shfl_down, Type, unsigned)                        \
  GPU_ESTIMATE_HIP_SHUFFLE(__shfl_xor, Type, int)
GPU_ESTIMATE_HIP_SHUFFLES(double)
GPU_ESTIMATE_HIP_SHUFFLES(long)
GPU_ESTIMATE_HIP_SHUFFLES(unsigned long)
GPU_ESTIMATE_HIP_SHUFFLES(long long)
GPU_ESTIMATE_HIP_SHUFFLES(unsigned long long)
#undef GPU_ESTIMATE_HIP_SHUFFLES
#undef GPU_ESTIMATE_HIP_SHUFFLE

GPU_ESTIMATE_HIP unsigned long long __ballot(int p) {
  return __builtin_amdgcn_ballot_w64(p != 0);
}
GPU_ESTIMATE_HIP int __any(int p) { return __ballot(p) != 0; }
GPU_ESTIMATE_HIP int __all(int p) { return __ballot(!p) == 0; }
GPU_ESTIMATE_HIP int __popc(unsigned x) { return __builtin_popcount(x); }
GPU_ESTIMATE_HIP int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
GPU_ESTIMATE_HIP int __clz(int x) { return x ? __builtin_clz(x) : 32; }
GPU_ESTIMATE_HIP int __clzll(long long x) {
  return x ? __builtin_clzll(x) : 64;
}
GPU_ESTIMATE_HIP int __ffs(int x) { return __builtin_ffs(x); }
GPU_ESTIMATE_HIP int __ffsll(long long x) { return __builtin_ffsll(x); }
GPU_ESTIMATE_HIP unsigned __brev(unsigned x) {
  return __builtin_bitreverse32(x);
}
GPU_ESTIMATE_HIP unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
GPU_ESTIMATE_HIP int __mul24(int a, int b) {
  return (a << 8 >> 8) * (b << 8 >> 8);
}
GPU_ESTIMATE_HIP unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
GPU_ESTIMATE_HIP int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
GPU_ESTIMATE_HIP unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned long long>(a) * b >> 32;
}
GPU_ESTIMATE_HIP unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  unsigned bytes = (s & 7) | (s & 0x70) << 4 | (s & 0x700) << 8 |
                   (s & 0x7000) << 12;
  return __builtin_amdgcn_perm(b, a, bytes);
}
GPU_ESTIMATE_HIP unsigned __funnelshift_l(unsigned low, unsigned high,
                                          unsigned shift) {
  return shift & 31 ? __builtin_amdgcn_alignbit(high, low, 32 - (shift & 31))
                    : high;
}
GPU_ESTIMATE_HIP unsigned __funnelshift_r(unsigned low, unsigned high,
                                          unsigned shift) {
  return __builtin_amdgcn_alignbit(high, low, shift);
}
GPU_ESTIMATE_HIP void __syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
GPU_ESTIMATE_HIP unsigned long long __activemask() { return __ballot(1); }

// The names of ROCm 6 with a mask, of which the lanes that call are a part.
#define GPU_ESTIMATE_HIP_WITH_MASK(Function, Lane)                             \
  template <class Mask, class T>                                               \
  GPU_ESTIMATE_HIP T Function##_sync(Mask, T v, Lane lane,                     \
                                     int width = warpSize) {                   \
    return Function(v, lane, width);                                           \
  }
GPU_ESTIMATE_HIP_WITH_MASK(__shfl, int)
GPU_ESTIMATE_HIP_WITH_MASK(__shfl_up, unsigned)
GPU_ESTIMATE_HIP_WITH_MASK(__shfl_down, unsigned)
GPU_ESTIMATE_HIP_WITH_MASK(__shfl_xor, int)
#undef GPU_ESTIMATE_HIP_WITH_MASK
template <class Mask>
GPU_ESTIMATE_HIP unsigned long long __ballot_sync(Mask mask, int p) {
  return __ballot(p) & mask;
}
template <class Mask> GPU_ESTIMATE_HIP int __any_sync(Mask mask, int p) {
  return __ballot_sync(mask, p) != 0;
}
template <class Mask> GPU_ESTIMATE_HIP int __all_sync(Mask mask, int p) {
  return __ballot_sync(mask, !p) == 0;
}

// Bits of one type as another.
#define GPU_ESTIMATE_HIP_BITS(Function, From, To)                              \
  GPU_ESTIMATE_HIP To Function(From x) { return __builtin_bit_cast(To, x); }
GPU_ESTIMATE_HIP_BITS(__int_as_float, int, float)
GPU_ESTIMATE_HIP_BITS(__uint_as_float, unsigned, float)
GPU_ESTIMATE_HIP_BITS(__float_as_int, float, int)
GPU_ESTIMATE_HIP_BITS(__float_as_uint, float, unsigned)
GPU_ESTIMATE_HIP_BITS(__longlong_as_double, long long, double)
GPU_ESTIMATE_HIP_BITS(__double_as_longlong, double, long long)
#undef GPU_ESTIMATE_HIP_BITS
GPU_ESTIMATE_HIP int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
GPU_ESTIMATE_HIP int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
GPU_ESTIMATE_HIP double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 |
                              static_cast<unsigned>(low));
}

// Conversions by rounding mode.
#define GPU_ESTIMATE_HIP_ROUNDED(From, To, Prefix)                             \
  GPU_ESTIMATE_HIP To Prefix##_rn(From x) {                                    \
    return static_cast<To>(__builtin_elementwise_rint(x));                     \
  }                                                                            \
  GPU_ESTIMATE_HIP To Prefix##_rz(From x) { return static_cast<To>(x); }       \
  GPU_ESTIMATE_HIP To Prefix##_rd(From x) {                                    \
    return static_cast<To>(__builtin_elementwise_floor(x));                    \
  }                                                                            \
  GPU_ESTIMATE_HIP To Prefix##_ru(From x) {                                    \
    return static_cast<To>(__builtin_elementwise_ceil(x));                     \
  }
GPU_ESTIMATE_HIP_ROUNDED(float, int, __float2int)
GPU_ESTIMATE_HIP_ROUNDED(float, unsigned, __float2uint)
GPU_ESTIMATE_HIP_ROUNDED(float, long long, __float2ll)
GPU_ESTIMATE_HIP_ROUNDED(float, unsigned long long, __float2ull)
GPU_ESTIMATE_HIP_ROUNDED(double, int, __double2int)
GPU_ESTIMATE_HIP_ROUNDED(double, unsigned, __double2uint)
GPU_ESTIMATE_HIP_ROUNDED(double, long long, __double2ll)
GPU_ESTIMATE_HIP_ROUNDED(double, unsigned long long, __double2ull)
#undef GPU_ESTIMATE_HIP_ROUNDED
// To a type that may not hold all digits: clang has one rounding only.
#define GPU_ESTIMATE_HIP_ROUNDED(From, To, Prefix)                             \
  GPU_ESTIMATE_HIP To Prefix##_rn(From x) { return static_cast<To>(x); }       \
  GPU_ESTIMATE_HIP To Prefix##_rz(From x) { return static_cast<To>(x); }       \
  GPU_ESTIMATE_HIP To Prefix##_rd(From x) { return static_cast<To>(x); }       \
  GPU_ESTIMATE_HIP To Prefix##_ru(From x) { return static_cast<To>(x); }
GPU_ESTIMATE_HIP_ROUNDED(int, float, __int2float)
GPU_ESTIMATE_HIP_ROUNDED(unsigned, float, __uint2float)
GPU_ESTIMATE_HIP_ROUNDED(long long, float, __ll2float)
GPU_ESTIMATE_HIP_ROUNDED(unsigned long long, float, __ull2float)
GPU_ESTIMATE_HIP_ROUNDED(long long, double, __ll2double)
GPU_ESTIMATE_HIP_ROUNDED(unsigned long long, double, __ull2double)
GPU_ESTIMATE_HIP_ROUNDED(double, float, __double2float)
#undef GPU_ESTIMATE_HIP_ROUNDED
GPU_ESTIMATE_HIP double __int2double_rn(int x) { return x; }
GPU_ESTIMATE_HIP double __uint2double_rn(unsigned x) { return x; }

// Barriers that reduce a predicate of all threads of the block.
extern "C" __device__ int __ockl_wgred_add_i32(int);
extern "C" __device__ int __ockl_wgred_and_i32(int);
extern "C" __device__ int __ockl_wgred_or_i32(int);
GPU_ESTIMATE_HIP int __syncthreads_count(int p) {
  return __ockl_wgred_add_i32(p != 0);
}
GPU_ESTIMATE_HIP int __syncthreads_and(int p) {
  return __ockl_wgred_and_i32(p != 0);
}
GPU_ESTIMATE_HIP int __syncthreads_or(int p) {
  return __ockl_wgred_or_i32(p != 0);
}

extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ void __assert_fail(const char *, const char *, unsigned,
                                         const char *);
extern "C" __device__ inline __attribute__((always_inline)) void *
memcpy(void *to, const void *from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
extern "C" __device__ inline __attribute__((always_inline)) void *
memmove(void *to, const void *from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
extern "C" __device__ inline __attribute__((always_inline)) void *
memset(void *to, int value, size_t bytes) {
  return __builtin_memset(to, value, bytes);
}
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);
__device__ inline void *operator new(size_t bytes) { return malloc(bytes); }
__device__ inline void *operator new[](size_t bytes) { return malloc(bytes); }
__device__ inline void *operator new(size_t, void *p) noexcept { return p; }
__device__ inline void *operator new[](size_t, void *p) noexcept { return p; }
__device__ inline void operator delete(void *p) noexcept { free(p); }
__device__ inline void operator delete[](void *p) noexcept { free(p); }
__device__ inline void operator delete(void *p, size_t) noexcept { free(p); }
__device__ inline void operator delete[](void *p, size_t) noexcept { free(p); }
__device__ inline void operator delete(void *, void *) noexcept {}
__device__ inline void operator delete[](void *, void *) noexcept {}
template <typename T> GPU_ESTIMATE_HIP T __ldg(const T *p) { return *p; }
GPU_ESTIMATE_HIP long long clock64() { return __builtin_readcyclecounter(); }
GPU_ESTIMATE_HIP long long clock() { return __builtin_readcyclecounter(); }
GPU_ESTIMATE_HIP long long wall_clock64() {
  return __builtin_amdgcn_s_memrealtime();
}
GPU_ESTIMATE_HIP void __threadfence_system() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}
GPU_ESTIMATE_HIP unsigned long long __lanemask_lt() {
  return (1ull << __lane_id()) - 1;
}
GPU_ESTIMATE_HIP unsigned long long __lanemask_gt() {
  return __lane_id() == 63 ? 0 : ~0ull << (__lane_id() + 1);
}
GPU_ESTIMATE_HIP unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? a - b : b - a) + c;
}
GPU_ESTIMATE_HIP unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (a > b ? a - b : b - a) + c;
}
GPU_ESTIMATE_HIP unsigned __bitextract_u32(unsigned v, unsigned from,
                                           unsigned width) {
  return __builtin_amdgcn_ubfe(v, from, width);
}
GPU_ESTIMATE_HIP unsigned __bitinsert_u32(unsigned v, unsigned bits,
                                          unsigned from, unsigned width) {
  unsigned mask = ((1u << (width & 31)) - 1) << (from & 31);
  return (v & ~mask) | (bits << (from & 31) & mask);
}

#undef GPU_ESTIMATE_HIP

#endif
