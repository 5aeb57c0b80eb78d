#include "SustainedRoofline.h"

#include "Evaluate/Launch/LaunchTime.h"
#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

/// The bounds of the table that are roofs, with their component of the time.
static constexpr std::pair<StringLiteral, StringLiteral> Roofs[] = {
    {"issue", "issue"},         {"fp32", "pipes"},      {"fp64", "pipes"},
    {"fp16", "pipes"},          {"int", "pipes"},       {"sfu", "pipes"},
    {"tensor", "pipes"},        {"l2-bandwidth", "l2"}, {"l3-bandwidth", "l3"},
    {"dram-bandwidth", "dram"},
};

static const std::pair<StringLiteral, StringLiteral> *findRoof(StringRef Name) {
  const auto *Found =
      find_if(Roofs, [&](const auto &Roof) { return Roof.first == Name; });
  return Found == std::end(Roofs) ? nullptr : Found;
}

std::vector<Bound> sustainedRoofs(const Workload &Work, const GpuModel &Gpu,
                                  double Blocks) {
  BlockGroup EvenShare{Blocks / Gpu.SmCount, Blocks}, Chip{Blocks, Blocks};
  std::vector<Bound> Result;
  for (const BoundInfo &B : boundTable())
    if (findRoof(B.Name))
      Result.push_back(
          {B.Name.str(),
           Cycles(B.Cycles(Work, Gpu,
                           B.Scope == BoundScope::Chip ? Chip : EvenShare))});
  return Result;
}

Error fillSustainedRoofline(Prediction &P, const ModelInputs &In) {
  P.Bounds = sustainedRoofs(In.Work, In.Gpu, In.L.blocks());
  const Bound *Highest = nullptr;
  for (const Bound &B : P.Bounds)
    if (!Highest || B.Time > Highest->Time)
      Highest = &B;
  Seconds Launch = launchOverhead(In.Gpu, launchTiming(In.Options));
  std::vector<TimePart> Parts = {
      {"launch", (Launch * In.Gpu.CoreClock).value()}};
  if (Highest)
    Parts.push_back({findRoof(Highest->Name)->second, Highest->Time.value()});
  setParts(P, In.Gpu, Parts);
  P.LaunchOverhead = Launch;
  P.Execution = Highest ? Highest->Time / In.Gpu.CoreClock : Seconds(0);
  P.Time = P.LaunchOverhead + P.Execution;
  P.Bottleneck =
      Highest && P.Execution > Launch ? Highest->Name : std::string("launch");
  return Error::success();
}

} // namespace gpuestimate
