/// \file
/// DRAM reads against the bytes that each multiprocessor has in flight: few
/// warps wait for latency, many for bandwidth; between them lies the knee. And
/// what one multiprocessor alone reaches.
#include "memory.h"

using namespace bench;

/// Every warp keeps Unroll loads of 512 bytes in flight.
template <int Unroll>
__global__ void stream(const float4 *From, size_t Count, float *Sink) {
  size_t First = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t Step = size_t(gridDim.x) * blockDim.x;
  float Sum = 0;
  for (size_t I = First; I + (Unroll - 1) * Step < Count; I += Unroll * Step) {
    float Part[Unroll];
#pragma unroll
    for (int U = 0; U < Unroll; ++U)
      Part[U] = loadSum<Via::L2>(From + I + U * Step);
#pragma unroll
    for (int U = 0; U < Unroll; ++U)
      Sum += Part[U];
    if (Sum == 1.0f) // the next loads wait for these
      *Sink = Sum;
  }
}

template <int Unroll>
static void measure(const Session &S, const char *Name, int Blocks,
                    const Buffer<float4> &From, size_t Count,
                    Buffer<float> &Sink) {
  for (int Warps : {1, 2, 4, 6, 8, 12, 16, 24, 32}) {
    size_t Threads = size_t(Blocks) * Warps * 32;
    // Enough rounds for a steady state, no more: one warp is slow.
    size_t Used = std::min(Count, Threads * Unroll * (S.Quick ? 256 : 1024));
    Used = Used / (Threads * Unroll) * Threads * Unroll;
    if (Used == 0)
      continue;
    auto One = [&] {
      // Nothing of this in L2: read from another place each time.
      static size_t Place = 0;
      Place = Place + 2 * Used <= Count ? Place + Used : 0;
      return 16.0 * Used / secondsOf([&] {
               stream<Unroll><<<Blocks, Warps * 32>>>(From.get() + Place, Used,
                                                      Sink.get());
             });
    };
    S.report(
        Name,
        {{"warps", double(Warps)}, {"bytes_in_flight", Warps * 512.0 * Unroll}},
        repeat(S.repetitions(), One), "B/s");
  }
}

int main(int ArgCount, char **Args) {
  Session S("occupancy", ArgCount, Args);
  size_t Count = 32 * S.L2Bytes / 16;
  Buffer<float4> From(Count);
  Buffer<float> Sink(1);
  measure<1>(S, "all", S.SmCount, From, Count, Sink);
  measure<4>(S, "all", S.SmCount, From, Count, Sink);
  measure<1>(S, "one", 1, From, Count, Sink);
  measure<8>(S, "one", 1, From, Count, Sink);
}
