/// \file
/// Reads the loops around a launch and runs them with numbers.
#include "LoopNest.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuestimate {

namespace {

/// Enough for the loops that launch; a program's main loop may have more, and
/// is then counted by formula.
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

LoopNest::LoopNest(HostValues &Values, const Surroundings &Around)
    : Values(Values), Terms(Values.terms()) {
  for (const LoopInFrame &L : Around.Loops)
    Levels.push_back(describe(L));
  for (const LoopInFrame &B : Around.Branches)
    if (Expr Condition = Values.value(B.Loop->Condition, *B.In,
                                      {B.Loop->FirstOrder + 1, B.Loop->Parent}))
      Conditions.push_back({Condition, B.Loop->Negated});
  collectVariables();
}

int LoopNest::levelOf(llvm::StringRef Name) const {
  for (size_t I = 0; I < Levels.size(); ++I)
    for (const Variable &V : Levels[I].Variables)
      if (V.Name == Name)
        return I;
  return -1;
}

LoopNest::Level LoopNest::describe(const LoopInFrame &L) {
  Level Result;
  Result.Loop = L;
  const clang::Stmt *S = L.Loop->Statement;
  if (const auto *For = llvm::dyn_cast<clang::ForStmt>(S)) {
    Result.WrittenCondition = For->getCond();
  } else if (const auto *While = llvm::dyn_cast<clang::WhileStmt>(S)) {
    Result.WrittenCondition = While->getCond();
  } else if (const auto *Do = llvm::dyn_cast<clang::DoStmt>(S)) {
    Result.WrittenCondition = Do->getCond();
    Result.TestAtEnd = true;
  } else if (const auto *Range = llvm::dyn_cast<clang::CXXForRangeStmt>(S)) {
    Result.IsRange = true;
    if (!L.Loop->LeftEarly)
      listElements(Range->getRangeInit(), L, Result.Elements);
  }
  // A break makes the condition one of two ways out.
  if (Result.WrittenCondition && !L.Loop->LeftEarly) {
    unsigned Order =
        Result.TestAtEnd ? L.Loop->EndOrder : L.Loop->FirstOrder + 1;
    Result.Condition =
        Values.value(Result.WrittenCondition, *L.In, {Order, L.Loop});
  }
  return Result;
}

/// Of a braced list, or of an array or container that was made from one.
void LoopNest::listElements(const clang::Expr *Range, const LoopInFrame &L,
                            std::vector<Expr> &Elements) {
  Position Before{L.Loop->FirstOrder + 1, L.Loop->Parent};
  const clang::Expr *E = Values.resolve(Range, *L.In, Before);
  while (true) {
    E = strip(E);
    const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(E);
    if (!Construct || Construct->getNumArgs() == 0 ||
        !Construct->isListInitialization())
      break;
    E = Construct->getArg(0);
  }
  if (const auto *List = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(E))
    E = strip(List->getSubExpr());
  const auto *List = llvm::dyn_cast<clang::InitListExpr>(E);
  if (List && List->getNumInits() == 1) // std::array wraps an array
    if (const auto *Inner =
            llvm::dyn_cast<clang::InitListExpr>(List->getInit(0)))
      List = Inner;
  if (List)
    for (const clang::Expr *Init : List->inits())
      Elements.push_back(Values.value(Init, *L.In, Before));
}

/// Evaluating one variable may bring up others, so the list grows.
void LoopNest::collectVariables() {
  const auto &All = Values.loopVariables();
  for (size_t I = 0; I < All.size(); ++I) {
    LoopVariable V = All[I];
    for (Level &L : Levels) {
      if (L.Loop.Loop != V.Loop)
        continue;
      if (L.IsRange) {
        L.Variables.push_back({V.Name, {}, {}});
        continue;
      }
      Position Entry{V.Loop->FirstOrder + 1, V.Loop->Parent};
      Expr First = Values.read({V.Root, ""}, *V.In, Entry).E;
      L.Variables.push_back({V.Name, First, Values.afterIteration(V)});
    }
  }
}

bool LoopNest::enumerate(size_t First, const std::vector<std::string> &Used) {
  Iterations.clear();
  Points.clear();
  Wanted.clear();
  Steps = Launches = 0;
  // What has too many iterations by formula is not begun.
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

bool LoopNest::runRange(size_t Index, Bindings &Environment) {
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

bool LoopNest::runInner(size_t Index, const Bindings &Environment) {
  if (Index == Levels.size())
    return record(Environment);
  Bindings Inner = Environment;
  return run(Index, Inner);
}

bool LoopNest::run(size_t Index, Bindings &Environment) {
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
    // All new values are computed from the old ones; so is the condition of a
    // loop that tests at its end, see describe().
    std::vector<std::optional<double>> Next;
    for (const Variable &V : L.Variables)
      Next.push_back(number(V.Next, Environment));
    for (size_t I = 0; I < Next.size(); ++I)
      bind(Environment, L.Variables[I].Name, Next[I]);
    if (L.TestAtEnd && *Continue == 0)
      return true;
  }
}

bool LoopNest::record(const Bindings &Environment) {
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

} // namespace gpuestimate
