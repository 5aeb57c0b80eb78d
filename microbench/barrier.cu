/// \file
/// Cycles of a block's barrier against the warps of the block, and of a warp's.
#include "bench.h"

using namespace bench;

__global__ void barriers(int Rounds, long long *Cycles) {
  __syncthreads();
  long long Begin = clock64();
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma unroll
    for (int I = 0; I < 16; ++I)
      __syncthreads();
  }
  long long End = clock64();
  if (threadIdx.x == 0)
    *Cycles = End - Begin;
}

#if !BENCH_HIP
__global__ void warpBarriers(int Rounds, long long *Cycles) {
  long long Begin = clock64();
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma unroll
    for (int I = 0; I < 16; ++I)
      __syncwarp();
  }
  long long End = clock64();
  if (threadIdx.x == 0)
    *Cycles = End - Begin;
}
#endif

int main(int ArgCount, char **Args) {
  Session S("barrier", ArgCount, Args);
  Buffer<long long> Cycles(1);
  int Rounds = S.Quick ? 16 : 64;
  for (int Warps : {1, 2, 4, 8, 12, 16, 20, 24, 28, 32}) {
    auto One = [&] {
      barriers<<<1, Warps * 32>>>(Rounds, Cycles.get());
      CHECK_LAUNCH();
      return static_cast<double>(Cycles.take()[0]) / (Rounds * 16.0);
    };
    S.report("block", {{"warps", double(Warps)}}, repeat(S.repetitions(), One),
             "cycles");
  }
#if !BENCH_HIP
  auto Warp = [&] {
    warpBarriers<<<1, 32>>>(Rounds, Cycles.get());
    CHECK_LAUNCH();
    return static_cast<double>(Cycles.take()[0]) / (Rounds * 16.0);
  };
  S.report("warp", {}, repeat(S.repetitions(), Warp), "cycles");
#endif
}
