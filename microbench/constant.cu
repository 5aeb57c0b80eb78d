/// \file
/// Bandwidth of constant memory by the clock of one multiprocessor: loads of
/// one word for all lanes, of words at a distance and of words anywhere,
/// against the bytes that the program walks through, from within the first
/// constant cache to beyond the last one.
#include "bench.h"

using namespace bench;

static constexpr int Words = 1 << 14, Unroll = 8, Threads = 256;
__constant__ int Table[Words];

/// The words of the lanes of a warp are Distance apart; 0: all lanes read one
/// word; negative: anywhere. Mask: words that are walked through, less one.
__global__ void walk(unsigned Mask, int Distance, int Rounds, long long *Cycles,
                     int *Sink) {
  unsigned Lane = threadIdx.x % 32;
  unsigned Offset =
      Distance >= 0 ? Lane * unsigned(Distance) : Lane * 2654435761u >> 8;
  int Sum = 0;
  long long Begin = 0;
  for (int Round = -1; Round < Rounds; ++Round) { // the first fills the caches
    if (Round == 0) {
      __syncthreads();
      Begin = clock64();
    }
    for (unsigned I = 0; I <= Mask; I += Unroll)
#pragma unroll
      for (int U = 0; U < Unroll; ++U)
        Sum += Table[(I + U + Offset) & Mask];
  }
  __syncthreads();
  long long End = clock64();
  if (Sum == 1) // the table holds zeros
    *Sink = Sum;
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = End - Begin;
}

int main(int ArgCount, char **Args) {
  Session S("constant", ArgCount, Args);
  Buffer<long long> Cycles(S.SmCount);
  Buffer<int> Sink(1);
  const struct {
    const char *Name;
    int Distance;
  } Patterns[] = {{"broadcast", 0}, {"strided", 1}, {"divergent", -1}};
  for (const auto &P : Patterns)
    for (int Count = 128; Count <= Words; Count *= S.Quick ? 4 : 2) {
      int Rounds = std::max(1, (S.Quick ? 1 : 4) * Words / Count);
      auto One = [&] {
        walk<<<S.SmCount, Threads>>>(unsigned(Count - 1), P.Distance, Rounds,
                                     Cycles.get(), Sink.get());
        CHECK_LAUNCH();
        return 4.0 * Threads * Count * Rounds / median(Cycles.take());
      };
      S.report(P.Name, {{"bytes", 4.0 * Count}}, repeat(S.repetitions(), One),
               "B/cycle");
    }
}
