/// \file
/// What every microbenchmark needs: names of the runtime that are the same for
/// CUDA and HIP, error checks, timing, and results as JSON lines:
///
///   {"group":"...","name":"...","parameters":{...},"value":1.5,
///    "unit":"cycles","samples":9,"spread":0.01}
///
/// value is the median of the samples, spread the distance between their
/// quartiles as a fraction of it. The last line is named "end"; its value
/// counts the lines before it, so that a reader notices a file that was cut
/// off.
#ifndef GPU_ESTIMATE_MICROBENCH_BENCH_H
#define GPU_ESTIMATE_MICROBENCH_BENCH_H

#if defined(__HIP__) || defined(__HIPCC__)
#include <hip/hip_runtime.h>
#define BENCH_HIP 1
#define RT(NAME) hip##NAME
using DeviceProperties = hipDeviceProp_t;
#else
#include <cuda_runtime.h>
#define BENCH_HIP 0
#define RT(NAME) cuda##NAME
using DeviceProperties = cudaDeviceProp;
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "power.h"

namespace bench {

inline void check(RT(Error_t) Status, const char *What) {
  if (Status == RT(Success))
    return;
  std::fprintf(stderr, "%s: %s\n", What, RT(GetErrorString)(Status));
  std::exit(3);
}
#define CHECK(CALL) ::bench::check((CALL), #CALL)
/// After a launch: was it accepted, and did it end well?
#define CHECK_LAUNCH()                                                         \
  (CHECK(RT(GetLastError)()), CHECK(RT(DeviceSynchronize)()))

/// One parameter of a measurement: a number or a word.
struct Parameter {
  const char *Key;
  double Number = 0;
  const char *Word = nullptr;
  Parameter(const char *Key, double Number) : Key(Key), Number(Number) {}
  Parameter(const char *Key, const char *Word) : Key(Key), Word(Word) {}
};

/// One run of a group. Reports the mean power draw at its end where the driver
/// counts energy.
class Session {
public:
  Session(const char *Group, int ArgCount, char **Args) : Group(Group) {
    for (int I = 1; I < ArgCount; ++I)
      Quick |= std::strcmp(Args[I], "--quick") == 0;
    int Count = 0;
    if (RT(GetDeviceCount)(&Count) != RT(Success) || Count == 0) {
      std::fprintf(stderr, "no GPU was found\n");
      std::exit(3);
    }
    CHECK(RT(SetDevice)(0));
    DeviceProperties Properties;
    CHECK(RT(GetDeviceProperties)(&Properties, 0));
    SmCount = Properties.multiProcessorCount;
    L2Bytes = static_cast<size_t>(Properties.l2CacheSize);
    Major = Properties.major;
    Minor = Properties.minor;
    CHECK(RT(Free)(nullptr)); // makes the context
    char BusId[32] = "";
    CHECK(RT(DeviceGetPCIBusId)(BusId, sizeof(BusId), 0));
    Power.start(BusId);
  }
  ~Session() {
    double Watts = Power.stop();
    if (Watts > 0)
      report("power", {}, {Watts}, "W");
    report("end", {}, {double(Lines)}, "lines");
  }

  void report(const char *Name, std::initializer_list<Parameter> Parameters,
              std::vector<double> Samples, const char *Unit) const {
    std::sort(Samples.begin(), Samples.end());
    if (!std::isfinite(Samples.front()) || !std::isfinite(Samples.back()))
      return; // a time of zero: nothing was measured
    double Median = Samples[Samples.size() / 2];
    double Quartiles =
        Samples[Samples.size() * 3 / 4] - Samples[Samples.size() / 4];
    begin(Name, Parameters);
    std::printf("\"value\":%.9g,\"unit\":\"%s\",\"samples\":%zu,"
                "\"spread\":%.4g}\n",
                Median, Unit, Samples.size(),
                Median != 0 ? std::fabs(Quartiles / Median) : 0.0);
    std::fflush(stdout);
  }
  /// A fact that is a word: the product's name, the driver's version.
  void reportText(const char *Name, const char *Text,
                  std::initializer_list<Parameter> Parameters = {}) const {
    begin(Name, Parameters);
    std::printf("\"text\":\"");
    for (const char *C = Text; *C; ++C)
      if (*C >= ' ' && *C != '"' && *C != '\\')
        std::putchar(*C);
    std::printf("\"}\n");
    std::fflush(stdout);
  }

  bool Quick = false;
  int SmCount = 0, Major = 0, Minor = 0;
  size_t L2Bytes = 0;

  int repetitions() const { return Quick ? 3 : 9; }

private:
  void begin(const char *Name,
             std::initializer_list<Parameter> Parameters) const {
    ++Lines;
    std::printf("{\"group\":\"%s\",\"name\":\"%s\",\"parameters\":{", Group,
                Name);
    const char *Comma = "";
    for (const Parameter &P : Parameters) {
      if (P.Word)
        std::printf("%s\"%s\":\"%s\"", Comma, P.Key, P.Word);
      else
        std::printf("%s\"%s\":%.9g", Comma, P.Key, P.Number);
      Comma = ",";
    }
    std::printf("},");
  }

  const char *Group;
  mutable int Lines = 0;
  EnergyMeter Power;
};

/// Device memory that frees itself.
template <class T> class Buffer {
public:
  explicit Buffer(size_t Count) : Count(Count) {
    void *Raw = nullptr;
    CHECK(RT(Malloc)(&Raw, Count * sizeof(T)));
    Data = static_cast<T *>(Raw);
    CHECK(RT(Memset)(Data, 0, Count * sizeof(T)));
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { (void)RT(Free)(Data); }

  T *get() const { return Data; }
  void put(const std::vector<T> &Host) {
    CHECK(RT(Memcpy)(Data, Host.data(), Host.size() * sizeof(T),
                     RT(MemcpyHostToDevice)));
  }
  std::vector<T> take() const {
    std::vector<T> Host(Count);
    CHECK(RT(Memcpy)(Host.data(), Data, Count * sizeof(T),
                     RT(MemcpyDeviceToHost)));
    return Host;
  }

private:
  T *Data = nullptr;
  size_t Count;
};

/// Seconds on the device from before to after what Launch puts in the stream.
template <class F> double secondsOf(F Launch) {
  RT(Event_t) Start, Stop;
  CHECK(RT(EventCreate)(&Start));
  CHECK(RT(EventCreate)(&Stop));
  CHECK(RT(EventRecord)(Start, nullptr));
  Launch();
  CHECK(RT(EventRecord)(Stop, nullptr));
  CHECK(RT(EventSynchronize)(Stop));
  CHECK(RT(GetLastError)());
  float Milliseconds = 0;
  CHECK(RT(EventElapsedTime)(&Milliseconds, Start, Stop));
  CHECK(RT(EventDestroy)(Start));
  CHECK(RT(EventDestroy)(Stop));
  return Milliseconds * 1e-3;
}

/// Count values of Measure after one that warms up.
template <class F> std::vector<double> repeat(int Count, F Measure) {
  (void)Measure();
  std::vector<double> Samples;
  for (int I = 0; I < Count; ++I)
    Samples.push_back(Measure());
  return Samples;
}

/// Median over what the blocks of one launch wrote.
inline double median(const std::vector<long long> &Cycles) {
  std::vector<long long> Sorted = Cycles;
  std::sort(Sorted.begin(), Sorted.end());
  return static_cast<double>(Sorted[Sorted.size() / 2]);
}

} // namespace bench

#endif
