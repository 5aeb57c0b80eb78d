/// \file
/// From a place in the source to the answer.
#include "Dependences.h"
#include "DependencesInternal.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/Support/Path.h"

namespace gpuestimate {

bool isSame(const SourceLocation &Asked, const SourceLocation &Found) {
  namespace path = llvm::sys::path;
  return Asked.Line == Found.Line &&
         (Asked.Column == 0 || Asked.Column == Found.Column) &&
         (Asked.File.empty() ||
          path::filename(Asked.File) == path::filename(Found.File));
}

bool concerns(const llvm::Loop &L, llvm::ArrayRef<SourceLocation> Places) {
  auto isAsked = [&](const llvm::Loop *One) {
    const SourceLocation Start = locate(One->getStartLoc());
    return llvm::any_of(
        Places, [&](const SourceLocation &P) { return isSame(P, Start); });
  };
  for (const llvm::Loop *Around = &L; Around; Around = Around->getParentLoop())
    if (isAsked(Around))
      return true;
  return Places.empty() || llvm::any_of(L.getLoopsInPreorder(), isAsked);
}

struct LoopDependences::Implementation {
  std::string Refusal; ///< why nothing can be told about any loop
  std::unique_ptr<PreparedFunction> Function;
  std::unique_ptr<PolyhedralModels> Models; ///< destroyed before Function

  /// The answer, if it can be told with the loop as it is. Before counters are
  /// wide it can where no index has to be compared.
  std::optional<LoopDependence> examine(llvm::Loop &L, bool Vouched) {
    LoopQuestion Q(*Function, L);
    const bool Regular = examineControl(Q);
    const bool Settled = examineScalars(Q);
    if (Vouched && !Q.combines())
      return LoopQuestion::independent();
    const bool Wide = Function->hasWideCounters();
    if (!Wide && !Settled)
      return std::nullopt;
    if (Regular && examineOverlaps(Q)) {
      // A sum in a register may turn out to be of no use later.
      if ((Wide || Q.isClear()) && examineRows(Q))
        return std::move(Q).answer();
      if (!Wide)
        return std::nullopt;
      if (!Models)
        Models = std::make_unique<PolyhedralModels>(*Function);
      if (!Models->examine(Q))
        examinePairs(Q);
    }
    return std::move(Q).answer();
  }

  /// The worst of the loops at a place; nothing if there is none, or if one
  /// needs wide counters.
  std::optional<LoopDependence> examine(const SourceLocation &Place,
                                        bool Vouched) {
    std::optional<LoopDependence> Worst;
    for (llvm::Loop *L :
         Function->get<llvm::LoopAnalysis>().getLoopsInPreorder()) {
      if (!isSame(Place, locate(L->getStartLoc())))
        continue;
      std::optional<LoopDependence> One = examine(*L, Vouched);
      if (!One)
        return std::nullopt;
      if (!Worst || severity(One->Kind) > severity(Worst->Kind))
        Worst = std::move(One);
    }
    return Worst;
  }
};

LoopDependences::LoopDependences(const llvm::Function &F,
                                 llvm::ArrayRef<SourceLocation> Asked)
    : Impl(std::make_unique<Implementation>()) {
  if (F.isDeclaration())
    Impl->Refusal = "the function has no body";
  else if (F.isPresplitCoroutine())
    Impl->Refusal = "the function is a coroutine";
  else
    Impl->Function = std::make_unique<PreparedFunction>(F, Asked);
  if (Impl->Function)
    Impl->Refusal = Impl->Function->refusal();
}

LoopDependences::~LoopDependences() = default;
LoopDependences::LoopDependences(LoopDependences &&) noexcept = default;
LoopDependences &
LoopDependences::operator=(LoopDependences &&) noexcept = default;

LoopDependence LoopDependences::of(const SourceLocation &Loop,
                                   bool Vouched) const {
  LoopDependence Result;
  Result.Place = Loop;
  if (!Impl->Refusal.empty()) {
    Result.Reason = Impl->Refusal;
    return Result;
  }
  std::optional<LoopDependence> Found = Impl->examine(Loop, Vouched);
  if (!Found && !Impl->Function->hasWideCounters()) {
    Impl->Function->widenCounters();
    Found = Impl->examine(Loop, Vouched);
  }
  if (Found)
    return std::move(*Found);
  const auto &Places = Impl->Function->loopPlaces();
  auto here = [&](const SourceLocation &Place) { return isSame(Loop, Place); };
  if (llvm::none_of(Places, here)) {
    Result.Reason = "no loop starts here";
  } else if (llvm::any_of(placesOfLoops(Impl->Function->function()), here)) {
    Result.Reason = "the loop is entered in more than one place";
  } else {
    // It had at most one iteration, or none that did anything.
    Result.Kind = LoopDependence::Parallel;
    Result.Place = {};
  }
  return Result;
}

} // namespace gpuestimate
