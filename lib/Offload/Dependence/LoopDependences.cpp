/// \file
/// Runs the dependence tests on the loops at a source location.
#include "LoopDependences.h"

#include "DependenceQuery.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

namespace gpuestimate {

struct LoopDependences::Implementation {
  std::string Refusal; ///< why no loop of the function can be analyzed
  std::unique_ptr<PreparedFunction> Function;
  std::unique_ptr<PolyhedralModels> Models; ///< destroyed before Function

  /// The dependence of one loop. With narrow induction variables it is unknown
  /// (nothing is returned) if subscripts must be compared.
  std::optional<LoopDependence> examine(llvm::Loop &L, bool AssertIndependent) {
    DependenceQuery Q(*Function, L);
    const bool Regular = checkControlFlow(Q);
    const bool Settled = checkScalarRecurrences(Q);
    if (AssertIndependent && !Q.hasUpdates())
      return DependenceQuery::independent();
    const bool Wide = Function->hasWideCounters();
    if (!Wide && !Settled)
      return std::nullopt;
    if (Regular && checkAliasing(Q)) {
      // With wide counters a sum in a register may turn out to be dead.
      if ((Wide || Q.hasNoFindings()) && testSubscripts(Q))
        return std::move(Q).answer();
      if (!Wide)
        return std::nullopt;
      if (!Models)
        Models = std::make_unique<PolyhedralModels>(*Function);
      if (!Models->examine(Q))
        testPairs(Q);
    }
    return std::move(Q).answer();
  }

  /// The worst dependence of the loops at a location; nothing if there is no
  /// loop, or if one of them needs wide induction variables.
  std::optional<LoopDependence> examine(const SourceLocation &Location,
                                        bool AssertIndependent) {
    std::optional<LoopDependence> Worst;
    for (llvm::Loop *L :
         Function->get<llvm::LoopAnalysis>().getLoopsInPreorder()) {
      if (!isSameLocation(Location, locate(L->getStartLoc())))
        continue;
      std::optional<LoopDependence> Dependence = examine(*L, AssertIndependent);
      if (!Dependence)
        return std::nullopt;
      if (!Worst || severity(Dependence->Kind) > severity(Worst->Kind))
        Worst = std::move(Dependence);
    }
    return Worst;
  }
};

LoopDependences::LoopDependences(const llvm::Function &F,
                                 llvm::ArrayRef<SourceLocation> Queried)
    : Impl(std::make_unique<Implementation>()) {
  if (F.isDeclaration())
    Impl->Refusal = "the function has no body";
  else if (F.isPresplitCoroutine())
    Impl->Refusal = "the function is a coroutine";
  else
    Impl->Function = std::make_unique<PreparedFunction>(F, Queried);
  if (Impl->Function)
    Impl->Refusal = Impl->Function->refusal();
}

LoopDependences::~LoopDependences() = default;
LoopDependences::LoopDependences(LoopDependences &&) noexcept = default;
LoopDependences &
LoopDependences::operator=(LoopDependences &&) noexcept = default;

LoopDependence LoopDependences::dependenceOf(const SourceLocation &Loop,
                                             bool AssertIndependent) const {
  LoopDependence Result;
  Result.Place = Loop;
  if (!Impl->Refusal.empty()) {
    Result.Reason = Impl->Refusal;
    return Result;
  }
  std::optional<LoopDependence> Answer = Impl->examine(Loop, AssertIndependent);
  if (!Answer && !Impl->Function->hasWideCounters()) {
    Impl->Function->widenCounters();
    Answer = Impl->examine(Loop, AssertIndependent);
  }
  if (Answer)
    return std::move(*Answer);
  const auto &Locations = Impl->Function->originalLoopLocations();
  auto here = [&](const SourceLocation &Location) {
    return isSameLocation(Loop, Location);
  };
  if (llvm::none_of(Locations, here)) {
    Result.Reason = "no loop starts here";
  } else if (llvm::any_of(loopLocations(Impl->Function->function()), here)) {
    Result.Reason = "the loop is entered in more than one place";
  } else {
    // The loop had at most one iteration, or no effect.
    Result.Kind = LoopDependence::Parallel;
    Result.Place = {};
  }
  return Result;
}

} // namespace gpuestimate
