#include "PointerRecovery.h"

#include "Operands.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuestimate {

/// Behind I, or behind the phis of its block.
static void setInsertPointBehind(IRBuilder<> &B, Instruction &I) {
  if (isa<PHINode>(I))
    B.SetInsertPoint(I.getParent(), I.getParent()->getFirstInsertionPt());
  else
    B.SetInsertPoint(I.getNextNode());
  B.SetCurrentDebugLocation(I.getDebugLoc());
}

PtxPointerRecovery::PtxPointerRecovery(Function &F, ArrayRef<unsigned> Known)
    : F(F) {
  for (unsigned N : Known)
    PointerParameters.insert(F.getArg(N));
}

PtxPointerRecovery::Likelihood
PtxPointerRecovery::likelihood(const Value *V) const {
  if (isa<PtrToIntOperator>(V))
    return Certain;
  if (isa<Argument>(V))
    return OnlyAssembly                    ? No
           : PointerParameters.contains(V) ? Certain
           : V->getType()->isIntegerTy(64) ? Parameter
                                           : No;
  return Likelihoods.lookup(V);
}

PtxPointerRecovery::Likelihood
PtxPointerRecovery::ofResult(const Instruction &I) const {
  auto Of = [&](unsigned Operand) { return likelihood(I.getOperand(Operand)); };
  bool IsAddress = I.getType()->isIntegerTy(64);
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Or:
    return std::max(Of(0), Of(1));
  case Instruction::Sub:
  case Instruction::Freeze:
    return Of(0);
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc: // addresses of shared memory have 32 bits
    return Of(0) == Certain ? Certain : No;
  case Instruction::And: // rounded to a boundary
    return IsAddress && std::max(Of(0), Of(1)) == Certain ? Unknown : No;
  case Instruction::Select:
    return std::max(Of(1), Of(2));
  case Instruction::PHI: {
    Likelihood Result = No;
    for (const Value *In : I.operand_values())
      Result = std::max(Result, likelihood(In));
    return Result;
  }
  case Instruction::Load:
    return IsAddress ? Loaded : No;
  case Instruction::Call:
  case Instruction::ExtractValue:
  case Instruction::ExtractElement:
    return IsAddress ? Unknown : No;
  default:
    return No;
  }
}

void PtxPointerRecovery::findLikelihoods() {
  Likelihoods.clear();
  ReversePostOrderTraversal<Function *> Order(&F);
  // Values only become more likely, so that this ends.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (llvm::BasicBlock *Block : Order)
      for (Instruction &I : *Block) {
        if (!I.getType()->isIntegerTy())
          continue;
        Likelihood Now = ofResult(I);
        if (Now == Likelihoods.lookup(&I))
          continue;
        Likelihoods[&I] = Now;
        Changed = true;
      }
  }
}

Value *PtxPointerRecovery::pointerOperand(BinaryOperator &Sum) {
  Value *X = Sum.getOperand(0), *Y = Sum.getOperand(1);
  Likelihood OfX = likelihood(X);
  if (Sum.getOpcode() == Instruction::Sub)
    return OfX == No ? nullptr : X;
  Likelihood OfY = likelihood(Y);
  if (OfX == No && OfY == No)
    return nullptr;
  return OfX >= OfY ? X : Y;
}

void PtxPointerRecovery::findParameters(Value *V, unsigned Depth) {
  if (Depth > MaxDepth)
    return;
  if (isa<Argument>(V)) {
    if (V->getType()->isIntegerTy(64) && !OnlyAssembly)
      PointerParameters.insert(V);
    return;
  }
  auto *Sum = dyn_cast<BinaryOperator>(V);
  if (!Sum || (Sum->getOpcode() != Instruction::Add &&
               Sum->getOpcode() != Instruction::Sub))
    return;
  Likelihood X = likelihood(Sum->getOperand(0)),
             Y = likelihood(Sum->getOperand(1));
  // Two that could be the pointer say nothing.
  if (Y == No && X != No)
    findParameters(Sum->getOperand(0), Depth + 1);
  else if (X == No && Y != No && Sum->getOpcode() == Instruction::Add)
    findParameters(Sum->getOperand(1), Depth + 1);
}

unsigned PtxPointerRecovery::spaceOf(Value *V, unsigned Depth) {
  if (auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return Cast->getPointerAddressSpace();
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth)
    return ptxspace::Generic;
  if (Value *Known = Pointers.lookup(V))
    return Known->getType()->getPointerAddressSpace();
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Or:
  case Instruction::Sub:
    if (Value *Of = pointerOperand(cast<BinaryOperator>(*I)))
      return spaceOf(Of, Depth + 1);
    return ptxspace::Generic;
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    return spaceOf(I->getOperand(0), Depth + 1);
  case Instruction::Select:
    return spaceOf(I->getOperand(1), Depth + 1);
  case Instruction::PHI:
    // The value from outside of a loop comes first, but for rotated ones.
    for (Value *In : I->operands())
      if (In != V && !isa<PHINode>(In) && likelihood(In) != No) {
        auto *Sum = dyn_cast<BinaryOperator>(In);
        if (!Sum || pointerOperand(*Sum) != V)
          return spaceOf(In, Depth + 1);
      }
    return ptxspace::Generic;
  default:
    return ptxspace::Generic;
  }
}

/// P in another space.
static Value *inSpace(IRBuilder<> &B, Value *P, unsigned Space) {
  Type *T = PointerType::get(B.getContext(), Space);
  return P->getType() == T ? P : B.CreateAddrSpaceCast(P, T);
}

Value *PtxPointerRecovery::buildPhi(PHINode &Phi, unsigned Depth) {
  unsigned Space = spaceOf(&Phi);
  IRBuilder<> B(&Phi);
  PHINode *New = B.CreatePHI(PointerType::get(F.getContext(), Space),
                             Phi.getNumIncomingValues());
  Pointers[&Phi] = New;
  for (unsigned N = 0; N != Phi.getNumIncomingValues(); ++N) {
    Value *In = Phi.getIncomingValue(N);
    llvm::BasicBlock *From = Phi.getIncomingBlock(N);
    Value *P = nullptr;
    int Earlier = New->getBasicBlockIndex(From);
    if (Earlier >= 0) { // an edge of a switch
      New->addIncoming(New->getIncomingValue(Earlier), From);
      continue;
    }
    P = isa<PoisonValue>(In) || isa<UndefValue>(In)
            ? PoisonValue::get(New->getType())
            : pointerOf(In, Depth + 1);
    IRBuilder<> AtEnd(From->getTerminator());
    P = P ? inSpace(AtEnd, P, Space) : AtEnd.CreateIntToPtr(In, New->getType());
    New->addIncoming(P, From);
  }
  return New;
}

Value *PtxPointerRecovery::buildSum(BinaryOperator &Sum, unsigned Depth) {
  Value *Of = pointerOperand(Sum);
  if (!Of)
    return nullptr;
  // A pointer that is loaded replaces the operand, so that its number is kept.
  unsigned OfOffset = Sum.getOperand(0) == Of ? 1 : 0;
  Value *P = pointerOf(Of, Depth + 1);
  if (!P)
    return nullptr;
  IRBuilder<> B(F.getContext());
  setInsertPointBehind(B, Sum);
  Value *Offset = Sum.getOperand(OfOffset);
  if (Sum.getOpcode() == Instruction::Sub)
    Offset = B.CreateNeg(Offset, "", /*HasNSW=*/true);
  // An index times the size of an element, as the source has it. ptxas scales
  // with the addition, but for a shift of 64 bits that others use, or that
  // shifts what is extended from 32 bits, which no multiplication widens.
  uint64_t ElementBytes = 1;
  Value *Index = nullptr;
  const APInt *Factor = nullptr;
  if (match(Offset, m_Mul(m_Value(Index), m_APInt(Factor))) &&
      Factor->isStrictlyPositive() && Factor->getActiveBits() < MaxScaleBits) {
    ElementBytes = Factor->getZExtValue();
    Offset = Index;
  } else if (match(Offset, m_Shl(m_Value(Index), m_APInt(Factor))) &&
             Factor->ult(MaxScaleBits) &&
             (!Offset->getType()->isIntegerTy(64) ||
              (Offset->hasOneUse() && !isa<SExtInst, ZExtInst>(Index)))) {
    ElementBytes = uint64_t(1) << Factor->getZExtValue();
    Offset = Index;
  }
  Offset = B.CreateSExtOrTrunc(Offset, B.getInt64Ty());
  Type *Element = B.getInt8Ty();
  if (ElementBytes > 1)
    Element = ArrayType::get(Element, ElementBytes);
  return B.CreateInBoundsGEP(Element, P, Offset);
}

/// A pointer in memory is loaded as one.
Value *PtxPointerRecovery::buildLoad(LoadInst &Load) {
  if (!Load.getType()->isIntegerTy(64) || Load.isAtomic())
    return nullptr;
  IRBuilder<> B(&Load);
  LoadInst *New = B.CreateAlignedLoad(
      PointerType::get(F.getContext(), ptxspace::Generic),
      Load.getPointerOperand(), Load.getAlign(), Load.isVolatile());
  New->copyMetadata(Load);
  Load.replaceAllUsesWith(B.CreatePtrToInt(New, Load.getType()));
  return New;
}

Value *PtxPointerRecovery::build(Value *V, unsigned Depth) {
  if (auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return Cast->getPointerOperand();
  if (likelihood(V) == No || Depth > MaxDepth)
    return nullptr;
  IRBuilder<> B(F.getContext());
  if (isa<Argument>(V)) {
    PointerParameters.insert(V);
    llvm::BasicBlock &Entry = F.getEntryBlock();
    B.SetInsertPoint(&Entry, Entry.getFirstInsertionPt());
    return B.CreateIntToPtr(V, PointerType::get(F.getContext(), 0));
  }
  auto &I = cast<Instruction>(*V);
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Or:
  case Instruction::Sub:
    if (Value *Sum = buildSum(cast<BinaryOperator>(I), Depth))
      return Sum;
    break;
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    return pointerOf(I.getOperand(0), Depth + 1);
  case Instruction::Select: {
    unsigned Space = spaceOf(V);
    Value *X = pointerOf(I.getOperand(1), Depth + 1),
          *Y = pointerOf(I.getOperand(2), Depth + 1);
    setInsertPointBehind(B, I);
    Type *T = PointerType::get(F.getContext(), Space);
    X = X ? inSpace(B, X, Space) : B.CreateIntToPtr(I.getOperand(1), T);
    Y = Y ? inSpace(B, Y, Space) : B.CreateIntToPtr(I.getOperand(2), T);
    return B.CreateSelect(I.getOperand(0), X, Y);
  }
  case Instruction::PHI:
    return buildPhi(cast<PHINode>(I), Depth);
  case Instruction::Load:
    return buildLoad(cast<LoadInst>(I));
  default:
    break;
  }
  if (!I.getType()->isIntegerTy(64) || I.isTerminator())
    return nullptr;
  setInsertPointBehind(B, I);
  return B.CreateIntToPtr(V, PointerType::get(F.getContext(), 0));
}

Value *PtxPointerRecovery::pointerOf(Value *V, unsigned Depth) {
  if (Value *Known = Pointers.lookup(V))
    return Known;
  Value *P = build(V, Depth);
  if (P)
    Pointers[V] = P;
  return P;
}

Function *PtxPointerRecovery::withPointerParameters() {
  SmallVector<Type *> Types;
  for (Argument &A : F.args())
    Types.push_back(PointerParameters.contains(&A)
                        ? PointerType::get(F.getContext(), 0)
                        : A.getType());
  Function *New =
      Function::Create(FunctionType::get(F.getReturnType(), Types, false),
                       F.getLinkage(), "", F.getParent());
  New->copyAttributesFrom(&F);
  New->setSubprogram(F.getSubprogram());
  F.setSubprogram(nullptr);
  New->takeName(&F);
  New->splice(New->begin(), &F);
  for (auto [Old, A] : zip(F.args(), New->args())) {
    A.takeName(&Old);
    if (!PointerParameters.contains(&Old)) {
      Old.replaceAllUsesWith(&A);
      continue;
    }
    for (User *U : make_early_inc_range(Old.users()))
      if (auto *Cast = dyn_cast<IntToPtrInst>(U);
          Cast && Cast->getAddressSpace() == 0) {
        Cast->replaceAllUsesWith(&A);
        Cast->eraseFromParent();
      }
    IRBuilder<> B(&New->getEntryBlock(), New->getEntryBlock().begin());
    if (!Old.use_empty())
      Old.replaceAllUsesWith(B.CreatePtrToInt(&A, Old.getType()));
  }
  // Calls pass the address as a pointer.
  for (User *U : make_early_inc_range(F.users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledOperand() != &F)
      continue;
    IRBuilder<> Before(Call);
    SmallVector<Value *> Arguments;
    for (auto [Value, Type] : zip(Call->args(), Types))
      Arguments.push_back(convertBits(Before, Value, Type, false));
    CallInst *NewCall = Before.CreateCall(New, Arguments);
    NewCall->setAttributes(Call->getAttributes());
    NewCall->setDebugLoc(Call->getDebugLoc());
    Call->replaceAllUsesWith(NewCall);
    Call->eraseFromParent();
  }
  F.replaceAllUsesWith(New);
  F.eraseFromParent();
  return New;
}

Function *PtxPointerRecovery::run() {
  SmallVector<IntToPtrInst *> Casts;
  for (Instruction &I : instructions(F))
    if (auto *Cast = dyn_cast<IntToPtrInst>(&I);
        Cast && (!OnlyAssembly || Cast->hasMetadata(AssemblyAddress)))
      Casts.push_back(Cast);
  // A parameter that turns out to be a pointer decides sums with it.
  for (size_t Known = ~size_t(0); Known != PointerParameters.size();) {
    Known = PointerParameters.size();
    findLikelihoods();
    for (IntToPtrInst *Cast : Casts)
      findParameters(Cast->getOperand(0));
  }
  for (IntToPtrInst *Cast : Casts) {
    Value *P = pointerOf(Cast->getOperand(0));
    if (!P)
      continue;
    IRBuilder<> B(Cast);
    Cast->replaceAllUsesWith(inSpace(B, P, Cast->getAddressSpace()));
    Cast->eraseFromParent();
  }
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isInstructionTriviallyDead(&I))
      I.eraseFromParent();
  return PointerParameters.empty() ? &F : withPointerParameters();
}

} // namespace gpuestimate
