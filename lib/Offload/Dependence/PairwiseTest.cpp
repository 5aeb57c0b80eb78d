/// \file
/// Control flow and calls of a loop, aliasing of its arrays, and LLVM's
/// dependence analysis on pairs of accesses.
#include "DependenceQuery.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/Analysis/DependenceAnalysis.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {
namespace {

std::string calleeOf(const llvm::CallBase &Call) {
  const llvm::Function *Callee = Call.getCalledFunction();
  return Callee ? quotedName(Callee) : "a function";
}

void checkCall(llvm::CallBase &Call, DependenceQuery &Q) {
  if (auto *Intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&Call))
    if (Intrinsic->isAssumeLikeIntrinsic() ||
        llvm::isa<llvm::MemIntrinsic>(Intrinsic) ||
        Intrinsic->isLifetimeStartOrEnd())
      return;
  if (Call.isInlineAsm())
    Q.unknown("the body contains inline assembly", Call.getDebugLoc());
  else if (Call.doesNotAccessMemory() && Call.doesNotThrow())
    return;
  else if (Call.onlyReadsMemory() && Call.doesNotThrow())
    Q.Readers.push_back(&Call);
  else if (!Call.getCalledFunction())
    Q.unknown("the body calls a function through a pointer",
              Call.getDebugLoc());
  else
    Q.unknown("the body calls " + calleeOf(Call) +
                  ", whose effects are not known",
              Call.getDebugLoc());
}

bool isTrap(const llvm::BasicBlock &BB) {
  return llvm::isa<llvm::UnreachableInst>(BB.getTerminator());
}

void checkExits(DependenceQuery &Q) {
  llvm::SmallVector<llvm::BasicBlock *, 4> Exiting;
  Q.L.getExitingBlocks(Exiting);
  llvm::SmallVector<llvm::BasicBlock *, 4> Regular;
  for (llvm::BasicBlock *BB : Exiting)
    if (llvm::any_of(llvm::successors(BB), [&](llvm::BasicBlock *To) {
          return !Q.L.contains(To) && !isTrap(*To);
        }))
      Regular.push_back(BB);
  if (Regular.size() < Exiting.size())
    Q.assume("no iteration ends in an error");
  if (Regular.empty()) {
    Q.unknown("the loop never ends", Q.L.getStartLoc());
    return;
  }
  if (Regular.size() == 1)
    return;
  // Report the exit that is not the condition of the `for`.
  for (llvm::BasicBlock *BB : Regular)
    if (llvm::isa<llvm::SCEVCouldNotCompute>(Q.SE.getExitCount(&Q.L, BB))) {
      Q.unknown("the loop can be left early",
                BB->getTerminator()->getDebugLoc());
      return;
    }
  Q.unknown("the loop has several conditions at which it ends",
            Regular.front()->getTerminator()->getDebugLoc());
}

/// Explains why an address is not an affine function of loop counters.
class AddressDiagnosis {
public:
  explicit AddressDiagnosis(const DependenceQuery &Q) : Q(Q) {}

  bool isRegular(const LoopAccess &Use) const {
    const auto *Address =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(Q.SE.getSCEV(Use.Pointer));
    return Q.SE.isLoopInvariant(Q.SE.getSCEV(Use.Pointer), &Q.L) ||
           (Address && Address->isAffine());
  }

  std::string of(const LoopAccess &Use) const {
    const std::string Name = quotedName(Use.Base);
    if (!Q.isInvariant(Use.Base))
      return "the address of " + Name + " is loaded from memory";
    const llvm::SCEV *Address = Q.SE.getSCEV(Use.Pointer);
    const llvm::Instruction *Source = nullptr;
    bool Linear = true;
    struct Visitor {
      const llvm::Loop &L;
      const llvm::Instruction *&Source;
      bool &Linear;
      bool follow(const llvm::SCEV *S) {
        if (const auto *Unknown = llvm::dyn_cast<llvm::SCEVUnknown>(S)) {
          const auto *I =
              llvm::dyn_cast<llvm::Instruction>(Unknown->getValue());
          if (I && L.contains(I))
            Source = I;
        }
        if (const auto *Counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(S))
          Linear &= Counter->isAffine();
        Linear &= !llvm::isa<llvm::SCEVUDivExpr>(S);
        return !Source;
      }
      bool isDone() const { return Source; }
    } Look{Q.L, Source, Linear};
    llvm::SCEVTraversal<Visitor>(Look).visitAll(Address);
    if (Source)
      return "the index of " + Name + " " + origin(*Source);
    if (!Linear)
      return "the index of " + Name +
             " is not a linear function of the loop counters";
    return "accesses to " + Name + " in different iterations may meet";
  }

private:
  std::string origin(const llvm::Instruction &I) const {
    llvm::SmallPtrSet<const llvm::Instruction *, 8> Seen;
    llvm::SmallVector<const llvm::Instruction *, 8> Work{&I};
    bool Carried = false;
    while (!Work.empty() && Seen.size() < 32) {
      const llvm::Instruction *Current = Work.pop_back_val();
      if (!Q.L.contains(Current) || !Seen.insert(Current).second)
        continue;
      if (llvm::isa<llvm::LoadInst>(Current))
        return "is loaded from memory";
      if (llvm::isa<llvm::CallBase>(Current) &&
          !llvm::isa<llvm::IntrinsicInst>(Current))
        return "is the result of a call";
      Carried |= Current->getParent() == Q.L.getHeader() &&
                 llvm::isa<llvm::PHINode>(Current) &&
                 !llvm::isa<llvm::SCEVAddRecExpr>(
                     Q.SE.getSCEV(const_cast<llvm::Instruction *>(Current)));
      for (const llvm::Value *Operand : Current->operand_values())
        if (const auto *Next = llvm::dyn_cast<llvm::Instruction>(Operand))
          Work.push_back(Next);
    }
    return Carried ? "depends on the course of earlier iterations"
                   : "is not a linear function of the loop counters";
  }

  const DependenceQuery &Q;
};

/// Tests pairs of accesses by LLVM's dependence analysis.
class PairwiseTest {
public:
  explicit PairwiseTest(DependenceQuery &Q)
      : Q(Q), DI(Q.P.get<llvm::DependenceAnalysis>()) {}

  void examine(const LoopAccess &A, const LoopAccess &B) {
    if (A.Base != B.Base || !Q.isInvariant(A.Base)) {
      // Rows of an array of pointers are assumed not to overlap.
      const auto *RowA = llvm::dyn_cast<llvm::LoadInst>(A.Base);
      const auto *RowB = llvm::dyn_cast<llvm::LoadInst>(B.Base);
      if (!RowA || !RowB || Q.isInvariant(RowA) || Q.isInvariant(RowB) ||
          rootOf(*RowA) != rootOf(*RowB)) {
        if (A.Base == B.Base)
          Q.unknown(AddressDiagnosis(Q).of(A), A.I->getDebugLoc());
        return; // different arrays: judged by checkAliasing
      }
      if (llvm::isa<llvm::PHINode>(RowA->getPointerOperand()) ||
          meets(*RowA, *RowB)) {
        Q.unknown(AddressDiagnosis(Q).of(A), A.I->getDebugLoc());
        return;
      }
      Q.assume("the rows of " + quotedName(A.Base) + " do not overlap");
      return;
    }
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(A.I) ||
        !llvm::isa<llvm::LoadInst, llvm::StoreInst>(B.I)) {
      Q.unknown("the body copies or clears parts of " + quotedName(A.Base),
                A.I->getDebugLoc());
      return;
    }
    compare(A, B);
  }

private:
  llvm::Value *rootOf(const llvm::LoadInst &Row) const {
    return basePointer(Q.SE,
                       const_cast<llvm::Value *>(Row.getPointerOperand()));
  }

  /// Can loads in different iterations read the same address?
  bool meets(const llvm::LoadInst &A, const llvm::LoadInst &B) {
    auto D = DI.depends(const_cast<llvm::LoadInst *>(&A),
                        const_cast<llvm::LoadInst *>(&B), true);
    return D && (D->isConfused() || isCarried(*D));
  }

  bool isCarried(const llvm::Dependence &D) const {
    const unsigned Level = Q.L.getLoopDepth();
    if (Level > D.getLevels())
      return false; // does not happen: both are in the loop
    for (unsigned Outer = 1; Outer != Level; ++Outer)
      if (!(D.getDirection(Outer) & llvm::Dependence::DVEntry::EQ))
        return false;
    return D.getDirection(Level) & llvm::Dependence::DVEntry::NE;
  }

  /// Exact test for two addresses with the same constant step and a constant
  /// difference, whatever the enclosing loops do.
  bool compareStrides(const LoopAccess &A, const LoopAccess &B) {
    auto *OffsetA = offsetOf(A), *OffsetB = offsetOf(B);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(OffsetA) ||
        llvm::isa<llvm::SCEVCouldNotCompute>(OffsetB))
      return false; // the address is a choice between two
    auto step = [&](const llvm::SCEV *Offset) -> std::optional<int64_t> {
      if (Q.SE.isLoopInvariant(Offset, &Q.L))
        return 0;
      const auto *Counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(Offset);
      if (!Counted || Counted->getLoop() != &Q.L || !Counted->isAffine())
        return std::nullopt;
      const auto *Step =
          llvm::dyn_cast<llvm::SCEVConstant>(Counted->getStepRecurrence(Q.SE));
      if (!Step || Step->getAPInt().getSignificantBits() > 32)
        return std::nullopt;
      return Step->getAPInt().getSExtValue();
    };
    const auto *Apart =
        llvm::dyn_cast<llvm::SCEVConstant>(Q.SE.getMinusSCEV(OffsetA, OffsetB));
    const auto StepA = step(OffsetA), StepB = step(OffsetB);
    if (!Apart || !StepA || StepA != StepB ||
        Apart->getAPInt().getSignificantBits() > 32)
      return false;
    const int64_t Step = *StepA, Bytes = Apart->getAPInt().getSExtValue();
    const int64_t SizeA = sizeOf(A), SizeB = sizeOf(B);
    auto meet = [&](int64_t Ahead) { // B is that many iterations later
      const int64_t Offset = Bytes - Ahead * Step; // of A, relative to B
      return Offset < SizeB && Offset + SizeA > 0;
    };
    if (Step == 0) {
      if (meet(0))
        found(A.Write ? A : B, A.Write ? B : A, 1);
      return true;
    }
    // The overlap with the smallest distance is near this one.
    const int64_t Nearest = Bytes / Step;
    std::optional<int64_t> Best;
    for (int64_t Ahead = Nearest - 2; Ahead <= Nearest + 2; ++Ahead)
      if (Ahead != 0 && meet(Ahead) &&
          (!Best || std::abs(Ahead) < std::abs(*Best)))
        Best = Ahead;
    if (Best)
      found(A, B, *Best);
    return true;
  }

  const llvm::SCEV *offsetOf(const LoopAccess &Use) const {
    return Q.SE.getMinusSCEV(Q.SE.getSCEV(Use.Pointer), Q.SE.getSCEV(Use.Base));
  }

  int64_t sizeOf(const LoopAccess &Use) const {
    return Q.L.getHeader()->getDataLayout().getTypeStoreSize(
        llvm::getLoadStoreType(Use.I));
  }

  void found(const LoopAccess &A, const LoopAccess &B, int64_t Ahead) {
    const bool Forward = Ahead > 0;
    Q.carried(Forward ? A : B, Forward ? B : A, std::abs(Ahead));
  }

  void compare(const LoopAccess &A, const LoopAccess &B) {
    if (compareStrides(A, B))
      return;
    auto D = DI.depends(A.I, B.I, true);
    if (!D)
      return;
    llvm::StringRef Operator = Q.updateOperator(A.I);
    if (Operator != Q.updateOperator(B.I))
      Operator = "";
    if (D->isConfused()) {
      cannotTell(A, B, Operator);
      return;
    }
    if (!isCarried(*D))
      return;
    const unsigned Level = Q.L.getLoopDepth();
    const auto *Distance =
        llvm::dyn_cast_or_null<llvm::SCEVConstant>(D->getDistance(Level));
    if (Distance && !Distance->isZero() &&
        Distance->getAPInt().getSignificantBits() < 64) {
      found(A, B, Distance->getAPInt().getSExtValue());
    } else if (D->isScalar(Level)) {
      // The index does not depend on this loop, so the distance is 1.
      found(A.Write ? A : B, A.Write ? B : A, 1);
    } else {
      cannotTell(A, B, Operator);
    }
  }

  void cannotTell(const LoopAccess &A, const LoopAccess &B,
                  llvm::StringRef Operator) {
    AddressDiagnosis Reason(Q);
    const LoopAccess &Worst = Reason.isRegular(A) ? B : A;
    std::optional<ReductionUpdate> Update;
    if (!Operator.empty())
      Update = Q.updateOf(*(A.Write ? A : B).I, Operator);
    Q.unknown(Reason.of(Worst), Worst.I->getDebugLoc(), std::move(Update));
  }

  DependenceQuery &Q;
  llvm::DependenceInfo &DI;
};

} // namespace

bool checkControlFlow(DependenceQuery &Q) {
  if (!Q.L.isLoopSimplifyForm()) {
    Q.unknown("the loop has several entries or ends", Q.L.getStartLoc());
    return false;
  }
  for (llvm::BasicBlock *BB : Q.L.blocks()) {
    if (isTrap(*BB))
      continue;
    for (llvm::Instruction &I : *BB) {
      if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        checkCall(*Call, Q);
      else if (I.isVolatile() || I.isAtomic())
        Q.unknown("the body has a volatile or atomic access", I.getDebugLoc());
    }
  }
  checkExits(Q);
  return !Q.hasUnknown();
}

void testPairs(DependenceQuery &Q) {
  if (!Q.hasComputableTripCount()) {
    Q.unknown("the number of iterations is not known when the loop starts",
              Q.L.getStartLoc());
    return;
  }
  PairwiseTest Tests(Q);
  for (size_t I = 0; I != Q.Uses.size(); ++I)
    for (size_t J = I; J != Q.Uses.size(); ++J)
      if (Q.Uses[I].Write || Q.Uses[J].Write)
        Tests.examine(Q.Uses[I], Q.Uses[J]);
}

bool checkAliasing(DependenceQuery &Q) {
  if (Q.Uses.size() > DependenceQuery::MaxAccesses) {
    Q.unknown("the body has more than " +
                  std::to_string(DependenceQuery::MaxAccesses) +
                  " memory accesses",
              Q.L.getStartLoc());
    return false;
  }
  bool Writes = false;
  for (size_t I = 0; I != Q.Uses.size(); ++I) {
    Writes |= Q.Uses[I].Write;
    for (size_t J = I + 1; J != Q.Uses.size(); ++J) {
      const LoopAccess &A = Q.Uses[I], &B = Q.Uses[J];
      if (A.Base == B.Base || !(A.Write || B.Write))
        continue;
      const std::string NameA = quotedName(A.Base), NameB = quotedName(B.Base);
      switch (Q.overlap(A, B)) {
      case Aliasing::Never:
        break;
      case Aliasing::Assumed:
        if (NameA != NameB) // else rows of one array
          Q.assume((NameA < NameB ? NameA : NameB) + " and " +
                   (NameA < NameB ? NameB : NameA) + " do not overlap");
        break;
      case Aliasing::Possible:
        Q.unknown(NameA == NameB
                      ? "the address of " + NameA + " is loaded again and again"
                      : NameA + " and " + NameB + " may be the same array",
                  B.I->getDebugLoc());
        return false;
      }
    }
  }
  if (Writes && Q.P.assumesNoWrapping())
    Q.assume("no counter or index wraps around");
  if (Writes)
    for (const llvm::CallBase *Call : Q.Readers)
      Q.assume(calleeOf(*Call) + " reads nothing that the loop writes");
  return true;
}

} // namespace gpuestimate
