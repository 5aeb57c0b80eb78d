/// \file
/// The groups of findings, in the order in which they are reported.
#include "gpu-estimate/Advice/Advice.h"

#include "Advisor.h"
#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

std::vector<const Finding *> ExplainedPrediction::advice() const {
  std::vector<const Finding *> Worth;
  for (const Finding &F : Findings)
    if (F.Gain && *F.Gain >= MinimumGain && !F.Remedy.empty())
      Worth.push_back(&F);
  llvm::stable_sort(Worth, [](const Finding *A, const Finding *B) {
    return *A->Gain > *B->Gain;
  });
  return Worth;
}

std::vector<Finding> findCosts(const Prediction &Base,
                               const KernelModel &Kernel, const GpuModel &Gpu,
                               const Launch &L, const Bindings &Values,
                               const EvaluateOptions &Options,
                               const Alternatives &Other,
                               KernelEvaluator *Evaluator) {
  if (Base.Model != DefaultModel)
    return {};
  std::optional<KernelEvaluator> Own;
  if (!Evaluator)
    Evaluator = &Own.emplace(Kernel, Gpu, Options);
  Advisor A(Base, Kernel, Gpu, L, Values, Options, *Evaluator);
  findUncoalesced(A);
  findMisaligned(A);
  findStrides(A);
  findBankConflicts(A);
  findConstantDivergence(A);
  findAtomicContention(A);
  findRedundantLoads(A);
  findLocalArrays(A);
  findSpills(A);
  findLowOccupancy(A);
  findLaunchBound(A);
  findTail(A);
  findThrottling(A);
  findInterchange(A);
  findCoarsening(A);
  findBlockShape(A, Other.Shapes);
  if (Other.Before)
    findFusion(A, *Other.Before, Other.BeforeLaunch);
  return A.take();
}

} // namespace gpuestimate
