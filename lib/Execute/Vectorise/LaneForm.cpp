#include "LaneForm.h"

#include "Execute/Device/DeviceFunctions.h"
#include "LoweredCalls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace gpuestimate {

/// Larger functions are not worth the time that the host's compiler takes.
static constexpr size_t MaxBlocks = 400, MaxInstructions = 1500;

/// Replaces casts between an integer and a vector, such as a half2 that inline
/// PTX has in a 32-bit register, by shifts of its elements.
static void expandVectorCasts(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Cast = dyn_cast<BitCastInst>(&I);
    if (!Cast)
      continue;
    Value *From = Cast->getOperand(0);
    auto *FromVector = dyn_cast<FixedVectorType>(From->getType());
    auto *ToVector = dyn_cast<FixedVectorType>(Cast->getType());
    if ((FromVector != nullptr) == (ToVector != nullptr))
      continue;
    FixedVectorType *Vector = FromVector ? FromVector : ToVector;
    Type *Whole = FromVector ? Cast->getType() : From->getType();
    unsigned Bits = Vector->getScalarSizeInBits();
    IRBuilder<> B(Cast);
    Type *Element = B.getIntNTy(Bits),
         *Integer = B.getIntNTy(Bits * Vector->getNumElements());
    Value *Result = nullptr;
    if (ToVector) {
      Value *All = B.CreateBitCast(From, Integer);
      Result = PoisonValue::get(ToVector);
      for (unsigned E = 0; E < Vector->getNumElements(); ++E)
        Result = B.CreateInsertElement(
            Result,
            B.CreateBitCast(B.CreateTrunc(B.CreateLShr(All, E * Bits), Element),
                            Vector->getElementType()),
            E);
    } else {
      Result = ConstantInt::get(Integer, 0);
      for (unsigned E = 0; E < Vector->getNumElements(); ++E)
        Result = B.CreateOr(
            Result,
            B.CreateShl(
                B.CreateZExt(
                    B.CreateBitCast(B.CreateExtractElement(From, E), Element),
                    Integer),
                E * Bits));
      Result = B.CreateBitCast(Result, Whole);
    }
    Cast->replaceAllUsesWith(Result);
    Cast->eraseFromParent();
  }
}

void giveLaneForm(Function &F) {
  PassBuilder Builder;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ScalarizerPassOptions Scalar;
  Scalar.ScalarizeVariableInsertExtract = true;
  Scalar.ScalarizeLoadStore = true;
  FunctionPassManager First, Passes;
  First.addPass(SROAPass(SROAOptions::ModifyCFG));
  First.addPass(EarlyCSEPass());
  First.addPass(SimplifyCFGPass());
  First.addPass(InstCombinePass());
  FAM.invalidate(F, First.run(F, FAM));
  expandVectorCasts(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  Passes.addPass(ScalarizerPass(Scalar));
  Passes.addPass(InstCombinePass());
  Passes.addPass(LowerSwitchPass());
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  Passes.run(F, FAM);
}

/// Can each lane have a value of the type? Structures become structures of
/// vectors.
static bool hasLaneForm(Type *T) {
  if (auto *S = dyn_cast<StructType>(T))
    return all_of(S->elements(), hasLaneForm);
  if (T->isIntegerTy())
    return T->getIntegerBitWidth() <= 128;
  return T->isHalfTy() || T->isBFloatTy() || T->isFloatTy() ||
         T->isDoubleTy() || T->isPointerTy();
}

Expected<unsigned> checkLaneForm(const Function &F) {
  auto Refuse = [](const Twine &Why) { return createStringError(Why); };
  const DataLayout &Layout = F.getParent()->getDataLayout();
  unsigned Width = FreeLanes;
  if (F.size() > MaxBlocks || F.getInstructionCount() > MaxInstructions)
    return Refuse("the kernel is large");
  for (const Function &Other : *F.getParent())
    if (&Other != &F && waitsForThreads(Other))
      return Refuse("a function that is called waits for threads");
  for (const Instruction &I : instructions(F)) {
    if (isWaitForMemory(I))
      return Refuse("threads wait for memory");
    if (calleeName(I) == "ge.collective") {
      if (!isa<ConstantInt>(I.getOperand(1)) ||
          collectiveKind(I) == CollectiveKind::MatrixProduct ||
          collectiveKind(I) == CollectiveKind::WarpMatrix)
        return Refuse("matrix instructions");
      Width = LanesOfAWarp;
    }
    if (calleeName(I) == DeviceLaunchFunction)
      return Refuse("the kernel launches kernels");
    if (isa<InvokeInst, IndirectBrInst, CallBrInst, SwitchInst>(I))
      return Refuse("control flow without a vector form");
    if (const auto *A = dyn_cast<AllocaInst>(&I); A && !A->isStaticAlloca())
      return Refuse("arrays whose size is not known");
    for (const Use &U : I.operands()) {
      Type *T = U->getType();
      if (!T->isLabelTy() && !T->isMetadataTy() && !hasLaneForm(T))
        return Refuse("a type without a vector form");
    }
    Type *T = I.getType();
    if (!T->isVoidTy() && !hasLaneForm(T))
      return Refuse("a type without a vector form");
    if (isa<LoadInst, StoreInst>(I)) {
      Type *Accessed = getLoadStoreType(const_cast<Instruction *>(&I));
      if (Accessed->isStructTy() || Layout.getTypeStoreSizeInBits(Accessed) !=
                                        Layout.getTypeSizeInBits(Accessed))
        return Refuse("a type without a vector form");
    }
  }
  return Width;
}

} // namespace gpuestimate
