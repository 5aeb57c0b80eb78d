/// \file
/// Times any kernel with made-up data, for a dataset of validation/: cold
/// launches, one by one with L2 flushed, and warm ones back to back, by events.
/// scripts/measure-dataset writes a program for each source file, whose main is
/// a list of run().
#ifndef GPU_ESTIMATE_MICROBENCH_DATASET_HARNESS_H
#define GPU_ESTIMATE_MICROBENCH_DATASET_HARNESS_H

#include "../memory.h"

#include <cuda_fp16.h>
#include <memory>
#include <tuple>
#include <utility>

namespace bench {

/// What a buffer holds: numbers of its type from [0.5, 1), which no arithmetic
/// makes slow; zeros; or integers below a limit.
enum class Content { Values, Zeros, Random, Ascending };

/// An argument of the kernel: the number, or the elements of the buffer.
struct Argument {
  double Number;
  Content Holds = Content::Values;
  unsigned Limit = 0; ///< of Random and Ascending; 0: all bits
};

enum class Words { Zero, Float, Double, Half, Random, Ascending };

static __global__ void fillWords(unsigned *To, size_t Count, Words Kind,
                                 unsigned Limit) {
  size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < Count;
       I += Step) {
    unsigned Hash = static_cast<unsigned>(I) * 2654435761u;
    Hash ^= Hash >> 15;
    unsigned Word = 0;
    if (Kind == Words::Float) // exponent of 0.5, any mantissa
      Word = 0x3f000000u | (Hash >> 9);
    else if (Kind == Words::Double) // little-endian: the upper half is odd
      Word = I % 2 ? 0x3fe00000u | (Hash >> 12) : Hash;
    else if (Kind == Words::Half)
      Word = 0x38003800u | (Hash & 0x03ff03ffu);
    else if (Kind == Words::Random)
      Word = Limit ? Hash % Limit : Hash;
    else if (Kind == Words::Ascending)
      Word = static_cast<unsigned>(Limit ? I % Limit : I);
    To[I] = Word;
  }
}

/// Integers hold zeros: as indices they are valid.
template <class T> struct ValuesOf {
  static constexpr Words Kind = Words::Zero;
};
#define FLOATING(TYPE, KIND)                                                   \
  template <> struct ValuesOf<TYPE> {                                          \
    static constexpr Words Kind = Words::KIND;                                 \
  };
FLOATING(float, Float)
FLOATING(float2, Float)
FLOATING(float3, Float)
FLOATING(float4, Float)
FLOATING(double, Double)
FLOATING(double2, Double)
FLOATING(__half, Half)
FLOATING(__half2, Half)
#undef FLOATING

/// A buffer of the made-up data, or no memory.
class DataBuffer {
public:
  DataBuffer(size_t Bytes, Words Kind, unsigned Limit) {
    size_t Count = (Bytes + 3) / 4;
    if (Count == 0 || RT(Malloc)(&Raw, Count * 4) != RT(Success)) {
      (void)RT(GetLastError)(); // taken note of: Raw is null
      Raw = nullptr;
      return;
    }
    fillWords<<<1024, 256>>>(static_cast<unsigned *>(Raw), Count, Kind, Limit);
    CHECK_LAUNCH();
  }
  DataBuffer(const DataBuffer &) = delete;
  ~DataBuffer() { (void)RT(Free)(Raw); }
  void *get() const { return Raw; }

private:
  void *Raw = nullptr;
};

/// One kernel parameter of type T, from what the plan says.
template <class T> class Bound {
public:
  explicit Bound(const Argument &A) : Value(static_cast<T>(A.Number)) {}
  T get() const { return Value; }
  bool isThere() const { return true; }

private:
  T Value;
};
template <class T> class Bound<T *> {
  using Element = typename std::remove_const<T>::type;
  static Words kindOf(const Argument &A) {
    switch (A.Holds) {
    case Content::Zeros:
      return Words::Zero;
    case Content::Random:
      return Words::Random;
    case Content::Ascending:
      return Words::Ascending;
    case Content::Values:
      break;
    }
    return ValuesOf<Element>::Kind;
  }

public:
  explicit Bound(const Argument &A)
      : Data(new DataBuffer(static_cast<size_t>(A.Number) * sizeof(Element),
                            kindOf(A), A.Limit)) {}
  T *get() const { return static_cast<T *>(Data->get()); }
  bool isThere() const { return Data->get() != nullptr; }

private:
  std::unique_ptr<DataBuffer> Data;
};

class DatasetProgram {
public:
  DatasetProgram(const char *Group, int ArgCount, char **Args)
      : S(Group, ArgCount, Args), Flush(S) {
    for (int I = 1; I < ArgCount; ++I)
      Once |= std::strcmp(Args[I], "--once") == 0;
  }

  /// Times Kernel, or with --once launches it once, for a profiler. A case that
  /// does not run is reported with the reason, and the next one is tried.
  template <class... P>
  void run(const char *Case, void (*Kernel)(P...), dim3 Grid, dim3 Block,
           size_t Shared, const Argument (&Arguments)[sizeof...(P)]) {
    runWith(Case, Kernel, Grid, Block, Shared, Arguments,
            std::index_sequence_for<P...>());
  }

private:
  template <class... P, size_t... I>
  void runWith(const char *Case, void (*Kernel)(P...), dim3 Grid, dim3 Block,
               size_t Shared, const Argument *Arguments,
               std::index_sequence<I...>) {
    std::tuple<Bound<P>...> Bounds{Bound<P>(Arguments[I])...};
    if (!(std::get<I>(Bounds).isThere() && ...))
      return S.reportText(Case, "not enough memory", {{"failed", 1}});
    auto Launch = [&] {
      Kernel<<<Grid, Block, Shared>>>(std::get<I>(Bounds).get()...);
    };
    Launch();
    RT(Error_t) Status = RT(GetLastError)();
    if (Status != RT(Success)) // such as too many registers for the block
      return S.reportText(Case, RT(GetErrorString)(Status), {{"failed", 1}});
    CHECK(RT(DeviceSynchronize)());
    if (Once)
      return S.reportText(Case, "once");
    RT(FuncAttributes) Attributes;
    CHECK(RT(FuncGetAttributes)(&Attributes,
                                reinterpret_cast<const void *>(Kernel)));
    time(Case, Launch, Attributes.numRegs,
         static_cast<double>(Attributes.localSizeBytes));
  }

  template <class F>
  void time(const char *Case, F Launch, int Registers, double LocalBytes) {
    auto Report = [&](const char *Caches, double Launches,
                      const std::vector<double> &Samples) {
      S.report(Case,
               {{"caches", Caches},
                {"launches", Launches},
                {"registers", double(Registers)},
                {"local", LocalBytes}},
               Samples, "s");
    };
    auto Cold = [&] {
      Flush();
      return secondsOf(Launch);
    };
    std::vector<double> Alone = repeat(S.repetitions(), Cold);
    Report("cold", 1, Alone);
    // Long enough for the clock of the events, short enough for hundreds of
    // cases.
    double Each = *std::min_element(Alone.begin(), Alone.end());
    int Count = static_cast<int>(
        std::min(1000.0, std::max(3.0, (S.Quick ? 2e-3 : 8e-3) / Each)));
    auto Warm = [&] {
      return secondsOf([&] {
               for (int I = 0; I < Count; ++I)
                 Launch();
             }) /
             Count;
    };
    Report("warm", Count, repeat(S.repetitions(), Warm));
  }

  Session S;
  L2Flush Flush;
  bool Once = false;
};

} // namespace bench

#endif
