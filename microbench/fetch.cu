/// \file
/// What one miss brings along: a thread loads an address that no cache holds,
/// then one a little further. The second is fast as far as the first one's
/// fill reached. And what a store of part of a sector costs against one of a
/// whole sector, where memory must read what is not written.
#include "memory.h"

using namespace bench;

template <Via Path>
__global__ void twoLoads(const Word *At, int OffsetWords, long long *Cycles,
                         Word *Sink) {
  // A store to shared memory waits for its value, and the clock for the store.
  __shared__ volatile Word Arrived[2];
  Word First = loadWord<Path>(At);
  Arrived[0] = First;
  long long Begin = clock64();
  Arrived[1] = loadWord<Path>(At + OffsetWords);
  long long End = clock64();
  *Sink = Arrived[0] + Arrived[1];
  *Cycles = End - Begin;
}

__global__ void touch(const Word *Data, int Count, Word *Sink) {
  Word Sum = 0;
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    Sum += loadWord<Via::L2>(Data + I);
  if (Sum == 1)
    *Sink = Sum;
}

template <Via Path>
static void reach(const Session &S, const char *Name, const L2Flush &Flush) {
  constexpr int Words = 256 * 1024 / 8;
  Buffer<Word> Data(Words), Sink(1);
  Buffer<long long> Cycles(1);
  int Line = 0;
  for (int Offset : {8, 16, 32, 64, 96, 128, 192, 256, 512}) {
    auto One = [&] {
      Flush();
      if (Path == Via::L1) { // in L2 already, so that L1 alone is asked
        touch<<<1, 256>>>(Data.get(), Words, Sink.get());
        CHECK_LAUNCH();
      }
      Line = (Line + 1) % 64; // 4 KiB apart, aligned
      twoLoads<Path><<<1, 1>>>(Data.get() + Line * 512, Offset / 8,
                               Cycles.get(), Sink.get());
      CHECK_LAUNCH();
      return static_cast<double>(Cycles.take()[0]);
    };
    S.report(Name, {{"offset", double(Offset)}}, repeat(S.Quick ? 5 : 15, One),
             "cycles");
  }
}

/// Stores Bytes (4 or 32) at the start of every sector of 32 bytes.
__global__ void storeSectors(unsigned *Data, size_t Sectors, int Bytes) {
  size_t Lane = threadIdx.x % 8;
  size_t First = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 8;
  size_t Step = size_t(gridDim.x) * blockDim.x / 8;
  for (size_t I = First; I < Sectors; I += Step)
    if (Lane * 4 < static_cast<size_t>(Bytes))
      Data[I * 8 + Lane] = 7;
}

int main(int ArgCount, char **Args) {
  Session S("fetch", ArgCount, Args);
  {
    L2Flush Flush(S);
    reach<Via::L1>(S, "l1_reach", Flush);
    reach<Via::L2>(S, "l2_reach", Flush);
  }
  size_t Sectors = 8 * S.L2Bytes / 32;
  Buffer<unsigned> Data(Sectors * 8);
  for (int Bytes : {32, 16, 4}) {
    auto One = [&] {
      double Seconds = secondsOf([&] {
        storeSectors<<<S.SmCount * 8, 256>>>(Data.get(), Sectors, Bytes);
      });
      return Sectors / Seconds;
    };
    S.report("sector_stores", {{"bytes", double(Bytes)}},
             repeat(S.repetitions(), One), "/s");
  }
}
