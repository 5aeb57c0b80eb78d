/// \file
/// Page faults of managed memory: time of a kernel that touches pages which the
/// host has written, from one page to many megabytes.
#include "memory.h"

using namespace bench;

/// Reads one word of each 4 KB, so that every page of the host faults.
__global__ void touchPages(const char *Data, size_t Pages, Word *Sink) {
  size_t Index = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  Word Sum = 0;
  for (; Index < Pages; Index += size_t(gridDim.x) * blockDim.x)
    Sum +=
        loadWord<Via::L2>(reinterpret_cast<const Word *>(Data + Index * 4096));
  if (Sum == 1)
    *Sink = Sum;
}

int main(int ArgCount, char **Args) {
  Session S("managed", ArgCount, Args);
  Buffer<Word> Sink(1);
  size_t Largest = size_t(S.Quick ? 32 : 256) << 20;
  for (size_t Bytes = size_t(64) << 10; Bytes <= Largest; Bytes *= 4) {
    void *Raw = nullptr;
    CHECK(RT(MallocManaged)(&Raw, Bytes));
    char *Data = static_cast<char *>(Raw);
    size_t Pages = Bytes / 4096;
    unsigned Blocks =
        unsigned(std::min<size_t>((Pages + 255) / 256, size_t(S.SmCount) * 4));
    auto launch = [&] { touchPages<<<Blocks, 256>>>(Data, Pages, Sink.get()); };
    auto FromHost = [&] {
      std::memset(Data, 0, Bytes);
      return secondsOf(launch);
    };
    auto Resident = [&] { return secondsOf(launch); };
    // A resident launch is subtracted when the samples are read.
    S.report("first_touch", {{"bytes", double(Bytes)}},
             repeat(S.repetitions(), FromHost), "s");
    S.report("resident", {{"bytes", double(Bytes)}},
             repeat(S.repetitions(), Resident), "s");
    CHECK(RT(Free)(Raw));
  }
}
