#include "gpu-estimate/Scaling/Features.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// The bounds of the default model that one feature stands for.
struct BoundFeature {
  StringLiteral Feature;
  std::initializer_list<StringLiteral> Bounds;
};

static const BoundFeature BoundFeatures[] = {
    {"dram", {"dram-bandwidth"}},
    {"l2", {"l2-bandwidth", "l3-bandwidth"}},
    {"l1", {"l1-bandwidth", "texture", "load-store"}},
    {"shared", {"shared-bandwidth"}},
    {"issue", {"issue"}},
    {"pipes", {"fp32", "fp64", "fp16", "int", "sfu", "tensor"}},
    {"dispatch", {"dispatch"}},
};

/// Blocks with fewer active lanes than a warp has, weighted by their time.
static double activeLanes(const Prediction &P, const GpuModel &Gpu) {
  double Idle = 0;
  for (const DivergenceReport &D : P.Divergence)
    Idle += D.TimeShare * (1 - D.ActiveLanes / Gpu.WarpSize);
  return std::clamp(1 - Idle, 0.0, 1.0);
}

NamedFeatures staticFeatures(const Prediction &P, const GpuModel &Gpu) {
  NamedFeatures Features;
  double Cycles = P.Time.value() * Gpu.CoreClock.value();
  for (const BoundFeature &F : BoundFeatures) {
    double Longest = 0;
    for (const Bound &B : P.Bounds)
      if (is_contained(F.Bounds, B.Name))
        Longest = std::max(Longest, B.Time.value());
    Features.push_back({F.Feature.str(), Cycles > 0 ? Longest / Cycles : 0});
  }
  // What follows the core clock, whichever of them it is.
  double Core = 0;
  for (const auto &[Name, Share] : Features)
    if (Name != "dram" && Name != "dispatch")
      Core = std::max(Core, Share);
  Features.push_back({"core", Core});
  auto Share = [&](StringRef Component) {
    for (const auto &[Name, Fraction] : P.Breakdown)
      if (Name == Component)
        return Fraction;
    return 0.0;
  };
  for (StringRef Component : {"launch", "tail", "barrier", "dependency"})
    Features.push_back({Component.str(), Share(Component)});
  Features.push_back({"occupancy", P.Occ.Fraction});
  // From a tenth of a wave to a thousand waves.
  Features.push_back(
      {"waves", std::log10(std::clamp(P.Occ.Waves, 0.1, 1000.0))});
  Features.push_back({"l1_hit", P.L1HitRate});
  Features.push_back({"l2_hit", P.L2HitRate});
  Features.push_back({"active_lanes", activeLanes(P, Gpu)});
  return Features;
}

std::optional<NamedFeatures>
counterFeatures(ArrayRef<std::pair<std::string, double>> Counters,
                Seconds Measured, const GpuModel &Gpu) {
  bool Complete = true;
  auto Counter = [&](StringRef Wanted) {
    for (const auto &[Name, Value] : Counters)
      if (Name == Wanted)
        return Value;
    Complete = false;
    return 0.0;
  };
  double Time = Measured.value();
  double SmCycles = Time * Gpu.CoreClock.value() * Gpu.SmCount;
  auto Fp = [&](OpClass Class) {
    return 2 * Gpu.Ops[static_cast<size_t>(Class)].Throughput;
  };
  NamedFeatures Features = {
      {"dram", (Counter("dram_read_bytes") + Counter("dram_write_bytes")) /
                   Time / Gpu.DramPeakBandwidth.value()},
      {"l2", Counter("l2_bytes") / Time / Gpu.L2Bandwidth.value()},
      {"issue", Counter("warp_instructions") / SmCycles /
                    (Gpu.SchedulersPerSm * Gpu.IssueRate)},
      {"shared", Counter("shared_wavefronts") / SmCycles},
      {"fp32", Counter("flop_fp32") / SmCycles / Fp(OpClass::Fp32Fma)},
      {"fp64", Counter("flop_fp64") / SmCycles / Fp(OpClass::Fp64Fma)},
  };
  if (!Complete)
    return std::nullopt;
  return Features;
}

} // namespace gpuestimate
