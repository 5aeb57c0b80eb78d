#include "gpu-estimate/Scaling/CardRatio.h"
#include "gpu-estimate/Model/Machine/InlineEcc.h"

namespace gpuestimate {

namespace {

/// Rates of a card's resources per second, or latencies in seconds.
class Ratios {
public:
  Ratios(const GpuModel &A, const GpuModel &B) : A(A), B(B) {}

  /// Of: per core cycle of one multiprocessor.
  template <typename Function>
  void perSm(const char *Bound, const char *Unit, double Scale, Function Of) {
    rate(Bound, Unit, Scale, [&](const GpuModel &G) {
      return Of(G) * G.SmCount * G.CoreClock.value();
    });
  }
  template <typename Function>
  void rate(const char *Bound, const char *Unit, double Scale, Function Of) {
    double OfA = Of(A), OfB = Of(B);
    if (OfA > 0 && OfB > 0)
      All.push_back({Bound, OfA / Scale, OfB / Scale, Unit, OfA / OfB});
  }
  template <typename Function> void latency(const char *Bound, Function Of) {
    double OfA = Of(A), OfB = Of(B);
    if (OfA > 0 && OfB > 0)
      All.push_back({Bound, OfA * 1e9, OfB * 1e9, "ns", OfB / OfA});
  }

  std::vector<CardRatio> All;

private:
  const GpuModel &A, &B;
};

/// Threads that a class retires per cycle of a multiprocessor.
auto results(OpClass Class) {
  return [Class](const GpuModel &G) { return G.cost(Class).Throughput; };
}

} // namespace

std::vector<CardRatio> cardRatios(const GpuModel &A, const GpuModel &B) {
  constexpr double Giga = 1e9;
  Ratios R(A, B);
  R.perSm("issue", "Ginstr/s", Giga, [](const GpuModel &G) {
    return G.SchedulersPerSm * G.IssueRate * G.WarpSize / 32.0;
  });
  R.perSm("fp32", "Gfma/s", Giga, results(OpClass::Fp32Fma));
  R.perSm("fp64", "Gfma/s", Giga, results(OpClass::Fp64Fma));
  R.perSm("int", "Gop/s", Giga, results(OpClass::IntAdd));
  R.perSm("sfu", "Gop/s", Giga, results(OpClass::Sfu));
  R.perSm("tensor", "Gfma/s", Giga, results(OpClass::TensorFp16));
  R.perSm("shared-bandwidth", "GB/s", Giga,
          [](const GpuModel &G) { return G.SharedBandwidth.value(); });
  R.perSm("l1-bandwidth", "GB/s", Giga,
          [](const GpuModel &G) { return G.L1Bandwidth.value(); });
  R.rate("l2-bandwidth", "GB/s", Giga,
         [](const GpuModel &G) { return G.L2Bandwidth.value(); });
  R.rate("dram-bandwidth", "GB/s", Giga, [](const GpuModel &G) {
    return G.DramReadBandwidth.value() / dramBytesPerByte(G, 0);
  });
  R.rate("dispatch", "Mblocks/s", 1e6, [](const GpuModel &G) {
    return G.BlockDispatchRate * G.CoreClock.value();
  });
  R.latency("latency of fp32", [](const GpuModel &G) {
    return (G.cost(OpClass::Fp32Fma).Latency / G.CoreClock).value();
  });
  R.latency("latency of L2", [](const GpuModel &G) {
    return (G.L2.Latency / G.CoreClock).value();
  });
  R.latency("latency of DRAM", [](const GpuModel &G) {
    return (G.DramLatency / G.CoreClock).value();
  });
  R.latency("launch",
            [](const GpuModel &G) { return G.LaunchInterval.value(); });
  return std::move(R.All);
}

} // namespace gpuestimate
