/// \file
/// The core clock under load: cycles that a multiprocessor counts, by the time
/// between events, while all of them compute or read DRAM; and a second figure
/// after a longer load, when the chip is warm.
#include "memory.h"

using namespace bench;

__global__ void compute(int Rounds, float A, long long *Cycles, float *Sink) {
  float X[4] = {1, 2, 3, 4};
  long long Begin = clock64();
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
    for (int I = 0; I < 64; ++I)
      X[I % 4] = fmaf(X[I % 4], A, A);
  long long End = clock64();
  if (X[0] + X[1] + X[2] + X[3] == 1.0f)
    *Sink = X[0];
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = End - Begin;
}

__global__ void memory(const float4 *From, size_t Count, int Rounds,
                       long long *Cycles, float *Sink) {
  float Sum = 0;
  long long Begin = clock64();
  for (int Round = 0; Round < Rounds; ++Round)
    for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
         I += size_t(gridDim.x) * blockDim.x)
      Sum += loadSum<Via::L2>(From + I);
  long long End = clock64();
  if (Sum == 1.0f)
    *Sink = Sum;
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = End - Begin;
}

int main(int ArgCount, char **Args) {
  Session S("clock", ArgCount, Args);
  size_t Count = 8 * S.L2Bytes / 16;
  Buffer<float4> From(Count);
  Buffer<float> Sink(1);
  Buffer<long long> Cycles(S.SmCount);
  // The longest block is as long as the kernel, but for its start.
  auto Clock = [&](auto Launch) {
    return [&, Launch] {
      double Seconds = secondsOf(Launch);
      std::vector<long long> All = Cycles.take();
      return static_cast<double>(*std::max_element(All.begin(), All.end())) /
             Seconds;
    };
  };
  int Rounds = S.Quick ? 20000 : 200000;
  auto Compute = Clock([&] {
    compute<<<S.SmCount, 1024>>>(Rounds, 1.0f, Cycles.get(), Sink.get());
  });
  S.report("clock", {{"load", "fp32"}}, repeat(S.repetitions(), Compute), "Hz");
  auto Memory = Clock([&] {
    memory<<<S.SmCount, 1024>>>(From.get(), Count, S.Quick ? 20 : 100,
                                Cycles.get(), Sink.get());
  });
  S.report("clock", {{"load", "memory"}}, repeat(S.repetitions(), Memory),
           "Hz");
}
