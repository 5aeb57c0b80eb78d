/// \file
/// Atomics on shared and global memory: latency of one with its result, rates
/// on one address, with a warp's additions combined by the compiler, and on
/// spread addresses.
#include "bench.h"

using namespace bench;

__global__ void sharedLatency(int Steps, long long *Cycles, unsigned *Sink) {
  __shared__ unsigned Cell[32];
  Cell[threadIdx.x] = 0;
  __syncthreads();
  unsigned At = 0; // always 0, which the compiler cannot know
  long long Begin = clock64();
#pragma unroll 8
  for (int I = 0; I < Steps; ++I)
    At = atomicExch(
        reinterpret_cast<unsigned *>(reinterpret_cast<char *>(Cell) + At), 0u);
  long long End = clock64();
  Sink[0] = At;
  *Cycles = End - Begin;
}

__global__ void globalLatency(unsigned *Cell, int Steps, long long *Cycles,
                              unsigned *Sink) {
  unsigned At = 0;
  long long Begin = clock64();
#pragma unroll 8
  for (int I = 0; I < Steps; ++I)
    At = atomicExch(&Cell[At], 0u);
  long long End = clock64();
  Sink[0] = At;
  *Cycles = End - Begin;
}

/// Every thread on one address. An increment that wraps cannot be combined
/// within a warp, as the compiler does with additions.
__global__ void sharedSame(int Steps, long long *Cycles, unsigned *Sink) {
  __shared__ unsigned Cell;
  if (threadIdx.x == 0)
    Cell = 0;
  __syncthreads();
  long long Begin = clock64();
  for (int I = 0; I < Steps; ++I)
    atomicInc(&Cell, 0xfffffff0u);
  __syncthreads();
  long long End = clock64();
  if (threadIdx.x == 0) {
    Sink[blockIdx.x] = Cell;
    Cycles[blockIdx.x] = End - Begin;
  }
}

/// Every lane on a bank of its own.
__global__ void sharedSpread(int Steps, long long *Cycles, unsigned *Sink) {
  __shared__ unsigned Cells[1024];
  Cells[threadIdx.x] = 0;
  __syncthreads();
  long long Begin = clock64();
  for (int I = 0; I < Steps; ++I)
    atomicAdd(&Cells[threadIdx.x], threadIdx.x + I);
  __syncthreads();
  long long End = clock64();
  if (threadIdx.x == 0) {
    Sink[blockIdx.x] = Cells[1];
    Cycles[blockIdx.x] = End - Begin;
  }
}

__global__ void globalSame(unsigned *Cell, int Steps) {
  for (int I = 0; I < Steps; ++I)
    atomicInc(Cell, 0xfffffff0u);
}

/// The same value in every lane and no use of the result: nvcc adds up a warp
/// before it asks memory.
__global__ void globalUniform(unsigned *Cell, int Steps) {
  for (int I = 0; I < Steps; ++I)
    atomicAdd(Cell, 1u);
}

__global__ void globalSpread(unsigned *Cell, unsigned Mask, int Steps) {
  unsigned Thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int I = 0; I < Steps; ++I)
    atomicAdd(&Cell[(Thread + I * 4099u) & Mask], threadIdx.x + I);
}

int main(int ArgCount, char **Args) {
  Session S("atomics", ArgCount, Args);
  Buffer<long long> Cycles(S.SmCount);
  Buffer<unsigned> Sink(S.SmCount + 1), Cells(1 << 18);
  int Steps = S.Quick ? 64 : 256;
  auto CyclesOf = [&](auto Launch) {
    return [&, Launch] {
      Launch();
      CHECK_LAUNCH();
      return median(Cycles.take());
    };
  };
  auto Each = [&](std::vector<double> Samples, double Scale, bool Inverse) {
    for (double &Sample : Samples)
      Sample = Inverse ? Scale / Sample : Sample / Scale;
    return Samples;
  };
  int N = S.repetitions();
  // Latencies: one block, so only the first entry is written; keep it alone.
  auto First = [&](auto Launch) {
    return [&, Launch] {
      Launch();
      CHECK_LAUNCH();
      return static_cast<double>(Cycles.take()[0]);
    };
  };
  S.report("shared_latency", {},
           Each(repeat(N, First([&] {
                         sharedLatency<<<1, 1>>>(Steps, Cycles.get(),
                                                 Sink.get());
                       })),
                Steps, false),
           "cycles");
  S.report("global_latency", {},
           Each(repeat(N, First([&] {
                         globalLatency<<<1, 1>>>(Cells.get(), Steps,
                                                 Cycles.get(), Sink.get());
                       })),
                Steps, false),
           "cycles");
  S.report("shared_same_address", {},
           Each(repeat(N, CyclesOf([&] {
                         sharedSame<<<S.SmCount, 1024>>>(Steps, Cycles.get(),
                                                         Sink.get());
                       })),
                1024.0 * Steps, true),
           "/cycle");

  S.report("shared_spread", {},
           Each(repeat(N, CyclesOf([&] {
                         sharedSpread<<<S.SmCount, 1024>>>(Steps, Cycles.get(),
                                                           Sink.get());
                       })),
                1024.0 * Steps, true),
           "/cycle");

  int Blocks = S.SmCount * 4, Threads = 256;
  double Atomics = double(Blocks) * Threads * Steps;
  auto Rate = [&](const char *Name, auto Launch) {
    S.report(Name, {},
             Each(repeat(N, [&] { return secondsOf(Launch); }), Atomics, true),
             "/s");
  };
  Rate("global_same_address",
       [&] { globalSame<<<Blocks, Threads>>>(Cells.get(), Steps); });
  Rate("global_aggregated",
       [&] { globalUniform<<<Blocks, Threads>>>(Cells.get(), Steps); });
  Rate("global_spread", [&] {
    globalSpread<<<Blocks, Threads>>>(Cells.get(), (1u << 18) - 1, Steps);
  });
}
