#include "SustainedRoofline.h"

#include "Evaluate/Launch/LaunchTime.h"
#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

/// The resources of the table of bounds that are roofs; the term that switches
/// a resource off is its component of the time.
static constexpr Resource Roofs[] = {
    Resource::Issue,        Resource::Fp32,        Resource::Fp64,
    Resource::Fp16,         Resource::Int,         Resource::Sfu,
    Resource::Tensor,       Resource::L2Bandwidth, Resource::L3Bandwidth,
    Resource::DramBandwidth};

std::vector<Bound> sustainedRoofs(const Workload &Work, const GpuModel &Gpu,
                                  double Blocks) {
  BlockGroup EvenShare{Blocks / Gpu.SmCount, Blocks}, Chip{Blocks, Blocks};
  std::vector<Bound> Result;
  for (Resource R : Roofs) {
    const BoundInfo &B = boundOf(R);
    Result.push_back(
        {B.name().str(),
         Cycles(B.Cycles(Work, Gpu,
                         B.Scope == BoundScope::Chip ? Chip : EvenShare))});
  }
  return Result;
}

Error fillSustainedRoofline(Prediction &P, const ModelInputs &In) {
  P.Bounds = sustainedRoofs(In.Work, In.Gpu, In.L.blocks());
  size_t Highest = 0;
  for (size_t I = 1; I < P.Bounds.size(); ++I)
    if (P.Bounds[I].Time > P.Bounds[Highest].Time)
      Highest = I;
  const Bound &Roof = P.Bounds[Highest];
  Seconds Launch = launchOverhead(In.Gpu, In.Options);
  setParts(P, In.Gpu,
           {{Term::Launch, (Launch * In.Gpu.CoreClock).value()},
            {boundOf(Roofs[Highest]).SwitchedOffBy, Roof.Time.value()}});
  P.LaunchOverhead = Launch;
  P.Execution = Roof.Time / In.Gpu.CoreClock;
  P.Time = P.LaunchOverhead + P.Execution;
  P.Bottleneck = P.Execution > Launch ? Roof.Name : name(Term::Launch).str();
  return Error::success();
}

} // namespace gpuestimate
