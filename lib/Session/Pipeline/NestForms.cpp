#include "NestForms.h"

#include "gpu-estimate/Lowering/Extract.h"
#include "gpu-estimate/Support/Format.h"
#include "gpu-estimate/Support/Numbers.h"
#include "gpu-estimate/Targets/Cpu/HostCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuestimate {

HostSide takeNests(TranslationUnit &Unit, const Setup &S) {
  HostSide Host;
  bool Cpu = any_of(S.Rivals, [](const Rival &R) {
    return R.Request.Kind == AgainstRequest::Cpu;
  });
  if (Unit.Host && Unit.Module && Cpu)
    Host.Code = CloneModule(*Unit.Module);
  Host.Nests = offloadNests(Unit, S.Opts.AssumeIndependent);
  return Host;
}

Expected<NestForms> otherForms(Function &F, const KernelSource &Source,
                               const HostSide &Host, const Setup &S) {
  NestForms Forms;
  if (S.Rivals.empty() || Source.HostFunction.empty())
    return Forms;
  auto Nest = find_if(Host.Nests, [&](const OffloadedNest &N) {
    return N.Kernel == Source.Mangled;
  });
  if (Nest == Host.Nests.end()) {
    Forms.NoCode.assign(S.Rivals.size(),
                        "it only combines what another launch has left");
    return Forms;
  }
  Forms.Spread = Nest->Spread;
  Forms.Proposed = Nest->Proposed;
  bool Fpga = false;
  for (const Rival &R : S.Rivals) {
    Forms.Code.emplace_back();
    Forms.NoCode.emplace_back();
    if (R.Request.Kind == AgainstRequest::Fpga) {
      Fpga = true;
      continue;
    }
    Expected<MachineNest> Code =
        compileNest(*Host.Code, Source.Location,
                    {R.Cpu.Triple, R.Cpu.TargetCpu, R.Cpu.Features,
                     /*Level=*/3, R.Cpu.SchedulingCpu});
    if (Code)
      Forms.Code.back() = std::move(*Code);
    else
      Forms.NoCode.back() = toString(Code.takeError());
  }
  if (!Fpga)
    return Forms;
  for (Instruction &I : instructions(F))
    if (isa<FPMathOperator>(I))
      I.setHasAllowContract(false);
  Expected<KernelModel> Unfused = extractKernel(F, Source);
  if (!Unfused)
    return Unfused.takeError();
  Forms.Unfused = std::move(*Unfused);
  return Forms;
}

static std::string notProposed(const Prediction &P, const Comparison &C) {
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
        auto Faster = find_if(E.Against, [](const Comparison &C) {
          return C.Kind == AgainstRequest::Cpu && C.Problem.empty() &&
                 !C.pays();
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
