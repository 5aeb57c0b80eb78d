#include "Mapping.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

namespace {

/// Thread coordinates.
constexpr size_t MaxDimensions = 3;

class Chooser {
public:
  Chooser(const NestCode &Code, const LoopDependences &Dependences,
          bool Vouched)
      : Code(Code), Nest(Code.nest()), Dependences(Dependences),
        Vouched(Vouched) {}

  NestMapping choose();

private:
  std::string nameOf(unsigned Index) const {
    const NestLoop &L = Nest.Loops[Index];
    return "the loop" +
           (L.Variable.empty() ? std::string() : " over '" + L.Variable + "'") +
           " at line " + std::to_string(L.Location.Line);
  }
  bool refuse(std::string Why, SourceLocation At) {
    if (Result.Refusal.empty()) {
      Result.Refusal = std::move(Why);
      Result.RefusedAt = std::move(At);
    }
    return false;
  }
  /// Can the loop be spread over threads? Required: if not, say why.
  bool spreads(unsigned Index, bool Required);
  /// Shall iterations of the loop that meet in updates become threads that
  /// combine them?
  bool combines(unsigned Index, bool Required, const LoopDependence &D);
  bool isScan(unsigned Index, bool Required, const LoopDependence &D);
  /// Is a loop within this one parallel?
  bool leavesParallel(unsigned Index) const;
  /// Does a directive say so?
  bool isAtomic(const LoopUpdate &U) const {
    return llvm::any_of(Nest.AtomicLines, [&](const auto &Lines) {
      return U.Location.Line >= Lines.first && U.Location.Line <= Lines.second;
    });
  }
  void assume(std::string Text) {
    if (!llvm::is_contained(Result.Assumed, Text))
      Result.Assumed.push_back(std::move(Text));
  }
  void readClauses();
  /// The one loop in which all of the loop's work happens, or -1.
  int onlyChild(unsigned Index) const;
  bool named();
  bool outermost(unsigned Count);
  void outward();

  const NestCode &Code;
  const HostNest &Nest;
  const LoopDependences &Dependences;
  bool Vouched;
  NestMapping Result; ///< Loops: outermost first until the end
};

} // namespace

bool Chooser::spreads(unsigned Index, bool Required) {
  const SourceLocation &At = Nest.Loops[Index].Location;
  if (std::string Why = Code.obstacle(Index); !Why.empty())
    return Required &&
           refuse(nameOf(Index) + " cannot be spread over threads: " + Why, At);
  LoopDependence D = Dependences.of(At, Vouched);
  if (isScan(Index, Required, D))
    return true;
  if (D.Kind == LoopDependence::Unknown && Vouched)
    llvm::erase_if(D.Updates,
                   [&](const LoopUpdate &U) { return !isAtomic(U); });
  if (D.Kind == LoopDependence::Reduction ||
      (D.Kind == LoopDependence::Unknown && !D.Updates.empty()))
    return combines(Index, Required, D);
  bool Marked = Nest.Directive.Origin != NestDirective::Proposed;
  switch (D.Kind) {
  case LoopDependence::Parallel:
  case LoopDependence::Reduction:
    break;
  case LoopDependence::Carried:
    if (Vouched)
      break;
    return Required &&
           refuse("an iteration of " + nameOf(Index) +
                      " needs what an earlier one has done: " + D.SourceText +
                      (D.Source.isValid() ? " at " + D.Source.brief() : "") +
                      ", then " + D.SinkText +
                      (D.Sink.isValid() ? " at " + D.Sink.brief() : "") +
                      ", distance " + D.Distance,
                  D.Source.isValid() ? D.Source : At);
  case LoopDependence::Unknown:
    if (!Marked && !Vouched)
      return Required &&
             refuse(nameOf(Index) + " is not proven to be parallel", At);
    if (!Vouched)
      assume("the iterations of " + nameOf(Index) +
             " do not depend on each other" +
             (D.Reason.empty() ? "" : ": " + D.Reason));
    break;
  }
  if (D.Kind == LoopDependence::Parallel && !Vouched)
    for (std::string &Text : D.Assumptions)
      assume(std::move(Text));
  return true;
}

bool Chooser::leavesParallel(unsigned Index) const {
  for (unsigned I = Index + 1; I < Nest.Loops.size(); ++I)
    for (int P = Nest.Loops[I].Parent; P >= 0; P = Nest.Loops[P].Parent)
      if (P == static_cast<int>(Index) && Code.obstacle(I).empty() &&
          Dependences.of(Nest.Loops[I].Location).Kind ==
              LoopDependence::Parallel)
        return true;
  return false;
}

bool Chooser::combines(unsigned Index, bool Required, const LoopDependence &D) {
  // Loops within may pay better, and are proposed next.
  if (Nest.Directive.Origin == NestDirective::Proposed && Required &&
      leavesParallel(Index))
    return refuse(nameOf(Index) + " leaves more to the loops within", {});
  // One thread adds up what an iteration of a loop around adds up; but under a
  // loop that all threads add up for, this one adds to the same.
  auto isKnown = [&](const LoopUpdate &U) {
    return llvm::any_of(Result.Updates, [&](const LoopUpdate &Other) {
      return U.Variables.empty()
                 ? Other.Location == U.Location
                 : !Other.Variables.empty() && Other.Text == U.Text;
    });
  };
  if (!Required && !llvm::all_of(D.Updates, isKnown))
    return false;
  for (const LoopUpdate &U : D.Updates) {
    if (!isKnown(U))
      Result.Updates.push_back(U);
    std::string How = U.SameElement || !U.Variables.empty()
                          ? ": threads of a block combine their parts"
                          : ": each is one atomic operation";
    assume("reduction by '" + U.Operator + "' over '" +
           Nest.Loops[Index].Variable + "', " + U.Text + How);
  }
  for (const std::string &Text : D.Assumptions)
    assume(Text);
  return true;
}

bool Chooser::isScan(unsigned Index, bool Required, const LoopDependence &D) {
  if (D.Kind != LoopDependence::Carried || D.Updates.empty() ||
      D.Distance != "1 iteration" || Vouched || !Required || Index != 0)
    return false;
  if (!D.Reason.empty()) {
    if (Nest.Directive.Origin == NestDirective::Proposed)
      return false; // judged as carried
    assume("the iterations of " + nameOf(Index) +
           " do not depend on each other in another way: " + D.Reason);
  }
  Result.Scan = D.Updates.front();
  assume("scan by '" + Result.Scan->Operator + "' over '" +
         Nest.Loops[Index].Variable + "', " + Result.Scan->Text +
         ": blocks look back at what the 32 before them have found, once");
  for (const std::string &Text : D.Assumptions)
    assume(Text);
  return true;
}

/// What the user says in reduction(..) goes before what was found.
void Chooser::readClauses() {
  for (const ReductionClause &C : Nest.Directive.Reductions) {
    bool Found = false;
    for (LoopUpdate &U : Result.Updates)
      for (const LoopUpdate::Variable &V : U.Variables)
        if (V.Name == C.Variable) {
          U.Operator = C.Operator;
          Found = true;
        }
    if (Found)
      continue;
    LoopUpdate &U = Result.Updates.emplace_back();
    U.Operator = C.Operator;
    U.Variables.push_back({C.Variable, 0});
    U.Text = "update of '" + C.Variable + "'";
    assume("reduction by '" + C.Operator + "', " + U.Text +
           ", as the directive says");
  }
}

int Chooser::onlyChild(unsigned Index) const {
  int Child = -1;
  for (size_t I = 0; I < Nest.Loops.size(); ++I) {
    if (Nest.Loops[I].Parent != static_cast<int>(Index))
      continue;
    if (Child >= 0)
      return -1;
    Child = static_cast<int>(I);
  }
  bool Perfect = Child >= 0 && Code.loop(Index) && Code.loop(Child) &&
                 Code.isPerfect(Index, Child, Result.Updates);
  return Perfect ? Child : -1;
}

/// grid(): from the innermost to the outermost in any order; every loop of the
/// chain must be named, else it would be run by each thread around the others.
bool Chooser::named() {
  std::vector<unsigned> Loops;
  for (const std::string &Name : Nest.Directive.Grid) {
    auto Found = llvm::find_if(
        Nest.Loops, [&](const NestLoop &L) { return L.Variable == Name; });
    unsigned Index = static_cast<unsigned>(Found - Nest.Loops.begin());
    if (llvm::is_contained(Loops, Index))
      return refuse("grid(): '" + Name + "' is named twice",
                    Nest.Directive.Location);
    Loops.push_back(Index);
  }
  for (unsigned Index : Loops) {
    for (int P = Nest.Loops[Index].Parent; P >= 0; P = Nest.Loops[P].Parent)
      if (!llvm::is_contained(Loops, P))
        return refuse("grid(): " + nameOf(P) + " stands around " +
                          nameOf(Index) + " and is not named",
                      Nest.Directive.Location);
    unsigned Inside = llvm::count_if(Loops, [&](unsigned Other) {
      return Nest.Loops[Other].Parent == static_cast<int>(Index);
    });
    if (Inside > 1)
      return refuse("grid(): two of the named loops stand beside each other",
                    Nest.Directive.Location);
    if (!spreads(Index, /*Required=*/true))
      return false;
    for (unsigned Other : Loops)
      if (Nest.Loops[Other].Parent == static_cast<int>(Index) &&
          !Code.isPerfect(Index, Other, Result.Updates))
        return refuse("grid(): " + nameOf(Index) + " does more than " +
                          nameOf(Other) + ", which threads would repeat",
                      Nest.Directive.Location);
  }
  Result.Loops = std::move(Loops);
  return true;
}

bool Chooser::outermost(unsigned Count) {
  int At = 0;
  for (unsigned I = 0; I < Count; ++I) {
    if (At < 0)
      return refuse("collapse(" + std::to_string(Count) + "): only " +
                        std::to_string(I) +
                        " loops stand directly in each "
                        "other",
                    Nest.Directive.Location);
    if (!spreads(At, /*Required=*/true))
      return false;
    Result.Loops.push_back(At);
    At = onlyChild(At);
  }
  return true;
}

void Chooser::outward() {
  if (!spreads(0, /*Required=*/true))
    return;
  Result.Loops.push_back(0);
  for (int At = onlyChild(0); At >= 0 && Result.Loops.size() < MaxDimensions &&
                              !Result.Scan && spreads(At, /*Required=*/false);
       At = onlyChild(At))
    Result.Loops.push_back(At);
}

NestMapping Chooser::choose() {
  const NestDirective &D = Nest.Directive;
  if (!D.Grid.empty()) {
    named();
    readClauses();
    return std::move(Result);
  }
  // OpenMP and OpenACC spread the loop behind the directive and no other.
  bool Foreign =
      D.Origin == NestDirective::OpenMp || D.Origin == NestDirective::OpenAcc;
  if (D.Collapse || Foreign)
    outermost(std::max(D.Collapse, 1u));
  else
    outward();
  readClauses();
  if (Result.Loops.size() > MaxDimensions)
    refuse("more than three loops are to become thread coordinates",
           D.Location);
  std::reverse(Result.Loops.begin(), Result.Loops.end());
  return std::move(Result);
}

NestMapping chooseMapping(const NestCode &Code,
                          const LoopDependences &Dependences, bool Vouched) {
  return Chooser(Code, Dependences, Vouched).choose();
}

} // namespace gpuestimate
