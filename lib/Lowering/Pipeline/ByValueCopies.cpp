#include "ByValueCopies.h"

#include "CompilerHabits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace gpuestimate {

/// Larger structures are copied by one memcpy: their scalars would make the
/// code long.
static constexpr uint64_t MaxCopiedBytes = 4096;

/// On a parameter of a kernel: its address goes to a function.
static constexpr StringLiteral EscapingMark = "gpu-estimate-escapes";

InlineRequests::InlineRequests(const Module &M) {
  for (const Function &F : M) {
    if (F.hasFnAttribute(Attribute::AlwaysInline))
      Always.insert(&F);
    // Without optimisation, every function has the attribute.
    else if (F.hasFnAttribute(Attribute::NoInline) &&
             !F.hasFnAttribute(Attribute::OptimizeNone))
      Never.insert(&F);
  }
}

/// Whether LLVM's inliner finds the callee too large.
static bool isTooLarge(CallBase &Call, Function &Callee,
                       FunctionAnalysisManager &FAM) {
  bool IsMarked = Callee.hasFnAttribute(Attribute::AlwaysInline);
  GlobalValue::LinkageTypes Linkage = Callee.getLinkage();
  // As the user's compiler finds it.
  Callee.removeFnAttr(Attribute::AlwaysInline);
  Callee.setLinkage(GlobalValue::ExternalLinkage);
  InlineCost Cost = getInlineCost(
      Call, getInlineParams(3, 0), FAM.getResult<TargetIRAnalysis>(Callee),
      [&](Function &F) -> AssumptionCache & {
        return FAM.getResult<AssumptionAnalysis>(F);
      },
      [&](Function &F) -> const TargetLibraryInfo & {
        return FAM.getResult<TargetLibraryAnalysis>(F);
      });
  Callee.setLinkage(Linkage);
  if (IsMarked)
    Callee.addFnAttr(Attribute::AlwaysInline);
  return !Cost;
}

/// Calls that get Pointer, or an address within what it points to.
static void collectCalls(Value &Pointer, SmallVectorImpl<CallBase *> &Calls) {
  for (User *U : Pointer.users()) {
    if (isa<GetElementPtrInst>(U))
      collectCalls(*U, Calls);
    else if (auto *Call = dyn_cast<CallBase>(U))
      Calls.push_back(Call);
  }
}

void markEscapingArguments(Module &M, const InlineRequests &Source,
                           AnalysisManagers &Managers) {
  FunctionPassManager Simplify;
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(SimplifyCFGPass());
  DenseMap<const Function *, bool> StaysCall;
  auto Stays = [&](CallBase &Call) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration() || Source.Always.contains(Callee))
      return false;
    if (Source.Never.contains(Callee))
      return true;
    auto [Entry, IsNew] = StaysCall.try_emplace(Callee, false);
    if (IsNew) {
      Simplify.run(*Callee, Managers.FAM);
      Managers.FAM.invalidate(*Callee, PreservedAnalyses::none());
      Entry->second = isTooLarge(Call, *Callee, Managers.FAM);
    }
    return Entry->second;
  };
  for (Function &F : M) {
    if (!isKernel(F) || F.isDeclaration())
      continue;
    for (Argument &A : F.args()) {
      SmallVector<CallBase *, 4> Calls;
      if (A.hasByValAttr())
        collectCalls(A, Calls);
      if (any_of(Calls, [&](CallBase *Call) { return Stays(*Call); }))
        F.addParamAttr(A.getArgNo(),
                       Attribute::get(F.getContext(), EscapingMark));
    }
  }
}

/// Whether the back end reads the argument in place.
static bool isReadInPlace(const Value &Pointer) {
  return all_of(Pointer.users(), [](const User *U) {
    if (isa<LoadInst>(U))
      return true;
    return isa<GetElementPtrInst>(U) && isReadInPlace(*U);
  });
}

/// Whether Pointer, or what is computed from it, is only read: through offsets,
/// a pointer that a loop advances, and choices between pointers.
static bool isOnlyRead(const Value &Pointer,
                       SmallPtrSetImpl<const Value *> &Visited) {
  if (!Visited.insert(&Pointer).second)
    return true;
  return all_of(Pointer.users(), [&](const User *U) {
    if (isa<LoadInst, ICmpInst>(U))
      return true;
    if (const auto *Copy = dyn_cast<MemCpyInst>(U))
      return Copy->getRawSource() == &Pointer && Copy->getRawDest() != &Pointer;
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(U);
    if (Intrinsic && Intrinsic->isLifetimeStartOrEnd())
      return true;
    return isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst>(U) &&
           isOnlyRead(*U, Visited);
  });
}

static bool isOnlyRead(const Value &Pointer) {
  SmallPtrSet<const Value *, 16> Visited;
  return isOnlyRead(Pointer, Visited);
}

/// Is Slot a copy of a whole object that nothing else writes? Then Copy becomes
/// the instruction that fills it.
static bool isReadOnlyCopy(AllocaInst &Slot, MemCpyInst *&Copy) {
  Copy = nullptr;
  for (User *U : Slot.users())
    if (auto *Fill = dyn_cast<MemCpyInst>(U);
        Fill && Fill->getRawDest() == &Slot) {
      if (Copy)
        return false;
      Copy = Fill;
    }
  if (!Copy || Copy->isVolatile())
    return false;
  SmallPtrSet<const Value *, 16> Visited;
  Visited.insert(&Slot);
  return all_of(Slot.users(), [&](const User *U) {
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(U);
    if (U == Copy || isa<LoadInst, ICmpInst>(U) ||
        (Intrinsic && Intrinsic->isLifetimeStartOrEnd()))
      return true;
    if (const auto *Further = dyn_cast<MemCpyInst>(U))
      return Further->getRawSource() == &Slot;
    return isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst>(U) &&
           isOnlyRead(*U, Visited);
  });
}

/// Is Pointer an argument that the kernel takes by value and only reads, or a
/// constant offset in one?
static bool isReadArgument(const Value *Pointer) {
  const auto *A = dyn_cast<Argument>(Pointer->stripInBoundsConstantOffsets());
  return A && A->hasByValAttr() && isOnlyRead(*A);
}

void forwardByValueCopies(Function &Kernel, DeviceCompiler Compiler) {
  const uint64_t Copied = habitsOf(Compiler).CopiedStructure;
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  bool Changed = none_of(Kernel.args(),
                         [](const Argument &A) { return A.hasByValAttr(); });
  // No iterator over the block outlives the copies that are erased from it.
  SmallVector<AllocaInst *> Slots;
  for (Instruction &I : Kernel.getEntryBlock())
    if (auto *Slot = dyn_cast<AllocaInst>(&I))
      Slots.push_back(Slot);
  for (Changed = !Changed; Changed;) { // a copy of a copy comes in turn
    Changed = false;
    for (AllocaInst *Slot : Slots) {
      MemCpyInst *Copy = nullptr;
      if (!isReadOnlyCopy(*Slot, Copy))
        continue;
      const auto *Bytes = dyn_cast<ConstantInt>(Copy->getLength());
      std::optional<TypeSize> Size = Slot->getAllocationSize(Layout);
      if (!Bytes || !Size || Bytes->getZExtValue() != Size->getFixedValue() ||
          Bytes->getZExtValue() <= Copied ||
          !isReadArgument(Copy->getRawSource()))
        continue;
      for (User *U : make_early_inc_range(Slot->users()))
        if (auto *Lifetime = dyn_cast<IntrinsicInst>(U);
            Lifetime && Lifetime->isLifetimeStartOrEnd())
          Lifetime->eraseFromParent();
      Value *Source = Copy->getRawSource();
      Copy->eraseFromParent();
      Slot->replaceAllUsesWith(Source);
      Changed = true;
    }
  }
}

/// Whether all that comes of Pointer are loads at constant offsets.
static bool isReadAtConstants(const User &Pointer) {
  if (isa<LoadInst>(Pointer))
    return true;
  const auto *Offset = dyn_cast<GEPOperator>(&Pointer);
  return Offset && Offset->hasAllConstantIndices() &&
         all_of(Offset->users(),
                [](const User *U) { return isReadAtConstants(*U); });
}

static void copyScalars(IRBuilder<> &Builder, Type *T, Value *From, Value *To,
                        Align Alignment, uint64_t Offset,
                        const DataLayout &Layout) {
  auto At = [&](Value *Base) {
    return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Base,
                                              Offset);
  };
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *Fields = Layout.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      copyScalars(Builder, S->getElementType(I), From, To, Alignment,
                  Offset + Fields->getElementOffset(I).getFixedValue(), Layout);
    return;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    uint64_t Step = Layout.getTypeAllocSize(A->getElementType());
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      copyScalars(Builder, A->getElementType(), From, To, Alignment,
                  Offset + I * Step, Layout);
    return;
  }
  Align Here = commonAlignment(Alignment, Offset);
  Builder.CreateAlignedStore(Builder.CreateAlignedLoad(T, At(From), Here),
                             At(To), Here);
}

static void copyArgument(Argument &A, const DataLayout &Layout) {
  Type *T = A.getParamByValType();
  uint64_t Bytes = Layout.getTypeAllocSize(T);
  Align Alignment = A.getParamAlign().value_or(Layout.getPrefTypeAlign(T));
  llvm::BasicBlock &Entry = A.getParent()->getEntryBlock();
  IRBuilder<> Builder(&Entry, Entry.begin());
  AllocaInst *Copy = Builder.CreateAlloca(T, nullptr, A.getName());
  Copy->setAlignment(Alignment);
  Builder.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  // The uses before those of the copying itself.
  A.replaceUsesWithIf(
      Copy, [](const Use &U) { return !isReadAtConstants(*U.getUser()); });
  if (Bytes > MaxCopiedBytes)
    Builder.CreateMemCpy(Copy, Alignment, &A, Alignment, Bytes);
  else
    copyScalars(Builder, T, &A, Copy, Alignment, 0, Layout);
}

/// Is the argument __grid_constant__? NVVM lists such arguments, counted from
/// 1, in the annotations of the kernel; since LLVM 20 they have an attribute.
/// Clang 19 drops the word, but a tensor map must have it (CUDA Programming
/// Guide, "Using TMA to transfer multi-dimensional arrays").
static bool isGridConstant(const Argument &A) {
  const Function &Kernel = *A.getParent();
  const auto *Struct = dyn_cast<StructType>(A.getParamByValType());
  if (Struct && Struct->hasName() && Struct->getName().contains("CUtensorMap"))
    return true;
  if (Kernel.getAttributes().hasParamAttr(A.getArgNo(), GridConstantMark))
    return true;
  const NamedMDNode *Notes =
      Kernel.getParent()->getNamedMetadata("nvvm.annotations");
  if (!Notes)
    return false;
  for (const MDNode *Note : Notes->operands()) {
    if (Note->getNumOperands() == 0 ||
        mdconst::dyn_extract_or_null<Function>(Note->getOperand(0)) != &Kernel)
      continue;
    for (unsigned I = 1; I + 1 < Note->getNumOperands(); I += 2) {
      const auto *Key = dyn_cast_or_null<MDString>(Note->getOperand(I));
      const auto *List = dyn_cast_or_null<MDNode>(Note->getOperand(I + 1));
      if (!Key || !List || Key->getString() != "grid_constant")
        continue;
      for (const MDOperand &Number : List->operands())
        if (const auto *N = mdconst::dyn_extract_or_null<ConstantInt>(Number);
            N && N->equalsInt(A.getArgNo() + 1))
          return true;
    }
  }
  return false;
}

/// Whether the compiler copies the argument to local memory.
static bool isCopied(const Argument &A, DeviceCompiler Compiler) {
  if (A.getParent()->getAttributes().hasParamAttr(A.getArgNo(), EscapingMark))
    return true;
  if (Compiler == DeviceCompiler::Clang)
    return !isReadInPlace(A);
  const DataLayout &Layout = A.getParent()->getParent()->getDataLayout();
  bool IsSmall = Layout.getTypeAllocSize(A.getParamByValType()) <=
                 habitsOf(Compiler).CopiedStructure;
  return !isOnlyRead(A) || (IsSmall && !all_of(A.users(), [](const User *U) {
                              return isReadAtConstants(*U);
                            }));
}

void copyByValueArguments(Function &Kernel, DeviceCompiler Compiler) {
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (Argument &A : Kernel.args())
    if (A.hasByValAttr() && !A.use_empty() && !isGridConstant(A) &&
        isCopied(A, Compiler))
      copyArgument(A, Layout);
}

} // namespace gpuestimate
