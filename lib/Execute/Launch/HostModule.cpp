/// \file
/// Every device function gets a pointer to ThreadContext as its first
/// parameter, a kernel also the index of its thread. Shared variables become
/// offsets from the block's memory; other variables become the addresses of
/// their storage.
#include "HostModule.h"
#include "Execute/Record/RaceDetector.h"
#include "Execute/Record/Trace.h"
#include "Execute/Translate/CallLowering.h"
#include "Execute/Translate/LockStep.h"
#include "Execute/Vectorise/LaneVectoriser.h"
#include "Execute/Vectorise/LoweredCalls.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "gpu-estimate/Ptx/CodeMark.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;

namespace gpuestimate {

/// Parameters before those of the kernel: the context, threadIdx and its linear
/// form.
static constexpr unsigned KernelParameters = 5;
/// Number of parameters of a kernel's vector form (LaneVectors::Function).
static constexpr unsigned VectorParameters = 3;

namespace {

class HostTranslator {
public:
  explicit HostTranslator(const HostModuleRequest &Request)
      : Request(Request) {}
  Expected<HostModule> run();

private:
  void cloneReachable();
  void numberLines();
  Function *extend(Function &F);
  void extendCalls();
  void inlineExits();
  void lowerFunction(Function &F);
  void placePrivate(Function &F);
  void placeShared();
  void placeVariables();
  void keepWarpsTogether(Function &F);
  void guardArithmetic(Function &F);
  void guardShift(BinaryOperator &Shift);
  void yieldInLoops(Function &F);
  void copyStructures();
  void placeSharedAddresses(Function &F);
  Error vectorise();
  void makeBlockLoop();
  void describeBlockLoop(Function &Outer, CallInst &Call);
  void optimise();

  const HostModuleRequest &Request;
  HostModule Result;
  Module *M = nullptr;
  Function *Kernel = nullptr; ///< of M
  std::vector<Function *> Functions;
  DenseMap<const Function *, ThreadValues> Threads;
  SmallVector<uint64_t> ByValueBytes; ///< [parameter] 0: passed as it is
  SmallVector<Type *> ByValueTypes;
  bool SpinsOrWaits = false;
  bool IsAmd = false;
};

} // namespace

/// Adds what is used by V, through constants and initialisers.
static void collect(const Value *V, SetVector<const GlobalValue *> &Reachable,
                    SmallPtrSetImpl<const Value *> &Seen) {
  SmallVector<const Value *> Work = {V};
  while (!Work.empty()) {
    const Value *Next = Work.pop_back_val();
    if (!isa<Constant>(Next) || !Seen.insert(Next).second)
      continue;
    if (const auto *G = dyn_cast<GlobalValue>(Next))
      Reachable.insert(G);
    for (const Use &U : cast<User>(Next)->operands())
      Work.push_back(U.get());
  }
}

void HostTranslator::cloneReachable() {
  SetVector<const GlobalValue *> Reachable;
  SmallPtrSet<const Value *, 32> Seen;
  collect(Request.Kernel, Reachable, Seen);
  for (unsigned I = 0; I < Reachable.size(); ++I)
    if (const auto *F = dyn_cast<Function>(Reachable[I]))
      for (const Instruction &Inst : instructions(*F)) {
        // A kernel that is launched is no part of the one that launches it.
        const auto *Call = dyn_cast<CallBase>(&Inst);
        bool IsLaunch = Call && isDeviceLaunch(*Call);
        for (const Use &U : Inst.operands())
          if (!IsLaunch || U.getOperandNo() != 0)
            collect(U.get(), Reachable, Seen);
      }
  ValueToValueMapTy Map;
  Result.M =
      CloneModule(*Request.Kernel->getParent(), Map,
                  [&](const GlobalValue *G) { return Reachable.contains(G); });
  M = Result.M.get();
  Kernel = cast<Function>(Map[Request.Kernel]);
  SmallVector<GlobalVariable *> Unused;
  for (GlobalVariable &G : M->globals())
    if (G.isDeclaration() && G.use_empty())
      Unused.push_back(&G);
  for (GlobalVariable *G : Unused)
    G->eraseFromParent();
  for (Function &F : *M)
    if (!F.isDeclaration())
      Functions.push_back(&F);
}

/// Replaces the debug information by line numbers that count in Result.Lines.
void HostTranslator::numberLines() {
  std::map<std::pair<std::string, unsigned>, unsigned> Numbers;
  std::vector<std::pair<Instruction *, unsigned>> Lines;
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F)) {
      SourceLocation At = locate(I.getDebugLoc());
      if (!At.isValid())
        continue;
      auto [It, New] = Numbers.insert(
          {{At.File, At.Line}, unsigned(Result.Lines.size() + 1)});
      if (New)
        Result.Lines.push_back(At);
      Lines.push_back({&I, It->second});
    }
  StripDebugInfo(*M);
  SmallVector<NamedMDNode *> Named;
  for (NamedMDNode &N : M->named_metadata())
    Named.push_back(&N);
  for (NamedMDNode *N : Named)
    N->eraseFromParent();
  M->addModuleFlag(Module::Warning, "Debug Info Version",
                   DEBUG_METADATA_VERSION);
  M->addModuleFlag(Module::Warning, "Dwarf Version", 4);
  DIBuilder B(*M);
  DIFile *File = B.createFile("lines", "");
  B.createCompileUnit(dwarf::DW_LANG_C, File, "gpu-estimate", true, "", 0, "",
                      DICompileUnit::LineTablesOnly);
  DISubroutineType *T = B.createSubroutineType(B.getOrCreateTypeArray({}));
  for (Function *F : Functions)
    F->setSubprogram(B.createFunction(
        File, F->getName(), F->getName(), File, 1, T, 1, DINode::FlagZero,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit));
  for (auto [I, Line] : Lines)
    I->setDebugLoc(DILocation::get(M->getContext(), Line, 0,
                                   I->getFunction()->getSubprogram()));
  // A call of a function with lines must have one itself.
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F))
      if (isa<CallBase>(I) && !I.getDebugLoc())
        I.setDebugLoc(
            DILocation::get(M->getContext(), 0, 0, F->getSubprogram()));
  B.finalize();
}

Function *HostTranslator::extend(Function &F) {
  LLVMContext &C = M->getContext();
  bool IsKernel = &F == Kernel;
  SmallVector<Type *> Types = {PointerType::get(C, 0)};
  if (IsKernel)
    Types.append(KernelParameters - 1, Type::getInt32Ty(C));
  unsigned Before = Types.size();
  append_range(Types, F.getFunctionType()->params());
  Function *New = Function::Create(
      FunctionType::get(F.getReturnType(), Types, F.isVarArg()),
      GlobalValue::InternalLinkage, "", *M);
  New->takeName(&F);
  New->splice(New->begin(), &F);
  New->setSubprogram(F.getSubprogram());
  F.setSubprogram(nullptr);
  New->addFnAttr(Attribute::NoUnwind);
  for (unsigned I = 0; I < F.arg_size(); ++I) {
    Argument *Old = F.getArg(I), *A = New->getArg(I + Before);
    AttrBuilder Attributes(C, F.getAttributes().getParamAttrs(I));
    if (IsKernel) {
      ByValueTypes.push_back(Old->hasByValAttr() ? Old->getParamByValType()
                             : Old->hasAttribute(Attribute::ByRef)
                                 ? Old->getParamByRefType()
                                 : nullptr);
      Attributes.removeAttribute(Attribute::ByVal);
      Attributes.removeAttribute(Attribute::ByRef);
    }
    New->addParamAttrs(I + Before, Attributes);
    A->takeName(Old);
    Old->replaceAllUsesWith(A);
  }
  F.replaceAllUsesWith(New);
  ThreadValues &T = Threads[New];
  T.Context = New->getArg(0);
  if (IsKernel) {
    for (unsigned A = 0; A < 3; ++A)
      T.Thread[A] = New->getArg(1 + A);
    T.Linear = New->getArg(4);
    Kernel = New;
  }
  F.eraseFromParent();
  return New;
}

/// Passes the context on in every call of a device function.
void HostTranslator::extendCalls() {
  SmallVector<CallInst *> Calls;
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallInst>(&I)) {
        const Function *Callee = Call->getCalledFunction();
        if (!Call->isInlineAsm() && (!Callee || Threads.count(Callee)))
          Calls.push_back(Call);
      }
  LLVMContext &C = M->getContext();
  for (CallInst *Call : Calls) {
    Result.Recurses = true;
    if (Call->getCalledOperand() == Kernel)
      continue; // lowerFunction() refuses it
    SmallVector<Value *> Arguments = {Threads[Call->getFunction()].Context};
    SmallVector<Type *> Types = {Arguments[0]->getType()};
    SmallVector<AttributeSet> Attributes = {AttributeSet()};
    for (unsigned I = 0; I < Call->arg_size(); ++I) {
      Arguments.push_back(Call->getArgOperand(I));
      Types.push_back(Arguments.back()->getType());
      Attributes.push_back(Call->getAttributes().getParamAttrs(I));
    }
    auto *Type = FunctionType::get(Call->getType(), Types, false);
    CallInst *New = CallInst::Create(Type, Call->getCalledOperand(), Arguments,
                                     "", Call->getIterator());
    New->setAttributes(AttributeList::get(
        C, AttributeSet(), Call->getAttributes().getRetAttrs(), Attributes));
    New->setDebugLoc(Call->getDebugLoc());
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
}

/// Does the function end the thread, and not only itself?
static bool exits(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    return Call && isExit(*Call);
  });
}

/// Inlines functions that end the thread into the kernel, where that is a
/// return.
void HostTranslator::inlineExits() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function *F : Functions) {
      if (F == Kernel || !exits(*F))
        continue;
      for (User *U : make_early_inc_range(F->users())) {
        auto *Call = dyn_cast<CallInst>(U);
        InlineFunctionInfo Info;
        if (Call && Call->getCalledFunction() == F && Call->getFunction() != F)
          Changed |= InlineFunction(*Call, Info).isSuccess();
      }
    }
  }
  erase_if(Functions, [&](Function *F) {
    if (F == Kernel || !F->use_empty() || !exits(*F))
      return false;
    Threads.erase(F);
    F->eraseFromParent();
    return true;
  });
}

/// Gives private variables the address space that they have on the host.
void HostTranslator::placePrivate(Function &F) {
  // Before one is replaced: its markers, which may follow it, are erased.
  SmallVector<AllocaInst *> Private;
  for (Instruction &I : instructions(F))
    if (auto *Old = dyn_cast<AllocaInst>(&I); Old && Old->getAddressSpace())
      Private.push_back(Old);
  for (AllocaInst *Old : Private) {
    auto *New = new AllocaInst(Old->getAllocatedType(), 0, Old->getArraySize(),
                               Old->getAlign(), "", Old->getIterator());
    IRBuilder<> B(Old);
    Value *Cast = B.CreateAddrSpaceCast(New, Old->getType());
    // Lifetimes are those of allocas alone.
    for (Use &U : make_early_inc_range(Old->uses()))
      if (auto *Marker = dyn_cast<Instruction>(U.getUser());
          Marker && Marker->isLifetimeStartOrEnd())
        Marker->eraseFromParent();
    Old->replaceAllUsesWith(Cast);
    Old->eraseFromParent();
  }
}

/// The name of a variable without its function: "tile".
static std::string sourceName(const GlobalVariable &G) {
  std::string Name = demangle(G.getName());
  size_t Scope = Name.rfind("::");
  return Scope == std::string::npos ? Name : Name.substr(Scope + 2);
}

void HostTranslator::placeShared() {
  SmallVector<Constant *> Shared;
  DenseMap<const GlobalVariable *, uint64_t> Offsets;
  const DataLayout &Layout = M->getDataLayout();
  uint64_t Bytes = 0, DynamicAlignment = 16;
  // The compilers of PTX know where the hardware puts a block's memory:
  // swizzled tiles of 1024 bytes begin at its start, whatever alignment they
  // declare.
  constexpr uint64_t SwizzledTileBytes = 1024;
  if (Request.Kernel->hasFnAttribute(PtxCodeMark))
    Result.SharedAlignment = SwizzledTileBytes;
  for (GlobalVariable &G : M->globals()) {
    if (G.getAddressSpace() != SharedSpace)
      continue;
    Shared.push_back(&G);
    uint64_t Alignment = G.getAlign().valueOrOne().value();
    Result.SharedAlignment = std::max(Result.SharedAlignment, Alignment);
    if (G.isDeclaration() || Layout.getTypeAllocSize(G.getValueType()) == 0) {
      DynamicAlignment = std::max(DynamicAlignment, Alignment);
      continue; // dynamic shared memory, behind the others
    }
    Bytes = alignTo(Bytes, std::max(G.getAlign().valueOrOne(), Align(16)));
    Offsets[&G] = Bytes;
    uint64_t Size = Layout.getTypeAllocSize(G.getValueType());
    Result.SharedVariables.push_back({sourceName(G), Bytes, Size});
    Bytes += Size;
  }
  Bytes = alignTo(Bytes, DynamicAlignment);
  Result.StaticSharedBytes = Bytes;
  convertUsersOfConstantsToInstructions(Shared);
  for (Constant *S : Shared) {
    auto *G = cast<GlobalVariable>(S);
    auto It = Offsets.find(G);
    uint64_t Offset = It == Offsets.end() ? Bytes : It->second;
    DenseMap<Function *, Value *> Pointers;
    for (Use &U : make_early_inc_range(G->uses())) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      if (!I)
        continue;
      Function *F = I->getFunction();
      Value *&Pointer = Pointers[F];
      if (!Pointer) {
        IRBuilder<> B(&*F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        LoadInst *Base = B.CreateLoad(
            B.getPtrTy(),
            B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Threads[F].Context,
                                         offsetof(ThreadContext, Shared)));
        Base->setMetadata(LLVMContext::MD_invariant_load,
                          MDNode::get(B.getContext(), {}));
        Pointer = B.CreateAddrSpaceCast(
            B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset),
            G->getType());
      }
      U.set(Pointer);
    }
    G->removeDeadConstantUsers();
    if (G->use_empty())
      G->eraseFromParent();
  }
}

/// A variable that only its kernel sees keeps its place in the compiled code.
static bool isPrivateConstant(const GlobalVariable &G) {
  return G.isConstant() && G.hasLocalLinkage() &&
         !G.isExternallyInitialized() && G.hasInitializer();
}

void HostTranslator::placeVariables() {
  for (GlobalVariable &G : make_early_inc_range(M->globals())) {
    G.removeDeadConstantUsers();
    if (isPrivateConstant(G) || G.use_empty())
      continue;
    void *Storage = Request.Storage(G);
    if (!Storage)
      continue; // a member of the runtime's, or unused
    auto *Address = ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(M->getContext()),
                         reinterpret_cast<uint64_t>(Storage)),
        G.getType());
    G.replaceAllUsesWith(Address);
    G.eraseFromParent();
  }
}

/// Gives a shift by the width of its type or more the result of the GPU. NVIDIA
/// clamps the amount to the width (PTX ISA, shl and shr), AMD takes its low
/// bits (RDNA 3 ISA, V_LSHLREV_B32), which is also what an x86 host does.
void HostTranslator::guardShift(BinaryOperator &Shift) {
  Type *T = Shift.getType();
  unsigned Width = T->getScalarSizeInBits();
  Value *Amount = Shift.getOperand(1);
  if (computeKnownBits(Amount, M->getDataLayout()).getMaxValue().ult(Width))
    return;
  IRBuilder<> B(&Shift);
  Constant *Last = ConstantInt::get(T, Width - 1);
  if (IsAmd) {
    if (isPowerOf2_32(Width))
      Shift.setOperand(1, B.CreateAnd(Amount, Last));
    return;
  }
  if (Shift.getOpcode() == Instruction::AShr) {
    Shift.setOperand(1, B.CreateBinaryIntrinsic(Intrinsic::umin, Amount, Last));
    return;
  }
  B.SetInsertPoint(Shift.getNextNode());
  Value *InRange = B.CreateICmpULE(Amount, Last);
  Value *Clamped = B.CreateSelect(InRange, &Shift, Constant::getNullValue(T));
  Shift.replaceUsesWithIf(Clamped,
                          [&](const Use &U) { return U.getUser() != Clamped; });
}

/// Gives operations the results of the GPU where LLVM leaves them undefined and
/// the host would trap or differ.
void HostTranslator::guardArithmetic(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    IRBuilder<> B(&I);
    if (I.isShift()) {
      guardShift(cast<BinaryOperator>(I));
      continue;
    }
    if (auto *Op = dyn_cast<BinaryOperator>(&I)) {
      bool Signed = Op->getOpcode() == Instruction::SDiv ||
                    Op->getOpcode() == Instruction::SRem;
      bool Divides = Signed || Op->getOpcode() == Instruction::UDiv ||
                     Op->getOpcode() == Instruction::URem;
      Value *Divisor = Op->getOperand(1);
      if (!Divides || isa<Constant>(Divisor))
        continue;
      Divisor = B.CreateFreeze(Divisor);
      Type *T = Op->getType();
      Value *Bad = B.CreateICmpEQ(Divisor, Constant::getNullValue(T));
      if (Signed) {
        Value *Dividend = B.CreateFreeze(Op->getOperand(0));
        Op->setOperand(0, Dividend);
        APInt Least = APInt::getSignedMinValue(T->getScalarSizeInBits());
        Bad = B.CreateOr(
            Bad,
            B.CreateAnd(B.CreateICmpEQ(Divisor, Constant::getAllOnesValue(T)),
                        B.CreateICmpEQ(Dividend, ConstantInt::get(T, Least))));
      }
      Op->setOperand(1, B.CreateSelect(Bad, ConstantInt::get(T, 1), Divisor));
      continue;
    }
    bool ToSigned = isa<FPToSIInst>(I);
    if (!ToSigned && !isa<FPToUIInst>(I))
      continue;
    Value *From = I.getOperand(0);
    if (From->getType()->getScalarType()->isHalfTy() ||
        From->getType()->getScalarType()->isBFloatTy() ||
        I.getType()->getScalarSizeInBits() < 32)
      continue; // in range, or undefined on the GPU as well
    Value *New = B.CreateIntrinsic(ToSigned ? Intrinsic::fptosi_sat
                                            : Intrinsic::fptoui_sat,
                                   {I.getType(), From->getType()}, {From});
    I.replaceAllUsesWith(New);
    I.eraseFromParent();
  }
}

/// Does the read end the iterations around it after a bounded number of tries,
/// whatever other threads do? Counters that a thread moves itself, and
/// compare-and-swap of what was read before, or of another place each time; not
/// the taking of a lock.
static bool makesProgress(const Instruction &I, const Loop &L) {
  if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return !L.isLoopInvariant(Swap->getCompareOperand()) ||
           !L.isLoopInvariant(Swap->getPointerOperand());
  const auto *Rmw = dyn_cast<AtomicRMWInst>(&I);
  if (!Rmw)
    return false;
  switch (Rmw->getOperation()) {
  case AtomicRMWInst::Xchg:
    return false;
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return !match(Rmw->getValOperand(), PatternMatch::m_ZeroInt());
  default: // of a constant may be a flag
    return !isa<Constant>(Rmw->getValOperand());
  }
}

/// Could a thread wait here for what another thread writes?
static bool readsSharedState(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isVolatile() || Load->isAtomic();
  if (isa<AtomicCmpXchgInst>(I))
    return true;
  // A barrier of the compiler stands where memory changes.
  if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm())
    return cast<InlineAsm>(Call->getCalledOperand())->getAsmString().empty();
  const auto *Rmw = dyn_cast<AtomicRMWInst>(&I);
  return Rmw && !Rmw->use_empty();
}

/// Does it depend on memory that other threads may write how often the loop is
/// executed?
static bool endsByMemory(const Loop &L) {
  SmallVector<const Value *> Left;
  SmallPtrSet<const Value *, 16> Seen;
  auto AddConditions = [&](ArrayRef<BasicBlock *> Of) {
    for (const BasicBlock *BB : Of) {
      if (const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator())) {
        if (Branch->isConditional())
          Left.push_back(Branch->getCondition());
      } else if (const auto *Switch = dyn_cast<SwitchInst>(BB->getTerminator()))
        Left.push_back(Switch->getCondition());
    }
  };
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  if (Exiting.empty())
    return true;
  AddConditions(Exiting);
  while (!Left.empty()) {
    const auto *I = dyn_cast<Instruction>(Left.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (I->mayReadFromMemory()) {
      if (I->hasMetadata(LLVMContext::MD_invariant_load) ||
          makesProgress(*I, L))
        continue;
      return true;
    }
    // Which value it has, branches decide.
    if (isa<PHINode>(I) && I->getParent() != L.getHeader())
      AddConditions(L.getBlocks());
    append_range(Left, I->operand_values());
  }
  return false;
}

/// Do the threads of a block wait for each other here?
static bool isBlockBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  StringRef Name = Callee ? Callee->getName() : "";
  return Name.starts_with("llvm.nvvm.barrier") ||
         Name.starts_with("llvm.nvvm.bar.sync") ||
         Name.starts_with("llvm.amdgcn.s.barrier");
}

/// May a thread wait in the loop for what another thread writes?
static bool mayWait(const Loop &L, const LoopInfo &Loops) {
  bool Reads = false, ReadsWithin = false, Meets = false;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      Meets |= isBlockBarrier(I);
      if (readsSharedState(I) && !makesProgress(I, L))
        (Loops.getLoopFor(BB) == &L ? Reads : ReadsWithin) = true;
    }
  // A loop in which threads meet waits by itself, or by a loop within.
  return (Reads || (ReadsWithin && !Meets)) && endsByMemory(L);
}

/// Lets other threads run in loops in which a thread may wait for them.
void HostTranslator::yieldInLoops(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  SmallVector<BasicBlock *> Latches;
  for (Loop *L : Loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock *> Own;
    L->getLoopLatches(Own);
    if (mayWait(*L, Loops))
      append_range(Latches, Own);
  }
  LLVMContext &C = M->getContext();
  for (BasicBlock *Latch : Latches) {
    SpinsOrWaits = true;
    Instruction *End = Latch->getTerminator();
    IRBuilder<> B(End);
    Value *Context = Threads[&F].Context;
    Value *Left = B.CreateConstInBoundsGEP1_64(
        B.getInt8Ty(), Context, offsetof(ThreadContext, SpinsLeft));
    Value *Now = B.CreateSub(B.CreateLoad(B.getInt32Ty(), Left), B.getInt32(1));
    B.CreateStore(Now, Left);
    Instruction *Then = SplitBlockAndInsertIfThen(
        B.CreateICmpEQ(Now, B.getInt32(0)), End, false,
        MDBuilder(C).createBranchWeights(1, 15));
    IRBuilder<> Call(Then);
    Call.SetCurrentDebugLocation(End->getDebugLoc());
    Call.CreateCall(
        M->getOrInsertFunction("ge.spin", Call.getVoidTy(), Call.getPtrTy()),
        {Context});
  }
}

/// Keeps the lanes of a warp together where code relies on it.
void HostTranslator::keepWarpsTogether(Function &F) {
  // A barrier for the lanes that arrive together.
  FunctionCallee Sync = M->getOrInsertFunction(
      "llvm.nvvm.activemask", Type::getInt32Ty(M->getContext()));
  for (Instruction *Place : lockStepPlaces(F)) {
    IRBuilder<> B(Place);
    B.SetCurrentDebugLocation(Place->getDebugLoc());
    B.CreateCall(Sync);
  }
}

/// Inline assembly has addresses of shared memory as numbers of 32 bits: the
/// lower half of one that lies near the block's memory.
void HostTranslator::placeSharedAddresses(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Cast = dyn_cast<IntToPtrInst>(&I);
    if (!Cast || Cast->getAddressSpace() != SharedSpace)
      continue;
    IRBuilder<> B(Cast);
    Type *Int = B.getInt32Ty();
    Value *Base = B.CreatePtrToInt(
        B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(
                                       B.getInt8Ty(), Threads[&F].Context,
                                       offsetof(ThreadContext, Shared))),
        B.getInt64Ty());
    Value *Distance = B.CreateSub(B.CreateZExtOrTrunc(Cast->getOperand(0), Int),
                                  B.CreateTrunc(Base, Int));
    Value *Address = B.CreateAdd(Base, B.CreateSExt(Distance, B.getInt64Ty()));
    Cast->setOperand(0, Address);
  }
}

void HostTranslator::lowerFunction(Function &F) {
  placeSharedAddresses(F);
  placePrivate(F);
  keepWarpsTogether(F);
  guardArithmetic(F);
  yieldInLoops(F);
  CallLowering Calls(F, Threads[&F], *Request.Functions, IsAmd);
  Calls.run();
  SpinsOrWaits |= Calls.waits();
}

/// The loads of the memory behind a pointer, if nothing else uses it.
static std::optional<SmallVector<LoadInst *>> onlyLoads(Value &Pointer) {
  SmallVector<LoadInst *> Loads;
  SmallVector<Value *> Left = {&Pointer};
  while (!Left.empty())
    for (User *U : Left.pop_back_val()->users()) {
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(U))
        Left.push_back(U);
      else if (auto *Load = dyn_cast<LoadInst>(U))
        Loads.push_back(Load);
      else
        return std::nullopt;
    }
  return Loads;
}

/// Gives each thread its own copy of a structure that it may write.
void HostTranslator::copyStructures() {
  for (unsigned I = 0; I < ByValueTypes.size(); ++I) {
    Argument *A = Kernel->getArg(I + KernelParameters);
    if (!ByValueTypes[I] || A->use_empty())
      continue;
    MaybeAlign Known = A->getParamAlign();
    A->removeAttr(Attribute::Alignment);
    auto Loads = onlyLoads(*A);
    if (Request.Vectorised && Loads) {
      for (LoadInst *Load : *Loads)
        Load->setAlignment(Align(1));
      continue;
    }
    IRBuilder<> Copy(&*Kernel->getEntryBlock().getFirstInsertionPt());
    AllocaInst *Own = Copy.CreateAlloca(ByValueTypes[I]);
    Align Alignment = std::max(Own->getAlign(), Known.valueOrOne());
    Own->setAlignment(Alignment);
    uint64_t Bytes =
        M->getDataLayout().getTypeAllocSize(ByValueTypes[I]).getFixedValue();
    Value *Uses = Copy.CreateAddrSpaceCast(Own, A->getType());
    A->replaceAllUsesWith(Uses);
    Copy.CreateMemCpy(Own, Alignment, A, Align(1), Bytes);
  }
}

/// Replaces the kernel by its vector form.
Error HostTranslator::vectorise() {
  LaneVectorRequest Vector;
  Vector.Kernel = Kernel;
  Vector.Thread = Threads[Kernel];
  Vector.FirstParameter = KernelParameters;
  Vector.LanesShareRows = Request.LanesShareRows;
  Vector.HostFeatures = Request.Host->getTargetFeatureString();
  Expected<LaneVectors> Made = vectoriseLanes(Vector);
  if (!Made)
    return Made.takeError();
  Made->Function->setSubprogram(Kernel->getSubprogram());
  Kernel->setSubprogram(nullptr);
  Kernel->eraseFromParent();
  Kernel = Made->Function;
  Result.Lanes = Made->Lanes;
  Result.LocalBytes = 0;
  for (Instruction &I : instructions(*Kernel))
    if (const auto *A = dyn_cast<AllocaInst>(&I))
      Result.LocalBytes +=
          A->getAllocationSize(M->getDataLayout())->getFixedValue();
  SpinsOrWaits = any_of(instructions(*Kernel), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->getName() == "ge.barrier.lanes";
  });
  return Error::success();
}

/// A function that calls one with places in the source must have some, too.
void HostTranslator::describeBlockLoop(Function &Outer, CallInst &Call) {
  if (DISubprogram *Scope = Kernel->getSubprogram()) {
    Outer.setSubprogram(DISubprogram::getDistinct(
        Outer.getContext(), Scope->getScope(), Request.Name, Request.Name,
        Scope->getFile(), 1, Scope->getType(), 1, nullptr, 0, 0,
        DINode::FlagZero, DISubprogram::SPFlagDefinition, Scope->getUnit()));
    Call.setDebugLoc(
        DILocation::get(Outer.getContext(), 0, 0, Outer.getSubprogram()));
  }
}

/// Makes the HostKernelFunction: the loop over threads around the kernel.
void HostTranslator::makeBlockLoop() {
  LLVMContext &C = M->getContext();
  Type *Int = Type::getInt32Ty(C);
  Type *Pointer = PointerType::get(C, 0);
  auto *Outer =
      Function::Create(FunctionType::get(Type::getVoidTy(C),
                                         {Pointer, Pointer, Int, Int}, false),
                       GlobalValue::ExternalLinkage, Request.Name, *M);
  Outer->addFnAttr(Attribute::NoUnwind);
  Outer->addFnAttr("frame-pointer", "none");
  Value *Context = Outer->getArg(0), *Arguments = Outer->getArg(1);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", Outer),
             *Body = BasicBlock::Create(C, "thread", Outer),
             *Exit = BasicBlock::Create(C, "exit", Outer);
  IRBuilder<> B(Entry);
  auto member = [&](size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Context, Offset);
  };
  SmallVector<Value *> Sizes;
  for (unsigned A = 0; A < 2; ++A)
    Sizes.push_back(
        B.CreateLoad(Int, member(offsetof(ThreadContext, BlockSize) + 4 * A)));
  Value *WarpSize = B.CreateTrunc(
      B.CreateLoad(B.getInt64Ty(), member(offsetof(ThreadContext, WarpSize))),
      Int);
  bool IsVector = Result.Lanes > 1;
  unsigned FirstOwn = IsVector ? VectorParameters : KernelParameters;
  SmallVector<Value *> Parameters(FirstOwn);
  for (unsigned I = FirstOwn; I < Kernel->arg_size(); ++I) {
    Value *Storage =
        B.CreateLoad(Pointer, B.CreateConstInBoundsGEP1_64(Pointer, Arguments,
                                                           I - FirstOwn));
    Argument *A = Kernel->getArg(I);
    Parameters.push_back(
        ByValueTypes[I - FirstOwn]
            ? B.CreateAddrSpaceCast(Storage, A->getType())
            : B.CreateAlignedLoad(A->getType(), Storage, Align(1)));
  }
  B.CreateCondBr(B.CreateICmpULT(Outer->getArg(2), Outer->getArg(3)), Body,
                 Exit);
  B.SetInsertPoint(Body);
  PHINode *Linear = B.CreatePHI(Int, 2);
  Linear->addIncoming(Outer->getArg(2), Entry);
  Value *Row = B.CreateUDiv(Linear, Sizes[0]);
  Value *Index[] = {B.CreateURem(Linear, Sizes[0]), B.CreateURem(Row, Sizes[1]),
                    B.CreateUDiv(Row, Sizes[1])};
  // A fault finds the thread in its context.
  for (unsigned A = 0; A < 3; ++A)
    B.CreateStore(Index[A], member(offsetof(ThreadContext, Thread) + 4 * A),
                  /*isVolatile=*/true);
  if (Functions.size() > 1 && !IsVector) {
    B.CreateStore(B.CreateURem(Linear, WarpSize),
                  member(offsetof(ThreadContext, Lane)));
    B.CreateStore(B.CreateUDiv(Linear, WarpSize),
                  member(offsetof(ThreadContext, Warp)));
  }
  Parameters[0] = Context;
  if (IsVector) {
    Parameters[1] = Linear;
    Parameters[2] = B.CreateBinaryIntrinsic(
        Intrinsic::umin, B.CreateSub(Outer->getArg(3), Linear),
        B.getInt32(Result.Lanes));
  } else {
    for (unsigned A = 0; A < 3; ++A)
      Parameters[1 + A] = Index[A];
    Parameters[4] = Linear;
  }
  CallInst *Call = B.CreateCall(Kernel, Parameters);
  Value *Next = B.CreateAdd(Linear, B.getInt32(Result.Lanes), "", true);
  Linear->addIncoming(Next, Body);
  B.CreateCondBr(B.CreateICmpULT(Next, Outer->getArg(3)), Body, Exit);
  ReturnInst::Create(C, Exit);
  describeBlockLoop(*Outer, *Call);
  Kernel->addFnAttr(Attribute::AlwaysInline);
}

void HostTranslator::optimise() {
  PassBuilder Builder(Request.Host);
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(*M, MAM);
}

Expected<HostModule> HostTranslator::run() {
  cloneReachable();
  IsAmd = Triple(M->getTargetTriple()).isAMDGPU();
  // The instructions still are those of the analysis, by number.
  TraceNumbers Numbers(*Kernel);
  numberLines();
  for (Function *&F : Functions)
    F = extend(*F);
  extendCalls();
  if (Request.Traced)
    addTraceCalls(*Kernel, Threads[Kernel], Numbers, Request.Vectorised);
  if (Request.FindsRaces)
    for (Function *F : Functions)
      addRaceCalls(*F, Threads[F].Context);
  inlineExits();
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F))
      if (const auto *A = dyn_cast<AllocaInst>(&I))
        if (auto Size = A->getAllocationSize(M->getDataLayout()))
          Result.LocalBytes += Size->getFixedValue();
  translateInlineAssembly(*M, AssemblyUse::Execution);
  for (Function *F : Functions)
    lowerFunction(*F);
  Result.WaitsInLoops = waitsInLoops(*Kernel);
  placeShared();
  placeVariables();
  copyStructures();
  if (Request.Vectorised)
    if (Error E = vectorise())
      return std::move(E);
  makeBlockLoop();
  Result.UsesFibers = SpinsOrWaits;
  Result.WaitsForMemory = any_of(*M, waitsForMemory);
  std::string Host = std::string(Request.Host->getTargetCPU()),
              Features = std::string(Request.Host->getTargetFeatureString());
  for (Function &F : *M) {
    F.setCallingConv(CallingConv::C);
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
    if (F.isDeclaration())
      continue;
    F.addFnAttr("target-cpu", Host);
    F.addFnAttr("target-features", Features);
    for (Instruction &I : instructions(F)) {
      if (auto *Call = dyn_cast<CallBase>(&I))
        Call->setCallingConv(CallingConv::C);
      if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
        Rmw->setSyncScopeID(SyncScope::System);
      if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
        Swap->setSyncScopeID(SyncScope::System);
      if (auto *Fence = dyn_cast<FenceInst>(&I))
        Fence->setSyncScopeID(SyncScope::System);
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isAtomic())
        Load->setSyncScopeID(SyncScope::System);
      if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->isAtomic())
        Store->setSyncScopeID(SyncScope::System);
    }
  }
  M->setTargetTriple(Request.Host->getTargetTriple().str());
  M->setDataLayout(Request.Host->createDataLayout());
  std::string Problem;
  raw_string_ostream OS(Problem);
  if (verifyModule(*M, &OS))
    return createStringError("kernel '" + Request.Kernel->getName() +
                             "' cannot be translated: " + OS.str());
  optimise();
  return std::move(Result);
}

Expected<HostModule> translateToHost(const HostModuleRequest &Request) {
  return HostTranslator(Request).run();
}

} // namespace gpuestimate
