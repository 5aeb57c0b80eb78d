#include "gpu-estimate/Session/Pipeline/NestVariants.h"

#include "gpu-estimate/Lowering/LowerKernel.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "gpu-estimate/Targets/Cpu/HostCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuestimate {

std::unique_ptr<Module> offloadLoopNests(TranslationUnit &Unit,
                                         const Setup &S) {
  std::unique_ptr<Module> HostCode;
  bool Cpu = any_of(S.Targets, [](const ComparisonTarget &R) {
    return R.Request.Kind == TargetRequest::Cpu;
  });
  if (Unit.Host && Unit.Module && Cpu)
    HostCode = CloneModule(*Unit.Module);
  offloadNests(Unit, S.Opts.AssumeIndependent);
  return HostCode;
}

Expected<NestVariants> compileVariants(Function &F, const KernelSource &Source,
                                       const Module *HostCode, const Setup &S) {
  NestVariants Variants;
  if (S.Targets.empty() || !Source.Nest)
    return Variants;
  if (Source.Nest->Loops.empty()) {
    Variants.NoCode.assign(S.Targets.size(),
                           "it only combines what another launch has left");
    return Variants;
  }
  bool Fpga = false;
  for (const ComparisonTarget &R : S.Targets) {
    Variants.Code.emplace_back();
    Variants.NoCode.emplace_back();
    if (R.Request.Kind == TargetRequest::Fpga) {
      Fpga = true;
      continue;
    }
    Expected<MachineNest> Code =
        compileNest(*HostCode, Source.Location,
                    {R.Cpu.Triple, R.Cpu.TargetCpu, R.Cpu.Features,
                     /*Level=*/3, R.Cpu.SchedulingCpu});
    if (Code)
      Variants.Code.back() = std::move(*Code);
    else
      Variants.NoCode.back() = toString(Code.takeError());
  }
  if (!Fpga)
    return Variants;
  for (Instruction &I : instructions(F))
    if (isa<FPMathOperator>(I))
      I.setHasAllowContract(false);
  Expected<KernelModel> Unfused = lowerKernel(F, Source);
  if (!Unfused)
    return Unfused.takeError();
  Variants.Unfused = std::move(*Unfused);
  return Variants;
}

static std::string notProposed(const Prediction &P, const TargetComparison &C) {
  return "not proposed: " + std::to_string(C.Cores) +
         (C.Cores == 1 ? " core of " : " cores of ") + C.MachineName +
         " take " + formatTime(C.Time) + ", " + P.GpuName + " " +
         formatTime(P.Time) +
         (C.Copies ? " and " + formatTime(C.CopyTime) + " for copies" : "") +
         ": " + formatRatio(1 / C.speedUpWithCopies()) + " times as long";
}

void dropProposals(Analysis &Result, const KernelSource &Source,
                   size_t FirstIndex) {
  auto First = Result.Estimates.begin() + static_cast<ptrdiff_t>(FirstIndex);
  std::string Reason;
  auto Kept = std::stable_partition(
      First, Result.Estimates.end(), [&](const ExplainedPrediction &E) {
        auto Faster = find_if(E.Against, [](const TargetComparison &C) {
          return C.Kind == TargetRequest::Cpu && C.Problem.empty() && !C.pays();
        });
        if (Faster == E.Against.end())
          return true;
        Reason = notProposed(E.Estimate, *Faster);
        return false;
      });
  if (Kept == Result.Estimates.end())
    return;
  erase_if(Result.Budgets,
           [&](const BudgetCheck &C) { return C.Kernel == Source.Mangled; });
  bool All = Kept == First;
  Result.Estimates.erase(Kept, Result.Estimates.end());
  if (All)
    Result.Unresolveds.push_back({Source.Mangled, Source.Name, Source.Location,
                                  std::move(Reason), /*HasCode=*/false});
}

} // namespace gpuestimate
