/// \file
/// Throughput of each operation class: every multiprocessor holds one block of
/// 32 warps, each thread with independent chains; results of all threads of a
/// multiprocessor for each cycle of its clock.
#include "operations.h"

using namespace bench;

static constexpr int Unroll = 16, Chains = 4, Threads = 1024;

template <class Op>
__global__ void chains(float X0, float Y0, float A0, float B0, int Rounds,
                       long long *Cycles, typename Op::T *Sink) {
  using T = typename Op::T;
  T X[Chains], Y[Chains], A[Chains], B = make<T>(B0);
#pragma unroll
  for (int C = 0; C < Chains; ++C) {
    X[C] = make<T>(X0 + C + threadIdx.x);
    Y[C] = make<T>(Y0 + C + threadIdx.x);
    A[C] = make<T>(A0);
  }
  long long Start = 0, Stop = 0;
  for (int Warm = 0; Warm < 2; ++Warm) {
    __syncthreads();
    Start = clock64();
#pragma unroll 1
    for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
      for (int I = 0; I < Unroll; ++I)
#pragma unroll
        for (int C = 0; C < Chains; ++C)
          Op::step(X[C], Y[C], A[C], B);
    __syncthreads();
    Stop = clock64();
  }
#pragma unroll
  for (int C = 0; C < Chains; ++C) {
    Sink[(2 * C) * Threads + threadIdx.x] = X[C];
    Sink[(2 * C + 1) * Threads + threadIdx.x] = Y[C];
  }
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = Stop - Start;
}

namespace {
struct Throughput {
  const Session &S;
  template <class Op> void measure() {
    Buffer<long long> Cycles(S.SmCount);
    Buffer<typename Op::T> Sink(2 * Chains * Threads);
    int Rounds = S.Quick ? 8 : 32;
    auto One = [&] {
      chains<Op><<<S.SmCount, Threads>>>(3, 5, 1.0009765625f, 7, Rounds,
                                         Cycles.get(), Sink.get());
      CHECK_LAUNCH();
      return double(Rounds) * Unroll * Chains * Op::Count * Threads /
             median(Cycles.take());
    };
    S.report("op_throughput", {{"operation", Op::name()}},
             repeat(S.repetitions(), One), "/cycle");
  }
};
} // namespace

int main(int ArgCount, char **Args) {
  Session S("op_throughput", ArgCount, Args);
  Throughput Each{S};
  forEachOperation(Each);
}
