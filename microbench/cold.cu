/// \file
/// What the first warps of a launch wait for when all caches are cold: lines of
/// code (cycles of straight code in its first and in its second round), the
/// translation of an address (a load of a page that nobody accessed, and a load
/// of another line of that page), and an empty kernel after its code and its
/// constants were pushed out.
#include "memory.h"

using namespace bench;

static constexpr size_t Page = size_t(2) << 20;

/// Count instructions that depend on each other.
template <int Count> __device__ inline float straight(float Value) {
#pragma unroll
  for (int I = 0; I < Count; ++I)
#if BENCH_HIP
    asm volatile("v_fma_f32 %0, %0, %0, %0" : "+v"(Value));
#else
    asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(Value));
#endif
  return Value;
}

template <int Count>
__global__ void rounds(float Value, long long *Cycles, float *Sink) {
#pragma unroll 1
  for (int Round = 0; Round < 2; ++Round) {
    long long Begin = clock64();
    Value = straight<Count>(Value);
    Cycles[Round] = clock64() - Begin;
  }
  *Sink = Value;
}

/// More code than any instruction cache holds.
__global__ void otherCode(float Value, float *Sink) {
  *Sink = straight<16384>(Value);
}

__global__ void empty() {}

/// One access to each page.
__global__ void touch(const char *Data, size_t Pages, Word *Sink) {
  size_t Index = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (Index < Pages)
    *Sink =
        loadWord<Via::L2>(reinterpret_cast<const Word *>(Data + Index * Page));
}

__global__ void twoLines(const char *Data, long long *Cycles, Word *Sink) {
  Word Sum = 0;
  for (int I = 0; I < 2; ++I) {
    long long Begin = clock64();
    Sum += loadWord<Via::L2>(
        reinterpret_cast<const Word *>(Data + Sum + I * (Page / 2)));
    *static_cast<volatile Word *>(Sink) = Sum; // waits for the load
    Cycles[I] = clock64() - Begin;
  }
}

namespace {

class ColdMachine {
public:
  explicit ColdMachine(const Session &S)
      : S(S), Flush(S), Pages(pagesToTouch()), Data(Pages * Page), Cycles(2),
        Sink(1), FloatSink(1) {}

  template <int Count> void code() {
    auto One = [&] {
      makeCold();
      rounds<Count><<<1, 1>>>(1, Cycles.get(), FloatSink.get());
      CHECK_LAUNCH();
      return firstBeyondSecond();
    };
    S.report("code", {{"instructions", double(Count)}},
             repeat(S.repetitions(), One), "cycles");
  }

  void translation() {
    size_t Next = 0;
    auto One = [&] {
      makeCold();
      // Another page each time, far from those that were touched last.
      Next = (Next + 17) % (Pages / 2);
      twoLines<<<1, 1>>>(Data.get() + Next * Page, Cycles.get(), Sink.get());
      CHECK_LAUNCH();
      return firstBeyondSecond();
    };
    S.report("translation", {{"bytes", double(Page)}},
             repeat(S.repetitions(), One), "cycles");
  }

  /// Events add their own time to both, so that the difference counts.
  void launches() {
    auto Warm = [&] {
      empty<<<1, 1>>>();
      CHECK_LAUNCH();
      return secondsOf([] { empty<<<1, 1>>>(); });
    };
    auto Cold = [&] {
      makeCold();
      return secondsOf([] { empty<<<1, 1>>>(); });
    };
    S.report("empty_warm", {}, repeat(S.repetitions(), Warm), "s");
    S.report("empty_cold", {}, repeat(S.repetitions(), Cold), "s");
  }

private:
  /// As many pages as fit, at most 16 GiB.
  static size_t pagesToTouch() {
    size_t Free = 0, Total = 0;
    CHECK(RT(MemGetInfo)(&Free, &Total));
    return std::min<size_t>(Free / 2 / Page, 8192);
  }
  void makeCold() {
    touch<<<unsigned((Pages + 255) / 256), 256>>>(Data.get(), Pages,
                                                  Sink.get());
    otherCode<<<S.SmCount, 1>>>(1, FloatSink.get());
    CHECK_LAUNCH();
    Flush();
  }
  double firstBeyondSecond() const {
    std::vector<long long> Rounds = Cycles.take();
    return static_cast<double>(Rounds[0] - Rounds[1]);
  }

  const Session &S;
  L2Flush Flush;
  size_t Pages;
  Buffer<char> Data;
  Buffer<long long> Cycles;
  Buffer<Word> Sink;
  Buffer<float> FloatSink;
};

} // namespace

int main(int ArgCount, char **Args) {
  Session S("cold", ArgCount, Args);
  ColdMachine Machine(S);
  Machine.code<64>();
  Machine.code<128>();
  Machine.code<256>();
  Machine.code<512>();
  Machine.code<1024>();
  Machine.translation();
  Machine.launches();
}
