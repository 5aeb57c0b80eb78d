/// \file
/// The experimental roofline: programs that read memory once and do a chosen
/// number of multiply-adds with each element, in fp32, fp64 and 32-bit
/// integers. The rate of operations rises with the operations per byte until
/// the arithmetic is the limit.
#include "bench.h"

using namespace bench;

static constexpr int Threads = 256, Elements = 8;

/// Each thread has Elements independent chains of Steps multiply-adds and adds
/// their results. Both factors are values of the chain, so that no step is
/// known in advance.
template <class T, int Steps>
__global__ void mix(const T *From, T Addend, T *Sink) {
  size_t First = size_t(blockIdx.x) * (Threads * Elements) + threadIdx.x;
  T Value[Elements];
#pragma unroll
  for (int E = 0; E < Elements; ++E)
    Value[E] = From[First + E * Threads];
#pragma unroll
  for (int Step = 0; Step < Steps; ++Step)
#pragma unroll
    for (int E = 0; E < Elements; ++E)
      Value[E] = Value[E] * Value[E] + Addend;
  T Sum = Value[0];
#pragma unroll
  for (int E = 1; E < Elements; ++E)
    Sum += Value[E];
  if (Sum == T(-1)) // never: the operations must not be removed
    *Sink = Sum;
}

namespace {

class Mixer {
public:
  explicit Mixer(const Session &S)
      : S(S), Bytes(std::max<size_t>(64 << 20, 8 * S.L2Bytes)), From(Bytes),
        Sink(8) {}

  template <class T> void measure(const char *Type) {
    one<T, 0>(Type);
    one<T, 8>(Type);
    one<T, 64>(Type);
    one<T, 256>(Type);
    if (S.Quick)
      return;
    one<T, 1>(Type);
    one<T, 2>(Type);
    one<T, 4>(Type);
    one<T, 16>(Type);
    one<T, 32>(Type);
    one<T, 128>(Type);
  }

private:
  template <class T, int Steps> void one(const char *Type) {
    unsigned Blocks = unsigned(Bytes / (sizeof(T) * Threads * Elements));
    double Count = double(Blocks) * Threads * Elements;
    // A multiply-add is two; the sum takes one for each element but the first.
    double Operations = Count * (2.0 * Steps + (Elements - 1.0) / Elements);
    auto One = [&] {
      double Seconds = secondsOf([&] {
        mix<T, Steps>
            <<<Blocks, Threads>>>(reinterpret_cast<const T *>(From.get()), T(0),
                                  reinterpret_cast<T *>(Sink.get()));
      });
      return Operations / Seconds;
    };
    S.report("mix",
             {{"type", Type},
              {"steps", double(Steps)},
              {"intensity", Operations / (Count * sizeof(T))}},
             repeat(S.Quick ? 2 : 5, One), "/s");
  }

  const Session &S;
  size_t Bytes;
  Buffer<char> From, Sink;
};

} // namespace

int main(int ArgCount, char **Args) {
  Session S("intensity", ArgCount, Args);
  Mixer M(S);
  M.measure<float>("fp32");
  M.measure<double>("fp64");
  M.measure<unsigned>("int");
}
