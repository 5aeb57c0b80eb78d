#include "PathAlgebra.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace gpuestimate {

static ArrayRef<Expr> terms(const Expr &E) {
  return E.kind() == ExprKind::Add ? E.operands() : ArrayRef(E);
}

/// 3*x as {x, 3}.
static std::pair<Expr, double> factored(Expr Term) {
  if (Term.kind() == ExprKind::Mul && Term.operands().size() == 2)
    if (auto Factor = Term.operands()[0].asConstant())
      return {Term.operands()[1], *Factor};
  return {Term, 1};
}

/// E with its first maximum replaced by each of its operands; empty when it has
/// none.
static std::vector<Expr> alternatives(Expr E) {
  std::vector<Expr> Result;
  for (Expr T : terms(E))
    if (T.kind() == ExprKind::Max) {
      for (Expr Operand : T.operands())
        Result.push_back(E - T + Operand);
      break;
    }
  return Result;
}

Expr PathAlgebra::max(Expr A, Expr B) {
  if (dominates(A, B))
    return A;
  if (dominates(B, A))
    return B;
  auto [RestA, RestB] = withoutCommon(A, B);
  return A - RestA + Ctx.max({RestA, RestB});
}

std::pair<Expr, Expr> PathAlgebra::withoutCommon(Expr A, Expr B) {
  SmallVector<Expr> Common;
  for (Expr Term : terms(A)) {
    auto [Factor, FactorA] = factored(Term);
    for (Expr Other : terms(B)) {
      auto [Same, FactorB] = factored(Other);
      if (Factor != Same)
        continue;
      if (FactorA > 0 && FactorB > 0)
        Common.push_back(std::min(FactorA, FactorB) * Factor);
      break;
    }
  }
  if (Common.empty())
    return {A, B};
  Expr Sum = Common.size() > 1 ? Ctx.add(Common) : Common[0];
  return {A - Sum, B - Sum};
}

bool PathAlgebra::dominates(Expr A, Expr B) {
  if (exhausted())
    return false;
  ++Steps;
  auto [RestA, RestB] = withoutCommon(A, B);
  if (std::vector<Expr> All = alternatives(RestB); !All.empty())
    return all_of(All, [&, From = RestA](Expr Operand) {
      return dominates(From, Operand);
    });
  if (std::vector<Expr> Any = alternatives(RestA); !Any.empty())
    return any_of(
        Any, [&, To = RestB](Expr Operand) { return dominates(Operand, To); });
  return isNonNegative(RestA - RestB);
}

bool PathAlgebra::isNonNegative(Expr E) const {
  // Each latency, with the delays that it is known to cover.
  StringMap<double> Latency;
  for (Expr T : terms(E)) {
    auto [Base, Factor] = factored(T);
    if (auto Constant = Base.asConstant()) {
      if (!(Factor * *Constant >= 0))
        return false;
      continue;
    }
    if (Base.kind() == ExprKind::Parameter && Factor < 0) {
      auto Covering = LatencyOf.find(Base.name());
      if (Covering == LatencyOf.end())
        return false;
      Latency[Covering->second] += Factor;
      continue;
    }
    if (Base.kind() == ExprKind::Parameter && Base.name().starts_with("lat."))
      Latency[Base.name()] += Factor;
    else if (Factor < 0 || !(Base.range().Low >= 0))
      return false;
  }
  return all_of(Latency, [](const auto &L) { return L.second >= 0; });
}

} // namespace gpuestimate
