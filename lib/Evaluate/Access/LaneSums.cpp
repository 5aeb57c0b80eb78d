#include "LaneSums.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

LaneSums::LaneSums(ExprContext &Context, llvm::ArrayRef<std::string> Names,
                   const ParameterSet &Drawn, unsigned Lanes, unsigned Scopes)
    : Context(Context), Names(Names), Drawn(Drawn), Lanes(Lanes),
      ThreadParts(1), Scopes(Scopes) {
  for (unsigned I = 0; I < Names.size(); ++I)
    (I < 3 ? Threads : Others).insert(Names[I]);
}

struct LaneSums::Terms {
  llvm::SmallVector<Expr, 4> Thread, Shared;
  double Constant = 0;
};

/// Adds Factor * E; false when a part of it is of both kinds.
bool LaneSums::collect(Expr E, double Factor, Terms &Into) const {
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
    Into.Shared.push_back(Scaled);
  else if (!dependsOn(E, Others))
    Into.Thread.push_back(Scaled);
  else
    return false;
  return true;
}

/// What holds for b - a where the comparison does not hold for a - b.
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

bool LaneSums::isSum(Expr E) const {
  Terms Found;
  return E.isInteger() && !dependsOn(E, Drawn) && collect(E, 1, Found);
}

std::optional<LaneSum> LaneSums::split(Expr E, unsigned Scope) {
  Terms Found;
  if (!E.isInteger() || dependsOn(E, Drawn) || !collect(E, 1, Found))
    return std::nullopt;
  LaneSum Sum;
  Sum.Constant = Found.Constant;
  if (!Found.Thread.empty()) {
    Expr Part = Context.add(Found.Thread);
    auto [Place, New] =
        ThreadNumbers.try_emplace(Part.node(), ThreadParts.size());
    if (New)
      ThreadParts.push_back(Part);
    Sum.Thread = Place->second;
  }
  if (!Found.Shared.empty()) {
    ScopeParts &S = Scopes[Scope];
    Expr Part = Context.add(Found.Shared);
    auto [Place, New] = S.Numbers.try_emplace(Part.node(), S.Parts.size() + 1);
    if (New)
      S.Parts.push_back(Part);
    Sum.Shared = Place->second;
  }
  return Sum;
}

bool LaneSums::addTest(Expr E, bool Negated, unsigned Scope, LaneTest &To) {
  llvm::ArrayRef<Expr> X = E.operands();
  // Not (a and b) is not a or not b.
  auto join = [&](llvm::ArrayRef<Expr> Parts, bool All) {
    for (unsigned I = 0; I < Parts.size(); ++I) {
      if (!addTest(Parts[I], Negated, Scope, To))
        return false;
      if (I > 0)
        To.push_back({All != Negated ? LaneStep::And : LaneStep::Or, {}});
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
    To.push_back({LaneStep::Compare,
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

std::optional<LaneTest> LaneSums::splitTest(Expr E, unsigned Scope) {
  LaneTest Test;
  if (!addTest(E, false, Scope, Test))
    return std::nullopt;
  return Test;
}

void LaneSums::compile() {
  if (ThreadParts.size() > 1)
    ThreadProgram.emplace(llvm::ArrayRef(ThreadParts).drop_front(),
                          llvm::ArrayRef(Names).take_front(3));
  for (ScopeParts &S : Scopes) {
    S.Values.assign(S.Parts.size() + 1, 0);
    if (!S.Parts.empty())
      S.Program.emplace(S.Parts, Names);
  }
}

void LaneSums::enterWarp(unsigned Warp, llvm::ArrayRef<double> Inputs) {
  if (Warp >= ByWarp.size())
    ByWarp.resize(Warp + 1);
  WarpParts &W = ByWarp[Warp];
  Now = &W;
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
      bool Known = !std::isnan(Value);
      R.Low = std::min(R.Low, Known ? Value : -INFINITY);
      R.High = std::max(R.High, Known ? Value : INFINITY);
    }
    W.Ranges[Part] = R;
  }
}

void LaneSums::enterScope(unsigned Scope, llvm::ArrayRef<double> Inputs) {
  ScopeParts &S = Scopes[Scope];
  if (S.Program)
    S.Program->evaluate(Inputs, llvm::MutableArrayRef(S.Values).drop_front());
}

uint64_t LaneSums::holds(const LaneComparison &C, unsigned Scope) const {
  const uint64_t All = ~uint64_t(0) >> (64 - Lanes);
  double Rest = rest(C.Difference, Scope);
  if (std::isnan(Rest))
    return All;
  const Range &R = Now->Ranges[C.Difference.Thread];
  double Low = R.Low + Rest, High = R.High + Rest;
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
      On |= uint64_t(!Fails(Thread[L] + Rest)) << L;
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

uint64_t LaneSums::holds(const LaneTest &T, unsigned Scope) const {
  llvm::SmallVector<uint64_t, 4> Results;
  for (const LaneStep &Step : T) {
    if (Step.Kind == LaneStep::Compare) {
      Results.push_back(holds(Step.Comparison, Scope));
      continue;
    }
    uint64_t Last = Results.pop_back_val();
    if (Step.Kind == LaneStep::And)
      Results.back() &= Last;
    else
      Results.back() |= Last;
  }
  return Results.back();
}

} // namespace gpuestimate
