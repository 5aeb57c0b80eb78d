#include "Roofline.h"

#include <algorithm>

namespace gpuestimate {

std::vector<Bound> rooflineBounds(const Counts &C, const GpuModel &Gpu) {
  auto FlopCycles = [&](double Flop, OpClass Fma) {
    double Peak = 2 * Gpu.cost(Fma).Throughput * Gpu.SmCount;
    return Cycles(Peak > 0 ? Flop / Peak : 0);
  };
  Seconds Dram = Bytes(C.DramBytes) / Gpu.DramPeakBandwidth;
  return {
      {name(Resource::DramBandwidth).str(), Dram * Gpu.CoreClock},
      {name(Resource::Fp16).str(), FlopCycles(C.FlopFp16, OpClass::Fp16Fma)},
      {name(Resource::Fp32).str(), FlopCycles(C.FlopFp32, OpClass::Fp32Fma)},
      {name(Resource::Fp64).str(), FlopCycles(C.FlopFp64, OpClass::Fp64Fma)}};
}

llvm::Error fillRoofline(Prediction &P, const ModelInputs &In) {
  P.Bounds = rooflineBounds(P.Count, In.Gpu);
  const Bound &Largest = *std::max_element(
      P.Bounds.begin(), P.Bounds.end(),
      [](const Bound &A, const Bound &B) { return A.Time < B.Time; });
  bool Dram = Largest.Name == name(Resource::DramBandwidth);
  setParts(P, In.Gpu,
           {{Dram ? Term::Dram : Term::Pipes, Largest.Time.value()}});
  P.Bottleneck = Largest.Name;
  return llvm::Error::success();
}

} // namespace gpuestimate
