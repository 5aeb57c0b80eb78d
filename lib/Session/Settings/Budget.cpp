/// \file
/// Budgets: reading them, and comparing predictions with them.
#include "gpu-estimate/Session/Settings/Budget.h"

#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace gpuestimate {

bool Budget::isFor(StringRef GpuId) const {
  return Gpu.empty() || is_contained(GpuIds, GpuId);
}

Expected<Budget> parseBudget(StringRef Text) {
  Budget B;
  StringRef Rest = Text.trim();
  // A regular expression may hold '=' and '@', a time and a GPU hold neither.
  auto [Kernel, Time] = Rest.rsplit('=');
  if (Kernel.size() != Rest.size()) {
    B.KernelRegex = Kernel.trim().str();
    std::string Wrong;
    if (B.KernelRegex.empty() || !Regex(B.KernelRegex).isValid(Wrong))
      return usage("not a regular expression: '" + Kernel +
                   "': " + (Wrong.empty() ? "it is empty" : Wrong));
    Rest = Time;
  }
  auto [Limit, Gpu] = Rest.split('@');
  B.Gpu = Gpu.trim().str();
  if (B.Gpu.empty() && Rest.contains('@'))
    return usage("expected a GPU after '@', got '" + Text + "'");
  Limit = Limit.trim();
  // Without a unit it is not clear what is meant.
  if (Limit.empty() || !isAlpha(Limit.back()))
    return usage("expected [KERNEL=]TIME[@GPU], the time with its unit s, ms, "
                 "us or ns, got '" +
                 Text + "'");
  Expected<double> Value = parseQuantity(Limit, Dimension::Time);
  if (!Value)
    return usage(toString(Value.takeError()));
  if (*Value <= 0)
    return usage("time must be greater than 0, got '" + Text + "'");
  B.Limit = Seconds(*Value);
  return B;
}

bool matchesKernel(StringRef WholeRegex, StringRef Mangled, StringRef Name) {
  Regex Whole(("^(" + WholeRegex + ")$").str());
  return Whole.match(Name) || Whole.match(Mangled);
}

Error resolveBudgets(std::vector<Budget> &Budgets, StringRef ModelFolder) {
  for (Budget &B : Budgets) {
    if (B.Gpu.empty() || !B.GpuIds.empty())
      continue;
    Expected<std::vector<GpuModel>> Gpus = findGpuModels(B.Gpu, ModelFolder);
    if (!Gpus)
      return usage(toString(Gpus.takeError()));
    for (const GpuModel &Gpu : *Gpus)
      B.GpuIds.push_back(Gpu.Id);
  }
  return Error::success();
}

const ClaimedBudget *budgetOn(ArrayRef<ClaimedBudget> Budgets,
                              StringRef GpuId) {
  const ClaimedBudget *Best = nullptr;
  for (const ClaimedBudget &B : Budgets) {
    if (!B.Claim.isFor(GpuId))
      continue;
    if (!Best || (B.Source == Best->Source &&
                  (!B.Claim.Gpu.empty() || Best->Claim.Gpu.empty())))
      Best = &B;
  }
  return Best;
}

std::optional<BudgetCheck> checkBudget(ArrayRef<ClaimedBudget> Budgets,
                                       VerdictRule Rule, const Prediction &P) {
  const ClaimedBudget *B = budgetOn(Budgets, P.Gpu);
  if (!B)
    return std::nullopt;
  BudgetCheck C;
  C.Kernel = P.Kernel;
  C.Name = P.Name;
  C.Location = P.Location;
  C.Gpu = P.Gpu;
  C.GpuName = P.GpuName;
  C.Limit = B->Claim.Limit;
  C.Source = B->Source;
  C.Time = P.Time;
  if (P.Interval) {
    TimeFactors Range = P.Interval->total();
    C.Interval = {P.Time * Range.Low, P.Time * Range.High};
  }
  C.Rule = Rule;
  C.Used = P.Used;
  for (const auto &[Component, Fraction] : P.Breakdown)
    C.Terms.push_back({Component, P.Time * Fraction});
  stable_sort(C.Terms, [](const auto &A, const auto &B) {
    return A.second.value() > B.second.value();
  });
  return C;
}

} // namespace gpuestimate
