/// \file
/// Warp instructions of a multiprocessor for each cycle: fp32 alone, and mixed
/// half and half with operations of other pipes. A mixture that is faster than
/// either alone runs in two pipes; more than one instruction for each scheduler
/// is dual issue.
#include "operations.h"

using namespace bench;

static constexpr int Unroll = 16, Chains = 4, Threads = 1024;

/// Chains of First and of Second, a step of each in turn.
template <class First, class Second>
__global__ void mixture(float Seed, float A0, int Rounds, long long *Cycles,
                        float *Sink) {
  typename First::T X[Chains], Y[Chains], A = make<typename First::T>(A0);
  typename Second::T V[Chains], W[Chains], B = make<typename Second::T>(A0);
#pragma unroll
  for (int C = 0; C < Chains; ++C) {
    X[C] = Y[C] = make<typename First::T>(Seed + C + threadIdx.x);
    V[C] = W[C] = make<typename Second::T>(Seed + C + threadIdx.x);
  }
  __syncthreads();
  long long Start = clock64();
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
    for (int I = 0; I < Unroll; ++I)
#pragma unroll
      for (int C = 0; C < Chains; ++C) {
        First::step(X[C], Y[C], A, A);
        Second::step(V[C], W[C], B, B);
      }
  __syncthreads();
  long long Stop = clock64();
  float Sum = 0;
#pragma unroll
  for (int C = 0; C < Chains; ++C)
    Sum += static_cast<float>(X[C]) + static_cast<float>(V[C]);
  Sink[threadIdx.x] = Sum;
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = Stop - Start;
}

template <class First, class Second>
static void measure(const Session &S, const char *Mix) {
  Buffer<long long> Cycles(S.SmCount);
  Buffer<float> Sink(Threads);
  int Rounds = S.Quick ? 16 : 64;
  auto One = [&] {
    mixture<First, Second><<<S.SmCount, Threads>>>(3, 1.0009765625f, Rounds,
                                                   Cycles.get(), Sink.get());
    CHECK_LAUNCH();
    return double(Rounds) * Unroll * Chains * 2 * (Threads / 32) /
           median(Cycles.take());
  };
  S.report("instructions", {{"mix", Mix}}, repeat(S.repetitions(), One),
           "/cycle");
}

int main(int ArgCount, char **Args) {
  Session S("issue", ArgCount, Args);
  measure<fp32_fma, fp32_fma>(S, "fp32_fma");
  measure<logic, logic>(S, "logic");
  measure<int_mul, int_mul>(S, "int_mul");
  measure<fp32_fma, logic>(S, "fp32_fma+logic");
  measure<fp32_fma, int_mul>(S, "fp32_fma+int_mul");
  measure<fp32_fma, sfu>(S, "fp32_fma+sfu");
  measure<fp32_fma, fp64_fma>(S, "fp32_fma+fp64_fma");
}
