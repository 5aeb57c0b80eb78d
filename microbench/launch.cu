/// \file
/// What launches cost: time of an empty kernel against its grid for blocks of
/// several sizes, the interval of launches back to back, a graph of empty
/// kernels (the device's own share), a single launch, the first launch of a
/// kernel, and the turnaround of a block's place on a multiprocessor.
#include "bench.h"
#include <chrono>

using namespace bench;

__global__ void empty() {}
__global__ void emptyOnce() {}
__global__ void placeHolder(float *Sink) {
  extern __shared__ float Place[];
  if (Sink)
    Sink[threadIdx.x] = Place[threadIdx.x];
}

static double wallSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static void grids(const Session &S) {
  int Largest = S.Quick ? 1 << 14 : 1 << 17;
  for (int Threads : {32, 64, 128, 256, 512, 1024})
    for (int Blocks = 1; Blocks <= Largest; Blocks *= S.Quick ? 4 : 2) {
      int Count = Blocks > 4096 ? 10 : 100;
      auto One = [&] {
        return secondsOf([&] {
                 for (int I = 0; I < Count; ++I)
                   empty<<<Blocks, Threads>>>();
               }) /
               Count;
      };
      S.report("back_to_back",
               {{"blocks", double(Blocks)}, {"threads", double(Threads)}},
               repeat(S.repetitions(), One), "s");
    }
}

static void graph(const Session &S) {
  constexpr int Nodes = 128;
  RT(Stream_t) Stream;
  CHECK(RT(StreamCreate)(&Stream));
  CHECK(RT(StreamBeginCapture)(Stream, RT(StreamCaptureModeGlobal)));
  for (int I = 0; I < Nodes; ++I)
    empty<<<1, 32, 0, Stream>>>();
  RT(Graph_t) Graph;
  CHECK(RT(StreamEndCapture)(Stream, &Graph));
  RT(GraphExec_t) Ready;
  CHECK(RT(GraphInstantiateWithFlags)(&Ready, Graph, 0));
  RT(Event_t) Start, Stop;
  CHECK(RT(EventCreate)(&Start));
  CHECK(RT(EventCreate)(&Stop));
  auto One = [&] {
    CHECK(RT(EventRecord)(Start, Stream));
    CHECK(RT(GraphLaunch)(Ready, Stream));
    CHECK(RT(EventRecord)(Stop, Stream));
    CHECK(RT(EventSynchronize)(Stop));
    float Milliseconds = 0;
    CHECK(RT(EventElapsedTime)(&Milliseconds, Start, Stop));
    return Milliseconds * 1e-3 / Nodes;
  };
  S.report("graph_node", {}, repeat(S.repetitions(), One), "s");
  CHECK(RT(GraphExecDestroy)(Ready));
  CHECK(RT(GraphDestroy)(Graph));
  CHECK(RT(StreamDestroy)(Stream));
}

static void singles(const Session &S) {
  CHECK(RT(DeviceSynchronize)());
  double Begin = wallSeconds();
  emptyOnce<<<1, 32>>>();
  CHECK_LAUNCH();
  S.report("first_launch", {}, {wallSeconds() - Begin}, "s");
  auto One = [&] {
    CHECK(RT(DeviceSynchronize)());
    return secondsOf([] { empty<<<1, 32>>>(); });
  };
  S.report("single", {}, repeat(S.repetitions(), One), "s");
  auto WithHost = [&] {
    CHECK(RT(DeviceSynchronize)());
    double From = wallSeconds();
    empty<<<1, 32>>>();
    CHECK_LAUNCH();
    return wallSeconds() - From;
  };
  S.report("single_with_host", {}, repeat(S.repetitions(), WithHost), "s");
}

/// One resident block for each multiprocessor, so that each next block waits
/// for the place of one that ends: time of one such wave.
static void turnaround(const Session &S) {
  DeviceProperties Properties;
  CHECK(RT(GetDeviceProperties)(&Properties, 0));
#if BENCH_HIP
  size_t Bytes = Properties.sharedMemPerBlock;
#else
  size_t Bytes = Properties.sharedMemPerBlockOptin;
  CHECK(cudaFuncSetAttribute(placeHolder,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(Bytes)));
#endif
  for (int Warps : {1, 2, 4, 8, 16, 32}) {
    auto Waves = [&](int Count) {
      return secondsOf([&] {
        placeHolder<<<S.SmCount * Count, Warps * 32, Bytes>>>(nullptr);
      });
    };
    auto One = [&] { return std::max(0.0, Waves(192) - Waves(64)) / 128; };
    S.report("turnaround", {{"warps", double(Warps)}},
             repeat(S.repetitions(), One), "s");
  }
}

int main(int ArgCount, char **Args) {
  Session S("launch", ArgCount, Args);
  singles(S);
  grids(S);
  graph(S);
  turnaround(S);
}
