/// \file
/// Sums: flattening, like terms, and three rules that join terms: d*floor(x/d)
/// with x mod d, products that share a factor, and 1 - (a < b).
#include "ExprImpl.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

namespace {

/// Accumulates a linear form; like terms meet in one entry.
class LinearBuilder {
public:
  LinearForm Form;

  void addTerm(double Coefficient, Expr Base) {
    auto [Place, New] = Index.try_emplace(Base.node(), Form.Terms.size());
    if (New)
      Form.Terms.push_back({Coefficient, Base});
    else
      Form.Terms[Place->second].Coefficient += Coefficient;
  }

  void addScaled(double Factor, Expr E) {
    LinearForm Other = linearForm(E);
    if (Other.Constant != 0) // 0 stays 0 even times infinity
      Form.Constant += Factor * Other.Constant;
    for (const LinearTerm &T : Other.Terms)
      addTerm(Factor * T.Coefficient, T.Base);
  }

  LinearForm take() {
    llvm::erase_if(Form.Terms,
                   [](const LinearTerm &T) { return T.Coefficient == 0; });
    llvm::sort(Form.Terms, [](const LinearTerm &A, const LinearTerm &B) {
      return termLess(A.Base, B.Base);
    });
    return std::move(Form);
  }

private:
  llvm::DenseMap<const ExprNode *, size_t> Index;
};

LinearTerm *findBase(LinearForm &L, Expr Base) {
  auto *Match = llvm::find_if(
      L.Terms, [&](const LinearTerm &T) { return T.Base == Base; });
  return Match == L.Terms.end() ? nullptr : Match;
}

/// c*(x mod d) + c*d*floor(x/d) is c*x. On success Joined is that, and the
/// two terms are gone.
bool joinModAndFloor(ExprContext &C, LinearForm &L, Expr &Joined) {
  for (LinearTerm &Term : L.Terms) {
    if (Term.Base.kind() != ExprKind::Mod)
      continue;
    Expr X = Term.Base.operands()[0], D = Term.Base.operands()[1];
    LinearForm Product = linearForm(C.mul({D, C.floorDiv(X, D)}));
    if (Product.Terms.size() != 1 || Product.Constant != 0)
      continue;
    LinearTerm *Other = findBase(L, Product.Terms[0].Base);
    double Wanted = Term.Coefficient * Product.Terms[0].Coefficient;
    if (!Other || Other == &Term || Other->Coefficient != Wanted)
      continue;
    Joined = scaled(C, Term.Coefficient, X);
    Other->Coefficient = Term.Coefficient = 0;
    return true;
  }
  return false;
}

/// c*F*(s) + d*F*q is F*(c*s + d*q) where the inner sum does not grow: so n*(i
/// + 1) - n*i becomes n without multiplying products out.
bool joinProducts(ExprContext &C, LinearForm &L, Expr &Joined) {
  constexpr size_t MaxTerms = 24; // quadratic search; larger sums stay as is
  if (L.Terms.size() > MaxTerms)
    return false;
  for (LinearTerm &Term : L.Terms) {
    llvm::ArrayRef<Expr> Factors = factorsOf(Term.Base);
    for (size_t I = 0; I < Factors.size() && Factors.size() > 1; ++I) {
      if (Factors[I].kind() != ExprKind::Add)
        continue;
      llvm::SmallVector<Expr, 4> Shared(Factors.begin(), Factors.end());
      Shared.erase(Shared.begin() + I);
      for (LinearTerm &Other : L.Terms) {
        if (&Other == &Term)
          continue;
        auto Cofactors = factorsWithout(factorsOf(Other.Base), Shared);
        if (!Cofactors)
          continue;
        LinearBuilder Inner;
        Inner.addScaled(Term.Coefficient, Factors[I]);
        size_t Before = Inner.Form.Terms.size() + (Inner.Form.Constant != 0);
        Inner.addScaled(Other.Coefficient, C.mul(*Cofactors));
        LinearForm Merged = Inner.take();
        if (Merged.Terms.size() + (Merged.Constant != 0) > Before)
          continue;
        Shared.push_back(fromLinearForm(C, Merged));
        Joined = C.mul(Shared);
        Other.Coefficient = Term.Coefficient = 0;
        return true;
      }
    }
  }
  return false;
}

/// The negated comparison of E; null if E is no comparison.
Expr negatedComparison(ExprContext &C, Expr E) {
  switch (E.kind()) {
  case ExprKind::Less:
    return C.lessEqual(E.operands()[1], E.operands()[0]);
  case ExprKind::LessEqual:
    return C.less(E.operands()[1], E.operands()[0]);
  case ExprKind::Equal:
    return C.notEqual(E.operands()[0], E.operands()[1]);
  case ExprKind::NotEqual:
    return C.equal(E.operands()[0], E.operands()[1]);
  default:
    return Expr();
  }
}

} // namespace

std::optional<llvm::SmallVector<Expr, 4>>
factorsWithout(llvm::ArrayRef<Expr> Factors, llvm::ArrayRef<Expr> Taken) {
  llvm::SmallVector<Expr, 4> Remaining(Factors.begin(), Factors.end());
  for (Expr Factor : Taken) {
    auto *Place = llvm::find(Remaining, Factor);
    if (Place == Remaining.end())
      return std::nullopt;
    Remaining.erase(Place);
  }
  return Remaining;
}

LinearForm linearForm(Expr E) {
  LinearForm Result;
  auto AddTerm = [&](Expr Term) {
    if (auto Value = Term.asConstant()) {
      Result.Constant += *Value;
      return;
    }
    if (Term.kind() == ExprKind::Mul)
      if (auto Value = Term.operands().front().asConstant()) {
        llvm::ArrayRef<Expr> Factors = Term.operands().drop_front();
        Expr Base = Factors.size() == 1
                        ? Factors.front()
                        : makeNode(Term.context(), ExprKind::Mul, Factors);
        Result.Terms.push_back({*Value, Base});
        return;
      }
    Result.Terms.push_back({1, Term});
  };
  if (E.kind() == ExprKind::Add)
    llvm::for_each(E.operands(), AddTerm);
  else
    AddTerm(E);
  return Result;
}

Expr fromLinearForm(ExprContext &C, const LinearForm &L) {
  llvm::SmallVector<Expr, 8> Operands;
  for (const LinearTerm &T : L.Terms) {
    if (T.Coefficient == 0)
      continue;
    if (T.Coefficient == 1) {
      Operands.push_back(T.Base);
      continue;
    }
    llvm::SmallVector<Expr, 4> Factors = {C.constant(T.Coefficient)};
    llvm::append_range(Factors, factorsOf(T.Base));
    Operands.push_back(makeNode(C, ExprKind::Mul, Factors));
  }
  if (Operands.empty())
    return C.constant(L.Constant);
  if (L.Constant != 0)
    Operands.push_back(C.constant(L.Constant));
  if (Operands.size() == 1)
    return Operands.front();
  if (Operands.size() == 2 && L.Terms.size() == 1 && L.Constant == 1 &&
      L.Terms[0].Coefficient == -1)
    if (Expr Negated = negatedComparison(C, L.Terms[0].Base))
      return Negated;
  return makeNode(C, ExprKind::Add, Operands);
}

Expr scaled(ExprContext &C, double Coefficient, Expr E) {
  return C.mul({C.constant(Coefficient), E});
}

Expr ExprContext::add(llvm::ArrayRef<Expr> Terms) {
  LinearBuilder Builder;
  for (Expr Term : Terms)
    Builder.addScaled(1, Term);
  if (size_t Size = Builder.Form.Terms.size(); Size >= 8)
    spendWork(Size / 8); // they are sorted
  LinearForm L = Builder.take();
  for (Expr Joined;
       joinModAndFloor(*this, L, Joined) || joinProducts(*this, L, Joined);) {
    LinearBuilder Again; // fewer terms each time, so this ends
    Again.Form.Constant = L.Constant;
    for (const LinearTerm &T : L.Terms)
      Again.addTerm(T.Coefficient, T.Base);
    Again.addScaled(1, Joined);
    L = Again.take();
  }
  return fromLinearForm(*this, L);
}

Expr operator+(Expr A, Expr B) { return A.context().add({A, B}); }
Expr operator-(Expr A, Expr B) {
  return A.context().add({A, scaled(A.context(), -1, B)});
}
Expr operator+(Expr A, double B) { return A + A.context().constant(B); }
Expr operator-(Expr A, double B) { return A + A.context().constant(-B); }
Expr operator-(double A, Expr B) { return B.context().constant(A) - B; }

} // namespace gpuestimate
