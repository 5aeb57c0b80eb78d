#include "UniformSplitter.h"

#include "llvm/ADT/STLExtras.h"

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
  for (ScopeParts &S : Scopes)
    if (!S.Parts.empty())
      S.Program.emplace(S.Parts, Names);
}

} // namespace gpuestimate
