/// \file
/// One step of a dependent chain for each operation class. A step must be
/// exactly one machine instruction on the chain (Count of them where it says
/// so), whatever the compiler knows: values come from kernel arguments, every
/// result is used twice or passes through opaque(), which says nothing to the
/// assembler and hides the value from the optimiser.
#ifndef GPU_ESTIMATE_MICROBENCH_OPERATIONS_H
#define GPU_ESTIMATE_MICROBENCH_OPERATIONS_H

#include "bench.h"
#if BENCH_HIP
#include <hip/hip_fp16.h>
#define ANY_REGISTER "+v"
#define FLOAT_REGISTER "+v"
#define DOUBLE_REGISTER "+v"
#else
#include <cuda_fp16.h>
#define ANY_REGISTER "+r"
#define FLOAT_REGISTER "+f"
#define DOUBLE_REGISTER "+d"
#endif

namespace bench {

__device__ inline void opaque(unsigned &X) {
  asm volatile("" : ANY_REGISTER(X));
}
__device__ inline void opaque(float &X) {
  asm volatile("" : FLOAT_REGISTER(X));
}
__device__ inline void opaque(double &X) {
  asm volatile("" : DOUBLE_REGISTER(X));
}

template <class T> __device__ T make(float Seed) {
  return static_cast<T>(Seed);
}
template <> __device__ inline __half2 make<__half2>(float Seed) {
  return __float2half2_rn(Seed);
}

/// From the lane that the value itself names: exchanges with a fixed partner
/// would cancel each other.
__device__ inline unsigned shuffled(unsigned X) {
#if BENCH_HIP
  return static_cast<unsigned>(
      __shfl(static_cast<int>(X), static_cast<int>(X)));
#else
  return __shfl_sync(0xffffffffu, X, static_cast<int>(X));
#endif
}
__device__ inline unsigned vote(bool Yes) {
#if BENCH_HIP
  return static_cast<unsigned>(__ballot(Yes));
#else
  return __ballot_sync(0xffffffffu, Yes);
#endif
}
__device__ inline float specialFunction(float X) {
#if BENCH_HIP
  return __builtin_amdgcn_rcpf(X);
#else
  asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(X));
  return X;
#endif
}

/// Two additions, the second with the carry of the first, that wait for each
/// other. Without a carry the assembler makes half of them multiply-adds, to
/// use both pipes.
__device__ inline void addPair(unsigned &X, unsigned &Y) {
#if BENCH_HIP
  X = X + Y;
  opaque(X);
  Y = X + 77777u;
  opaque(Y);
#else
  asm volatile("add.cc.u32 %0, %0, %1;\n\taddc.u32 %1, %0, 77777;"
               : "+r"(X), "+r"(Y));
#endif
}

/// X carries the chain, Y and A the values before it where a step uses them;
/// elsewhere they stay as they are, as B does.
#define OPERATION(NAME, TYPE, COUNT, ...)                                      \
  struct NAME {                                                                \
    using T = TYPE;                                                            \
    static constexpr const char *name() { return #NAME; }                      \
    static constexpr int Count = COUNT;                                        \
    __device__ static void step(T &X, T &Y, T &A, T B) {                       \
      (void)Y, (void)A, (void)B;                                               \
      __VA_ARGS__;                                                             \
    }                                                                          \
  };

OPERATION(fp32_add, float, 1, X = X + A)
OPERATION(fp32_mul, float, 1, X = X * A)
OPERATION(fp32_fma, float, 1, X = fmaf(X, A, B))
OPERATION(fp64_add, double, 1, X = X + A)
OPERATION(fp64_mul, double, 1, X = X * A)
OPERATION(fp64_fma, double, 1, X = fma(X, A, B))
OPERATION(fp16_add, __half2, 1, X = __hadd2(X, A))
OPERATION(fp16_mul, __half2, 1, X = __hmul2(X, A))
OPERATION(fp16_fma, __half2, 1, X = __hfma2(X, A, B))
OPERATION(int_add, unsigned, 2, addPair(X, Y))
OPERATION(int_mul, unsigned, 1, X = X * A + B; opaque(X))
OPERATION(shift, unsigned, 1, T Next = __funnelshift_l(X, Y, A); Y = X;
          X = Next; opaque(X))
OPERATION(logic, unsigned, 1, T Next = (X & Y) ^ A; Y = X; X = Next; opaque(X))
OPERATION(select, unsigned, 1, T Next = A < B ? X : Y; Y = X + 0u; X = Next;
          opaque(X))
// No chain of comparisons alone: a predicate is no operand of one.
OPERATION(compare_select, unsigned, 1, X = X < A ? B : Y; opaque(X))
OPERATION(min_max, unsigned, 2, X = X < A ? A : X; opaque(X); X = X > B ? B : X;
          opaque(X))
OPERATION(bit_field, unsigned, 1, X = __byte_perm(X, A, B); opaque(X))
OPERATION(popc, unsigned, 1, X = static_cast<T>(__popc(X)); opaque(X))
OPERATION(clz, unsigned, 1, X = __brev(X); opaque(X))
// Bits of one type read as the other: a conversion feeds the next one.
OPERATION(convert32, float, 1, X = __int_as_float(__float2int_rz(X)); opaque(X))
OPERATION(
    convert_int32, unsigned, 1,
    X = static_cast<T>(__float_as_int(static_cast<float>(static_cast<int>(X))));
    opaque(X))
OPERATION(convert64, float, 1, double Wide = X; opaque(Wide);
          X = __int_as_float(__double2hiint(Wide)); opaque(X))
OPERATION(
    convert16, unsigned, 1,
    X = __half_as_ushort(__float2half_rn(__int_as_float(static_cast<int>(X))));
    opaque(X))
OPERATION(sfu, float, 1, X = specialFunction(X))
OPERATION(shuffle, unsigned, 1, X = shuffled(X); opaque(X))
OPERATION(compare_vote, unsigned, 1, X = vote(X != A); opaque(X))
OPERATION(fence, unsigned, 1, __threadfence(); opaque(X))

/// Calls Do.template operator()<Operation>() for each of them.
template <class F> void forEachOperation(F &Do) {
#define EACH(NAME) Do.template measure<NAME>();
  EACH(fp32_add)
  EACH(fp32_mul)
  EACH(fp32_fma)
  EACH(fp64_add)
  EACH(fp64_mul)
  EACH(fp64_fma) EACH(fp16_add) EACH(fp16_mul) EACH(fp16_fma) EACH(int_add)
      EACH(int_mul) EACH(shift) EACH(logic) EACH(select) EACH(compare_select)
          EACH(min_max) EACH(bit_field) EACH(popc) EACH(clz) EACH(convert32)
              EACH(convert_int32) EACH(convert64) EACH(convert16) EACH(sfu)
                  EACH(shuffle) EACH(compare_vote) EACH(fence)
#undef EACH
}

} // namespace bench

#endif
