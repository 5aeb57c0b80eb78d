#include "Kleimenov.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

StringRef name(KleimenovLevel Level) {
  static constexpr StringLiteral Names[NumKleimenovLevels] = {
      "l1", "l2", "dram", "uncoalesced"};
  return Names[unsigned(Level)];
}

LaunchRegression launchRegression(const GpuModel &Gpu, unsigned WarpsPerBlock,
                                  Seconds EmptyLaunch) {
  double Places =
      std::min<double>(Gpu.MaxBlocksPerSm,
                       std::floor(double(Gpu.MaxWarpsPerSm) / WarpsPerBlock)) *
      Gpu.SmCount;
  double Held =
      Gpu.BlockStart.value() + Gpu.BlockStartPerWarp.value() * WarpsPerBlock;
  double PerBlock =
      std::max(1 / Gpu.BlockDispatchRate, Held / std::max(1.0, Places));
  return {Cycles(PerBlock) / Gpu.CoreClock, EmptyLaunch};
}

double kleimenovLatency(const PerKleimenovLevel<double> &Latency,
                        const PerKleimenovLevel<double> &Share) {
  using enum KleimenovLevel;
  double Coalesced = Share[L1] * Latency[L1] + Share[L2] * Latency[L2] +
                     Share[Dram] * Latency[Dram];
  return (1 - Share[Uncoalesced]) * Coalesced +
         Share[Uncoalesced] * Latency[Uncoalesced];
}

KleimenovResult kleimenovWave(const KleimenovMachine &M,
                              const KleimenovWave &W) {
  constexpr double Epsilon = 1e-6; // relative, of the time
  KleimenovResult R;
  R.Latency = M.Latency;
  auto time = [&] {
    return std::max(W.WarpTime(kleimenovLatency(R.Latency, W.Share)),
                    W.DelayCycles);
  };
  R.Cycles = time();
  for (unsigned I = 0; I < NumKleimenovLevels; ++I) {
    auto Level = KleimenovLevel(I);
    double Bytes = (Level == KleimenovLevel::L1 ? W.SmBytes : W.ChipBytes) *
                   W.Share[Level];
    double Demand = Bytes / M.Bandwidth[Level];
    for (double Before = 0; Demand > R.Cycles;) {
      if (std::abs(R.Cycles - Before) <= Epsilon * R.Cycles)
        break;
      if (R.Iterations[Level] == MaxKleimenovIterations) {
        R.Converged = false;
        break;
      }
      Before = R.Cycles;
      R.Latency[Level] *= Demand / R.Cycles;
      R.Cycles = time();
      ++R.Iterations[Level];
    }
  }
  return R;
}

} // namespace gpuestimate
