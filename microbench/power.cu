/// \file
/// Power of the board: idle with a context, with one warp on each
/// multiprocessor, and with one part of the chip busy at a time. For each load
/// the mean power over some seconds, and how many instructions of threads, and
/// events of that part, it made in a second.
#include "memory.h"
#include "operations.h"

using namespace bench;

static constexpr int Unroll = 16, Chains = 4, Threads = 1024;

template <class Op>
__global__ void busy(float X0, float A0, float B0, int Rounds,
                     typename Op::T *Sink) {
  using T = typename Op::T;
  T X[Chains], Y[Chains], A[Chains], B = make<T>(B0);
#pragma unroll
  for (int C = 0; C < Chains; ++C) {
    X[C] = make<T>(X0 + C + threadIdx.x);
    Y[C] = make<T>(X0 + 2 * C + threadIdx.x);
    A[C] = make<T>(A0 + C);
  }
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
    for (int I = 0; I < Unroll; ++I)
#pragma unroll
      for (int C = 0; C < Chains; ++C)
        Op::step(X[C], Y[C], A[C], B);
#pragma unroll
  for (int C = 0; C < Chains; ++C) {
    Sink[(2 * C) * Threads + threadIdx.x] = X[C];
    Sink[(2 * C + 1) * Threads + threadIdx.x] = Y[C];
  }
}

/// Values of shared memory go round: each thread reads its neighbour's.
__global__ void busyShared(int Rounds, float *Sink) {
  __shared__ volatile float Words[Threads];
  Words[threadIdx.x] = threadIdx.x * 1.37f;
  __syncthreads();
  float Sum = 0;
  int Place = threadIdx.x;
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
    for (int I = 0; I < Unroll; ++I)
      Sum += Words[(Place + I * 32) % Threads];
  Sink[threadIdx.x] = Sum;
}

__global__ void fill(float4 *To, size_t Count) {
  size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step) {
    unsigned Hash = static_cast<unsigned>(I) * 2654435761u;
    float V = 0.5f + (Hash >> 9) * 5.96e-8f;
    To[I] = make_float4(V, V * 1.1f, V * 1.2f, V * 1.3f);
  }
}

template <Via Path>
__global__ void busyMemory(const float4 *From, size_t Count, int Rounds,
                           float *Sink) {
  float Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round)
    for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
         I += size_t(gridDim.x) * blockDim.x)
      Sum += loadSum<Path>(From + I);
  if (Sum == 1.0f)
    *Sink = Sum;
}

/// Each block reads the same few lines again and again.
__global__ void busyL1(const float4 *From, int Rounds, float *Sink) {
  float Sum = 0;
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round)
    Sum += loadSum<Via::L1>(From + (threadIdx.x + Round * 32) % Threads);
  Sink[threadIdx.x] = Sum;
}

namespace {

class Meter {
public:
  explicit Meter(const Session &S) : S(S), Seconds(S.Quick ? 0.6 : 3) {
    char BusId[32] = "";
    CHECK(RT(DeviceGetPCIBusId)(BusId, sizeof(BusId), 0));
    Energy.start(BusId);
    Bus = BusId;
    if (double Watts = Energy.limit(); Watts > 0)
      S.report("limit", {}, {Watts}, "W");
  }

  void idle() {
    Energy.start(Bus.c_str());
    auto From = std::chrono::steady_clock::now();
    while (since(From) < Seconds)
      ;
    report("idle", 0, 0);
  }

  /// Launch makes Instructions of threads and Events of Load.
  template <class F>
  void load(const char *Load, double Instructions, double Events, F Launch) {
    double Once = secondsOf(Launch); // and again, warm
    Once = secondsOf(Launch);
    int Count = static_cast<int>(Seconds / std::max(Once, 1e-6)) + 1;
    // A second of it before, so that clock and temperature are those of a load.
    for (int I = 0; I < Count / 3 + 1; ++I)
      Launch();
    CHECK_LAUNCH();
    Energy.start(Bus.c_str());
    double Time = secondsOf([&] {
      for (int I = 0; I < Count; ++I)
        Launch();
    });
    report(Load, Instructions * Count / Time, Events * Count / Time);
  }

private:
  static double since(std::chrono::steady_clock::time_point From) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         From)
        .count();
  }
  void report(const char *Load, double InstructionRate, double EventRate) {
    double Watts = Energy.stop();
    if (Watts <= 0)
      return;
    S.report("board", {{"load", Load}}, {Watts}, "W");
    S.report("instructions", {{"load", Load}}, {InstructionRate}, "/s");
    S.report("events", {{"load", Load}}, {EventRate}, "/s");
  }

  const Session &S;
  double Seconds;
  std::string Bus;
  EnergyMeter Energy;
};

struct Operations {
  const Session &S;
  Meter &M;
  template <class Op> void measure(const char *Load, int Blocks, int Block) {
    Buffer<typename Op::T> Sink(2 * Chains * Threads);
    int Rounds = S.Quick ? 2000 : 10000;
    double Steps =
        double(Rounds) * Unroll * Chains * Op::Count * Blocks * Block;
    M.load(Load, Steps, Steps, [&] {
      busy<Op><<<Blocks, Block>>>(3, 1.0009765625f, 7, Rounds, Sink.get());
    });
  }
};

} // namespace

int main(int ArgCount, char **Args) {
  Session S("power", ArgCount, Args);
  Meter M(S);
  M.idle();
  Operations Each{S, M};
  int All = 2 * S.SmCount;
  Each.measure<logic>("one_warp", S.SmCount, 32);
  Each.measure<logic>("instruction", All, Threads);
  Each.measure<fp32_fma>("fp32", All, Threads);
  Each.measure<fp64_fma>("fp64", All, Threads);
  Each.measure<fp16_fma>("fp16", All, Threads);
  Each.measure<int_mul>("int_mul", All, Threads);
  Each.measure<sfu>("sfu", All, Threads);

  Buffer<float> Sink(Threads);
  int Rounds = S.Quick ? 2000 : 20000;
  double Loads = double(Rounds) * Unroll * All * Threads;
  M.load("shared", 2 * Loads, 4 * Loads,
         [&] { busyShared<<<All, Threads>>>(Rounds, Sink.get()); });

  size_t Large = 8 * S.L2Bytes / 16, Small = S.L2Bytes / 4 / 16;
  Buffer<float4> Data(Large);
  fill<<<All, Threads>>>(Data.get(), Large);
  CHECK_LAUNCH();
  Loads = double(Rounds) * All * Threads;
  M.load("l1", 8 * Loads, 16 * Loads,
         [&] { busyL1<<<All, Threads>>>(Data.get(), Rounds, Sink.get()); });
  Rounds = S.Quick ? 20 : 100;
  M.load("l2", 8.0 * Small * Rounds, 16.0 * Small * Rounds, [&] {
    busyMemory<Via::L2>
        <<<All, Threads>>>(Data.get(), Small, Rounds, Sink.get());
  });
  Rounds = S.Quick ? 4 : 10;
  M.load("dram", 8.0 * Large * Rounds, 16.0 * Large * Rounds, [&] {
    busyMemory<Via::L2>
        <<<All, Threads>>>(Data.get(), Large, Rounds, Sink.get());
  });
}
