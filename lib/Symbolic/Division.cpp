/// \file
/// floor(a/b) and ceil(a/b). For integers, ceil(a/d) is floor((a + d - 1)/d);
/// the canonical form of the two is the one with the smaller constant inside,
/// so (n + 255)/256 and (n - 1)/256 + 1 both read ceil(n/256).
#include "ExprImpl.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {

std::optional<double> constantFloor(Expr E, double Divisor) {
  Interval R = E.range();
  double Low = std::floor(R.Low / Divisor), High = std::floor(R.High / Divisor);
  if (Low != High || !isWhole(Low))
    return std::nullopt;
  return Low;
}

Multiples extractMultiples(ExprContext &C, Expr A, Expr B) {
  LinearForm L = linearForm(A), Remainder;
  Remainder.Constant = L.Constant;
  double CoefficientB = 1;
  if (B.kind() == ExprKind::Mul)
    CoefficientB = B.operands().front().asConstant().value_or(1);
  llvm::SmallVector<Expr, 4> Quotient;
  for (const LinearTerm &T : L.Terms) {
    double Factor = T.Coefficient / CoefficientB;
    auto Others = factorsWithout(factorsOf(T.Base), factorsOf(B));
    if (Others && isWhole(Factor) && Factor * CoefficientB == T.Coefficient) {
      Expr Multiple = C.mul(*Others);
      if (Multiple.isInteger()) {
        Quotient.push_back(scaled(C, Factor, Multiple));
        continue;
      }
    }
    Remainder.Terms.push_back(T);
  }
  Expr Remaining = fromLinearForm(C, Remainder);
  // A divisor that is itself a sum may occur once, with its terms spread over
  // A's.
  if (B.kind() == ExprKind::Add)
    for (double Sign : {1.0, -1.0}) {
      Expr Without = C.add({Remaining, scaled(C, -Sign, B)});
      if (linearForm(Without).Terms.size() + linearForm(B).Terms.size() <=
          Remainder.Terms.size()) {
        Remaining = Without;
        Quotient.push_back(C.constant(Sign));
        break;
      }
    }
  return {C.add(Quotient), Remaining};
}

std::optional<Granularity> findGranularity(ExprContext &C, const LinearForm &L,
                                           double Divisor) {
  auto IsCandidate = [](const LinearTerm &T) {
    return T.Base.isInteger() && isWhole(T.Coefficient);
  };
  llvm::SmallVector<double, 4> Candidates;
  for (const LinearTerm &T : L.Terms)
    if (double G = IsCandidate(T) ? gcdOf(T.Coefficient, Divisor) : 1; G > 1)
      Candidates.push_back(G);
  llvm::sort(Candidates, std::greater<>());
  for (double G : Candidates) {
    LinearForm Multiple, Remainder;
    Remainder.Constant = L.Constant;
    for (const LinearTerm &T : L.Terms) {
      if (IsCandidate(T) && std::fmod(T.Coefficient, G) == 0)
        Multiple.Terms.push_back({T.Coefficient / G, T.Base});
      else
        Remainder.Terms.push_back(T);
    }
    Expr Below = fromLinearForm(C, Remainder);
    if (auto Floor = constantFloor(Below, G))
      return Granularity{G, *Floor, fromLinearForm(C, Multiple), Below};
  }
  return std::nullopt;
}

namespace {

/// The form shared by floor and ceil: multiples of D move out of the quotient.
struct Split {
  Expr Out;
  LinearForm Inside; ///< no integer multiples of D among its terms
};
Split splitMultiples(ExprContext &C, Expr A, double D, bool Ceil) {
  LinearForm L = linearForm(A), Out;
  Split Result;
  for (const LinearTerm &T : L.Terms) {
    if (T.Base.isInteger() && std::fmod(T.Coefficient, D) == 0)
      Out.Terms.push_back({T.Coefficient / D, T.Base});
    else
      Result.Inside.Terms.push_back(T);
  }
  double Quotient = L.Constant / D;
  Out.Constant = Ceil ? std::ceil(Quotient) : std::floor(Quotient);
  Result.Inside.Constant = L.Constant - Out.Constant * D;
  Result.Out = fromLinearForm(C, Out);
  return Result;
}

/// floor(floor(x/a)/d) = floor(x/(a*d)), also with an integer added between.
Expr flattenNested(ExprContext &C, const LinearForm &L, double D) {
  if (L.Terms.size() != 1 || L.Terms[0].Coefficient != 1 ||
      !isWhole(L.Constant))
    return Expr();
  Expr Inner = L.Terms[0].Base;
  bool IsCeil = Inner.kind() == ExprKind::CeilDiv;
  if (!IsCeil && Inner.kind() != ExprKind::FloorDiv)
    return Expr();
  Expr X = Inner.operands()[0];
  auto A = Inner.operands()[1].asConstant();
  if (!A || !isWhole(*A) || *A <= 0 || (IsCeil && !X.isInteger()))
    return Expr();
  double Shift = *A * L.Constant + (IsCeil ? *A - 1 : 0);
  return C.floorDiv(X + Shift, C.constant(*A * D));
}

Expr floorByConstant(ExprContext &C, Expr A, double D) {
  if (D == 1 && A.isInteger())
    return A;
  auto [Out, L] = splitMultiples(C, A, D, /*Ceil=*/false);
  Expr Inside = fromLinearForm(C, L);
  if (auto Floor = constantFloor(Inside, D))
    return Out + *Floor;
  if (L.Terms.front().Coefficient < 0)
    return Out - C.ceilDiv(scaled(C, -1, Inside), C.constant(D));
  if (auto Fine = findGranularity(C, L, D))
    return Out +
           C.floorDiv(Fine->Multiple + Fine->Floor, C.constant(D / Fine->G));
  if (Expr Flat = flattenNested(C, L, D))
    return Out + Flat;
  if (Inside.isInteger() && L.Constant > std::floor((D - 1) / 2))
    return Out +
           makeNode(C, ExprKind::CeilDiv, {Inside - (D - 1), C.constant(D)});
  return Out + makeNode(C, ExprKind::FloorDiv, {Inside, C.constant(D)});
}

/// Ceiling of a quotient of reals; integers use floorByConstant.
Expr ceilByConstant(ExprContext &C, Expr A, double D) {
  auto [Out, L] = splitMultiples(C, A, D, /*Ceil=*/true);
  Expr Inside = fromLinearForm(C, L);
  if (auto Floor = constantFloor(scaled(C, -1, Inside), D))
    return Out - *Floor;
  if (L.Terms.front().Coefficient < 0)
    return Out - C.floorDiv(scaled(C, -1, Inside), C.constant(D));
  if (Inside.kind() == ExprKind::CeilDiv)
    if (auto Inner = Inside.operands()[1].asConstant();
        Inner && isWhole(*Inner) && *Inner > 0)
      return Out + C.ceilDiv(Inside.operands()[0], C.constant(*Inner * D));
  return Out + makeNode(C, ExprKind::CeilDiv, {Inside, C.constant(D)});
}

bool isPositiveInteger(Expr E) { return E.isInteger() && E.range().Low >= 1; }

/// Cancels the factors that numerator and divisor share: a*f / (b*f).
bool cancelFactors(ExprContext &C, Expr &A, Expr &B) {
  if (A.kind() == ExprKind::Add || A.asConstant())
    return false;
  double CA = linearForm(A).Terms[0].Coefficient,
         CB =
             B.kind() == ExprKind::Add ? 1 : linearForm(B).Terms[0].Coefficient;
  llvm::SmallVector<Expr, 4> Above(factorsOf(A)), Below(factorsOf(B));
  size_t Before = Below.size();
  llvm::erase_if(Below, [&](Expr Factor) {
    auto *Place = llvm::find(Above, Factor);
    if (Place == Above.end())
      return false;
    Above.erase(Place);
    return true;
  });
  double Common = isWhole(CA) && isWhole(CB) ? gcdOf(CA, CB) : 1;
  if (Below.size() == Before && Common <= 1)
    return false;
  Above.push_back(C.constant(CA / Common));
  Below.push_back(C.constant(CB / Common));
  A = C.mul(Above);
  B = C.mul(Below);
  return true;
}

Expr floorBySymbol(ExprContext &C, Expr A, Expr B) {
  Multiples M = extractMultiples(C, A, B);
  if (!M.Quotient.isConstant(0))
    return M.Quotient + C.floorDiv(M.Remainder, B);
  if (A.kind() == ExprKind::Mod && A.operands()[1] == B)
    return C.constant(0);
  if (A.range().Low >= 0 && (A - B).range().High < 0)
    return C.constant(0);
  if (A.range().High < 0 && (A + B).range().Low >= 0)
    return C.constant(-1);
  if (cancelFactors(C, A, B))
    return C.floorDiv(A, B);
  if (isPositiveInteger(B)) {
    if (A.isInteger() && linearForm(A).Constant == -1)
      return C.ceilDiv(A + 1, B) - 1;
    if (A.kind() == ExprKind::FloorDiv)
      return C.floorDiv(A.operands()[0], C.mul({A.operands()[1], B}));
  }
  return makeNode(C, ExprKind::FloorDiv, {A, B});
}

Expr ceilBySymbol(ExprContext &C, Expr A, Expr B) {
  Multiples M = extractMultiples(C, A, B);
  if (!M.Quotient.isConstant(0))
    return M.Quotient + C.ceilDiv(M.Remainder, B);
  if (A.range().Low > 0 && (A - B).range().High <= 0)
    return C.constant(1);
  if (A.range().High <= 0 && (A + B).range().Low > 0)
    return C.constant(0);
  if (cancelFactors(C, A, B))
    return C.ceilDiv(A, B);
  if (isPositiveInteger(B)) {
    if (A.isInteger() && linearForm(A).Constant == 1)
      return C.floorDiv(A - 1, B) + 1;
    if (A.kind() == ExprKind::CeilDiv)
      return C.ceilDiv(A.operands()[0], C.mul({A.operands()[1], B}));
  }
  return makeNode(C, ExprKind::CeilDiv, {A, B});
}

} // namespace

Expr ExprContext::floorDiv(Expr A, Expr B) {
  if (A == B)
    return constant(1);
  if (A.isConstant(0))
    return A;
  auto D = B.asConstant();
  if (!D)
    return floorBySymbol(*this, A, B);
  if (auto ValueA = A.asConstant())
    if (auto Folded = foldBinary(ExprKind::FloorDiv, *ValueA, *D))
      return constant(*Folded);
  if (!isWhole(*D) || *D == 0 || !std::isfinite(linearForm(A).Constant))
    return makeNode(*this, ExprKind::FloorDiv, {A, B});
  if (*D < 0)
    return floorDiv(scaled(*this, -1, A), constant(-*D));
  return floorByConstant(*this, A, *D);
}

Expr ExprContext::ceilDiv(Expr A, Expr B) {
  if (A == B)
    return constant(1);
  if (A.isConstant(0))
    return A;
  auto D = B.asConstant();
  if (!D)
    return ceilBySymbol(*this, A, B);
  if (auto ValueA = A.asConstant())
    if (auto Folded = foldBinary(ExprKind::CeilDiv, *ValueA, *D))
      return constant(*Folded);
  if (!isWhole(*D) || *D == 0 || !std::isfinite(linearForm(A).Constant))
    return makeNode(*this, ExprKind::CeilDiv, {A, B});
  if (*D < 0)
    return ceilDiv(scaled(*this, -1, A), constant(-*D));
  if (A.isInteger())
    return floorByConstant(*this, A + (*D - 1), *D);
  return ceilByConstant(*this, A, *D);
}

} // namespace gpuestimate
