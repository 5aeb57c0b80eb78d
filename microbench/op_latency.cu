/// \file
/// Latency of each operation class: one warp, one chain of dependent
/// operations, cycles of the multiprocessor's clock for each.
#include "operations.h"

using namespace bench;

static constexpr int Unroll = 64;

template <class Op>
__global__ void chain(float X0, float Y0, float A0, float B0, int Rounds,
                      long long *Cycles, typename Op::T *Sink) {
  using T = typename Op::T;
  T X = make<T>(X0 + threadIdx.x), Y = make<T>(Y0), A = make<T>(A0),
    B = make<T>(B0);
  long long Start = 0, Stop = 0;
  for (int Warm = 0; Warm < 2; ++Warm) { // the first fills instruction caches
    Start = clock64();
#pragma unroll 1
    for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
      for (int I = 0; I < Unroll; ++I)
        Op::step(X, Y, A, B);
    Stop = clock64();
  }
  Sink[threadIdx.x] = X;
  Sink[threadIdx.x + 32] = Y;
  if (threadIdx.x == 0)
    *Cycles = Stop - Start;
}

namespace {
struct Latency {
  const Session &S;
  template <class Op> void measure() {
    Buffer<long long> Cycles(1);
    Buffer<typename Op::T> Sink(64);
    int Rounds = S.Quick ? 16 : 64;
    auto One = [&] {
      chain<Op>
          <<<1, 32>>>(3, 5, 1.0009765625f, 7, Rounds, Cycles.get(), Sink.get());
      CHECK_LAUNCH();
      return static_cast<double>(Cycles.take()[0]) /
             (double(Rounds) * Unroll * Op::Count);
    };
    S.report("op_latency", {{"operation", Op::name()}},
             repeat(S.repetitions(), One), "cycles");
  }
};
} // namespace

int main(int ArgCount, char **Args) {
  Session S("op_latency", ArgCount, Args);
  Latency Each{S};
  forEachOperation(Each);
}
