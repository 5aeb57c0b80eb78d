/// \file
/// Shared memory: cycles of a warp's load by stride and width, with so many
/// warps that only the banks count, and without conflicts by the number of
/// warps. One conflict-free pass serves 32 banks.
#include "bench.h"

using namespace bench;

static constexpr int Bytes = 32768, Loads = 16;

__device__ inline float fold(float V) { return V; }
__device__ inline float fold(float2 V) { return V.x + V.y; }
__device__ inline float fold(float4 V) { return V.x + V.y + V.z + V.w; }

/// Lane L of a warp reads element L * Stride.
template <class T>
__global__ void loads(int Stride, int Rounds, long long *Cycles, float *Sink) {
  __shared__ T Data[Bytes / sizeof(T)];
  constexpr int Count = Bytes / sizeof(T);
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    Data[I] = T{};
  __syncthreads();
  volatile float *Raw = reinterpret_cast<volatile float *>(Data);
  unsigned At = (threadIdx.x % 32) * Stride % Count;
  float Sum = 0;
  long long Begin = clock64();
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma unroll
    for (int I = 0; I < Loads; ++I) {
      T V;
#if BENCH_HIP
      V = *const_cast<const T *>(reinterpret_cast<volatile T *>(Raw) + At);
#else
      unsigned Address =
          static_cast<unsigned>(__cvta_generic_to_shared(Data + At));
      float *F = reinterpret_cast<float *>(&V);
      if (sizeof(T) == 4)
        asm volatile("ld.volatile.shared.f32 %0, [%1];"
                     : "=f"(F[0])
                     : "r"(Address));
      else if (sizeof(T) == 8)
        asm volatile("ld.volatile.shared.v2.f32 {%0,%1}, [%2];"
                     : "=f"(F[0]), "=f"(F[1 % (sizeof(T) / 4)])
                     : "r"(Address));
      else
        asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                     : "=f"(F[0]), "=f"(F[1 % (sizeof(T) / 4)]),
                       "=f"(F[2 % (sizeof(T) / 4)]),
                       "=f"(F[3 % (sizeof(T) / 4)])
                     : "r"(Address));
#endif
      Sum += fold(V);
    }
  }
  __syncthreads();
  long long End = clock64();
  if (Sum == 1.0f)
    *Sink = Sum + Raw[0];
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = End - Begin;
}

__global__ void stores(int Rounds, long long *Cycles, float *Sink) {
  __shared__ volatile float Data[1024];
  __syncthreads();
  long long Begin = clock64();
  for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
    for (int I = 0; I < Loads; ++I)
      Data[threadIdx.x] = static_cast<float>(I);
  __syncthreads();
  long long End = clock64();
  Sink[threadIdx.x] = Data[threadIdx.x ^ 1];
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = End - Begin;
}

static constexpr int Threads = 1024;

template <class T> static void width(const Session &S, Buffer<float> &Sink) {
  Buffer<long long> Cycles(S.SmCount);
  int Rounds = S.Quick ? 16 : 64;
  auto Report = [&](const char *Name, int Stride, int Warps) {
    auto One = [&] {
      loads<T>
          <<<S.SmCount, Warps * 32>>>(Stride, Rounds, Cycles.get(), Sink.get());
      CHECK_LAUNCH();
      return median(Cycles.take()) / (double(Rounds) * Loads * Warps);
    };
    S.report(Name,
             {{"width", double(sizeof(T))},
              {"stride", double(Stride)},
              {"warps", double(Warps)}},
             repeat(S.repetitions(), One), "cycles");
  };
  for (int Stride : {1, 2, 3, 4, 8, 16, 32, 64})
    Report("load", Stride, Threads / 32);
  for (int Warps : {1, 2, 4, 8, 16, 32})
    Report("load_warps", 1, Warps);
}

int main(int ArgCount, char **Args) {
  Session S("shared", ArgCount, Args);
  Buffer<float> Sink(1024);
  width<float>(S, Sink);
  width<float2>(S, Sink);
  width<float4>(S, Sink);
  Buffer<long long> Cycles(S.SmCount);
  int Rounds = S.Quick ? 16 : 64;
  auto Store = [&] {
    stores<<<S.SmCount, Threads>>>(Rounds, Cycles.get(), Sink.get());
    CHECK_LAUNCH();
    return median(Cycles.take()) / (double(Rounds) * Loads * Threads / 32);
  };
  S.report("store", {{"width", 4}, {"stride", 1}},
           repeat(S.repetitions(), Store), "cycles");
}
