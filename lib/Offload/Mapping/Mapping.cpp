#include "Mapping.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

namespace {

/// Thread coordinates.
constexpr size_t MaxDimensions = 3;

class MappingChooser {
public:
  MappingChooser(const IrLoopNest &Code, const LoopDependences &Dependences,
                 bool AssertIndependent)
      : Code(Code), Nest(Code.nest()), Dependences(Dependences),
        AssertIndependent(AssertIndependent) {}

  NestMapping choose();

private:
  std::string nameOf(unsigned Index) const {
    const NestLoop &L = Nest.Loops[Index];
    return "the loop" +
           (L.Variable.empty() ? std::string() : " over '" + L.Variable + "'") +
           " at line " + std::to_string(L.Location.Line);
  }
  bool refuse(std::string Reason, SourceLocation Location) {
    if (Result.Refusal.empty()) {
      Result.Refusal = std::move(Reason);
      Result.RefusedAt = std::move(Location);
    }
    return false;
  }
  /// Can the loop be mapped to threads? Required: otherwise set the refusal.
  bool canMap(unsigned Index, bool Required);
  /// Can a loop with reduction updates be mapped to threads?
  bool canReduce(unsigned Index, bool Required, const LoopDependence &D);
  bool isScan(unsigned Index, bool Required, const LoopDependence &D);
  /// Is an inner loop parallel?
  bool hasParallelInner(unsigned Index) const;
  /// Does a directive mark the update as atomic?
  bool isAtomic(const ReductionUpdate &U) const {
    return llvm::any_of(Nest.AtomicLines, [&](const auto &Lines) {
      return U.Location.Line >= Lines.first && U.Location.Line <= Lines.second;
    });
  }
  void assume(std::string Text) {
    if (!llvm::is_contained(Result.Assumed, Text))
      Result.Assumed.push_back(std::move(Text));
  }
  void readClauses();
  /// The only inner loop of a perfect nest, or -1.
  int onlyChild(unsigned Index) const;
  bool mapListed();
  bool mapOutermost(unsigned Count);
  void mapFromOutermost();

  const IrLoopNest &Code;
  const HostLoopNest &Nest;
  const LoopDependences &Dependences;
  bool AssertIndependent;
  NestMapping Result; ///< Loops: outermost first until the end
};

} // namespace

bool MappingChooser::canMap(unsigned Index, bool Required) {
  const SourceLocation &Location = Nest.Loops[Index].Location;
  if (std::string Reason = Code.obstacle(Index); !Reason.empty())
    return Required &&
           refuse(nameOf(Index) + " cannot be mapped to threads: " + Reason,
                  Location);
  LoopDependence D = Dependences.dependenceOf(Location, AssertIndependent);
  if (isScan(Index, Required, D))
    return true;
  if (D.Kind == LoopDependence::Unknown && AssertIndependent)
    llvm::erase_if(D.Updates,
                   [&](const ReductionUpdate &U) { return !isAtomic(U); });
  if (D.Kind == LoopDependence::Reduction ||
      (D.Kind == LoopDependence::Unknown && !D.Updates.empty()))
    return canReduce(Index, Required, D);
  bool Marked = Nest.Directive.Origin != NestDirective::Proposed;
  switch (D.Kind) {
  case LoopDependence::Parallel:
  case LoopDependence::Reduction:
    break;
  case LoopDependence::Carried:
    if (AssertIndependent)
      break;
    return Required &&
           refuse(nameOf(Index) +
                      " has a loop-carried dependence: " + D.SourceText +
                      (D.Source.isValid() ? " at " + D.Source.brief() : "") +
                      ", then " + D.SinkText +
                      (D.Sink.isValid() ? " at " + D.Sink.brief() : "") +
                      ", distance " + D.Distance,
                  D.Source.isValid() ? D.Source : Location);
  case LoopDependence::Unknown:
    if (!Marked && !AssertIndependent)
      return Required &&
             refuse(nameOf(Index) + " is not proven to be parallel", Location);
    if (!AssertIndependent)
      assume("the iterations of " + nameOf(Index) +
             " do not depend on each other" +
             (D.Reason.empty() ? "" : ": " + D.Reason));
    break;
  }
  if (D.Kind == LoopDependence::Parallel && !AssertIndependent)
    for (std::string &Text : D.Assumptions)
      assume(std::move(Text));
  return true;
}

bool MappingChooser::hasParallelInner(unsigned Index) const {
  for (unsigned I = Index + 1; I < Nest.Loops.size(); ++I)
    for (int P = Nest.Loops[I].Parent; P >= 0; P = Nest.Loops[P].Parent)
      if (P == static_cast<int>(Index) && Code.obstacle(I).empty() &&
          Dependences.dependenceOf(Nest.Loops[I].Location).Kind ==
              LoopDependence::Parallel)
        return true;
  return false;
}

bool MappingChooser::canReduce(unsigned Index, bool Required,
                               const LoopDependence &D) {
  // Parallel inner loops are preferred and proposed next.
  if (Nest.Directive.Origin == NestDirective::Proposed && Required &&
      hasParallelInner(Index))
    return refuse(nameOf(Index) +
                      " contains parallel loops, which are mapped instead",
                  {});
  // A reduction inside a parallel loop stays in one thread. Inside a reduction
  // of the same variable it is mapped as well.
  auto isKnown = [&](const ReductionUpdate &U) {
    return llvm::any_of(Result.Updates, [&](const ReductionUpdate &Other) {
      return U.Variables.empty()
                 ? Other.Location == U.Location
                 : !Other.Variables.empty() && Other.Text == U.Text;
    });
  };
  if (!Required && !llvm::all_of(D.Updates, isKnown))
    return false;
  for (const ReductionUpdate &U : D.Updates) {
    if (!isKnown(U))
      Result.Updates.push_back(U);
    std::string Method = U.SameElement || !U.Variables.empty()
                             ? ": threads of a block combine their parts"
                             : ": each is one atomic operation";
    assume("reduction by '" + U.Operator + "' over '" +
           Nest.Loops[Index].Variable + "', " + U.Text + Method);
  }
  for (const std::string &Text : D.Assumptions)
    assume(Text);
  return true;
}

bool MappingChooser::isScan(unsigned Index, bool Required,
                            const LoopDependence &D) {
  if (D.Kind != LoopDependence::Carried || D.Updates.empty() ||
      D.Distance != "1 iteration" || AssertIndependent || !Required ||
      Index != 0)
    return false;
  if (!D.Reason.empty()) {
    if (Nest.Directive.Origin == NestDirective::Proposed)
      return false; // treated as a carried dependence
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

/// The clause reduction(..) overrides the operators that were found.
void MappingChooser::readClauses() {
  for (const ReductionClause &C : Nest.Directive.Reductions) {
    bool Match = false;
    for (ReductionUpdate &U : Result.Updates)
      for (const ReductionUpdate::Variable &V : U.Variables)
        if (V.Name == C.Variable) {
          U.Operator = C.Operator;
          Match = true;
        }
    if (Match)
      continue;
    ReductionUpdate &U = Result.Updates.emplace_back();
    U.Operator = C.Operator;
    U.Variables.push_back({C.Variable, 0});
    U.Text = "update of '" + C.Variable + "'";
    assume("reduction by '" + C.Operator + "', " + U.Text +
           ", as the directive says");
  }
}

int MappingChooser::onlyChild(unsigned Index) const {
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

/// Maps the loops of grid(), which may be in any order. Every loop between them
/// must be listed, or each thread would run it around the others.
bool MappingChooser::mapListed() {
  std::vector<unsigned> Loops;
  for (const std::string &Name : Nest.Directive.Grid) {
    auto Match = llvm::find_if(
        Nest.Loops, [&](const NestLoop &L) { return L.Variable == Name; });
    unsigned Index = static_cast<unsigned>(Match - Nest.Loops.begin());
    if (llvm::is_contained(Loops, Index))
      return refuse("grid(): '" + Name + "' is listed twice",
                    Nest.Directive.Location);
    Loops.push_back(Index);
  }
  for (unsigned Index : Loops) {
    for (int P = Nest.Loops[Index].Parent; P >= 0; P = Nest.Loops[P].Parent)
      if (!llvm::is_contained(Loops, P))
        return refuse("grid(): " + nameOf(P) + " encloses " + nameOf(Index) +
                          " and must be listed too",
                      Nest.Directive.Location);
    unsigned Inside = llvm::count_if(Loops, [&](unsigned Other) {
      return Nest.Loops[Other].Parent == static_cast<int>(Index);
    });
    if (Inside > 1)
      return refuse(
          "grid(): two of the listed loops are not nested in each other",
          Nest.Directive.Location);
    if (!canMap(Index, /*Required=*/true))
      return false;
    for (unsigned Other : Loops)
      if (Nest.Loops[Other].Parent == static_cast<int>(Index) &&
          !Code.isPerfect(Index, Other, Result.Updates))
        return refuse("grid(): " + nameOf(Index) + " has statements outside " +
                          nameOf(Other) +
                          ", which every thread of the inner loop would "
                          "repeat; list the outer loop only",
                      Nest.Directive.Location);
  }
  Result.Loops = std::move(Loops);
  return true;
}

bool MappingChooser::mapOutermost(unsigned Count) {
  int Loop = 0;
  for (unsigned I = 0; I < Count; ++I) {
    if (Loop < 0)
      return refuse("collapse(" + std::to_string(Count) + "): only " +
                        std::to_string(I) + " loops are perfectly nested",
                    Nest.Directive.Location);
    if (!canMap(Loop, /*Required=*/true))
      return false;
    Result.Loops.push_back(Loop);
    Loop = onlyChild(Loop);
  }
  return true;
}

void MappingChooser::mapFromOutermost() {
  if (!canMap(0, /*Required=*/true))
    return;
  Result.Loops.push_back(0);
  for (int Loop = onlyChild(0);
       Loop >= 0 && Result.Loops.size() < MaxDimensions && !Result.Scan &&
       canMap(Loop, /*Required=*/false);
       Loop = onlyChild(Loop))
    Result.Loops.push_back(Loop);
}

NestMapping MappingChooser::choose() {
  const NestDirective &D = Nest.Directive;
  if (!D.Grid.empty()) {
    mapListed();
    readClauses();
    return std::move(Result);
  }
  // OpenMP and OpenACC map only the loops of the directive.
  bool Foreign =
      D.Origin == NestDirective::OpenMp || D.Origin == NestDirective::OpenAcc;
  if (D.Collapse || Foreign)
    mapOutermost(std::max(D.Collapse, 1u));
  else
    mapFromOutermost();
  readClauses();
  if (Result.Loops.size() > MaxDimensions)
    refuse("more than three loops would become thread coordinates", D.Location);
  std::reverse(Result.Loops.begin(), Result.Loops.end());
  return std::move(Result);
}

NestMapping chooseMapping(const IrLoopNest &Code,
                          const LoopDependences &Dependences,
                          bool AssertIndependent) {
  return MappingChooser(Code, Dependences, AssertIndependent).choose();
}

} // namespace gpuestimate
