#include "UniformSplitter.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

UniformSplitter::UniformSplitter(ExprContext &Context,
                                 llvm::ArrayRef<std::string> Names,
                                 const ParameterSet &Indirect, unsigned Lanes,
                                 unsigned Scopes)
    : Context(Context), Names(Names), Indirect(Indirect), Lanes(Lanes),
      ThreadParts(1), Scopes(Scopes) {
  for (unsigned I = 0; I < Names.size(); ++I)
    (I < 3 ? Threads : Others).insert(Names[I]);
}

struct UniformSplitter::Terms {
  llvm::SmallVector<Expr, 4> Thread, Uniform;
  double Constant = 0;
};

/// Adds Factor * E to the terms; false if a term depends on threadIdx and on
/// other inputs.
bool UniformSplitter::collect(Expr E, double Factor, Terms &Into) const {
  if (auto Value = E.asConstant()) {
    Into.Constant += Factor * *Value;
    return true;
  }
  if (E.kind() == ExprKind::Add) {
    for (Expr Term : E.operands())
      if (!collect(Term, Factor, Into))
        return false;
    return true;
  }
  llvm::ArrayRef<Expr> X = E.operands();
  if (E.kind() == ExprKind::Mul && X.size() == 2 &&
      X[0].kind() == ExprKind::Constant && X[1].kind() == ExprKind::Add)
    return collect(X[1], Factor * X[0].constant(), Into);
  Expr Scaled = Factor == 1 ? E : Factor * E;
  if (!dependsOn(E, Threads))
    Into.Uniform.push_back(Scaled);
  else if (!dependsOn(E, Others))
    Into.Thread.push_back(Scaled);
  else
    return false;
  return true;
}

/// The relation R such that !(a - b Comparison 0) is b - a R 0 for an order,
/// and a - b R 0 for an equality.
static ExprKind opposite(ExprKind Comparison) {
  switch (Comparison) {
  case ExprKind::Less:
    return ExprKind::LessEqual;
  case ExprKind::LessEqual:
    return ExprKind::Less;
  case ExprKind::Equal:
    return ExprKind::NotEqual;
  default:
    return ExprKind::Equal;
  }
}

bool UniformSplitter::isSum(Expr E) const {
  Terms Split;
  return E.isInteger() && !dependsOn(E, Indirect) && collect(E, 1, Split);
}

std::optional<UniformSplit> UniformSplitter::split(Expr E, unsigned Scope) {
  Terms Split;
  if (!E.isInteger() || dependsOn(E, Indirect) || !collect(E, 1, Split))
    return std::nullopt;
  UniformSplit Sum;
  Sum.Constant = Split.Constant;
  if (!Split.Thread.empty()) {
    Expr Part = Context.add(Split.Thread);
    auto [Place, New] =
        ThreadNumbers.try_emplace(Part.node(), ThreadParts.size());
    if (New)
      ThreadParts.push_back(Part);
    Sum.Thread = Place->second;
  }
  if (!Split.Uniform.empty()) {
    ScopeParts &S = Scopes[Scope];
    Expr Part = Context.add(Split.Uniform);
    auto [Place, New] = S.Numbers.try_emplace(Part.node(), S.Parts.size() + 1);
    if (New)
      S.Parts.push_back(Part);
    Sum.Uniform = Place->second;
  }
  return Sum;
}

bool UniformSplitter::addTest(Expr E, bool Negated, unsigned Scope,
                              SplitCondition &To) {
  llvm::ArrayRef<Expr> X = E.operands();
  // De Morgan: !(a && b) is !a || !b.
  auto join = [&](llvm::ArrayRef<Expr> Parts, bool All) {
    for (unsigned I = 0; I < Parts.size(); ++I) {
      if (!addTest(Parts[I], Negated, Scope, To))
        return false;
      if (I > 0)
        To.push_back(
            {All != Negated ? ConditionStep::And : ConditionStep::Or, {}});
    }
    return true;
  };
  switch (E.kind()) {
  case ExprKind::Less:
  case ExprKind::LessEqual:
  case ExprKind::Equal:
  case ExprKind::NotEqual: {
    if (!X[0].isInteger() || !X[1].isInteger())
      return false;
    bool Ordered =
        E.kind() == ExprKind::Less || E.kind() == ExprKind::LessEqual;
    auto Difference =
        split(Negated && Ordered ? X[1] - X[0] : X[0] - X[1], Scope);
    if (!Difference)
      return false;
    To.push_back({ConditionStep::Compare,
                  {*Difference, Negated ? opposite(E.kind()) : E.kind()}});
    return true;
  }
  case ExprKind::Mul:
    return join(X, true);
  case ExprKind::Add:
    if (Expr Opposite = 1 - E; Opposite.isBoolean())
      return Opposite.kind() != ExprKind::Add &&
             addTest(Opposite, !Negated, Scope, To);
    return !Negated &&
           llvm::all_of(X, [](Expr Part) { return Part.isBoolean(); }) &&
           join(X, false);
  case ExprKind::Select: // c && a, c || a
    if (X[2].isConstant(0))
      return join({X[0], X[1]}, true);
    return X[1].isConstant(1) && join({X[0], X[2]}, false);
  default:
    return false;
  }
}

std::optional<SplitCondition> UniformSplitter::splitTest(Expr E,
                                                         unsigned Scope) {
  SplitCondition Test;
  if (!addTest(E, false, Scope, Test))
    return std::nullopt;
  return Test;
}

void UniformSplitter::compile() {
  if (ThreadParts.size() > 1)
    ThreadProgram.emplace(llvm::ArrayRef(ThreadParts).drop_front(),
                          llvm::ArrayRef(Names).take_front(3));
  for (ScopeParts &S : Scopes) {
    S.Values.assign(S.Parts.size() + 1, 0);
    if (!S.Parts.empty())
      S.Program.emplace(S.Parts, Names);
  }
}

void UniformSplitter::enterWarp(unsigned Warp, llvm::ArrayRef<double> Inputs) {
  if (Warp >= ByWarp.size())
    ByWarp.resize(Warp + 1);
  WarpParts &W = ByWarp[Warp];
  CurrentWarp = &W;
  if (!W.Values.empty())
    return;
  W.Values.assign(ThreadParts.size() * Lanes, 0);
  W.Ranges.resize(ThreadParts.size());
  if (!ThreadProgram)
    return;
  ThreadProgram->evaluateMany(
      Inputs, llvm::MutableArrayRef(W.Values).drop_front(Lanes), Lanes);
  for (unsigned Part = 1; Part < ThreadParts.size(); ++Part) {
    Range R = {INFINITY, -INFINITY};
    for (double Value : threadPart(Part)) {
      bool HasValue = !std::isnan(Value);
      R.Low = std::min(R.Low, HasValue ? Value : -INFINITY);
      R.High = std::max(R.High, HasValue ? Value : INFINITY);
    }
    W.Ranges[Part] = R;
  }
}

void UniformSplitter::enterScope(unsigned Scope,
                                 llvm::ArrayRef<double> Inputs) {
  ScopeParts &S = Scopes[Scope];
  if (S.Program)
    S.Program->evaluate(Inputs, llvm::MutableArrayRef(S.Values).drop_front());
}

uint64_t UniformSplitter::holds(const SplitComparison &C,
                                unsigned Scope) const {
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

uint64_t UniformSplitter::holds(const SplitCondition &T, unsigned Scope) const {
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
