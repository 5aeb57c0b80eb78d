#include "SplitValues.h"

#include <algorithm>
#include <cmath>

namespace gpuestimate {

SplitValues::SplitValues(const UniformSplitter &Sums) : Sums(Sums) {
  for (unsigned Scope = 0; Scope < Sums.scopes(); ++Scope)
    ScopeParts.emplace_back(Sums.uniformParts(Scope), 0);
}

void SplitValues::enterWarp(unsigned Warp, llvm::ArrayRef<double> Inputs) {
  const unsigned Lanes = Sums.lanes(), Parts = Sums.threadParts();
  if (Warp >= ByWarp.size())
    ByWarp.resize(Warp + 1);
  WarpParts &W = ByWarp[Warp];
  CurrentWarp = &W;
  if (!W.Values.empty())
    return;
  W.Values.assign(Parts * Lanes, 0);
  W.Ranges.resize(Parts);
  const CompiledExprs *Program = Sums.threadProgram();
  if (!Program)
    return;
  Program->evaluateMany(
      Inputs, llvm::MutableArrayRef(W.Values).drop_front(Lanes), Lanes);
  for (unsigned Part = 1; Part < Parts; ++Part) {
    Range R = {INFINITY, -INFINITY};
    for (double Value : threadPart(Part)) {
      bool HasValue = !std::isnan(Value);
      R.Low = std::min(R.Low, HasValue ? Value : -INFINITY);
      R.High = std::max(R.High, HasValue ? Value : INFINITY);
    }
    W.Ranges[Part] = R;
  }
}

void SplitValues::enterScope(unsigned Scope, llvm::ArrayRef<double> Inputs) {
  if (const CompiledExprs *Program = Sums.uniformProgram(Scope))
    Program->evaluate(Inputs,
                      llvm::MutableArrayRef(ScopeParts[Scope]).drop_front());
}

uint64_t SplitValues::holds(const SplitComparison &C, unsigned Scope) const {
  const unsigned Lanes = Sums.lanes();
  const uint64_t All = ~uint64_t(0) >> (64 - Lanes);
  double Uniform = uniformValue(C.Difference, Scope);
  if (std::isnan(Uniform))
    return All;
  const Range &R = CurrentWarp->Ranges[C.Difference.Thread];
  double Low = R.Low + Uniform, High = R.High + Uniform;
  switch (C.Relation) {
  case ExprKind::Less:
    if (High < 0 || Low >= 0)
      return High < 0 ? All : 0;
    break;
  case ExprKind::LessEqual:
    if (High <= 0 || Low > 0)
      return High <= 0 ? All : 0;
    break;
  default:
    if (Low > 0 || High < 0)
      return C.Relation == ExprKind::NotEqual ? All : 0;
  }
  llvm::ArrayRef<double> Thread = threadPart(C.Difference.Thread);
  uint64_t On = 0;
  auto mark = [&](auto Fails) {
    for (unsigned L = 0; L < Lanes; ++L)
      On |= uint64_t(!Fails(Thread[L] + Uniform)) << L;
  };
  switch (C.Relation) {
  case ExprKind::Less:
    mark([](double D) { return D >= 0; });
    break;
  case ExprKind::LessEqual:
    mark([](double D) { return D > 0; });
    break;
  case ExprKind::Equal:
    mark([](double D) { return (D < 0) | (D > 0); });
    break;
  default:
    mark([](double D) { return D == 0; });
  }
  return On;
}

uint64_t SplitValues::holds(const SplitCondition &T, unsigned Scope) const {
  llvm::SmallVector<uint64_t, 4> Results;
  for (const ConditionStep &Step : T) {
    if (Step.Kind == ConditionStep::Compare) {
      Results.push_back(holds(Step.Comparison, Scope));
      continue;
    }
    uint64_t Last = Results.pop_back_val();
    if (Step.Kind == ConditionStep::And)
      Results.back() &= Last;
    else
      Results.back() |= Last;
  }
  return Results.back();
}

} // namespace gpuestimate
