#include "gpu-estimate/Timeline/LaunchCost.h"

#include "gpu-estimate/Model/Result/Term.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

/// Resources that the whole chip has once.
static bool isOfChip(Resource R) {
  switch (R) {
  case Resource::L2Bandwidth:
  case Resource::L3Bandwidth:
  case Resource::DramBandwidth:
  case Resource::HostLink:
  case Resource::GlobalAtomics:
  case Resource::Dispatch:
    return true;
  default:
    return false;
  }
}

LaunchCost launchCost(const Prediction &P, const GpuModel &Gpu) {
  constexpr double NsPerSecond = 1e9;
  LaunchCost Cost;
  Cost.Ns = P.Time.value() * NsPerSecond;
  Cost.Share = std::min(1.0, P.Occ.Waves);
  double Blocks = static_cast<double>(P.Used.blocks());
  double Covered = std::min(1.0, Blocks / Gpu.SmCount);
  double Cycles = (P.Execution * Gpu.CoreClock).value();
  for (unsigned I = 0; I <= static_cast<unsigned>(Resource::Dispatch); ++I) {
    auto R = static_cast<Resource>(I);
    for (const Bound &B : P.Bounds)
      if (B.Name == name(R) && Cycles > 0)
        Cost.Share =
            std::max(Cost.Share, std::min(1.0, B.Time.value() / Cycles) *
                                     (isOfChip(R) ? 1 : Covered));
  }
  return Cost;
}

} // namespace gpuestimate
