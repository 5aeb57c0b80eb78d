/// \file
/// Trip counts of counting loops by formula: steps by a constant, doubling and
/// halving.
#include "LoopNest.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace gpuestimate {

LoopNest::Counter LoopNest::counter(const Level &L) const {
  if (!L.WrittenCondition || !L.Condition || L.TestAtEnd)
    return {};
  const auto *Binary =
      llvm::dyn_cast<clang::BinaryOperator>(strip(L.WrittenCondition));
  if (!Binary || !Binary->isComparisonOp())
    return {};
  Position Head{L.Loop.Loop->FirstOrder + 1, L.Loop.Loop};
  for (bool Swapped : {false, true}) {
    const clang::Expr *Left = Swapped ? Binary->getRHS() : Binary->getLHS();
    const clang::Expr *Right = Swapped ? Binary->getLHS() : Binary->getRHS();
    Expr Name = Values.value(Left, *L.Loop.In, Head);
    Expr Bound = Values.value(Right, *L.Loop.In, Head);
    if (!Name || !Bound || Name.kind() != ExprKind::Parameter)
      continue;
    clang::BinaryOperatorKind Compare = Binary->getOpcode();
    if (Swapped)
      Compare = clang::BinaryOperator::reverseComparisonOp(Compare);
    for (const Variable &V : L.Variables)
      if (V.Name == Name.name())
        return {&V, static_cast<unsigned>(Compare), Bound};
  }
  return {};
}

Expr LoopNest::tripCount(size_t Index) const {
  Expr Count = countOf(Levels[Index]);
  if (Count)
    for (const std::string &Name : Count.parameters())
      if (levelOf(Name) >= 0)
        return {};
  return Count;
}

Expr LoopNest::extent(size_t Index, size_t First) const {
  Expr Count = countOf(Levels[Index]);
  for (size_t I = Index; Count && I-- > First;)
    for (const Variable &V : Levels[I].Variables) {
      if (!Count.dependsOn(V.Name))
        continue;
      LaunchSite::Range Range;
      if (!range(V.Name, I, countOf(Levels[I]), Range))
        return {};
      // The bounds of loops are linear in practice: the ends are the extremes.
      Count = Terms.max({Terms.substitute(Count, {{V.Name, Range.First}}),
                         Terms.substitute(Count, {{V.Name, Range.Last}})});
    }
  return Count;
}

Expr LoopNest::countOf(const Level &L) const {
  if (L.IsRange)
    return L.Elements.empty() ? Expr() : Terms.constant(L.Elements.size());
  auto [V, Compare, Limit] = counter(L);
  if (!V || !V->First || !V->Next)
    return {};

  Expr Self = Terms.parameter(V->Name), One = Terms.constant(1);
  Expr Zero = Terms.constant(0), Count;
  if (auto Step = (V->Next - Self).asConstant()) {
    if (*Step == 0)
      return {};
    Expr Size = Terms.constant(*Step < 0 ? -*Step : *Step);
    Expr Distance = *Step < 0 ? V->First - Limit : Limit - V->First;
    bool Strict = Compare == (*Step < 0 ? clang::BO_GT : clang::BO_LT);
    bool Inclusive = Compare == (*Step < 0 ? clang::BO_GE : clang::BO_LE);
    if (Strict || (Compare == clang::BO_NE && Size.isConstant(1)))
      Count = Terms.ceilDiv(Distance, Size);
    else if (Inclusive)
      Count = Terms.floorDiv(Distance, Size) + 1;
  } else if (V->Next == Self * 2.0 &&
             (Compare == clang::BO_LT || Compare == clang::BO_LE)) {
    // The number of i with First * 2^i below the limit.
    Expr Ratio = Compare == clang::BO_LT ? Terms.ceilDiv(Limit, V->First) - 1
                                         : Terms.floorDiv(Limit, V->First);
    Count = Terms.select(Terms.lessEqual(One, Ratio),
                         Terms.floorLog2(Ratio) + 1, Zero);
  } else if (V->Next == Terms.floorDiv(Self, Terms.constant(2)) &&
             (Compare == clang::BO_GT || Compare == clang::BO_GE)) {
    // The number of i with floor(First / 2^i) at least 1; other limits are not
    // on the way of every start.
    if (!(Compare == clang::BO_GT ? Limit : Limit - 1).isConstant(0))
      return {};
    Count = Terms.select(Terms.lessEqual(One, V->First),
                         Terms.floorLog2(V->First) + 1, Zero);
  }
  return Count ? Terms.max({Count, Zero}) : Expr();
}

bool LoopNest::range(const std::string &Name, LaunchSite::Range &Range) const {
  int Index = levelOf(Name);
  return Index >= 0 && range(Name, Index, tripCount(Index), Range);
}

bool LoopNest::range(const std::string &Name, size_t Index, Expr Count,
                     LaunchSite::Range &Range) const {
  Expr Self = Terms.parameter(Name), One = Terms.constant(1);
  for (const Variable &V : Levels[Index].Variables) {
    if (V.Name != Name || !Count || !V.First || !V.Next)
      continue;
    Range.First = V.First;
    Expr Steps = Count - 1;
    if (auto Step = (V.Next - Self).asConstant())
      Range.Last = V.First + Steps * Terms.constant(*Step);
    else if (V.Next == Self * 2.0)
      Range.Last = V.First * Terms.shiftLeft(One, Steps);
    else if (V.Next == Terms.floorDiv(Self, Terms.constant(2)))
      Range.Last = Terms.floorDiv(V.First, Terms.shiftLeft(One, Steps));
    else
      return false;
    return true;
  }
  return false;
}

} // namespace gpuestimate
