/// \file
/// Runs the loops around a launch with numbers where they are known, and
/// counts their iterations by formula otherwise.
#include "HostLoops.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include <algorithm>

namespace gpuestimate {

std::vector<LoopInFrame> loopsAround(const Frame &F, Position At) {
  std::vector<LoopInFrame> Nest;
  const Frame *In = &F;
  while (In) {
    for (const Scope *S = At.In; S; S = S->Parent)
      if (S->Kind == Scope::Loop)
        Nest.push_back({S, In});
    At = In->SiteAt;
    In = In->Site ? In->Caller : nullptr;
  }
  std::reverse(Nest.begin(), Nest.end());
  return Nest;
}

namespace {

/// Enough for the loops that launch; a program's main loop may have more, and
/// is then counted by formula.
constexpr unsigned MaxIterations = 20000;

class Nest {
public:
  Nest(HostValues &Values, llvm::ArrayRef<LoopInFrame> Loops)
      : Values(Values), Terms(Values.terms()) {
    for (const LoopInFrame &L : Loops)
      Levels.push_back(describe(L));
    collectVariables();
  }

  /// Runs loops [First, end) with outer variables unknown; false when a
  /// condition or a value of Used (if it belongs to these loops) is unknown.
  bool enumerate(size_t First, const std::vector<std::string> &Used) {
    Iterations.clear();
    Bindings Environment;
    Wanted.clear();
    for (const std::string &Name : Used)
      if (levelOf(Name) >= static_cast<int>(First))
        Wanted.push_back(Name);
    return run(First, Environment);
  }

  /// Trip count as a term over parameters that no loop changes; or null.
  Expr tripCount(size_t Index, bool AllowOuter);
  bool range(const std::string &Name, LaunchSite::Range &Range);

  /// Index of the loop that changes the parameter; -1: none.
  int levelOf(llvm::StringRef Name) const {
    for (size_t I = 0; I < Levels.size(); ++I)
      for (const Variable &V : Levels[I].Variables)
        if (V.Name == Name)
          return I;
    return -1;
  }
  size_t size() const { return Levels.size(); }

  std::vector<llvm::StringMap<double>> Iterations;

private:
  struct Variable {
    std::string Name;
    Expr First, Next; ///< null: unknown
  };
  struct Level {
    LoopInFrame Loop;
    Expr Condition; ///< null: unknown
    bool TestAtEnd = false;
    const clang::Expr *WrittenCondition = nullptr;
    std::vector<Variable> Variables;
  };

  Level describe(const LoopInFrame &L) {
    Level Result;
    Result.Loop = L;
    const clang::Stmt *S = L.Loop->Statement;
    if (const auto *For = llvm::dyn_cast<clang::ForStmt>(S))
      Result.WrittenCondition = For->getCond();
    else if (const auto *While = llvm::dyn_cast<clang::WhileStmt>(S))
      Result.WrittenCondition = While->getCond();
    else if (const auto *Do = llvm::dyn_cast<clang::DoStmt>(S)) {
      Result.WrittenCondition = Do->getCond();
      Result.TestAtEnd = true;
    }
    if (Result.WrittenCondition && !L.Loop->LeftEarly) {
      unsigned Order =
          Result.TestAtEnd ? L.Loop->EndOrder : L.Loop->FirstOrder + 1;
      Result.Condition =
          Values.value(Result.WrittenCondition, *L.In, {Order, L.Loop});
    }
    return Result;
  }

  /// Evaluating one variable may bring up others, so the list grows.
  void collectVariables() {
    const auto &All = Values.loopVariables();
    for (size_t I = 0; I < All.size(); ++I) {
      LoopVariable V = All[I];
      for (Level &L : Levels) {
        if (L.Loop.Loop != V.Loop)
          continue;
        Position Entry{V.Loop->FirstOrder + 1, V.Loop->Parent};
        L.Variables.push_back({V.Name,
                               Values.read({V.Root, ""}, *V.In, Entry).E,
                               Values.afterIteration(V)});
      }
    }
  }

  static void bind(Bindings &Environment, const std::string &Name,
                   std::optional<double> Value) {
    if (Value)
      Environment[Name] = *Value;
    else
      Environment.erase(Name);
  }
  static std::optional<double> number(Expr E, const Bindings &Environment) {
    return E ? evaluate(E, Environment) : std::nullopt;
  }

  bool run(size_t Index, Bindings &Environment) {
    if (Index == Levels.size())
      return record(Environment);
    const Level &L = Levels[Index];
    for (const Variable &V : L.Variables)
      bind(Environment, V.Name, number(V.First, Environment));
    while (true) {
      if (++Steps > MaxIterations)
        return false;
      if (!L.TestAtEnd) {
        auto Continue = number(L.Condition, Environment);
        if (!Continue)
          return false;
        if (*Continue == 0)
          return true;
      }
      Bindings Inner = Environment;
      if (!run(Index + 1, Inner))
        return false;
      std::optional<double> Continue;
      if (L.TestAtEnd)
        Continue = number(L.Condition, Environment);
      // All new values are computed from the old ones.
      std::vector<std::optional<double>> Next;
      for (const Variable &V : L.Variables)
        Next.push_back(number(V.Next, Environment));
      for (size_t I = 0; I < Next.size(); ++I)
        bind(Environment, L.Variables[I].Name, Next[I]);
      if (L.TestAtEnd && (!Continue || *Continue == 0))
        return Continue.has_value();
    }
  }

  bool record(const Bindings &Environment) {
    llvm::StringMap<double> Point;
    for (const std::string &Name : Wanted) {
      auto It = Environment.find(Name);
      if (It == Environment.end())
        return false;
      Point[Name] = It->second;
    }
    Iterations.push_back(std::move(Point));
    return true;
  }

  /// The loop's counter: compared with a bound in the condition.
  const Variable *counter(const Level &L, clang::BinaryOperatorKind &Compare,
                          Expr &Bound) const;
  bool changesInLoops(Expr E, bool AllowOuter, size_t Index) const {
    for (const std::string &Name : E.parameters()) {
      int Level = levelOf(Name);
      if (Level >= static_cast<int>(Index) || (Level >= 0 && !AllowOuter))
        return true;
    }
    return false;
  }

  HostValues &Values;
  ExprContext &Terms;
  std::vector<Level> Levels;
  std::vector<std::string> Wanted;
  unsigned Steps = 0;
};

const Nest::Variable *Nest::counter(const Level &L,
                                    clang::BinaryOperatorKind &Compare,
                                    Expr &Bound) const {
  if (!L.WrittenCondition || !L.Condition)
    return nullptr;
  const auto *Binary =
      llvm::dyn_cast<clang::BinaryOperator>(strip(L.WrittenCondition));
  if (!Binary || !Binary->isComparisonOp())
    return nullptr;
  Position Head{L.Loop.Loop->FirstOrder + 1, L.Loop.Loop};
  for (bool Swapped : {false, true}) {
    const clang::Expr *Left = Swapped ? Binary->getRHS() : Binary->getLHS();
    const clang::Expr *Right = Swapped ? Binary->getLHS() : Binary->getRHS();
    Expr Name = Values.value(Left, *L.Loop.In, Head);
    Expr Limit = Values.value(Right, *L.Loop.In, Head);
    if (!Name || !Limit || Name.kind() != ExprKind::Parameter)
      continue;
    for (const Variable &V : L.Variables)
      if (V.Name == Name.name()) {
        Compare = Swapped
                      ? clang::BinaryOperator::reverseComparisonOp(Binary->getOpcode())
                      : Binary->getOpcode();
        Bound = Limit;
        return &V;
      }
  }
  return nullptr;
}

Expr Nest::tripCount(size_t Index, bool AllowOuter) {
  const Level &L = Levels[Index];
  clang::BinaryOperatorKind Compare;
  Expr Limit;
  const Variable *V = L.TestAtEnd ? nullptr : counter(L, Compare, Limit);
  if (!V || !V->First || !V->Next || changesInLoops(Limit, AllowOuter, Index) ||
      changesInLoops(V->First, AllowOuter, Index))
    return {};
  Expr Self = Terms.parameter(V->Name), Zero = Terms.constant(0);
  Expr Count;
  if (auto Step = (V->Next - Self).asConstant()) {
    Expr Size = Terms.constant(*Step < 0 ? -*Step : *Step);
    Expr Distance = *Step < 0 ? V->First - Limit : Limit - V->First;
    bool Strict = Compare == (*Step < 0 ? clang::BO_GT : clang::BO_LT);
    bool Inclusive = Compare == (*Step < 0 ? clang::BO_GE : clang::BO_LE);
    if (*Step == 0)
      return {};
    if (Strict || (Compare == clang::BO_NE && Size.isConstant(1)))
      Count = Terms.ceilDiv(Distance, Size);
    else if (Inclusive)
      Count = Terms.floorDiv(Distance, Size) + 1;
  } else if (V->Next == Self * 2.0 &&
             (Compare == clang::BO_LT || Compare == clang::BO_LE)) {
    // First * 2^i below the limit.
    Expr Ratio = Compare == clang::BO_LT ? Terms.ceilDiv(Limit, V->First) - 1
                                         : Terms.floorDiv(Limit, V->First);
    Count = Terms.select(Terms.lessEqual(Terms.constant(1), Ratio),
                         Terms.floorLog2(Ratio) + 1, Zero);
  } else if (V->Next == Terms.floorDiv(Self, Terms.constant(2)) &&
             (Compare == clang::BO_GT || Compare == clang::BO_GE)) {
    Expr Smallest = Compare == clang::BO_GT ? Limit + 1 : Limit;
    if (!Smallest.isConstant(1)) // other limits are not a power of two's
      return {};
    Count = Terms.select(Terms.lessEqual(Smallest, V->First),
                         Terms.floorLog2(V->First) + 1, Zero);
  }
  return Count ? Terms.max({Count, Zero}) : Expr();
}

bool Nest::range(const std::string &Name, LaunchSite::Range &Range) {
  int Index = levelOf(Name);
  if (Index < 0)
    return false;
  Expr Count = tripCount(Index, /*AllowOuter=*/false);
  for (const Variable &V : Levels[Index].Variables) {
    if (V.Name != Name || !Count || !V.First || !V.Next)
      continue;
    Expr Self = Terms.parameter(Name);
    Range.First = V.First;
    if (auto Step = (V.Next - Self).asConstant())
      Range.Last = V.First + (Count - 1) * Terms.constant(*Step);
    else if (V.Next == Self * 2.0)
      Range.Last = V.First * Terms.shiftLeft(Terms.constant(1), Count - 1);
    else if (V.Next == Terms.floorDiv(Self, Terms.constant(2)))
      Range.Last = Terms.floorDiv(
          V.First, Terms.shiftLeft(Terms.constant(1), Count - 1));
    else
      return false;
    return true;
  }
  return false;
}

bool same(const llvm::StringMap<double> &A, const llvm::StringMap<double> &B) {
  for (const auto &Entry : A)
    if (auto It = B.find(Entry.getKey());
        It == B.end() || It->second != Entry.getValue())
      return false;
  return true;
}

void chooseVariants(std::vector<llvm::StringMap<double>> &Iterations,
                    LaunchSite &Site) {
  std::vector<LaunchVariant> Different;
  for (const auto &Point : Iterations) {
    auto It = llvm::find_if(Different, [&](const LaunchVariant &V) {
      return same(V.Values, Point);
    });
    if (It != Different.end())
      It->Weight += 1;
    else if (Different.size() <= LaunchSite::MaxVariants)
      Different.push_back({Point, 1});
  }
  if (Different.size() <= LaunchSite::MaxVariants) {
    Site.Variants = std::move(Different);
    return;
  }
  size_t Total = Iterations.size();
  for (unsigned I = 0; I < LaunchSite::MaxVariants; ++I) {
    size_t Begin = Total * I / LaunchSite::MaxVariants;
    size_t End = Total * (I + 1) / LaunchSite::MaxVariants;
    Site.Variants.push_back({Iterations[(Begin + End - 1) / 2],
                             static_cast<double>(End - Begin)});
  }
}

} // namespace

void describeLoops(HostValues &Values, llvm::ArrayRef<LoopInFrame> Loops,
                   const std::vector<std::string> &Used, LaunchSite &Site) {
  ExprContext &Terms = Values.terms();
  Nest N(Values, Loops);
  bool Depends = llvm::any_of(
      Used, [&](const std::string &Name) { return N.levelOf(Name) >= 0; });

  // The innermost loops whose iterations are known; all of them at best.
  size_t First = 0;
  while (First < N.size() && !N.enumerate(First, Used))
    ++First;
  Site.Repeats = Terms.constant(First < N.size() ? N.Iterations.size() : 1);
  if (First < N.size() && N.Iterations.empty())
    Site.Repeats = Terms.constant(0);
  for (size_t I = 0; I < First && Site.Repeats; ++I) {
    Expr Count = N.tripCount(I, /*AllowOuter=*/false);
    Site.Repeats = Count ? Site.Repeats * Count : Expr();
  }
  if (!Depends)
    return;
  if (First < N.size())
    chooseVariants(N.Iterations, Site);
  for (const std::string &Name : Used)
    if (int Level = N.levelOf(Name);
        Level >= 0 && Level < static_cast<int>(First))
      if (LaunchSite::Range Range; N.range(Name, Range))
        Site.Ranges[Name] = Range;
}

} // namespace gpuestimate
