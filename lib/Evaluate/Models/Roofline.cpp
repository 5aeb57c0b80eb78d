#include "Roofline.h"

#include <algorithm>

namespace gpuestimate {

std::vector<Bound> rooflineBounds(const Counts &C, const GpuModel &Gpu) {
  auto FlopCycles = [&](double Flop, OpClass Fma) {
    double Peak = 2 * Gpu.cost(Fma).Throughput * Gpu.SmCount;
    return Cycles(Peak > 0 ? Flop / Peak : 0);
  };
  Seconds Dram = Bytes(C.DramBytes) / Gpu.DramPeakBandwidth;
  return {{"dram-bandwidth", Dram * Gpu.CoreClock},
          {"fp16", FlopCycles(C.FlopFp16, OpClass::Fp16Fma)},
          {"fp32", FlopCycles(C.FlopFp32, OpClass::Fp32Fma)},
          {"fp64", FlopCycles(C.FlopFp64, OpClass::Fp64Fma)}};
}

llvm::Error fillRoofline(Prediction &P, const ModelInputs &In) {
  P.Bounds = rooflineBounds(P.Count, In.Gpu);
  const Bound &Largest = *std::max_element(
      P.Bounds.begin(), P.Bounds.end(),
      [](const Bound &A, const Bound &B) { return A.Time < B.Time; });
  bool Dram = Largest.Name == "dram-bandwidth";
  setParts(P, In.Gpu, {{Dram ? "dram" : "pipes", Largest.Time.value()}});
  P.Bottleneck = Largest.Name;
  return llvm::Error::success();
}

} // namespace gpuestimate
