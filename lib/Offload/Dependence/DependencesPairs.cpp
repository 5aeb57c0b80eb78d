/// \file
/// Loops without a polyhedral model: their control flow and calls, and LLVM's
/// dependence tests on every pair of accesses.
#include "DependencesInternal.h"
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

void examineCall(llvm::CallBase &Call, LoopQuestion &Q) {
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

void examineExits(LoopQuestion &Q) {
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
  // The condition of a `for` is the one that is counted; name another one.
  for (llvm::BasicBlock *BB : Regular)
    if (llvm::isa<llvm::SCEVCouldNotCompute>(Q.SE.getExitCount(&Q.L, BB))) {
      Q.unknown("the loop can be left early",
                BB->getTerminator()->getDebugLoc());
      return;
    }
  Q.unknown("the loop has several conditions at which it ends",
            Regular.front()->getTerminator()->getDebugLoc());
}

/// What makes an address something else than a linear function of counters.
class AddressReason {
public:
  explicit AddressReason(const LoopQuestion &Q) : Q(Q) {}

  bool isRegular(const MemoryUse &Use) const {
    const auto *Address =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(Q.SE.getSCEV(Use.Pointer));
    return Q.SE.isLoopInvariant(Q.SE.getSCEV(Use.Pointer), &Q.L) ||
           (Address && Address->isAffine());
  }

  std::string of(const MemoryUse &Use) const {
    const std::string Name = quotedName(Use.Base);
    if (!Q.isFixed(Use.Base))
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
      const llvm::Instruction *At = Work.pop_back_val();
      if (!Q.L.contains(At) || !Seen.insert(At).second)
        continue;
      if (llvm::isa<llvm::LoadInst>(At))
        return "is loaded from memory";
      if (llvm::isa<llvm::CallBase>(At) && !llvm::isa<llvm::IntrinsicInst>(At))
        return "is the result of a call";
      Carried |= At->getParent() == Q.L.getHeader() &&
                 llvm::isa<llvm::PHINode>(At) &&
                 !llvm::isa<llvm::SCEVAddRecExpr>(
                     Q.SE.getSCEV(const_cast<llvm::Instruction *>(At)));
      for (const llvm::Value *Operand : At->operand_values())
        if (const auto *Next = llvm::dyn_cast<llvm::Instruction>(Operand))
          Work.push_back(Next);
    }
    return Carried ? "depends on the course of earlier iterations"
                   : "is not a linear function of the loop counters";
  }

  const LoopQuestion &Q;
};

/// LLVM's tests, one pair at a time.
class Pairs {
public:
  explicit Pairs(LoopQuestion &Q)
      : Q(Q), DI(Q.P.get<llvm::DependenceAnalysis>()) {}

  void examine(const MemoryUse &A, const MemoryUse &B) {
    if (A.Base != B.Base || !Q.isFixed(A.Base)) {
      // Rows of an array of pointers: other rows, other elements.
      const auto *RowA = llvm::dyn_cast<llvm::LoadInst>(A.Base);
      const auto *RowB = llvm::dyn_cast<llvm::LoadInst>(B.Base);
      if (!RowA || !RowB || Q.isFixed(RowA) || Q.isFixed(RowB) ||
          rootOf(*RowA) != rootOf(*RowB)) {
        if (A.Base == B.Base)
          Q.unknown(AddressReason(Q).of(A), A.I->getDebugLoc());
        return; // different arrays: judged by examineOverlaps
      }
      if (llvm::isa<llvm::PHINode>(RowA->getPointerOperand()) ||
          meets(*RowA, *RowB)) {
        Q.unknown(AddressReason(Q).of(A), A.I->getDebugLoc());
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

  /// Can two loads of different iterations read the same place?
  bool meets(const llvm::LoadInst &A, const llvm::LoadInst &B) {
    auto D = DI.depends(const_cast<llvm::LoadInst *>(&A),
                        const_cast<llvm::LoadInst *>(&B), true);
    return D && (D->isConfused() || isCarried(*D));
  }

  bool isCarried(const llvm::Dependence &D) const {
    const unsigned Level = Q.L.getLoopDepth();
    if (Level > D.getLevels())
      return false; // cannot be: both are in the loop
    for (unsigned Outer = 1; Outer != Level; ++Outer)
      if (!(D.getDirection(Outer) & llvm::Dependence::DVEntry::EQ))
        return false;
    return D.getDirection(Level) & llvm::Dependence::DVEntry::NE;
  }

  /// Both addresses advance by the same constant in each iteration and are a
  /// constant apart: exact, and independent of what the loops around do.
  bool compareStrides(const MemoryUse &A, const MemoryUse &B) {
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
      const int64_t From = Bytes - Ahead * Step; // of A, relative to B
      return From < SizeB && From + SizeA > 0;
    };
    if (Step == 0) {
      if (meet(0))
        found(A.Write ? A : B, A.Write ? B : A, 1);
      return true;
    }
    // Where the addresses are nearest to each other, and around it.
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

  const llvm::SCEV *offsetOf(const MemoryUse &Use) const {
    return Q.SE.getMinusSCEV(Q.SE.getSCEV(Use.Pointer), Q.SE.getSCEV(Use.Base));
  }

  int64_t sizeOf(const MemoryUse &Use) const {
    return Q.L.getHeader()->getDataLayout().getTypeStoreSize(
        llvm::getLoadStoreType(Use.I));
  }

  void found(const MemoryUse &A, const MemoryUse &B, int64_t Ahead) {
    const bool Forward = Ahead > 0;
    Q.carried(Forward ? A : B, Forward ? B : A, std::abs(Ahead));
  }

  void compare(const MemoryUse &A, const MemoryUse &B) {
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
      // The index does not mention this loop: the next iteration meets it.
      found(A.Write ? A : B, A.Write ? B : A, 1);
    } else {
      cannotTell(A, B, Operator);
    }
  }

  void cannotTell(const MemoryUse &A, const MemoryUse &B,
                  llvm::StringRef Operator) {
    AddressReason Reason(Q);
    const MemoryUse &Worst = Reason.isRegular(A) ? B : A;
    std::optional<LoopUpdate> Update;
    if (!Operator.empty())
      Update = Q.updateOf(*(A.Write ? A : B).I, Operator);
    Q.unknown(Reason.of(Worst), Worst.I->getDebugLoc(), std::move(Update));
  }

  LoopQuestion &Q;
  llvm::DependenceInfo &DI;
};

} // namespace

bool examineControl(LoopQuestion &Q) {
  if (!Q.L.isLoopSimplifyForm()) {
    Q.unknown("the loop has several entries or ends", Q.L.getStartLoc());
    return false;
  }
  for (llvm::BasicBlock *BB : Q.L.blocks()) {
    if (isTrap(*BB))
      continue;
    for (llvm::Instruction &I : *BB) {
      if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        examineCall(*Call, Q);
      else if (I.isVolatile() || I.isAtomic())
        Q.unknown("the body has a volatile or atomic access", I.getDebugLoc());
    }
  }
  examineExits(Q);
  return !Q.isDecided();
}

void examinePairs(LoopQuestion &Q) {
  if (!Q.counts()) {
    Q.unknown("the number of iterations is not known when the loop starts",
              Q.L.getStartLoc());
    return;
  }
  Pairs Tests(Q);
  for (size_t I = 0; I != Q.Uses.size(); ++I)
    for (size_t J = I; J != Q.Uses.size(); ++J)
      if (Q.Uses[I].Write || Q.Uses[J].Write)
        Tests.examine(Q.Uses[I], Q.Uses[J]);
}

bool examineOverlaps(LoopQuestion &Q) {
  if (Q.Uses.size() > LoopQuestion::MostUses) {
    Q.unknown("the body has more than " +
                  std::to_string(LoopQuestion::MostUses) + " memory accesses",
              Q.L.getStartLoc());
    return false;
  }
  bool Writes = false;
  for (size_t I = 0; I != Q.Uses.size(); ++I) {
    Writes |= Q.Uses[I].Write;
    for (size_t J = I + 1; J != Q.Uses.size(); ++J) {
      const MemoryUse &A = Q.Uses[I], &B = Q.Uses[J];
      if (A.Base == B.Base || !(A.Write || B.Write))
        continue;
      const std::string NameA = quotedName(A.Base), NameB = quotedName(B.Base);
      switch (Q.overlap(A, B)) {
      case Overlap::Never:
        break;
      case Overlap::Assumed:
        if (NameA != NameB) // else rows of one array
          Q.assume((NameA < NameB ? NameA : NameB) + " and " +
                   (NameA < NameB ? NameB : NameA) + " do not overlap");
        break;
      case Overlap::Possible:
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
