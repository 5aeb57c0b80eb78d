/// \file
/// Reads host loops, enumerates their iterations, and derives trip counts of
/// loops with a constant step, doubling or halving.
#include "IterationSpace.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuestimate {

namespace {

/// Iterations that are enumerated. A program's main loop may have more and gets
/// its trip count by formula.
constexpr unsigned MaxIterations = 20000;

void bind(Bindings &Environment, const std::string &Name,
          std::optional<double> Value) {
  if (Value)
    Environment[Name] = *Value;
  else
    Environment.erase(Name);
}

std::optional<double> number(Expr E, const Bindings &Environment) {
  return E ? evaluate(E, Environment) : std::nullopt;
}

} // namespace

IterationSpace::IterationSpace(HostAnalysis &Host,
                               const EnclosingRegions &Enclosing)
    : Host(Host), Terms(Host.Terms) {
  for (const ScopeInFrame &L : Enclosing.Loops)
    Levels.push_back(describe(L));
  for (const ScopeInFrame &B : Enclosing.Branches)
    if (Expr Condition = Host.Expressions.value(
            B.Region->Condition, *B.Frame,
            {B.Region->FirstOrder + 1, B.Region->Parent}))
      Conditions.push_back({Condition, B.Region->Negated});
  collectVariables();
}

int IterationSpace::levelOf(llvm::StringRef Name) const {
  for (size_t I = 0; I < Levels.size(); ++I)
    for (const Variable &V : Levels[I].Variables)
      if (V.Name == Name)
        return I;
  return -1;
}

IterationSpace::Level IterationSpace::describe(const ScopeInFrame &L) {
  Level Result;
  Result.Loop = L;
  const clang::Stmt *S = L.Region->Statement;
  if (const auto *For = llvm::dyn_cast<clang::ForStmt>(S)) {
    Result.WrittenCondition = For->getCond();
  } else if (const auto *While = llvm::dyn_cast<clang::WhileStmt>(S)) {
    Result.WrittenCondition = While->getCond();
  } else if (const auto *Do = llvm::dyn_cast<clang::DoStmt>(S)) {
    Result.WrittenCondition = Do->getCond();
    Result.TestAtEnd = true;
  } else if (const auto *Range = llvm::dyn_cast<clang::CXXForRangeStmt>(S)) {
    Result.IsRange = true;
    if (!L.Region->HasBreak)
      listElements(Range->getRangeInit(), L, Result.Elements);
  }
  // A loop with a break has another exit than its condition.
  if (Result.WrittenCondition && !L.Region->HasBreak) {
    unsigned Order =
        Result.TestAtEnd ? L.Region->EndOrder : L.Region->FirstOrder + 1;
    Result.Condition = Host.Expressions.value(Result.WrittenCondition, *L.Frame,
                                              {Order, L.Region});
  }
  return Result;
}

/// Elements of a braced list, or of an array or container initialized by one.
void IterationSpace::listElements(const clang::Expr *Range,
                                  const ScopeInFrame &L,
                                  std::vector<Expr> &Elements) {
  ProgramPoint Before{L.Region->FirstOrder + 1, L.Region->Parent};
  const clang::Expr *E = Host.Variables.resolve(Range, *L.Frame, Before);
  while (true) {
    E = stripCasts(E);
    const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(E);
    if (!Construct || Construct->getNumArgs() == 0 ||
        !Construct->isListInitialization())
      break;
    E = Construct->getArg(0);
  }
  if (const auto *List = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(E))
    E = stripCasts(List->getSubExpr());
  const auto *List = llvm::dyn_cast<clang::InitListExpr>(E);
  if (List && List->getNumInits() == 1) // std::array wraps an array
    if (const auto *Inner =
            llvm::dyn_cast<clang::InitListExpr>(List->getInit(0)))
      List = Inner;
  if (List)
    for (const clang::Expr *Init : List->inits())
      Elements.push_back(Host.Expressions.value(Init, *L.Frame, Before));
}

/// The list of variables grows while they are evaluated.
void IterationSpace::collectVariables() {
  const auto &All = Host.Symbols.inductionVariables();
  for (size_t I = 0; I < All.size(); ++I) {
    InductionVariable V = All[I];
    for (Level &L : Levels) {
      if (L.Loop.Region != V.Loop)
        continue;
      if (L.IsRange) {
        L.Variables.push_back({V.Name, {}, {}});
        continue;
      }
      ProgramPoint Entry{V.Loop->FirstOrder + 1, V.Loop->Parent};
      Expr First = Host.Variables.read({V.Variable, ""}, *V.Frame, Entry).E;
      L.Variables.push_back({V.Name, First, Host.Variables.afterIteration(V)});
    }
  }
}

bool IterationSpace::enumerate(size_t First,
                               const std::vector<std::string> &Used) {
  Iterations.clear();
  Points.clear();
  Wanted.clear();
  Steps = Launches = 0;
  // Give up at once if the trip counts are too large.
  double AtLeast = 1;
  for (size_t I = First; I < Levels.size(); ++I) {
    Expr Count = tripCount(I);
    std::optional<double> Trips = Count ? Count.asConstant() : std::nullopt;
    if (!Trips)
      break;
    AtLeast *= *Trips;
    if (AtLeast > MaxIterations)
      return false;
  }
  for (const std::string &Name : Used)
    if (levelOf(Name) >= static_cast<int>(First))
      Wanted.push_back(Name);
  if (!runInner(First, Bindings()))
    return false;
  Iterations.resize(Launches);
  const double *Next = Points.data();
  for (llvm::StringMap<double> &Point : Iterations)
    for (const std::string &Name : Wanted)
      Point[Name] = *Next++;
  return true;
}

bool IterationSpace::runRange(size_t Index, Bindings &Environment) {
  const Level &L = Levels[Index];
  for (Expr Element : L.Elements) {
    if (++Steps > MaxIterations)
      return false;
    for (const Variable &V : L.Variables)
      bind(Environment, V.Name, number(Element, Environment));
    if (!runInner(Index + 1, Environment))
      return false;
  }
  return !L.Elements.empty();
}

bool IterationSpace::runInner(size_t Index, const Bindings &Environment) {
  if (Index == Levels.size())
    return record(Environment);
  Bindings Inner = Environment;
  return run(Index, Inner);
}

bool IterationSpace::run(size_t Index, Bindings &Environment) {
  const Level &L = Levels[Index];
  if (L.IsRange)
    return runRange(Index, Environment);
  if (!L.Condition)
    return false;
  for (const Variable &V : L.Variables)
    bind(Environment, V.Name, number(V.First, Environment));
  while (true) {
    if (++Steps > MaxIterations)
      return false;
    auto Continue = number(L.Condition, Environment);
    if (!Continue)
      return false;
    if (!L.TestAtEnd && *Continue == 0)
      return true;
    if (!runInner(Index + 1, Environment))
      return false;
    // All new values, and the condition of a do loop, are computed from the old
    // values.
    std::vector<std::optional<double>> Next;
    for (const Variable &V : L.Variables)
      Next.push_back(number(V.Next, Environment));
    for (size_t I = 0; I < Next.size(); ++I)
      bind(Environment, L.Variables[I].Name, Next[I]);
    if (L.TestAtEnd && *Continue == 0)
      return true;
  }
}

bool IterationSpace::record(const Bindings &Environment) {
  for (const auto &[Condition, Negated] : Conditions)
    if (auto Value = number(Condition, Environment))
      if ((*Value != 0) == Negated)
        return true; // not launched in this iteration
  for (const std::string &Name : Wanted) {
    auto It = Environment.find(Name);
    if (It == Environment.end())
      return false;
    Points.push_back(It->second);
  }
  ++Launches;
  return true;
}

IterationSpace::Counter IterationSpace::counter(const Level &L) const {
  if (!L.WrittenCondition || !L.Condition || L.TestAtEnd)
    return {};
  const auto *Binary =
      llvm::dyn_cast<clang::BinaryOperator>(stripCasts(L.WrittenCondition));
  if (!Binary || !Binary->isComparisonOp())
    return {};
  ProgramPoint Head{L.Loop.Region->FirstOrder + 1, L.Loop.Region};
  for (bool Swapped : {false, true}) {
    const clang::Expr *Left = Swapped ? Binary->getRHS() : Binary->getLHS();
    const clang::Expr *Right = Swapped ? Binary->getLHS() : Binary->getRHS();
    Expr Name = Host.Expressions.value(Left, *L.Loop.Frame, Head);
    Expr Bound = Host.Expressions.value(Right, *L.Loop.Frame, Head);
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

Expr IterationSpace::tripCount(size_t Index) const {
  Expr Count = countOf(Levels[Index]);
  if (Count)
    for (const std::string &Name : Count.parameters())
      if (levelOf(Name) >= 0)
        return {};
  return Count;
}

Expr IterationSpace::extent(size_t Index, size_t First) const {
  Expr Count = countOf(Levels[Index]);
  for (size_t I = Index; Count && I-- > First;)
    for (const Variable &V : Levels[I].Variables) {
      if (!Count.dependsOn(V.Name))
        continue;
      LaunchSite::Range Range;
      if (!range(V.Name, I, countOf(Levels[I]), Range))
        return {};
      // Loop bounds are affine in practice, so the extremes are at the ends.
      Count = Terms.max({Terms.substitute(Count, {{V.Name, Range.First}}),
                         Terms.substitute(Count, {{V.Name, Range.Last}})});
    }
  return Count;
}

Expr IterationSpace::countOf(const Level &L) const {
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
    // The number of i >= 0 with First * 2^i below the limit.
    Expr Ratio = Compare == clang::BO_LT ? Terms.ceilDiv(Limit, V->First) - 1
                                         : Terms.floorDiv(Limit, V->First);
    Count = Terms.select(Terms.lessEqual(One, Ratio),
                         Terms.floorLog2(Ratio) + 1, Zero);
  } else if (V->Next == Terms.floorDiv(Self, Terms.constant(2)) &&
             (Compare == clang::BO_GT || Compare == clang::BO_GE)) {
    // The number of i >= 0 with floor(First / 2^i) >= 1. Other limits have no
    // formula for every First.
    if (!(Compare == clang::BO_GT ? Limit : Limit - 1).isConstant(0))
      return {};
    Count = Terms.select(Terms.lessEqual(One, V->First),
                         Terms.floorLog2(V->First) + 1, Zero);
  }
  return Count ? Terms.max({Count, Zero}) : Expr();
}

bool IterationSpace::range(const std::string &Name,
                           LaunchSite::Range &Range) const {
  int Index = levelOf(Name);
  return Index >= 0 && range(Name, Index, tripCount(Index), Range);
}

bool IterationSpace::range(const std::string &Name, size_t Index, Expr Count,
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
