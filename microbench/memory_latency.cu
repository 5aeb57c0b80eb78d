/// \file
/// Latency of every level by pointer chase: one thread follows a random cycle
/// through a working set, after one round that fills the caches. Steps of the
/// curve are the sizes of the caches, plateaus their latencies.
#include "memory.h"
#include <random>

using namespace bench;

static constexpr size_t Stride = 128;

template <Via Path>
__global__ void chase(const Word *Start, int WarmSteps, int Steps,
                      long long *Cycles, Word *Sink) {
  const Word *At = Start;
  for (int I = 0; I < WarmSteps; ++I)
    At = reinterpret_cast<const Word *>(loadWord<Path>(At));
  long long Begin = clock64();
  for (int I = 0; I < Steps; I += 8)
#pragma unroll
    for (int J = 0; J < 8; ++J)
      At = reinterpret_cast<const Word *>(loadWord<Path>(At));
  long long End = clock64();
  *Sink = reinterpret_cast<Word>(At);
  *Cycles = End - Begin;
}

/// One random cycle through the first Count lines of Data.
static void makeCycle(Buffer<Word> &Data, size_t Count) {
  std::vector<size_t> Order(Count);
  for (size_t I = 0; I < Count; ++I)
    Order[I] = I;
  std::mt19937_64 Random(42);
  std::shuffle(Order.begin(), Order.end(), Random);
  constexpr size_t Words = Stride / sizeof(Word);
  std::vector<Word> Host(Count * Words);
  for (size_t I = 0; I < Count; ++I)
    Host[Order[I] * Words] =
        reinterpret_cast<Word>(Data.get() + Order[(I + 1) % Count] * Words);
  Data.put(Host);
}

template <Via Path>
static void curve(const Session &S, const char *Name, size_t From, size_t To,
                  Buffer<Word> &Data) {
  Buffer<long long> Cycles(1);
  Buffer<Word> Sink(1);
  double Factor = S.Quick ? 1.4142135623731 : 1.0905077326653; // of an octave
  for (double Size = From; Size <= To; Size *= Factor) {
    size_t Lines = std::max<size_t>(8, static_cast<size_t>(Size) / Stride);
    makeCycle(Data, Lines);
    int Warm = static_cast<int>(std::min<size_t>(Lines, 1u << 20));
    int Steps = S.Quick ? 1024 : 4096;
    auto One = [&] {
      chase<Path><<<1, 1>>>(Data.get(), Warm, Steps, Cycles.get(), Sink.get());
      CHECK_LAUNCH();
      return static_cast<double>(Cycles.take()[0]) / Steps;
    };
    S.report(Name, {{"bytes", double(Lines * Stride)}}, repeat(3, One),
             "cycles");
  }
}

/// Each line by itself: slices of L2 lie at different distances.
static void lines(const Session &S, Buffer<Word> &Data) {
  Buffer<long long> Cycles(1);
  Buffer<Word> Sink(1);
  int Count = S.Quick ? 64 : 256;
  for (int I = 0; I < Count; ++I) {
    Word *Line = Data.get() + size_t(I) * 37 * Stride / sizeof(Word);
    Word Self = reinterpret_cast<Word>(Line);
    CHECK(RT(Memcpy)(Line, &Self, sizeof(Self), RT(MemcpyHostToDevice)));
    auto One = [&] {
      chase<Via::L2><<<1, 1>>>(Line, 4, 64, Cycles.get(), Sink.get());
      CHECK_LAUNCH();
      return static_cast<double>(Cycles.take()[0]) / 64;
    };
    S.report("l2_line", {{"line", double(I)}}, repeat(3, One), "cycles");
  }
}

static constexpr int SharedWords = 1024;
__constant__ unsigned ConstantTable[16384];

/// Chains of offsets in bytes, which need no arithmetic between two loads.
__device__ inline unsigned follow(const unsigned *Table, unsigned Offset) {
  return *reinterpret_cast<const unsigned *>(
      reinterpret_cast<const char *>(Table) + Offset);
}

__global__ void chaseShared(unsigned Steps, long long *Cycles, unsigned *Sink) {
  __shared__ unsigned Table[SharedWords];
  for (unsigned I = 0; I < SharedWords; ++I)
    Table[I] = (I + 33) % SharedWords * 4;
  __syncthreads();
  unsigned At = Sink[0];
  long long Begin = clock64();
#pragma unroll 8
  for (unsigned I = 0; I < Steps; ++I)
    At = follow(Table, At);
  long long End = clock64();
  Sink[1] = At;
  *Cycles = End - Begin;
}

__global__ void chaseConstant(unsigned Steps, long long *Cycles,
                              unsigned *Sink) {
  unsigned At = Sink[0];
  long long Begin = 0, End = 0;
  for (int Warm = 0; Warm < 2; ++Warm) {
    Begin = clock64();
#pragma unroll 8
    for (unsigned I = 0; I < Steps; ++I)
      At = follow(ConstantTable, At);
    End = clock64();
  }
  Sink[1] = At;
  *Cycles = End - Begin;
}

#if !BENCH_HIP
__global__ void chaseTexture(cudaTextureObject_t Texture, unsigned Steps,
                             long long *Cycles, unsigned *Sink) {
  int At = static_cast<int>(Sink[0]);
  long long Begin = 0, End = 0;
  for (int Warm = 0; Warm < 2; ++Warm) {
    Begin = clock64();
#pragma unroll 8
    for (unsigned I = 0; I < Steps; ++I)
      At = tex1Dfetch<int>(Texture, At);
    End = clock64();
  }
  Sink[1] = static_cast<unsigned>(At);
  *Cycles = End - Begin;
}

static void textureLatency(const Session &S) {
  std::vector<int> Next(1024);
  for (int I = 0; I < 1024; ++I)
    Next[I] = (I + 8) % 1024;
  Buffer<int> Table(1024);
  Table.put(Next);
  cudaResourceDesc Resource{};
  Resource.resType = cudaResourceTypeLinear;
  Resource.res.linear.devPtr = Table.get();
  Resource.res.linear.desc = cudaCreateChannelDesc<int>();
  Resource.res.linear.sizeInBytes = 1024 * sizeof(int);
  cudaTextureDesc How{};
  How.readMode = cudaReadModeElementType;
  cudaTextureObject_t Texture = 0;
  CHECK(cudaCreateTextureObject(&Texture, &Resource, &How, nullptr));
  Buffer<long long> Cycles(1);
  Buffer<unsigned> Sink(2);
  auto One = [&] {
    chaseTexture<<<1, 1>>>(Texture, 1024, Cycles.get(), Sink.get());
    CHECK_LAUNCH();
    return static_cast<double>(Cycles.take()[0]) / 1024;
  };
  S.report("texture", {}, repeat(S.repetitions(), One), "cycles");
  CHECK(cudaDestroyTextureObject(Texture));
}
#endif

int main(int ArgCount, char **Args) {
  Session S("memory_latency", ArgCount, Args);
  size_t Largest = std::max<size_t>(4 * S.L2Bytes, 1 << 21); // and beyond L1
  Buffer<Word> Data(Largest / sizeof(Word) + 64);
  curve<Via::L1>(S, "through_l1", 2048, 1 << 20, Data);
  curve<Via::L2>(S, "through_l2", 65536, Largest, Data);
  lines(S, Data);

  Buffer<long long> Cycles(1);
  Buffer<unsigned> Sink(2);
  auto Shared = [&] {
    chaseShared<<<1, 1>>>(4096, Cycles.get(), Sink.get());
    CHECK_LAUNCH();
    return static_cast<double>(Cycles.take()[0]) / 4096;
  };
  S.report("shared", {}, repeat(S.repetitions(), Shared), "cycles");

  for (unsigned Bytes = 512; Bytes <= 65536; Bytes *= 2) {
    unsigned Count = Bytes / 4;
    std::vector<unsigned> Next(Count);
    for (unsigned I = 0; I < Count; ++I)
      Next[I] = (I + 16) % Count * 4;
    CHECK(RT(MemcpyToSymbol)(ConstantTable, Next.data(), Bytes));
    auto Constant = [&] {
      chaseConstant<<<1, 1>>>(2048, Cycles.get(), Sink.get());
      CHECK_LAUNCH();
      return static_cast<double>(Cycles.take()[0]) / 2048;
    };
    S.report("constant", {{"bytes", double(Bytes)}}, repeat(3, Constant),
             "cycles");
  }
#if !BENCH_HIP
  textureLatency(S);
#endif
}
