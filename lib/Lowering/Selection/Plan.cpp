#include "Plan.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <map>
#include <tuple>

namespace gpuestimate {

using namespace llvm::PatternMatch;

const llvm::Value *accessPointer(const llvm::Instruction &I) {
  if (const llvm::Value *P = llvm::getLoadStorePointerOperand(&I))
    return P;
  if (const auto *Rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&I))
    return Rmw->getPointerOperand();
  if (const auto *Swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&I))
    return Swap->getPointerOperand();
  return nullptr;
}

bool isPackedHalf(const llvm::Type *T) {
  const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
  return V && V->getNumElements() == 2 &&
         (V->getElementType()->isHalfTy() || V->getElementType()->isBFloatTy());
}

std::string typeKey(const llvm::Type *T, bool Narrow) {
  if (isPackedHalf(T))
    return T->getScalarType()->isHalfTy() ? "v2f16" : "v2bf16";
  T = T->getScalarType();
  if (T->isHalfTy())
    return "f16";
  if (T->isBFloatTy())
    return "bf16";
  if (T->isFloatTy())
    return "f32";
  if (T->isDoubleTy() || T->isFloatingPointTy())
    return "f64";
  if (T->isPointerTy())
    return "ptr";
  if (!T->isIntegerTy())
    return "other";
  unsigned Bits = T->getIntegerBitWidth();
  if (Bits == 1)
    return "i1";
  if (Narrow && Bits < 32)
    return "i8";
  return Bits <= 32 ? "i32" : Bits <= 64 ? "i64" : "i128";
}

Plan::Plan(KernelAnalyses &A, Values &V, llvm::Function &F) : A(A), V(V), F(F) {
  findWalkingPointers();
  findNeeded();
  shareAddresses();
  findNeeded(); // less the index arithmetic of shared addresses
  fuseReals();
  fuseIntegers();
  freeConversions();
  findOverhead();
  planBranches();
}

namespace {

bool is64Bit(const llvm::Value *Pointer) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  return Space != addrspace::Shared && Space != addrspace::Local;
}

/// Ends of the chains of in-loop instructions behind V.
void collectLeaves(const llvm::Value *V, const llvm::Loop *L,
                   llvm::SmallVectorImpl<const llvm::Value *> &Leaves) {
  llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
  llvm::SmallVector<const llvm::Value *> Work{V};
  while (!Work.empty() && spendWork()) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (!L->contains(I)) {
      Leaves.push_back(I);
      continue;
    }
    for (const llvm::Value *Operand : llvm::reverse(I->operands()))
      Work.push_back(Operand);
  }
}

} // namespace

/// The constant part of an offset is free in the instruction's immediate.
Expr Plan::withoutConstant(Expr E) const {
  if (E.asConstant())
    return E.context().constant(0);
  if (E.kind() == ExprKind::Add)
    for (Expr Operand : E.operands())
      if (std::optional<double> C = Operand.asConstant())
        return E - *C;
  return E;
}

void Plan::findWalkingPointers() {
  std::map<std::tuple<const llvm::Loop *, const llvm::Value *, const ExprNode *,
                      const ExprNode *>,
           unsigned>
      Indices;
  for (llvm::BasicBlock &BB : F) {
    llvm::Loop *L = A.LI.getLoopFor(&BB);
    if (!L)
      continue;
    Expr Counter = V.counter(L);
    for (llvm::Instruction &I : BB) {
      const llvm::Value *P = accessPointer(I);
      if (!P || !spendWork())
        continue;
      PointerValue At = V.pointer(P);
      const auto *BaseAt = llvm::dyn_cast_or_null<llvm::Instruction>(At.Base);
      if (!At.Base || (BaseAt && L->contains(BaseAt)) ||
          !At.Offset.dependsOn(Counter.name()))
        continue;
      ExprContext &Ctx = Counter.context();
      llvm::StringMap<Expr> Next, First;
      Next[Counter.name()] = Counter + 1;
      First[Counter.name()] = Ctx.constant(0);
      Expr Step = Ctx.substitute(At.Offset, Next) - At.Offset;
      Expr Start = withoutConstant(Ctx.substitute(At.Offset, First));
      if (!V.isInvariant(Step, L) || !V.isInvariant(Start, L))
        continue;
      auto [Known, New] = Indices.try_emplace(
          {L, At.Base, Start.node(), Step.node()}, Pointers.size());
      unsigned Index = Known->second;
      if (New) {
        WalkingPointer &W = Pointers.emplace_back();
        W.L = L;
        W.Base = At.Base;
        W.Start = Start;
        W.Step = Step;
        W.Is64Bit = is64Bit(P);
        collectLeaves(P, L, W.Leaves);
      }
      Walking[&I] = Index;
    }
  }
}

void Plan::findNeeded() {
  Needed.clear();
  llvm::SmallVector<const llvm::Instruction *> Work;
  auto Need = [&](const llvm::Value *V) {
    if (const auto *I = llvm::dyn_cast<llvm::Instruction>(V))
      if (Needed.insert(I).second)
        Work.push_back(I);
  };
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      if (I.isTerminator() || I.mayHaveSideEffects() || I.mayReadFromMemory())
        if (!llvm::isa<llvm::DbgInfoIntrinsic>(I) &&
            !I.isLifetimeStartOrEnd() && !llvm::isa<llvm::AssumeInst>(I))
          Need(&I);
  while (!Work.empty() && spendWork()) {
    const llvm::Instruction *I = Work.pop_back_val();
    if (const llvm::Instruction *Earlier = Same.lookup(I)) {
      Need(Earlier);
      continue;
    }
    auto At = Walking.find(I);
    const llvm::Value *Pointer =
        At == Walking.end() ? nullptr : accessPointer(*I);
    for (const llvm::Value *Operand : I->operands())
      if (Operand != Pointer)
        Need(Operand);
    if (Pointer)
      for (const llvm::Value *Leaf : Pointers[At->second].Leaves)
        Need(Leaf);
  }
}

void Plan::shareAddresses() {
  // Address computations that differ by a constant share one; block order by
  // dominance, so look back through what was seen.
  using Key = std::pair<const llvm::Value *, const ExprNode *>;
  // None of the earlier ones dominates another, so at most one dominates the
  // next: the last that the dominator tree enters before it.
  using Entered = std::map<unsigned, const llvm::GetElementPtrInst *>;
  llvm::DenseMap<Key, Entered> Known;
  A.DT.updateDFSNumbers();
  for (llvm::BasicBlock *BB : llvm::depth_first(&F.getEntryBlock()))
    for (llvm::Instruction &I : *BB) {
      auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I);
      if (!Gep || isDead(I) || Gep->getType()->isVectorTy() || !spendWork())
        continue;
      if (Gep->hasAllConstantIndices()) {
        Free.insert(Gep);
        continue;
      }
      PointerValue At = V.pointer(Gep);
      if (!At.Base)
        continue;
      Entered &Earlier = Known[{At.Base, withoutConstant(At.Offset).node()}];
      unsigned Number = A.DT.getNode(BB)->getDFSNumIn();
      auto Next = Earlier.upper_bound(Number);
      if (Next != Earlier.begin() &&
          A.DT.dominates(std::prev(Next)->second, Gep)) {
        Same[Gep] = std::prev(Next)->second;
        Free.insert(Gep);
      } else {
        Earlier[Number] = Gep;
      }
    }
}

unsigned Plan::repeat(const llvm::Instruction &I) const {
  const llvm::Type *T = I.getType();
  if (llvm::isa<llvm::CmpInst, llvm::CastInst>(I))
    T = I.getOperand(0)->getType();
  const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
  if (!V || llvm::isa<llvm::GetElementPtrInst>(I))
    return 1;
  unsigned Bits = V->getScalarSizeInBits();
  bool Half =
      V->getElementType()->isHalfTy() || V->getElementType()->isBFloatTy();
  // Half precision works on pairs.
  return Half && Bits == 16 ? (V->getNumElements() + 1) / 2
                            : V->getNumElements();
}

std::string Plan::key(const llvm::Instruction &I) const {
  if (auto At = Replaced.find(&I); At != Replaced.end())
    return At->second;
  std::string Opcode = I.getOpcodeName();
  auto TypeOf = [&](const llvm::Type *T) {
    const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
    if (V &&
        (V->getElementType()->isHalfTy() || V->getElementType()->isBFloatTy()))
      return std::string(V->getElementType()->isHalfTy() ? "v2f16" : "v2bf16");
    return typeKey(T);
  };
  switch (I.getOpcode()) {
  case llvm::Instruction::ICmp:
  case llvm::Instruction::FCmp:
    return Opcode + "." + TypeOf(I.getOperand(0)->getType());
  case llvm::Instruction::FDiv: {
    bool Fast = I.hasApproxFunc() || I.hasAllowReciprocal();
    if (const auto *Op = llvm::dyn_cast<llvm::FPMathOperator>(&I))
      Fast = Fast || Op->getFPAccuracy() >= 2;
    std::string Type = TypeOf(I.getType());
    const auto *One = llvm::dyn_cast<llvm::ConstantFP>(I.getOperand(0));
    std::string Name =
        One && One->isExactlyValue(1.0) && (Type == "f32" || Type == "f64")
            ? "frcp"
            : "fdiv";
    return Name + (Fast && Type == "f32" ? ".fast." : ".") + Type;
  }
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::Trunc:
    return Opcode + "." +
           typeKey(I.getOperand(0)->getType()->getScalarType(), true) + "." +
           typeKey(I.getType()->getScalarType(),
                   llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(I));
  case llvm::Instruction::GetElementPtr:
    return Opcode + (is64Bit(&I) ? ".64" : ".32");
  case llvm::Instruction::ShuffleVector:
    return isPackedHalf(I.getType()) ? "shufflevector.v2f16" : Opcode;
  case llvm::Instruction::Br:
  case llvm::Instruction::Ret:
  case llvm::Instruction::Unreachable:
  case llvm::Instruction::Fence:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Alloca:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::IndirectBr:
  case llvm::Instruction::VAArg:
    return Opcode;
  default:
    return Opcode + "." + TypeOf(I.getType());
  }
}

} // namespace gpuestimate
