#include "CallLowering.h"
#include "AmdLowering.h"

#include "ArithmeticLowering.h"
#include "Execute/Device/DeviceFunctions.h"
#include "LibraryLowering.h"

#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

void CallLowering::run() {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    Builder B(Call);
    Unknown.clear();
    Value *New = lower(*Call, B);
    if (New == Call)
      continue;
    if (!Unknown.empty())
      callRuntime("ge.unsupported", B.getVoidTy(),
                  {Thread.Context, B.CreateGlobalString(Unknown)}, B);
    if (!New && !Call->getType()->isVoidTy())
      New = PoisonValue::get(Call->getType());
    if (New && New->getType() != Call->getType()) {
      // A handler gives the bits; the call's type may be another of that size.
      Type *T = Call->getType();
      if (T->isIntegerTy() && New->getType()->isIntegerTy())
        New = B.CreateZExtOrTrunc(New, T);
      else if (T->isPointerTy() && New->getType()->isPointerTy())
        New = B.CreateAddrSpaceCast(New, T);
      else if (!T->isVoidTy())
        New = B.CreateBitCast(New, T);
    }
    if (!Call->getType()->isVoidTy())
      Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
}

Value *CallLowering::fail(const Twine &What) {
  Unknown = What.str();
  return nullptr;
}

Value *CallLowering::member(size_t Offset, Type *T, Builder &B) {
  LoadInst *Load = B.CreateLoad(
      T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Thread.Context, Offset));
  Load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(B.getContext(), {}));
  return Load;
}

Value *CallLowering::callRuntime(StringRef Name, Type *Result,
                                 ArrayRef<Value *> Arguments, Builder &B) {
  SmallVector<Type *> Types;
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  FunctionCallee Callee = F.getParent()->getOrInsertFunction(
      Name, FunctionType::get(Result, Types, false));
  return B.CreateCall(Callee, Arguments);
}

Value *CallLowering::collective(CollectiveKind Kind, Value *Mask, Value *Value_,
                                Value *BOperand, Value *COperand, Builder &B) {
  Waits = true;
  auto integer = [&](Value *V, Type *T) -> Value * {
    if (!V)
      return ConstantInt::get(T, 0);
    if (!V->getType()->isIntegerTy())
      V = B.CreateBitCast(V,
                          B.getIntNTy(V->getType()->getPrimitiveSizeInBits()));
    return B.CreateZExtOrTrunc(V, T);
  };
  auto *Call = cast<CallInst>(callRuntime(
      "ge.collective", B.getInt64Ty(),
      {Thread.Context, B.getInt32(unsigned(Kind)),
       integer(Mask, B.getInt64Ty()), integer(Value_, B.getInt64Ty()),
       integer(BOperand, B.getInt32Ty()), integer(COperand, B.getInt32Ty())},
      B));
  Call->addFnAttr(Attribute::Convergent);
  Call->addFnAttr(Attribute::NoDuplicate);
  return Call;
}

Value *CallLowering::barrier(Value *Number, Value *Expected, Value *Predicate,
                             bool WaitsFor, Builder &B) {
  Waits = true;
  auto *Call = cast<CallInst>(callRuntime(
      "ge.barrier", B.getInt64Ty(),
      {Thread.Context, Number, Expected, Predicate, B.getInt32(WaitsFor)}, B));
  Call->addFnAttr(Attribute::Convergent);
  return Call;
}

Value *CallLowering::spin(Builder &B) {
  Waits = true;
  return callRuntime("ge.spin", B.getVoidTy(), {Thread.Context}, B);
}

Value *CallLowering::lower(CallBase &Call, Builder &B) {
  if (Call.isInlineAsm())
    return lowerAssembly(Call, B);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return &Call; // through a pointer
  if (!Callee->isDeclaration())
    return Call.getFunctionType() == Callee->getFunctionType()
               ? &Call
               : fail("launch of a kernel by a kernel");
  StringRef Name = Callee->getName();
  if (Name.consume_front("llvm.nvvm."))
    return lowerNvvm(Call, Name, B);
  if (Name.starts_with("llvm.amdgcn."))
    return AmdLowering(*this).lower(Call, Name.drop_front(12), B);
  if (Name == "llvm.trap" || Name == "llvm.ubsantrap" ||
      Name == "llvm.debugtrap")
    return callRuntime("ge.trap", B.getVoidTy(), {Thread.Context}, B);
  if (Name.starts_with("llvm."))
    return &Call;
  if (Name.consume_front("ptx."))
    return lowerPtx(Call, Name.split('/').first, B);
  return lowerLibrary(Call, Name, B);
}

Value *CallLowering::lowerNvvm(CallBase &Call, StringRef Name, Builder &B) {
  if (Name.consume_front("read.ptx.sreg."))
    return lowerRegister(Name, Call.getType(), B);
  if (Name.starts_with("barrier") || Name.starts_with("bar."))
    return lowerBarrier(Call, Name, B);
  if (Name.starts_with("shfl.") || Name.starts_with("vote.") ||
      Name.starts_with("match.") || Name.starts_with("redux.") ||
      Name == "activemask" || Name.starts_with("elect.sync"))
    return lowerWarp(Call, Name, B);
  if (Name.starts_with("atomic."))
    return lowerAtomic(Call, Name, B);
  if (Name.starts_with("cp.async.") || Name.starts_with("mbarrier."))
    return lowerAsyncCopy(Call, Name, B);
  if (Name.starts_with("wmma."))
    return lowerMatrix(Call, Name, B);
  if (Name.starts_with("mma.") || Name.starts_with("ldmatrix."))
    return lowerWarpMatrix(Call, Name, B);
  if (Name.starts_with("membar.") || Name.starts_with("fence."))
    return B.CreateFence(AtomicOrdering::SequentiallyConsistent);
  if (Name.starts_with("ldg.") || Name.starts_with("ldu.")) {
    Align A(cast<ConstantInt>(Call.getArgOperand(1))->getZExtValue());
    return B.CreateAlignedLoad(Call.getType(), Call.getArgOperand(0), A);
  }
  if (Name == "nanosleep") // a thread that sleeps often waits for others
    return spin(B);
  if (Name == "exit")
    return fail("the instruction exit");
  if (Name.starts_with("ptr.") || Name.starts_with("move."))
    return Call.getArgOperand(0);
  if (Name.consume_front("isspacep.")) {
    Value *P = B.CreatePtrToInt(Call.getArgOperand(0), B.getInt64Ty());
    Value *Shared = B.CreatePtrToInt(
        member(offsetof(ThreadContext, Shared), B.getPtrTy(), B),
        B.getInt64Ty());
    Value *IsShared =
        B.CreateICmpULT(B.CreateSub(P, Shared), B.getInt64(1 << 18));
    if (Name.starts_with("shared"))
      return IsShared;
    if (Name.starts_with("global"))
      return B.CreateNot(IsShared);
    return B.getFalse();
  }
  if (Value *V = lowerArithmetic(Call, Name, B))
    return V;
  return fail("the intrinsic llvm.nvvm." + Name);
}

/// The shared memory that CUDA reserves in each thread block. Its cooperative
/// groups keep barriers of groups of several warps there, 288 bytes.
GlobalVariable *CallLowering::reservedShared() {
  constexpr StringLiteral Name = "reserved shared memory";
  constexpr uint64_t Bytes = 1024;
  Module &M = *F.getParent();
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  auto *T = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  auto *G =
      new GlobalVariable(M, T, /*isConstant=*/false,
                         GlobalValue::InternalLinkage, UndefValue::get(T), Name,
                         nullptr, GlobalValue::NotThreadLocal, SharedSpace);
  G->setAlignment(Align(16));
  return G;
}

Value *CallLowering::lowerRegister(StringRef Name, Type *T, Builder &B) {
  auto axis = [&](StringRef Register) -> int {
    if (Name.size() != Register.size() + 2 || !Name.starts_with(Register))
      return -1;
    return StringSwitch<int>(Name.take_back(2))
        .Case(".x", 0)
        .Case(".y", 1)
        .Case(".z", 2)
        .Default(-1);
  };
  Type *Int = B.getInt32Ty();
  if (int A = axis("tid"); A >= 0) {
    if (Thread.Linear)
      return Thread.Thread[A];
    return B.CreateLoad(Int, B.CreateConstInBoundsGEP1_64(
                                 B.getInt8Ty(), Thread.Context,
                                 offsetof(ThreadContext, Thread) + 4 * A));
  }
  if (int A = axis("ctaid"); A >= 0)
    return member(offsetof(ThreadContext, Block) + 4 * A, Int, B);
  if (int A = axis("ntid"); A >= 0)
    return member(offsetof(ThreadContext, BlockSize) + 4 * A, Int, B);
  if (int A = axis("nctaid"); A >= 0)
    return member(offsetof(ThreadContext, Grid) + 4 * A, Int, B);
  auto own = [&](size_t Offset) {
    return B.CreateLoad(Int, B.CreateConstInBoundsGEP1_64(
                                 B.getInt8Ty(), Thread.Context, Offset));
  };
  Value *WarpSize = B.CreateTrunc(
      member(offsetof(ThreadContext, WarpSize), B.getInt64Ty(), B), Int);
  if (Name == "warpsize")
    return WarpSize;
  Value *Lane = Thread.Linear ? B.CreateURem(Thread.Linear, WarpSize)
                              : own(offsetof(ThreadContext, Lane));
  if (Name == "laneid")
    return Lane;
  if (Name == "warpid")
    return Thread.Linear ? B.CreateUDiv(Thread.Linear, WarpSize)
                         : own(offsetof(ThreadContext, Warp));
  if (Name == "nwarpid")
    return B.getInt32(64);
  Value *Own = B.CreateShl(B.getInt32(1), Lane),
        *Below = B.CreateSub(Own, B.getInt32(1));
  if (Name == "lanemask.eq")
    return Own;
  if (Name == "lanemask.lt")
    return Below;
  if (Name == "lanemask.le")
    return B.CreateOr(Own, Below);
  if (Name == "lanemask.gt")
    return B.CreateNot(B.CreateOr(Own, Below));
  if (Name == "lanemask.ge")
    return B.CreateNot(Below);
  if (Name == "dynamic_smem_size" || Name == "dynamic.smem.size")
    return member(offsetof(ThreadContext, DynamicSharedBytes), Int, B);
  if (Name == "reserved_smem_offset_1" || Name == "reserved_smem_offset_0" ||
      Name == "reserved_smem_offset_begin")
    return B.CreatePtrToInt(reservedShared(), Int);
  if (Name == "envreg1" || Name == "envreg2") {
    Value *Address =
        member(offsetof(ThreadContext, GridWorkspace), B.getInt64Ty(), B);
    return B.CreateTrunc(
        Name == "envreg1" ? B.CreateLShr(Address, 32) : Address, Int);
  }
  if (Name == "smid")
    return B.CreateURem(member(offsetof(ThreadContext, Block), Int, B),
                        B.getInt32(64));
  if (Name == "nsmid")
    return B.getInt32(64);
  if (Name == "gridid")
    return ConstantInt::get(T, 1);
  if (Name.starts_with("clock") || Name.starts_with("globaltimer"))
    return B.CreateZExtOrTrunc(
        B.CreateIntrinsic(Intrinsic::readcyclecounter, {}, {}), T);
  return fail("the special register " + Name);
}

Value *CallLowering::lowerBarrier(CallBase &Call, StringRef Name, Builder &B) {
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  if (Name == "bar.warp.sync")
    return collective(CollectiveKind::Sync, argument(0), nullptr, nullptr,
                      nullptr, B);
  if (Name == "barrier0" || Name == "barrier.cta.sync.aligned.all")
    return barrier(Name == "barrier0" ? zero(B) : argument(0), zero(B), zero(B),
                   true, B);
  if (Name.starts_with("barrier0.")) {
    Value *Predicate =
        B.CreateZExt(B.CreateICmpNE(argument(0), zero(B)), B.getInt32Ty());
    Value *R = barrier(zero(B), zero(B), Predicate, true, B);
    Value *True = B.CreateTrunc(B.CreateLShr(R, 32), B.getInt32Ty()),
          *Arrived = B.CreateTrunc(R, B.getInt32Ty());
    if (Name == "barrier0.popc")
      return True;
    return B.CreateZExt(Name == "barrier0.and" ? B.CreateICmpEQ(True, Arrived)
                                               : B.CreateICmpNE(True, zero(B)),
                        B.getInt32Ty());
  }
  if (Name == "barrier.n" || Name == "bar.sync" || Name == "barrier.sync")
    return barrier(argument(0), zero(B), zero(B), true, B);
  if (Name == "barrier" || Name == "barrier.sync.cnt")
    return barrier(argument(0), argument(1), zero(B), true, B);
  return fail("the barrier " + Name);
}

Value *CallLowering::lowerWarp(CallBase &Call, StringRef Name, Builder &B) {
  using enum CollectiveKind;
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  Type *T = Call.getType();
  // The result of a shuffle and its predicate.
  auto unpack = [&](Value *R) -> Value * {
    auto *S = dyn_cast<StructType>(T);
    Type *ValueType = S ? S->getElementType(0) : T;
    Value *Bits = B.CreateBitCast(B.CreateTrunc(R, B.getInt32Ty()), ValueType);
    if (!S)
      return Bits;
    Value *Valid = B.CreateTrunc(B.CreateLShr(R, 32), S->getElementType(1));
    return B.CreateInsertValue(
        B.CreateInsertValue(PoisonValue::get(T), Bits, 0), Valid, 1);
  };
  if (Name == "activemask")
    return B.CreateTrunc(
        collective(ActiveMask, nullptr, nullptr, nullptr, nullptr, B), T);
  if (Name.consume_front("shfl.")) {
    bool Sync = Name.consume_front("sync.");
    CollectiveKind Kind = Name.starts_with("up")     ? ShuffleUp
                          : Name.starts_with("down") ? ShuffleDown
                          : Name.starts_with("bfly") ? ShuffleXor
                                                     : ShuffleIndex;
    unsigned First = Sync;
    return unpack(collective(Kind, Sync ? argument(0) : nullptr,
                             argument(First), argument(First + 1),
                             argument(First + 2), B));
  }
  if (Name.consume_front("vote.")) {
    bool Sync = Name.ends_with(".sync");
    CollectiveKind Kind = Name.starts_with("all")   ? VoteAll
                          : Name.starts_with("any") ? VoteAny
                          : Name.starts_with("uni") ? VoteUniform
                                                    : Ballot;
    return B.CreateTrunc(collective(Kind, Sync ? argument(0) : nullptr,
                                    argument(Sync), nullptr, nullptr, B),
                         T);
  }
  if (Name.starts_with("match.any"))
    return B.CreateTrunc(
        collective(MatchAny, argument(0), argument(1), nullptr, nullptr, B), T);
  if (Name.starts_with("match.all"))
    return unpack(
        collective(MatchAll, argument(0), argument(1), nullptr, nullptr, B));
  if (Name.consume_front("redux.sync.")) {
    CollectiveKind Kind = StringSwitch<CollectiveKind>(Name)
                              .Case("add", AddReduce)
                              .Case("umin", UnsignedMin)
                              .Case("umax", UnsignedMax)
                              .Case("min", SignedMin)
                              .Case("max", SignedMax)
                              .Case("and", AndReduce)
                              .Case("or", OrReduce)
                              .Default(XorReduce);
    // The mask comes first: so do __reduce_add_sync() and its kin of clang 19's
    // headers call it, although LLVM's intrinsic takes it as its second
    // operand.
    return B.CreateTrunc(
        collective(Kind, argument(0), argument(1), nullptr, nullptr, B), T);
  }
  if (Name.starts_with("elect.sync"))
    return unpack(collective(Elect, argument(0), nullptr, nullptr, nullptr, B));
  return fail("the warp operation " + Name);
}

Value *CallLowering::lowerAtomic(CallBase &Call, StringRef Name, Builder &B) {
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  AtomicRMWInst::BinOp Op = AtomicRMWInst::BAD_BINOP;
  bool Real = Call.getType()->isFloatingPointTy();
  if (Name.starts_with("atomic.load.inc"))
    Op = AtomicRMWInst::UIncWrap;
  else if (Name.starts_with("atomic.load.dec"))
    Op = AtomicRMWInst::UDecWrap;
  else if (Name.starts_with("atomic.load.add"))
    Op = AtomicRMWInst::FAdd;
  else {
    Name.consume_front("atomic.");
    if (Name.starts_with("cas."))
      return B.CreateExtractValue(
          B.CreateAtomicCmpXchg(argument(0), argument(1), argument(2),
                                MaybeAlign(), AtomicOrdering::Monotonic,
                                AtomicOrdering::Monotonic),
          0);
    Op = StringSwitch<AtomicRMWInst::BinOp>(Name.split('.').first)
             .Case("add", Real ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
             .Case("exch", AtomicRMWInst::Xchg)
             .Case("max", AtomicRMWInst::Max)
             .Case("min", AtomicRMWInst::Min)
             .Case("inc", AtomicRMWInst::UIncWrap)
             .Case("dec", AtomicRMWInst::UDecWrap)
             .Case("and", AtomicRMWInst::And)
             .Case("or", AtomicRMWInst::Or)
             .Case("xor", AtomicRMWInst::Xor)
             .Default(AtomicRMWInst::BAD_BINOP);
  }
  if (Op == AtomicRMWInst::BAD_BINOP)
    return fail("the operation " + Name);
  return B.CreateAtomicRMW(Op, argument(0), argument(1), MaybeAlign(),
                           AtomicOrdering::Monotonic);
}

Value *CallLowering::lowerAsyncCopy(CallBase &Call, StringRef Name,
                                    Builder &B) {
  auto argument = [&](unsigned I) { return Call.getArgOperand(I); };
  if (Name.starts_with("cp.async.wait") || Name.starts_with("cp.async.commit"))
    return nullptr; // copies are done at once
  if (Name.starts_with("cp.async.ca.shared.global.") ||
      Name.starts_with("cp.async.cg.shared.global.")) {
    StringRef Size = Name;
    bool HasSize = Size.consume_back(".s");
    unsigned Bytes = Size.ends_with(".16") ? 16 : Size.ends_with(".8") ? 8 : 4;
    if (!HasSize)
      return B.CreateMemCpy(argument(0), Align(Bytes), argument(1),
                            Align(Bytes), Bytes);
    B.CreateMemSet(argument(0), B.getInt8(0), Bytes, Align(Bytes));
    return B.CreateMemCpy(argument(0), Align(Bytes), argument(1), Align(Bytes),
                          B.CreateZExt(argument(2), B.getInt64Ty()));
  }
  // mbarrier: the expected count in the upper half, the phase and the pending
  // count below.
  if (Name.starts_with("mbarrier.init"))
    return callRuntime(
        "ge.mbarrier_init", B.getVoidTy(),
        {B.CreateAddrSpaceCast(argument(0), B.getPtrTy()), argument(1)}, B);
  if (Name.starts_with("mbarrier.inval"))
    return nullptr;
  if (Name.starts_with("mbarrier.arrive.shared") || Name == "mbarrier.arrive")
    return callRuntime("ge.mbarrier_arrive", B.getInt64Ty(),
                       {B.CreateAddrSpaceCast(argument(0), B.getPtrTy())}, B);
  if (Name.starts_with("mbarrier.test.wait")) {
    Waits = true;
    return B.CreateTrunc(
        callRuntime(
            "ge.mbarrier_test", B.getInt32Ty(),
            {B.CreateAddrSpaceCast(argument(0), B.getPtrTy()), argument(1)}, B),
        B.getInt1Ty());
  }
  return fail("the operation " + Name);
}

Value *CallLowering::lowerLibrary(CallBase &Call, StringRef Name, Builder &B) {
  SmallVector<Value *> Arguments(Call.args());
  if (Name == "__gpu_estimate_grid_sync" ||
      Name == "__gpu_estimate_multi_grid_sync") {
    Waits = true;
    auto *Sync = cast<CallInst>(
        callRuntime("ge.grid_sync", B.getVoidTy(), {Thread.Context}, B));
    Sync->addFnAttr(Attribute::Convergent);
    return Sync;
  }
  if (isDeviceLaunch(Call))
    return lowerDeviceLaunch(Call, B);
  if (Name == "__gpu_estimate_barrier_wait") {
    Waits = true;
    Arguments.insert(Arguments.begin(), Thread.Context);
    return callRuntime("ge.mbarrier_wait", B.getVoidTy(), Arguments, B);
  }
  if (Name.starts_with("__ockl_get_") && Arguments.size() == 1) {
    const auto *Axis = dyn_cast<ConstantInt>(Arguments[0]);
    StringRef Register = StringSwitch<StringRef>(Name.drop_front(11))
                             .Case("local_size", "ntid.")
                             .Case("num_groups", "nctaid.")
                             .Case("local_id", "tid.")
                             .Case("group_id", "ctaid.")
                             .Default("");
    if (Axis && Axis->getZExtValue() < 3 && !Register.empty())
      return lowerRegister(
          (Register + Twine("xyz"[Axis->getZExtValue()])).str(), B.getInt32Ty(),
          B);
  }
  // AMD's barriers that reduce a predicate, as barrier0.popc and its like.
  if (StringRef Kind = Name;
      Kind.consume_front("__ockl_wgred_") && Arguments.size() == 1) {
    StringRef Reduction = StringSwitch<StringRef>(Kind)
                              .Case("add_i32", "barrier0.popc")
                              .Case("and_i32", "barrier0.and")
                              .Case("or_i32", "barrier0.or")
                              .Default("");
    if (!Reduction.empty())
      return lowerBarrier(Call, Reduction, B);
  }
  if (Name == "__assertfail" || Name == "__assert_fail") {
    Arguments.insert(Arguments.begin(), Thread.Context);
    if (Arguments.size() == 5)
      Arguments.push_back(B.getInt64(1));
    return callRuntime("ge.assertfail", B.getVoidTy(), Arguments, B);
  }
  if (StringRef Base = Name; Base.consume_back(".values"))
    return lowerSeveralResults(Call, Base, B);
  if (StringRef Short = Name; Short.consume_front("__nv_"))
    if (Value *Result = lowerDeviceLibrary(Short, Arguments, Call.getType(), B))
      return Result;
  if (!Functions.count(Name))
    return fail("the function " + Name);
  return &Call;
}

/// prepareForAnalysis() gave a function with several results a structure of
/// them; the host's function writes all but one through pointers.
Value *CallLowering::lowerSeveralResults(CallBase &Call, StringRef Base,
                                         Builder &B) {
  if (!Functions.count(Base))
    return fail("the function " + Base);
  auto *Results = cast<StructType>(Call.getType());
  bool ReturnsNothing = Base.contains("sincos");
  Type *Returned = ReturnsNothing ? B.getVoidTy() : Results->getElementType(0);
  unsigned FirstWritten = ReturnsNothing ? 0 : 1;
  SmallVector<Value *> Arguments(Call.args());
  Builder Entry(&*Call.getFunction()->getEntryBlock().getFirstInsertionPt());
  SmallVector<AllocaInst *> Written;
  for (Type *T : drop_begin(Results->elements(), FirstWritten)) {
    Written.push_back(Entry.CreateAlloca(T));
    Arguments.push_back(Written.back());
  }
  Value *Only = callRuntime(Base, Returned, Arguments, B);
  Value *All = PoisonValue::get(Results);
  if (!ReturnsNothing)
    All = B.CreateInsertValue(All, Only, 0);
  for (auto [Number, Place] : enumerate(Written))
    All =
        B.CreateInsertValue(All, B.CreateLoad(Place->getAllocatedType(), Place),
                            FirstWritten + unsigned(Number));
  return All;
}

bool isDeviceLaunch(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         Callee->getName().starts_with("_ZN26gpu_estimate_device_launch") &&
         Call.arg_size() >= DeviceLaunchArguments;
}

/// The arguments of the kernel go to the runtime as it takes those of a launch
/// by the host: a pointer to each, and its size.
Value *CallLowering::lowerDeviceLaunch(CallBase &Call, Builder &B) {
  const DataLayout &Layout = F.getDataLayout();
  SmallVector<Value *> Arguments;
  for (Value *V : Call.args())
    Arguments.push_back(V);
  auto *Kernel = dyn_cast<Function>(Arguments[0]->stripPointerCasts());
  if (!Kernel)
    return fail("a launch of a kernel that is not known");
  Builder Entry(&*F.getEntryBlock().getFirstInsertionPt());
  unsigned Count = unsigned(Arguments.size()) - DeviceLaunchArguments;
  Type *Pointer = B.getPtrTy(), *Long = B.getInt64Ty();
  Value *Places = Entry.CreateAlloca(Pointer, B.getInt32(std::max(1u, Count))),
        *Sizes = Entry.CreateAlloca(Long, B.getInt32(std::max(1u, Count)));
  for (unsigned N = 0; N < Count; ++N) {
    unsigned Number = N + DeviceLaunchArguments;
    Value *V = Arguments[Number], *Place = V;
    Type *T = Call.getParamByValType(Number);
    if (!T) {
      T = V->getType();
      Place = Entry.CreateAlloca(T);
      B.CreateStore(V, Place);
    }
    B.CreateStore(Place, B.CreateConstGEP1_32(Pointer, Places, N));
    B.CreateStore(B.getInt64(Layout.getTypeAllocSize(T)),
                  B.CreateConstGEP1_32(Long, Sizes, N));
  }
  SmallVector<Value *> Passed = {B.CreateGlobalString(Kernel->getName())};
  append_range(Passed, ArrayRef(Arguments).slice(1, DeviceLaunchArguments - 1));
  Passed.append({Places, Sizes, B.getInt32(Count)});
  return callRuntime(DeviceLaunchFunction, B.getVoidTy(), Passed, B);
}

bool isExit(const CallBase &Call) {
  const auto *Text = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Text && StringRef(Text->getAsmString()).trim(" \t\n;") == "exit";
}

/// Ends the thread: what stands behind the call in the kernel is dead.
static void endThread(CallBase &Call) {
  BasicBlock *Head = Call.getParent();
  Head->splitBasicBlock(&Call);
  Head->getTerminator()->eraseFromParent();
  ReturnInst::Create(Call.getContext(), Head);
}

/// What translateInlineAssembly() leaves: one statement for which LLVM IR has
/// no word.
Value *CallLowering::lowerAssembly(CallBase &Call, Builder &B) {
  if (isExit(Call) && Thread.Linear) {
    endThread(Call);
    return nullptr;
  }
  if (IsAmd)
    return AmdLowering(*this).lowerAssembly(
        Call, cast<InlineAsm>(Call.getCalledOperand())->getAsmString(), B);
  InlineAssembly Assembly(Call);
  if (Assembly.isUnreadable())
    return fail("inline assembly that is no PTX");
  if (Assembly.instructions().empty())
    return nullptr; // a barrier of the compiler
  const PtxInstruction &I = Assembly.instructions().front();
  if (I.Opcode == "mov" && I.Operands.size() == 2 &&
      I.Operands[1].Text.starts_with("%")) {
    std::string Name = I.Operands[1].Text.drop_front().str();
    if (!I.Operands[1].Component.empty())
      Name += "." + I.Operands[1].Component.str();
    return lowerRegister(Name, Call.getType(), B);
  }
  return fail("the PTX instruction '" + I.mnemonic() + "'");
}

} // namespace gpuestimate
