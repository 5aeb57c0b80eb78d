/// \file
/// Loads that go where the measurement wants them: asm volatile, so that none
/// is removed, merged or moved out of a loop.
#ifndef GPU_ESTIMATE_MICROBENCH_MEMORY_H
#define GPU_ESTIMATE_MICROBENCH_MEMORY_H

#include "bench.h"

namespace bench {

/// Which caches a load may hit.
enum class Via { L1, L2 };

typedef unsigned long long Word;

template <Via Path> __device__ inline Word loadWord(const Word *From) {
  Word Value;
#if BENCH_HIP
  Value = Path == Via::L1 ? *static_cast<const volatile Word *>(From)
                          : __builtin_nontemporal_load(From);
#else
  if (Path == Via::L1)
    asm volatile("ld.global.ca.u64 %0, [%1];"
                 : "=l"(Value)
                 : "l"(From)
                 : "memory");
  else
    asm volatile("ld.global.cg.u64 %0, [%1];"
                 : "=l"(Value)
                 : "l"(From)
                 : "memory");
#endif
  return Value;
}

/// 4, 8 or 16 bytes for each thread; the sum keeps the loads alive.
template <Via Path> __device__ inline float loadSum(const float *From) {
  float V;
#if BENCH_HIP
  V = *static_cast<const volatile float *>(From);
#else
  if (Path == Via::L1)
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(V) : "l"(From));
  else
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(V) : "l"(From));
#endif
  return V;
}

template <Via Path> __device__ inline float loadSum(const float2 *From) {
  float2 V;
#if BENCH_HIP
  const volatile float *F = reinterpret_cast<const volatile float *>(From);
  V.x = F[0], V.y = F[1];
#else
  if (Path == Via::L1)
    asm volatile("ld.global.ca.v2.f32 {%0,%1}, [%2];"
                 : "=f"(V.x), "=f"(V.y)
                 : "l"(From));
  else
    asm volatile("ld.global.cg.v2.f32 {%0,%1}, [%2];"
                 : "=f"(V.x), "=f"(V.y)
                 : "l"(From));
#endif
  return V.x + V.y;
}

template <Via Path> __device__ inline float loadSum(const float4 *From) {
  float4 V;
#if BENCH_HIP
  const volatile float *F = reinterpret_cast<const volatile float *>(From);
  V.x = F[0], V.y = F[1], V.z = F[2], V.w = F[3];
#else
  if (Path == Via::L1)
    asm volatile("ld.global.ca.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
                 : "l"(From));
  else
    asm volatile("ld.global.cg.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
                 : "l"(From));
#endif
  return V.x + V.y + V.z + V.w;
}

/// Pushes everything out of L2: writes twice its size.
class L2Flush {
public:
  explicit L2Flush(const Session &S) : Bytes(2 * S.L2Bytes), Data(Bytes) {}
  void operator()() const {
    CHECK(RT(Memset)(Data.get(), 1, Bytes));
    CHECK(RT(DeviceSynchronize)());
  }

private:
  size_t Bytes;
  Buffer<char> Data;
};

} // namespace bench

#endif
