/// \file
/// Accesses of a loop, aliasing, and the combination of findings.
#include "DependenceQuery.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

llvm::Value *basePointer(llvm::ScalarEvolution &SE, llvm::Value *Pointer,
                         unsigned Choices) {
  const llvm::SCEV *Base = SE.getPointerBase(SE.getSCEV(Pointer));
  const auto *Unknown = llvm::dyn_cast<llvm::SCEVUnknown>(Base);
  llvm::Value *Root =
      Unknown
          ? Unknown->getValue()
          : const_cast<llvm::Value *>(llvm::getUnderlyingObject(Pointer, 0));
  // A choice between two addresses in one array.
  auto *Choice = llvm::dyn_cast<llvm::SelectInst>(Root);
  if (Choice && Choices != 0) {
    llvm::Value *True = basePointer(SE, Choice->getTrueValue(), Choices - 1);
    if (True == basePointer(SE, Choice->getFalseValue(), Choices - 1))
      return True;
  }
  return Root;
}

Aliasing aliasingOfBases(llvm::Value *A, llvm::Value *B) {
  if (A == B)
    return Aliasing::Possible;
  const auto *LoadA = llvm::dyn_cast<llvm::LoadInst>(A);
  const auto *LoadB = llvm::dyn_cast<llvm::LoadInst>(B);
  // One pointer that is loaded twice because of a store in between.
  if (LoadA && LoadB &&
      LoadA->getPointerOperand()->stripPointerCasts() ==
          LoadB->getPointerOperand()->stripPointerCasts())
    return Aliasing::Possible;
  const auto *PhiA = llvm::dyn_cast<llvm::PHINode>(A);
  const auto *PhiB = llvm::dyn_cast<llvm::PHINode>(B);
  // Two pointers that are swapped after every sweep always differ.
  if (PhiA && PhiB && PhiA->getParent() == PhiB->getParent())
    return Aliasing::Assumed;
  llvm::SmallVector<const llvm::Value *, 4> ObjectsA, ObjectsB;
  llvm::getUnderlyingObjects(A, ObjectsA);
  llvm::getUnderlyingObjects(B, ObjectsB);
  for (const llvm::Value *Object : ObjectsA)
    if (llvm::is_contained(ObjectsB, Object))
      return Aliasing::Possible;
  return Aliasing::Assumed;
}

DependenceQuery::DependenceQuery(PreparedFunction &P, llvm::Loop &L)
    : P(P), L(L), LI(P.get<llvm::LoopAnalysis>()),
      SE(P.get<llvm::ScalarEvolutionAnalysis>()),
      TLI(P.get<llvm::TargetLibraryAnalysis>()), AA(P.get<llvm::AAManager>()) {
  collectUses();
  if (Uses.size() <= MaxAccesses)
    collectUpdates();
}

bool DependenceQuery::isInvariant(const llvm::Value *V) const {
  return L.isLoopInvariant(V);
}

bool DependenceQuery::hasComputableTripCount() const {
  llvm::SmallVector<llvm::BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return llvm::any_of(Exiting, [&](const llvm::BasicBlock *BB) {
    return !llvm::isa<llvm::SCEVCouldNotCompute>(SE.getExitCount(&L, BB));
  });
}

bool DependenceQuery::isPrivate(const llvm::Value *V) const {
  const auto *Alloca =
      llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(V, 0));
  if (!Alloca)
    return false;
  if (L.contains(Alloca))
    return true;
  // A variable of the body: its lifetime starts in each iteration.
  return llvm::any_of(Alloca->users(), [&](const llvm::User *U) {
    const auto *Start = llvm::dyn_cast<llvm::IntrinsicInst>(U);
    return Start && L.contains(Start) &&
           Start->getIntrinsicID() == llvm::Intrinsic::lifetime_start;
  });
}

void DependenceQuery::collectUses() {
  auto use = [&](llvm::Instruction &I, llvm::Value *Pointer, bool Write) {
    llvm::Value *Base = basePointer(SE, Pointer);
    if (!isPrivate(Base))
      Uses.push_back({&I, Pointer, Base, Write});
  };
  for (llvm::BasicBlock *BB : L.blocks())
    for (llvm::Instruction &I : *BB) {
      if (auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I)) {
        use(I, Load->getPointerOperand(), false);
      } else if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I)) {
        use(I, Store->getPointerOperand(), true);
      } else if (auto *Set = llvm::dyn_cast<llvm::MemIntrinsic>(&I)) {
        use(I, Set->getRawDest(), true);
        if (auto *Copy = llvm::dyn_cast<llvm::MemTransferInst>(Set))
          use(I, Copy->getRawSource(), false);
      }
    }
}

void DependenceQuery::collectUpdates() {
  for (const LoopAccess &Use : Uses) {
    auto *Store = llvm::dyn_cast<llvm::StoreInst>(Use.I);
    if (!Store)
      continue;
    const llvm::SCEV *Address = SE.getSCEV(Use.Pointer);
    for (const LoopAccess &Other : Uses) {
      auto *Load = llvm::dyn_cast<llvm::LoadInst>(Other.I);
      if (!Load || Load->getType() != Store->getValueOperand()->getType() ||
          LI.getLoopFor(Load->getParent()) !=
              LI.getLoopFor(Store->getParent()) ||
          SE.getSCEV(Other.Pointer) != Address)
        continue;
      llvm::StringRef Operator = accumulationOperator(
          Load, Store->getValueOperand(), /*Strict=*/true, TLI);
      if (Operator.empty() || !Store->getValueOperand()->hasOneUse())
        continue;
      Updates[Load] = Operator;
      Updates[Store] = Operator;
      break;
    }
  }
}

Aliasing DependenceQuery::overlap(const LoopAccess &A, const LoopAccess &B) {
  if (A.Base == B.Base)
    return Aliasing::Possible;
  const auto TagsA = A.I->getAAMetadata(), TagsB = B.I->getAAMetadata();
  if (AA.isNoAlias(llvm::MemoryLocation::getBeforeOrAfter(A.Base, TagsA),
                   llvm::MemoryLocation::getBeforeOrAfter(B.Base, TagsB)))
    return Aliasing::Never;
  return aliasingOfBases(A.Base, B.Base);
}

void DependenceQuery::add(DependenceFinding F) {
  Findings.push_back(std::move(F));
}

bool DependenceQuery::hasUnknown() const {
  return llvm::any_of(Findings, [](const DependenceFinding &F) {
    return F.D.Kind == LoopDependence::Unknown;
  });
}

bool DependenceQuery::hasUpdates() const {
  return !Updates.empty() ||
         llvm::any_of(Findings, [](const DependenceFinding &F) {
           return !F.D.ReductionOperator.empty();
         });
}

void DependenceQuery::assume(std::string What) {
  if (!llvm::is_contained(Assumptions, What))
    Assumptions.push_back(std::move(What));
}

ReductionUpdate DependenceQuery::updateOf(const llvm::Instruction &Update,
                                          llvm::StringRef Operator) const {
  const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&Update);
  const llvm::Value *Pointer = llvm::getPointerOperand(&Update);
  return {
      Operator.str(),
      Store && comparesUnsigned(*Store->getValueOperand()),
      {},
      SE.isLoopInvariant(SE.getSCEV(const_cast<llvm::Value *>(Pointer)), &L),
      locate(Update.getDebugLoc()),
      {},
      "update of " + quotedName(Pointer)};
}

void DependenceQuery::addReduction(const llvm::Instruction &Update,
                                   llvm::StringRef Operator) {
  DependenceFinding F;
  F.D.Kind = LoopDependence::Reduction;
  F.D.Source = locate(Update.getDebugLoc());
  F.D.ReductionOperator = Operator.str();
  F.D.Updates.push_back(updateOf(Update, Operator));
  F.D.SourceText = F.D.Updates.front().Text;
  const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&Update);
  if (Store && Store->getValueOperand()->getType()->isFloatingPointTy() &&
      (Operator == "+" || Operator == "*"))
    F.D.Assumptions.push_back(ReassociationAssumption);
  add(std::move(F));
}

namespace {

std::string textOf(const LoopAccess &Use) {
  return (Use.Write ? "store to " : "load from ") + quotedName(Use.Base);
}

} // namespace

void DependenceQuery::carried(const LoopAccess &Source, const LoopAccess &Sink,
                              std::string Distance,
                              std::optional<int64_t> Iterations) {
  llvm::StringRef Operator = updateOperator(Source.I);
  if (!Operator.empty() && Operator == updateOperator(Sink.I)) {
    addReduction(Source.Write ? *Source.I : *Sink.I, Operator);
    return;
  }
  DependenceFinding F;
  F.D.Kind = LoopDependence::Carried;
  F.D.Source = locate(Source.I->getDebugLoc());
  F.D.Sink = locate(Sink.I->getDebugLoc());
  F.D.SourceText = textOf(Source);
  F.D.SinkText = textOf(Sink);
  F.D.Distance = std::move(Distance);
  F.Iterations = Iterations;
  F.Rank = !Source.Write ? 2 : Sink.Write ? 1 : 0;
  if (F.Rank == 0)
    if (const auto *Store = llvm::dyn_cast<llvm::StoreInst>(Source.I)) {
      F.D.ReductionOperator =
          accumulationOperator(Sink.I, Store->getValueOperand(), false, TLI)
              .str();
      if (!F.D.ReductionOperator.empty()) {
        F.D.Updates.push_back(updateOf(*Store, F.D.ReductionOperator));
        F.D.Updates.back().Before = F.D.Sink;
      }
    }
  add(std::move(F));
}

void DependenceQuery::carried(const LoopAccess &Source, const LoopAccess &Sink,
                              int64_t Iterations) {
  carried(Source, Sink,
          std::to_string(Iterations) +
              (Iterations == 1 ? " iteration" : " iterations"),
          Iterations);
}

void DependenceQuery::unknown(std::string Reason, const llvm::DebugLoc &Place,
                              std::optional<ReductionUpdate> Update) {
  DependenceFinding F;
  F.D.Kind = LoopDependence::Unknown;
  F.D.Reason = std::move(Reason);
  F.D.Place = locate(Place);
  if (!F.D.Place.isValid())
    F.D.Place = locate(L.getStartLoc());
  // A finding without update decides, because atomics would not help.
  F.Rank = Update ? 1 : 0;
  if (Update) {
    F.D.ReductionOperator = Update->Operator;
    F.D.Updates.push_back(std::move(*Update));
  }
  add(std::move(F));
}

unsigned severity(LoopDependence::KindType Kind) {
  switch (Kind) {
  case LoopDependence::Carried:
    return 3;
  case LoopDependence::Unknown:
    return 2;
  case LoopDependence::Reduction:
    return 1;
  case LoopDependence::Parallel:
    return 0;
  }
  return 0;
}

namespace {

bool worse(const DependenceFinding &A, const DependenceFinding &B) {
  const unsigned SeverityA = severity(A.D.Kind), SeverityB = severity(B.D.Kind);
  if (SeverityA != SeverityB)
    return SeverityA > SeverityB;
  if (A.Rank != B.Rank)
    return A.Rank < B.Rank;
  constexpr int64_t Far = INT64_MAX;
  return A.Iterations.value_or(Far) < B.Iterations.value_or(Far);
}

} // namespace

LoopDependence DependenceQuery::independent() {
  LoopDependence Result;
  Result.Kind = LoopDependence::Parallel;
  return Result;
}

LoopDependence DependenceQuery::answer() && {
  LoopDependence Result = independent();
  if (!Findings.empty()) {
    // Among equal findings the first one in the source is reported.
    const DependenceFinding *Worst = &Findings.front();
    for (const DependenceFinding &F : Findings)
      if (worse(F, *Worst))
        Worst = &F;
    Result = Worst->D;
  }
  const bool OnlyUpdates = Result.Kind == LoopDependence::Reduction ||
                           (Result.Kind == LoopDependence::Unknown &&
                            !Result.ReductionOperator.empty());
  if (OnlyUpdates) {
    std::vector<std::string> Operators;
    Result.Updates.clear();
    for (const DependenceFinding &F : Findings) {
      if (!llvm::is_contained(Operators, F.D.ReductionOperator))
        Operators.push_back(F.D.ReductionOperator);
      for (const std::string &One : F.D.Assumptions)
        assume(One);
      llvm::append_range(Result.Updates, F.D.Updates);
    }
    llvm::sort(Operators);
    Result.ReductionOperator = llvm::join(Operators, ", ");
  }
  // A scan has one dependence and no inner loop. Unknown dependences beside it
  // are passed on as the reason.
  if (Result.Kind == LoopDependence::Carried)
    for (const DependenceFinding &F : Findings) {
      if (F.D.Kind == LoopDependence::Unknown && !F.D.Reason.empty() &&
          F.D.ReductionOperator.empty())
        Result.Reason = F.D.Reason;
      else if (!L.isInnermost() || F.D.Kind != LoopDependence::Carried ||
               F.D.ReductionOperator != Result.ReductionOperator)
        Result.ReductionOperator.clear();
    }
  if (Result.ReductionOperator.empty()) {
    Result.Updates.clear();
    if (Result.Kind == LoopDependence::Carried)
      Result.Reason.clear();
  }
  if (Result.Kind != LoopDependence::Unknown || OnlyUpdates)
    Result.Assumptions = std::move(Assumptions);
  return Result;
}

} // namespace gpuestimate
