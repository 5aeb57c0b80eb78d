/// \file
/// DRAM reads against the bytes that each multiprocessor has in flight: few
/// warps wait for latency, many for bandwidth; between them lies the knee. What
/// one multiprocessor alone reaches. And reads, writes, copies, strided and
/// random reads of DRAM and of L2 against the warps of each multiprocessor.
#include "memory.h"

using namespace bench;

/// Every warp keeps Unroll loads of 512 bytes in flight.
template <int Unroll>
__global__ void stream(const float4 *From, size_t Count, float *Sink) {
  size_t First = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t Step = size_t(gridDim.x) * blockDim.x;
  float Sum = 0;
  for (size_t I = First; I + (Unroll - 1) * Step < Count; I += Unroll * Step) {
    float Part[Unroll];
#pragma unroll
    for (int U = 0; U < Unroll; ++U)
      Part[U] = loadSum<Via::L2>(From + I + U * Step);
#pragma unroll
    for (int U = 0; U < Unroll; ++U)
      Sum += Part[U];
    if (Sum == 1.0f) // the next loads wait for these
      *Sink = Sum;
  }
}

template <int Unroll>
static void measure(const Session &S, const char *Name, int Blocks,
                    const Buffer<float4> &From, size_t Count,
                    Buffer<float> &Sink) {
  for (int Warps : {1, 2, 4, 6, 8, 12, 16, 24, 32}) {
    size_t Threads = size_t(Blocks) * Warps * 32;
    // Enough rounds for a steady state, no more: one warp is slow.
    size_t Used = std::min(Count, Threads * Unroll * (S.Quick ? 256 : 1024));
    Used = Used / (Threads * Unroll) * Threads * Unroll;
    if (Used == 0)
      continue;
    auto One = [&] {
      // Nothing of this in L2: read from another place each time.
      static size_t Place = 0;
      Place = Place + 2 * Used <= Count ? Place + Used : 0;
      return 16.0 * Used / secondsOf([&] {
               stream<Unroll><<<Blocks, Warps * 32>>>(From.get() + Place, Used,
                                                      Sink.get());
             });
    };
    S.report(
        Name,
        {{"warps", double(Warps)}, {"bytes_in_flight", Warps * 512.0 * Unroll}},
        repeat(S.repetitions(), One), "B/s");
  }
}

enum class Pattern { Read, Write, Copy, Strided, Random };

/// Data holds two halves of Mask + 1 elements, a power of two; copies go from
/// one to the other. Strided and random read a word of 8 bytes per sector.
template <Pattern P>
__global__ void access(float4 *Data, size_t Mask, int Rounds, float *Sink) {
  size_t First = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t Step = size_t(gridDim.x) * blockDim.x;
  float Sum = 0;
#pragma unroll 4
  for (int Round = 0; Round < Rounds; ++Round) {
    size_t I = First + Round * Step;
    if (P == Pattern::Read) {
      Sum += loadSum<Via::L2>(Data + (I & Mask));
    } else if (P == Pattern::Write) {
      Data[I & Mask] = make_float4(1, 2, 3, 4);
    } else if (P == Pattern::Copy) {
      float V = loadSum<Via::L2>(Data + (I & Mask));
      Data[Mask + 1 + (I & Mask)] = make_float4(V, V, V, V);
    } else {
      size_t At = P == Pattern::Strided ? 2 * I : I * 2654435761u;
      const float4 *From = Data + (At & Mask);
      Sum += static_cast<float>(
          loadWord<Via::L2>(reinterpret_cast<const Word *>(From)));
    }
  }
  if (Sum == 1.0f)
    *Sink = Sum;
}

/// Useful bytes by time: one block of Warps warps on each multiprocessor.
template <Pattern P>
static void against(const Session &S, const char *Name, double BytesEach,
                    const char *Level, const Buffer<float4> &Data, size_t Half,
                    Buffer<float> &Sink) {
  int Rounds = S.Quick ? 64 : 256;
  for (int Warps : {1, 2, 4, 8, 16, 32}) {
    auto One = [&] {
      return BytesEach * S.SmCount * Warps * 32 * Rounds / secondsOf([&] {
               access<P><<<S.SmCount, Warps * 32>>>(Data.get(), Half - 1,
                                                    Rounds, Sink.get());
             });
    };
    S.report(Name, {{"warps", double(Warps)}, {"level", Level}},
             repeat(S.repetitions(), One), "B/s");
  }
}

static void patterns(const Session &S, Buffer<float> &Sink) {
  size_t Large = 1;
  while (Large * 16 < 8 * S.L2Bytes)
    Large *= 2;
  Buffer<float4> Data(2 * Large);
  for (const char *Level : {"dram", "l2"}) {
    size_t Half = Large;
    if (Level[0] == 'l') // both halves in half of the cache
      while (Half * 16 > S.L2Bytes / 4)
        Half /= 2;
    against<Pattern::Read>(S, "read", 16, Level, Data, Half, Sink);
    against<Pattern::Write>(S, "write", 16, Level, Data, Half, Sink);
    against<Pattern::Copy>(S, "copy", 32, Level, Data, Half, Sink);
    against<Pattern::Strided>(S, "strided", 8, Level, Data, Half, Sink);
    against<Pattern::Random>(S, "random", 8, Level, Data, Half, Sink);
  }
}

int main(int ArgCount, char **Args) {
  Session S("occupancy", ArgCount, Args);
  Buffer<float> Sink(1);
  patterns(S, Sink);
  size_t Count = 32 * S.L2Bytes / 16;
  Buffer<float4> From(Count);
  measure<1>(S, "all", S.SmCount, From, Count, Sink);
  measure<4>(S, "all", S.SmCount, From, Count, Sink);
  measure<1>(S, "one", 1, From, Count, Sink);
  measure<8>(S, "one", 1, From, Count, Sink);
}
