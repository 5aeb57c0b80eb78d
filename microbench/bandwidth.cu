/// \file
/// Bandwidth of the memory levels: reads, writes and copies against the working
/// set, reads by width against the working set, reads by stride and at random
/// of L2 and DRAM, and L1 by the clock of one multiprocessor, against the
/// working set and against its warps.
#include "memory.h"

using namespace bench;

static constexpr int Threads = 256;

template <class T, Via Path>
__global__ void read(const T *From, size_t Count, int Passes, float *Sink) {
  size_t First = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t Step = size_t(gridDim.x) * blockDim.x;
  float Sum = 0;
  for (int Pass = 0; Pass < Passes; ++Pass) {
    size_t I = First;
    for (; I + 3 * Step < Count; I += 4 * Step)
      Sum += loadSum<Path>(From + I) + loadSum<Path>(From + I + Step) +
             loadSum<Path>(From + I + 2 * Step) +
             loadSum<Path>(From + I + 3 * Step);
    for (; I < Count; I += Step)
      Sum += loadSum<Path>(From + I);
  }
  if (Sum == 1.0f)
    *Sink = Sum;
}

__global__ void write(float4 *To, size_t Count, int Passes, float Value) {
  size_t First = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t Step = size_t(gridDim.x) * blockDim.x;
  for (int Pass = 0; Pass < Passes; ++Pass) {
    float V = Value + Pass;
    for (size_t I = First; I < Count; I += Step)
      To[I] = make_float4(V, V, V, V);
    __threadfence(); // so that a later pass does not replace this one
  }
}

__global__ void copy(const float4 *From, float4 *To, size_t Count, int Passes) {
  size_t First = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t Step = size_t(gridDim.x) * blockDim.x;
  for (int Pass = 0; Pass < Passes; ++Pass) {
    for (size_t I = First; I < Count; I += Step) {
      float V = loadSum<Via::L2>(From + I);
      To[I] = make_float4(V, V, V, V);
    }
    __threadfence();
  }
}

/// Four bytes of a thread, StrideWords apart; or anywhere, when it is 0.
__global__ void gather(const float *From, unsigned Mask, unsigned StrideWords,
                       int Each, float *Sink) {
  unsigned Thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned All = gridDim.x * blockDim.x;
  float Sum = 0;
#pragma unroll 4
  for (int I = 0; I < Each; ++I) {
    unsigned Number = I * All + Thread;
    unsigned At = StrideWords ? Number * StrideWords : Number * 2654435761u;
    Sum += __ldg(From + (At & Mask));
  }
  if (Sum == 1.0f)
    *Sink = Sum;
}

/// Count is a power of two; each round begins elsewhere, so that no round can
/// take the values of another.
__global__ void readL1(const float4 *From, int Count, int Rounds,
                       long long *Cycles, float *Sink) {
  float Sum = 0;
  long long Begin = 0;
  for (int Round = -1; Round < Rounds; ++Round) { // the first fills L1
    if (Round == 0) {
      __syncthreads();
      Begin = clock64();
    }
    for (int I = threadIdx.x; I < Count; I += blockDim.x)
      Sum += loadSum<Via::L1>(From + ((I + 32 * (Round + 1)) & (Count - 1)));
  }
  __syncthreads();
  long long End = clock64();
  if (Sum == 1.0f)
    *Sink = Sum;
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = End - Begin;
}

static void levels(const Session &S) {
  size_t Largest = 16 * S.L2Bytes;
  Buffer<float4> From(Largest / 16), To(Largest / 16);
  Buffer<float> Sink(1);
  // Half of the threads have work: small enough for half of any L2.
  size_t Smallest = size_t(S.SmCount) * 4 * Threads * 16;
  double Moved = S.Quick ? 3e8 : 4e9;
  for (double Size = Smallest; Size <= Largest; Size *= S.Quick ? 2 : 1.4142) {
    size_t Count = static_cast<size_t>(Size) / 16;
    double Bytes = Count * 16.0;
    int Passes = static_cast<int>(std::max(1.0, Moved / Bytes));
    int Blocks = S.SmCount * 8;
    auto Report = [&](const char *Name, double Factor, auto Launch) {
      auto One = [&] { return Factor * Bytes * Passes / secondsOf(Launch); };
      // A copy works on both of its buffers.
      S.report(Name, {{"bytes", Bytes * Factor}}, repeat(3, One), "B/s");
    };
    Report("read", 1, [&] {
      read<float4, Via::L2>
          <<<Blocks, Threads>>>(From.get(), Count, Passes, Sink.get());
    });
    Report("write", 1,
           [&] { write<<<Blocks, Threads>>>(To.get(), Count, Passes, 1); });
    Report("copy", 2, [&] {
      copy<<<Blocks, Threads>>>(From.get(), To.get(), Count, Passes);
    });
  }
}

/// Reads of T through all caches, against the working set of the whole GPU:
/// from that of all L1 caches to beyond L2.
template <class T>
static void widths(const Session &S, const Buffer<float4> &From,
                   const Buffer<float> &Sink, size_t Largest) {
  double Moved = S.Quick ? 1e8 : 1e9;
  int Blocks = S.SmCount * 8;
  for (double Size = double(Blocks) * Threads * sizeof(T); Size <= Largest;
       Size *= S.Quick ? 4 : 2) {
    size_t Count = size_t(Size) / sizeof(T);
    double Bytes = double(Count * sizeof(T));
    int Passes = int(std::max(1.0, Moved / Bytes));
    auto One = [&] {
      double Seconds = secondsOf([&] {
        read<T, Via::L1><<<Blocks, Threads>>>(
            reinterpret_cast<const T *>(From.get()), Count, Passes, Sink.get());
      });
      return Bytes * Passes / Seconds;
    };
    S.report("read_width", {{"width", double(sizeof(T))}, {"bytes", Bytes}},
             repeat(3, One), "B/s");
  }
}

static void patterns(const Session &S) {
  unsigned Largest = 1;
  while (size_t(Largest) * 4 < 8 * S.L2Bytes)
    Largest *= 2;
  Buffer<float> From(Largest), Sink(1);
  for (unsigned Words : {Largest / 32, Largest}) // half of L2 at most; DRAM
    for (unsigned Stride : {1u, 2u, 4u, 8u, 16u, 32u, 0u}) {
      int Blocks = S.SmCount * 8, Each = S.Quick ? 64 : 256;
      auto One = [&] {
        double Seconds = secondsOf([&] {
          gather<<<Blocks, Threads>>>(From.get(), Words - 1, Stride, Each,
                                      Sink.get());
        });
        return 4.0 * Blocks * Threads * Each / Seconds;
      };
      S.report(Stride ? "strided" : "random",
               {{"stride", 4.0 * Stride}, {"bytes", 4.0 * Words}},
               repeat(S.repetitions(), One), "B/s");
    }
}

/// Bytes by cycle of one multiprocessor that reads Count float4 again and
/// again.
static void levelOne(const Session &S) {
  Buffer<float4> From(1 << 15);
  Buffer<long long> Cycles(S.SmCount);
  Buffer<float> Sink(1);
  auto Report = [&](const char *Name, int Count, int Warps) {
    int Rounds = std::max(4, (S.Quick ? 64 : 256) * 1024 / Count * Warps / 32);
    auto One = [&] {
      readL1<<<S.SmCount, Warps * 32>>>(From.get(), Count, Rounds, Cycles.get(),
                                        Sink.get());
      CHECK_LAUNCH();
      return 16.0 * Count * Rounds / median(Cycles.take());
    };
    S.report(Name, {{"bytes", 16.0 * Count}, {"warps", double(Warps)}},
             repeat(S.repetitions(), One), "B/cycle");
  };
  Report("l1_read", 1024, 32);
  for (int Count = 256; Count <= 1 << 15; Count *= 2)
    Report("l1_set", Count, 32);
  for (int Warps : {1, 2, 4, 8, 16, 32})
    Report("l1_warps", 1024, Warps);
}

int main(int ArgCount, char **Args) {
  Session S("bandwidth", ArgCount, Args);
  levels(S);
  {
    size_t Largest = 8 * S.L2Bytes;
    Buffer<float4> From(Largest / 16);
    Buffer<float> Sink(1);
    widths<float>(S, From, Sink, Largest);
    widths<float2>(S, From, Sink, Largest);
    widths<float4>(S, From, Sink, Largest);
  }
  patterns(S);
  levelOne(S);
}
