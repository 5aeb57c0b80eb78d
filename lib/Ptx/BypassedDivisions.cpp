#include "BypassedDivisions.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuestimate {

namespace {

constexpr unsigned WordBits = 32, WideBits = 64;

/// One side of a branch: blocks that nothing else enters or leaves.
struct Side {
  llvm::BasicBlock *Fork = nullptr;  ///< ends with the branch
  llvm::BasicBlock *First = nullptr; ///< the successor of Fork on this side
  SmallPtrSet<llvm::BasicBlock *, 4> Blocks;
};

/// The side that enters Join from Last, which may be the fork itself.
Side sideOf(llvm::BasicBlock *Last, llvm::BasicBlock &Join) {
  Side S;
  if (auto *Branch = dyn_cast<BranchInst>(Last->getTerminator());
      Branch && Branch->isConditional()) {
    S.Fork = Last;
    S.First = &Join;
    return S;
  }
  for (llvm::BasicBlock *BB = Last; S.Blocks.insert(BB).second;) {
    llvm::BasicBlock *Before = BB->getSinglePredecessor();
    if (!Before)
      return {};
    auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
    if (!Branch)
      return {};
    if (Branch->isConditional()) {
      S.Fork = Before;
      S.First = BB;
      return S;
    }
    BB = Before;
  }
  return {};
}

class BypassMerger {
public:
  explicit BypassMerger(Function &F)
      : F(F), Layout(F.getParent()->getDataLayout()) {}

  void run() {
    bool Changed = false;
    for (llvm::BasicBlock &BB : F)
      for (PHINode &Phi : make_early_inc_range(BB.phis())) {
        if (!Phi.getType()->isIntegerTy(WideBits) || !merge(Phi))
          continue;
        Changed = true;
        if (Value *Only = Phi.hasConstantValue()) {
          Phi.replaceAllUsesWith(Only);
          Phi.eraseFromParent();
        }
      }
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (Changed && isInstructionTriviallyDead(&I))
        I.eraseFromParent();
  }

private:
  bool merge(PHINode &Phi) {
    for (unsigned Short = 0; Short < Phi.getNumIncomingValues(); ++Short) {
      Value *X = nullptr, *Y = nullptr;
      bool IsQuotient =
          match(Phi.getIncomingValue(Short),
                m_ZExt(m_UDiv(m_Trunc(m_Value(X)), m_Trunc(m_Value(Y)))));
      if (!IsQuotient &&
          !match(Phi.getIncomingValue(Short),
                 m_ZExt(m_URem(m_Trunc(m_Value(X)), m_Trunc(m_Value(Y))))))
        continue;
      Side OfShort = sideOf(Phi.getIncomingBlock(Short), *Phi.getParent());
      if (!OfShort.Fork || !X->getType()->isIntegerTy(WideBits) ||
          !Y->getType()->isIntegerTy(WideBits))
        continue;
      for (unsigned Other = 0; Other < Phi.getNumIncomingValues(); ++Other) {
        Side OfOther = sideOf(Phi.getIncomingBlock(Other), *Phi.getParent());
        if (Other == Short || OfOther.Fork != OfShort.Fork ||
            OfOther.First == OfShort.First)
          continue;
        Instruction *Division = divisionOf(Phi.getIncomingValue(Other),
                                           IsQuotient, X, Y, OfOther, OfShort);
        if (!Division)
          continue;
        Phi.setIncomingValue(Other, Division);
        Phi.setIncomingValue(Short, Division);
        return true;
      }
    }
    return false;
  }

  /// The division of 64 bits, at the end of the fork, of which V is the result
  /// on the side OfOther and the short division that on the side OfShort; null
  /// if they are not one.
  Instruction *divisionOf(Value *V, bool IsQuotient, Value *X, Value *Y,
                          const Side &OfOther, const Side &OfShort) const {
    Instruction *End = OfShort.Fork->getTerminator();
    if (auto *Division = dyn_cast<BinaryOperator>(V);
        Division && isDivision(*Division, IsQuotient, X, Y) &&
        OfOther.Blocks.contains(Division->getParent()) &&
        haveNoHighWords(X, Y, OfShort)) {
      Division->moveBefore(End);
      return Division;
    }
    // Where X has no high word and Y may have one, only X < Y is asked.
    if (!(IsQuotient ? match(V, m_Zero()) : V == X) || !isShort(X) ||
        !isNotBelow(X, Y, OfShort))
      return nullptr;
    auto *Division = BinaryOperator::Create(IsQuotient ? Instruction::UDiv
                                                       : Instruction::URem,
                                            X, Y, "", End->getIterator());
    Division->setDebugLoc(End->getDebugLoc());
    return Division;
  }

  /// X / Y, or X modulo Y.
  static bool isDivision(const BinaryOperator &I, bool IsQuotient,
                         const Value *X, const Value *Y) {
    unsigned Code = I.getOpcode();
    bool Fits = IsQuotient
                    ? Code == Instruction::UDiv || Code == Instruction::SDiv
                    : Code == Instruction::URem || Code == Instruction::SRem;
    return Fits && I.getOperand(0) == X && I.getOperand(1) == Y;
  }

  bool isShort(const Value *V) const {
    return computeKnownBits(V, Layout).countMaxActiveBits() <= WordBits;
  }

  /// Does the branch go to the side S only where X >= Y?
  static bool isNotBelow(Value *X, Value *Y, const Side &S) {
    auto *Branch = cast<BranchInst>(S.Fork->getTerminator());
    bool IfTrue = Branch->getSuccessor(0) == S.First;
    return Branch->getSuccessor(0) != Branch->getSuccessor(1) &&
           match(
               Branch->getCondition(),
               m_SpecificICmp(IfTrue ? ICmpInst::ICMP_UGE : ICmpInst::ICMP_ULT,
                              m_Specific(X), m_Specific(Y)));
  }

  /// Does the branch go to the side S only where X and Y are below 2^32? It
  /// tests both at once, or the one that may not be.
  bool haveNoHighWords(Value *X, Value *Y, const Side &S) const {
    auto *Branch = cast<BranchInst>(S.Fork->getTerminator());
    if (Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return false;
    ICmpInst::Predicate Predicate;
    Value *High = nullptr, *Of = nullptr;
    if (!match(Branch->getCondition(),
               m_ICmp(Predicate, m_Value(High), m_Zero())))
      return false;
    bool IfEqual = Branch->getSuccessor(0) == S.First;
    if (Predicate != (IfEqual ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE))
      return false;
    if (!match(High, m_And(m_Value(Of), m_SpecificInt(APInt::getHighBitsSet(
                                            WideBits, WordBits)))) &&
        !match(High, m_LShr(m_Value(Of), m_SpecificInt(WordBits))))
      return false;
    return match(Of, m_c_Or(m_Specific(X), m_Specific(Y))) ||
           (Of == X && isShort(Y)) || (Of == Y && isShort(X));
  }

  Function &F;
  const DataLayout &Layout;
};

} // namespace

void mergeBypassedDivisions(Function &F) { BypassMerger(F).run(); }

} // namespace gpuestimate
