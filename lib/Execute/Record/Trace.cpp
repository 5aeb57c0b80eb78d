#include "Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Sampled warps of a launch, about.
static constexpr uint64_t WantedWarps = 64;
/// Sampled requests per access of a launch, and of one warp.
static constexpr size_t MaxSamples = 256, MaxSamplesOfWarp = 32;
/// Executions of blocks and memory requests that all traced warps of a launch
/// keep: about a second of this machine, and 60 MB.
static constexpr size_t MaxVisitsOfLaunch = 1 << 18,
                        MaxRequestsOfLaunch = 1 << 17;
static constexpr uint64_t SectorBytes = 32;

//===----------------------------------------------------------------------===//
// Instrumentation
//===----------------------------------------------------------------------===//

TraceNumbers::TraceNumbers(const Function &Kernel) {
  unsigned NextBlock = 0, NextInstruction = 0;
  for (const BasicBlock &BB : Kernel) {
    Blocks[&BB] = NextBlock++;
    for (const Instruction &I : BB)
      Instructions[&I] = NextInstruction++;
  }
}

/// The alignment that the hardware needs of an access: its size, and 16 bytes
/// at most, even if the source promises more. Clang and LLVM choose narrower
/// instructions where less is known.
static uint64_t alignmentOf(Instruction &I, uint64_t Bytes) {
  constexpr uint64_t WidestInstruction = 16;
  if (isa<LoadInst, StoreInst>(I))
    return std::min({getLoadStoreAlignment(&I).value(), PowerOf2Ceil(Bytes),
                     WidestInstruction});
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(I) ? Bytes : 1;
}

/// The pointer and the bytes of one memory request; null for an instruction
/// that makes none. Copies of whole ranges count as none.
static std::pair<Value *, uint64_t> accessOf(Instruction &I,
                                             const DataLayout &Layout) {
  if (Value *P = getLoadStorePointerOperand(&I))
    return {P, Layout.getTypeStoreSize(getLoadStoreType(&I)).getFixedValue()};
  if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
    return {Rmw->getPointerOperand(),
            Layout.getTypeStoreSize(Rmw->getType()).getFixedValue()};
  if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return {Swap->getPointerOperand(),
            Layout.getTypeStoreSize(Swap->getNewValOperand()->getType())
                .getFixedValue()};
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration())
    return {nullptr, 0};
  StringRef Name = Callee->getName();
  if (!Name.consume_front("llvm.nvvm."))
    return {nullptr, 0};
  if (Name.starts_with("ldg.") || Name.starts_with("ldu.") ||
      Name.starts_with("atomic."))
    return {Call->getArgOperand(0),
            Layout.getTypeStoreSize(I.getType()).getFixedValue()};
  if (Name.starts_with("cp.async.c") && Name.contains(".shared.global.")) {
    Name.consume_back(".s");
    return {Call->getArgOperand(1), Name.ends_with(".16")  ? 16
                                    : Name.ends_with(".8") ? 8
                                                           : 4};
  }
  return {nullptr, 0};
}

/// Dividend of a division of fp32 or fp64 that may test its operands; null for
/// another instruction.
static Value *dividendOf(Instruction &I) {
  Type *T = I.getType();
  if (!T->isFloatTy() && !T->isDoubleTy())
    return nullptr;
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  bool Divides = I.getOpcode() == Instruction::FDiv ||
                 (Callee && (Callee->getName().starts_with("__nv_fdiv_r") ||
                             Callee->getName().starts_with("__nv_ddiv_r")));
  return Divides && !isa<Constant>(I.getOperand(0)) ? I.getOperand(0) : nullptr;
}

/// Whether NVIDIA's code for the division takes the slow path. In fp64 its test
/// is on the high words, read as floats (machine code for sm_80): the dividend
/// is below 2^-969, or the quotient is not above 2^-1022, or a NaN as a float,
/// which it is from 2^1017 on. In fp32 the test is one instruction, FCHK; it is
/// taken to look for the same: a residual or a quotient that is not a normal
/// number.
static Value *hasSpecialOperands(IRBuilder<> &B, Instruction &I,
                                 Value *Dividend) {
  Type *T = I.getType();
  auto Power = [&](int OfFloat, int OfDouble) {
    return ConstantFP::get(
        T, std::ldexp(1.0, T->isFloatTy() ? OfFloat : OfDouble));
  };
  auto Magnitude = [&](Value *V) {
    return B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  };
  Value *Quotient = Magnitude(&I);
  return B.CreateOr(
      {B.CreateFCmpOLT(Magnitude(Dividend), Power(-102, -969)),
       B.CreateFCmpULE(Quotient, Power(-126, -1022)),
       B.CreateFCmpOGE(Quotient, Power(128, 1017))}); // 2^128: infinite
}

/// The counts of a thread of which no more is traced, or null.
static Value *blockCounts(IRBuilder<> &B, const ThreadValues &Thread) {
  return B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(
                                        B.getInt8Ty(), Thread.Context,
                                        offsetof(ThreadContext, BlockCounts)));
}

/// A call at the start of a block; where no more is traced, it is counted.
static void addBlockCall(BasicBlock &BB, unsigned Number,
                         const ThreadValues &Thread, bool ForVectors) {
  IRBuilder<> B(&BB, BB.getFirstInsertionPt());
  // The first block begins a thread, which is traced at first.
  if (!BB.isEntryBlock() && !ForVectors) {
    Value *Of = blockCounts(B, Thread);
    Instruction *Traced = nullptr, *Counted = nullptr;
    SplitBlockAndInsertIfThenElse(B.CreateIsNull(Of), &*B.GetInsertPoint(),
                                  &Traced, &Counted);
    B.SetInsertPoint(Counted);
    Value *Place = B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Of, Number);
    B.CreateStore(
        B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Place), B.getInt64(1)), Place);
    B.SetInsertPoint(Traced);
  }
  Type *Int = B.getInt32Ty();
  FunctionCallee Block = BB.getModule()->getOrInsertFunction(
      "ge.trace.block", B.getVoidTy(), B.getPtrTy(), Int, Int);
  B.CreateCall(Block, {Thread.Context, Thread.Linear, B.getInt32(Number)});
}

void addTraceCalls(Function &Kernel, const ThreadValues &Thread,
                   const TraceNumbers &Numbers, bool ForVectors) {
  Module &M = *Kernel.getParent();
  LLVMContext &C = M.getContext();
  Type *Void = Type::getVoidTy(C), *Int = Type::getInt32Ty(C),
       *Long = Type::getInt64Ty(C), *Pointer = PointerType::get(C, 0);
  FunctionCallee Condition = M.getOrInsertFunction("ge.trace.condition", Void,
                                                   Pointer, Int, Int, Int),
                 Access =
                     M.getOrInsertFunction("ge.trace.access", Void, Pointer,
                                           Int, Int, Long, Int, Int, Int),
                 Division = M.getOrInsertFunction("ge.trace.division", Void,
                                                  Pointer, Int, Int);
  SmallVector<Instruction *> Instructions;
  for (Instruction &I : instructions(Kernel))
    Instructions.push_back(&I);
  SmallVector<std::pair<BasicBlock *, unsigned>> Blocks;
  for (BasicBlock &BB : Kernel)
    Blocks.push_back({&BB, Numbers.Blocks.lookup(&BB)});
  // Goes on where the thread is traced. Calls for vectors see to that.
  auto WhereTraced = [&](IRBuilder<> &B) {
    if (ForVectors)
      return;
    Value *IsTraced = B.CreateIsNull(blockCounts(B, Thread));
    B.SetInsertPoint(SplitBlockAndInsertIfThen(IsTraced, &*B.GetInsertPoint(),
                                               /*Unreachable=*/false));
  };
  for (Instruction *I : Instructions) {
    auto Number = Numbers.Instructions.find(I);
    if (Number == Numbers.Instructions.end())
      continue;
    IRBuilder<> B(I);
    auto [Address, Bytes] = accessOf(*I, M.getDataLayout());
    if (Address) {
      WhereTraced(B);
      Value *A = B.CreatePtrToInt(Address, Long);
      auto *Object = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
      if (Object)
        A = B.CreateSub(A, B.CreatePtrToInt(Object, Long));
      B.CreateCall(Access,
                   {Thread.Context, Thread.Linear, B.getInt32(Number->second),
                    A, B.getInt32(Bytes), B.getInt32(Object != nullptr),
                    B.getInt32(Object ? 1 : alignmentOf(*I, Bytes))});
      continue;
    }
    if (Value *Dividend = dividendOf(*I)) {
      B.SetInsertPoint(I->getParent(), std::next(I->getIterator()));
      WhereTraced(B);
      B.SetCurrentDebugLocation(I->getDebugLoc());
      Value *IsSpecial = hasSpecialOperands(B, *I, Dividend);
      B.SetInsertPoint(SplitBlockAndInsertIfThen(
          IsSpecial, &*B.GetInsertPoint(), /*Unreachable=*/false));
      B.CreateCall(Division,
                   {Thread.Context, Thread.Linear, B.getInt32(Number->second)});
      continue;
    }
    if (!I->getType()->isIntegerTy(1) || I->isTerminator())
      continue;
    BasicBlock *BB = I->getParent();
    if (isa<PHINode>(I))
      B.SetInsertPoint(BB, BB->getFirstInsertionPt());
    else
      B.SetInsertPoint(BB, std::next(I->getIterator()));
    WhereTraced(B);
    B.SetCurrentDebugLocation(I->getDebugLoc());
    B.CreateCall(Condition, {Thread.Context, Thread.Linear,
                             B.getInt32(Number->second), B.CreateZExt(I, Int)});
  }
  for (auto [BB, Number] : Blocks)
    addBlockCall(*BB, Number, Thread, ForVectors);
}

static WarpTrace *tracedWarp(ThreadContext *Context, uint32_t Linear) {
  TracedBlock &T = *Context->Trace;
  return T.Warps[Linear / T.Lanes].get();
}
static void traceBlock(ThreadContext *Context, uint32_t Linear,
                       uint32_t Block) {
  WarpTrace *W = tracedWarp(Context, Linear);
  if (!W)
    Context->BlockCounts = Context->Trace->CountsOfOthers.data();
  else if (W->enterBlock(Linear % Context->Trace->Lanes, Block))
    Context->BlockCounts = nullptr;
  else
    Context->BlockCounts = W->counts();
}
static void traceCondition(ThreadContext *Context, uint32_t Linear,
                           uint32_t Instruction, uint32_t Value) {
  if (WarpTrace *W = tracedWarp(Context, Linear))
    W->condition(Instruction, 1, Value);
}
static void traceDivision(ThreadContext *Context, uint32_t Linear,
                          uint32_t Instruction) {
  if (WarpTrace *W = tracedWarp(Context, Linear))
    W->specialDivision(Linear % Context->Trace->Lanes, Instruction);
}
/// The warp of the vector while it is traced, null from then on.
static WarpTrace *tracedWarpOfLanes(ThreadContext *Context, uint32_t First) {
  return Context->BlockCounts ? nullptr : tracedWarp(Context, First);
}
/// Like traceBlock() for the active lanes of a vector. No more of it is traced
/// once one of them is not.
static void traceBlockOfLanes(ThreadContext *Context, uint32_t First,
                              uint32_t Active, uint32_t Block) {
  if (Block != 0 && Context->BlockCounts) {
    Context->BlockCounts[Block] += uint64_t(popcount(Active));
    return;
  }
  WarpTrace *W = tracedWarp(Context, First);
  Context->BlockCounts = W ? nullptr : Context->Trace->CountsOfOthers.data();
  if (!W)
    return;
  for (uint32_t Left = Active; Left; Left &= Left - 1)
    if (!W->enterBlock((First + unsigned(countr_zero(Left))) %
                           Context->Trace->Lanes,
                       Block))
      Context->BlockCounts = W->counts();
}
static void traceConditionOfLanes(ThreadContext *Context, uint32_t First,
                                  uint32_t Active, uint32_t Instruction,
                                  uint32_t True) {
  if (WarpTrace *W = tracedWarpOfLanes(Context, First))
    W->condition(Instruction, unsigned(popcount(Active)),
                 unsigned(popcount(True & Active)));
}
static void traceDivisionOfLanes(ThreadContext *Context, uint32_t First,
                                 uint32_t Active, uint32_t Instruction) {
  if (WarpTrace *W = tracedWarpOfLanes(Context, First))
    W->specialDivision((First + unsigned(countr_zero(Active))) %
                           Context->Trace->Lanes,
                       Instruction);
}
/// Names the lane in the context, so that a fault is its own.
static void setThread(ThreadContext *Context, uint32_t Linear) {
  Context->Thread[0] = Linear % Context->BlockSize[0];
  Context->Thread[1] = Linear / Context->BlockSize[0] % Context->BlockSize[1];
  Context->Thread[2] = Linear / (Context->BlockSize[0] * Context->BlockSize[1]);
}
/// Finds accesses behind the end of an allocation that no page guards. Site:
/// of the access, behind its instruction.
static void checkBounds(ThreadContext *Context, uint32_t Instruction,
                        uint64_t Address, uint32_t Bytes, const void *Site) {
  auto &[First, Size] = Context->Trace->LastRange[Instruction];
  if (Address - First < Size && Bytes <= Size - (Address - First))
    return;
  DeviceAllocations::Range Around;
  switch (Context->Trace->Memory->placeOf(Address, Bytes, Around)) {
  case DeviceAllocations::Place::Inside:
    First = Around.Address;
    Size = Around.Bytes;
    return;
  case DeviceAllocations::Place::Behind:
    stopWithFault(Context, "out-of-bounds access", Site,
                  Context->Trace->Memory->describe(
                      std::max(Address, Around.Address + Around.Bytes)));
  case DeviceAllocations::Place::Unknown:
    return;
  }
}

static void checkAccess(ThreadContext *Context, uint32_t Instruction,
                        uint64_t Address, uint32_t Bytes, bool IsLocal,
                        uint32_t Alignment, const void *Site) {
  // The host does not mind; the GPU ends the program.
  if (Address % Alignment)
    stopWithFault(Context,
                  "misaligned access of " + std::to_string(Bytes) +
                      " bytes at 0x" + utohexstr(Address, /*LowerCase=*/true),
                  Site);
  if (Context->Trace->IsSampleOnly && !IsLocal)
    checkBounds(Context, Instruction, Address, Bytes, Site);
}

static void traceAccess(ThreadContext *Context, uint32_t Linear,
                        uint32_t Instruction, uint64_t Address, uint32_t Bytes,
                        uint32_t IsLocal, uint32_t Alignment) {
  if (Context->Trace->Checks)
    checkAccess(Context, Instruction, Address, Bytes, IsLocal, Alignment,
                __builtin_return_address(0));
  if (WarpTrace *W = tracedWarp(Context, Linear))
    W->access(Linear % Context->Trace->Lanes, Instruction, Address, Bytes,
              IsLocal);
}

static void traceAccessOfLanes(ThreadContext *Context, uint32_t First,
                               uint32_t Active, uint32_t Instruction,
                               const uint64_t *Addresses, uint32_t Bytes,
                               uint32_t IsLocal, uint32_t Alignment) {
  WarpTrace *W = tracedWarpOfLanes(Context, First);
  if (!W)
    return;
  for (; Active; Active &= Active - 1) {
    unsigned Lane = unsigned(countr_zero(Active));
    if (Context->Trace->Checks) {
      setThread(Context, First + Lane);
      checkAccess(Context, Instruction, Addresses[Lane], Bytes, IsLocal,
                  Alignment, __builtin_return_address(0));
    }
    W->access((First + Lane) % Context->Trace->Lanes, Instruction,
              Addresses[Lane], Bytes, IsLocal);
  }
}

void addTraceFunctions(StringMap<void *> &Table) {
  Table["ge.trace.block"] = reinterpret_cast<void *>(traceBlock);
  Table["ge.trace.condition"] = reinterpret_cast<void *>(traceCondition);
  Table["ge.trace.division"] = reinterpret_cast<void *>(traceDivision);
  Table["ge.trace.access"] = reinterpret_cast<void *>(traceAccess);
  Table["ge.trace.block.lanes"] = reinterpret_cast<void *>(traceBlockOfLanes);
  Table["ge.trace.condition.lanes"] =
      reinterpret_cast<void *>(traceConditionOfLanes);
  Table["ge.trace.division.lanes"] =
      reinterpret_cast<void *>(traceDivisionOfLanes);
  Table["ge.trace.access.lanes"] = reinterpret_cast<void *>(traceAccessOfLanes);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

TracedCode::TracedCode(const Function &Kernel) {
  TraceNumbers Numbers(Kernel);
  Global.resize(Numbers.Instructions.size());
  Loads.resize(Numbers.Instructions.size());
  BlockOf.resize(Numbers.Instructions.size());
  for (auto [I, Number] : Numbers.Instructions) {
    BlockOf[Number] = Numbers.Blocks.lookup(I->getParent());
    if (dividendOf(*const_cast<Instruction *>(I)))
      Divisions.push_back(Number);
    Value *Pointer = accessOf(*const_cast<Instruction *>(I),
                              Kernel.getParent()->getDataLayout())
                         .first;
    constexpr unsigned GlobalSpace = 1; // NVPTX and AMDGPU; 0 is generic
    if (!Pointer || Pointer->getType()->getPointerAddressSpace() > GlobalSpace)
      continue;
    Global[Number] = true;
    const auto *Call = dyn_cast<CallInst>(I);
    Loads[Number] = isa<LoadInst>(I) ||
                    (Call && !Call->getCalledFunction()->getName().starts_with(
                                 "llvm.nvvm.atomic."));
  }
  DominatorTree Dominators(const_cast<Function &>(Kernel));
  LoopInfo Info(Dominators);
  DenseMap<const llvm::Loop *, unsigned> LoopNumbers;
  for (const llvm::Loop *L : Info.getLoopsInPreorder()) {
    LoopNumbers[L] = Loops.size();
    Loop &New = Loops.emplace_back();
    New.Header = Numbers.Blocks[L->getHeader()];
    if (const BasicBlock *Before = L->getLoopPreheader())
      New.Preheader = int(Numbers.Blocks[Before]);
    New.Blocks.resize(Kernel.size());
    for (const BasicBlock *BB : L->blocks())
      New.Blocks.set(Numbers.Blocks[BB]);
  }
  for (const BasicBlock &BB : Kernel) {
    Block &B = Blocks.emplace_back();
    for (const BasicBlock *S : successors(&BB))
      B.Successors.push_back(Numbers.Blocks[S]);
    B.HasOneWayIn = BB.getSinglePredecessor() != nullptr;
    B.FirstEdge = Edges;
    Edges += B.Successors.size();
    B.Terminator = Numbers.Instructions[BB.getTerminator()];
    for (const llvm::Loop *L = Info.getLoopFor(&BB); L; L = L->getParentLoop())
      B.Loops.insert(B.Loops.begin(), LoopNumbers[L]);
    if (const llvm::Loop *L = Info.getLoopFor(&BB); L && L->getHeader() == &BB)
      B.HeaderOf = LoopNumbers[L];
  }
}

//===----------------------------------------------------------------------===//
// One warp
//===----------------------------------------------------------------------===//

static uint64_t mix(uint64_t Key, uint64_t Value) {
  Key = (Key ^ Value) * 0x9e3779b97f4a7c15;
  return Key ^ Key >> 29;
}

WarpTrace::WarpTrace(const TracedCode &Code, unsigned Lanes, size_t MaxVisits,
                     size_t MaxRequests)
    : Code(Code), LaneCount(Lanes), MaxVisits(MaxVisits),
      MaxRequests(MaxRequests), Lanes(Lanes),
      Iterations(Lanes * Code.Loops.size()), Conditions(Code.BlockOf.size()),
      Dropped(Code.BlockOf.size()), Beyond(Code.Blocks.size()) {}

bool WarpTrace::enterBlock(unsigned LaneNumber, unsigned Block) {
  Lane &L = Lanes[LaneNumber];
  uint64_t Bit = uint64_t(1) << LaneNumber;
  const TracedCode::Block &B = Code.Blocks[Block];
  if (Block == 0)
    L.Previous = -1;
  if (L.Previous >= 0) {
    const TracedCode::Block &From = Code.Blocks[L.Previous];
    if (From.Successors.size() > 1)
      for (unsigned S = 0; S < From.Successors.size(); ++S)
        if (From.Successors[S] == Block) {
          Taken[Visits[L.Visit].FirstTaken + S] |= Bit;
          break;
        }
  }
  uint32_t *Counts = Iterations.data() + LaneNumber * Code.Loops.size();
  bool EntersLoop = false;
  if (B.HeaderOf >= 0) {
    EntersLoop = L.Previous < 0 ||
                 !Code.Loops[B.HeaderOf].Blocks.test(unsigned(L.Previous));
    Counts[B.HeaderOf] = EntersLoop ? 0 : Counts[B.HeaderOf] + 1;
  }
  uint64_t Key = mix(0, Block + 1);
  for (unsigned Loop : B.Loops)
    Key = mix(Key, Counts[Loop]);
  Key >>= 1; // DenseMap keeps two of the largest numbers for itself
  if (Visits.size() >= MaxVisits && !VisitNumbers.contains(Key)) {
    ++Beyond[Block];
    return false;
  }
  auto [It, New] = VisitNumbers.insert({Key, uint32_t(Visits.size())});
  if (New) {
    Visits.push_back({Block, EntersLoop, 0, uint32_t(Taken.size())});
    if (B.Successors.size() > 1)
      Taken.resize(Taken.size() + B.Successors.size());
  }
  Visits[It->second].Mask |= Bit;
  L.Previous = int(Block);
  L.Visit = It->second;
  L.Key = Key;
  return true;
}

void WarpTrace::condition(unsigned Instruction, unsigned Lanes, unsigned True) {
  ConditionCount &C = Conditions[Instruction];
  C.Lanes += Lanes;
  C.True += True;
}

void WarpTrace::access(unsigned LaneNumber, unsigned Instruction,
                       uint64_t Address, unsigned Bytes, bool IsLocal) {
  uint64_t Key = mix(Lanes[LaneNumber].Key, Instruction) >> 1;
  uint32_t &Last = Lanes[LaneNumber].Request;
  auto It = RequestNumbers.find(Key);
  uint32_t Number = Requests.size();
  if (It != RequestNumbers.end()) {
    Number = It->second;
  } else {
    if (Requests.size() >= MaxRequests) {
      ++Dropped[Instruction];
      return;
    }
    RequestNumbers[Key] = Number;
    // The warp makes it after the last one of this lane.
    uint32_t &Link = Last == None ? FirstRequest : Requests[Last].Next;
    uint32_t Next = std::exchange(Link, Number);
    Requests.push_back({Instruction, Bytes, IsLocal, 0, Next});
    Addresses.resize(Addresses.size() + LaneCount);
  }
  Last = Number;
  Requests[Number].Mask |= uint64_t(1) << LaneNumber;
  Addresses[uint64_t(Number) * LaneCount + LaneNumber] = Address;
}

void WarpTrace::specialDivision(unsigned Lane, unsigned Instruction) {
  BitVector &Of = SpecialDivisions[Instruction];
  if (Of.size() < Visits.size())
    Of.resize(Visits.capacity());
  Of.set(Lanes[Lane].Visit);
}

std::vector<uint32_t> WarpTrace::order() const {
  std::vector<uint32_t> Order;
  for (uint32_t R = FirstRequest; R != None; R = Requests[R].Next)
    Order.push_back(R);
  return Order;
}

double WarpTrace::droppedRequests() const {
  std::vector<double> Kept(Dropped.size()), LanesOfKept(Dropped.size());
  for (const Request &R : Requests) {
    ++Kept[R.Instruction];
    LanesOfKept[R.Instruction] += popcount(R.Mask);
  }
  double Sum = 0;
  for (unsigned I = 0; I < Dropped.size(); ++I)
    if (Code.Global[I])
      Sum += double(dropped(I)) *
             (Kept[I] ? Kept[I] / LanesOfKept[I] : 1.0 / LaneCount);
  return Sum;
}

bool WarpTrace::isGlobal(uint32_t R, uint64_t Shared,
                         uint64_t SharedEnd) const {
  const Request &Q = Requests[R];
  if (Q.IsLocal || !Code.Global[Q.Instruction])
    return false;
  uint64_t Address = Addresses[uint64_t(R) * LaneCount + countr_zero(Q.Mask)];
  return Address < Shared || Address >= SharedEnd;
}

void WarpTrace::sectors(uint32_t R, SmallVectorImpl<uint64_t> &Sectors) const {
  const Request &Q = Requests[R];
  Sectors.clear();
  for (uint64_t Left = Q.Mask; Left; Left &= Left - 1) {
    uint64_t Address = Addresses[uint64_t(R) * LaneCount + countr_zero(Left)];
    for (uint64_t S = Address / SectorBytes;
         S <= (Address + Q.Bytes - 1) / SectorBytes; ++S)
      Sectors.push_back(S);
  }
  llvm::sort(Sectors);
  Sectors.erase(std::unique(Sectors.begin(), Sectors.end()), Sectors.end());
}

/// The entry of Items for an instruction.
template <typename T>
static T &entryOf(std::vector<T> &Items, uint64_t Number) {
  for (T &Item : Items)
    if (Item.Instruction == Number)
      return Item;
  T &New = Items.emplace_back();
  New.Instruction = Number;
  return New;
}

void WarpTrace::addEdges(unsigned Block, MutableArrayRef<double> Lanes) const {
  const TracedCode::Block &From = Code.Blocks[Block];
  // The counts of blocks with one way in are those of the edges; the other
  // edges share the rest as they did before.
  double Rest = double(Beyond[Block]), Known = 0;
  for (auto [To, Before] : zip(From.Successors, Lanes))
    if (Code.Blocks[To].HasOneWayIn)
      Rest -= double(Beyond[To]);
    else
      Known += Before;
  Rest = std::max(0.0, Rest);
  for (auto [To, Before] : zip(From.Successors, Lanes))
    if (Code.Blocks[To].HasOneWayIn)
      Before += double(Beyond[To]);
    else if (Known > 0)
      Before += Rest * Before / Known;
}

/// The requests of each access, and a sample of their addresses.
void WarpTrace::addAccesses(RunTrace &Trace, double Weight, uint64_t SharedBase,
                            uint64_t SharedBytes,
                            const DeviceAllocations &Memory) const {
  DenseMap<unsigned, std::vector<uint32_t>> ByAccess;
  for (uint32_t R = 0; R < Requests.size(); ++R)
    ByAccess[Requests[R].Instruction].push_back(R);
  SmallVector<uint64_t, 64> Sectors;
  for (const auto &[Instruction, Numbers] : ByAccess) {
    double Lanes = 0, SectorSum = 0;
    for (uint32_t R : Numbers) {
      Lanes += popcount(Requests[R].Mask);
      sectors(R, Sectors);
      SectorSum += double(Sectors.size());
    }
    // What was dropped is as the requests that were kept.
    double Scale = (Lanes + double(dropped(Instruction))) / Lanes * Weight;
    RunTrace::Access &Sum = entryOf(Trace.Accesses, Instruction);
    Sum.Requests += Scale * double(Numbers.size());
    Sum.Lanes += Scale * Lanes;
    Sum.Sectors += Scale * SectorSum;
    size_t Share = std::clamp<size_t>(
        MaxSamples / std::max<uint64_t>(1, Trace.WantedWarps), 1,
        MaxSamplesOfWarp);
    Share = std::min(Share, Numbers.size());
    for (size_t I = 0; I < Share; ++I) {
      uint32_t R = Numbers[I * Numbers.size() / Share];
      Sum.Weights.push_back(Scale * double(Numbers.size()) / double(Share));
      std::vector<int64_t> &Sample = Sum.Samples.emplace_back(LaneCount, -1);
      for (uint64_t Left = Requests[R].Mask; Left; Left &= Left - 1) {
        unsigned Lane = countr_zero(Left);
        uint64_t Address = Addresses[uint64_t(R) * LaneCount + Lane];
        if (!Requests[R].IsLocal) {
          if (Address - SharedBase < SharedBytes)
            Address -= SharedBase;
          else if (auto Buffer = Memory.find(Address))
            Address -= Buffer->Address;
        }
        Sample[Lane] = int64_t(Address);
      }
    }
  }
}

void WarpTrace::addConditions(RunTrace &Trace, double Weight) const {
  for (const auto &[Number, C] : enumerate(Conditions)) {
    if (!C.Lanes)
      continue;
    RunTrace::Condition &Sum = entryOf(Trace.Conditions, Number);
    Sum.Lanes += Weight * double(C.Lanes);
    Sum.True += Weight * double(C.True);
  }
}

void WarpTrace::addTo(RunTrace &Trace, RunTrace::Warp Warp, uint64_t SharedBase,
                      uint64_t SharedBytes,
                      const DeviceAllocations &Memory) const {
  // Of the executions that were kept; a divergent one takes several edges.
  struct Count {
    double Warps = 0, Lanes = 0;
  };
  std::vector<Count> Runs(Code.Blocks.size()), Entries(Code.Loops.size());
  std::vector<double> Divergent(Code.Blocks.size()), Edges(Code.Edges);
  Count All;
  for (const Visit &V : Visits) {
    const TracedCode::Block &B = Code.Blocks[V.Block];
    double Active = popcount(V.Mask);
    auto Add = [Active](Count &To) {
      ++To.Warps;
      To.Lanes += Active;
    };
    Add(All);
    Add(Runs[V.Block]);
    if (V.EntersLoop)
      Add(Entries[B.HeaderOf]);
    if (B.Successors.size() < 2)
      continue;
    unsigned Paths = 0;
    for (unsigned S = 0; S < B.Successors.size(); ++S) {
      uint64_t Mask = Taken[V.FirstTaken + S];
      Paths += Mask != 0;
      Edges[B.FirstEdge + S] += popcount(Mask);
    }
    Divergent[V.Block] += Paths > 1;
  }
  // What was not kept had as many lanes at a time.
  auto Extend = [&](Count &To, uint64_t Beyond) {
    const Count &Like = To.Lanes ? To : All;
    double Warps = Like.Lanes ? double(Beyond) * Like.Warps / Like.Lanes : 0;
    To.Warps += Warps;
    To.Lanes += double(Beyond);
    return To.Warps > Warps ? To.Warps / (To.Warps - Warps) : 1;
  };
  std::vector<double> Scales(Code.Blocks.size());
  Warp.Runs.resize(Code.Blocks.size());
  Warp.Entries.resize(Code.Loops.size());
  for (unsigned N = 0; N < Code.Blocks.size(); ++N) {
    const TracedCode::Block &B = Code.Blocks[N];
    double Scale = Scales[N] = Extend(Runs[N], Beyond[N]);
    Warp.Runs[N] = std::llround(Runs[N].Warps);
    Trace.Runs[N] += Warp.Weight * Runs[N].Warps;
    Trace.Lanes[N] += Warp.Weight * Runs[N].Lanes;
    if (B.Successors.size() < 2 || Runs[N].Warps == 0)
      continue;
    RunTrace::Branch &Sum = entryOf(Trace.Branches, B.Terminator);
    Sum.Lanes.resize(B.Successors.size());
    MutableArrayRef<double> Taking =
        MutableArrayRef(Edges).slice(B.FirstEdge, B.Successors.size());
    addEdges(N, Taking);
    for (auto [To, Lanes] : zip(Sum.Lanes, Taking))
      To += Warp.Weight * Lanes;
    Sum.Warps += Warp.Weight * Runs[N].Warps;
    Sum.Divergent += Warp.Weight * Scale * Divergent[N];
  }
  for (unsigned L = 0; L < Code.Loops.size(); ++L) {
    if (int Before = Code.Loops[L].Preheader; Before >= 0)
      Extend(Entries[L], Beyond[Before]);
    Warp.Entries[L] = std::llround(Entries[L].Warps);
    Trace.Entries[L] += Warp.Weight * Entries[L].Warps;
  }
  for (unsigned Number : Code.Divisions) {
    unsigned Block = Code.BlockOf[Number];
    if (Runs[Block].Warps == 0)
      continue;
    RunTrace::Condition &Sum = entryOf(Trace.Conditions, Number);
    Sum.Lanes += Warp.Weight * Runs[Block].Warps;
    Sum.True += Warp.Weight * Scales[Block] *
                double(SpecialDivisions.lookup(Number).count());
  }
  addConditions(Trace, Warp.Weight);
  addAccesses(Trace, Warp.Weight, SharedBase, SharedBytes, Memory);
  Trace.Warps.push_back(std::move(Warp));
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

/// Stratified sample: the launch is cut into equal parts, and the middle unit
/// of each represents it. The first and the last unit represent themselves,
/// because guards often apply to them.
TraceRecorder::TraceRecorder(const TracedCode &Code,
                             const ExecutionRequest &Request, unsigned Lanes,
                             bool WholeBlocks)
    : Code(Code), Request(Request),
      WarpsPerBlock(divideCeil(
          Request.Block[0] * Request.Block[1] * Request.Block[2], Lanes)),
      Lanes(Lanes) {
  uint64_t Blocks = Request.Grid[0] * Request.Grid[1] * Request.Grid[2];
  uint64_t Units = WholeBlocks ? Blocks : Blocks * WarpsPerBlock;
  uint64_t Wanted = WholeBlocks
                        ? std::max<uint64_t>(3, WantedWarps / WarpsPerBlock)
                        : WantedWarps;
  auto add = [&](uint64_t Unit, double Weight) {
    if (!WholeBlocks) {
      Sampled[Unit / WarpsPerBlock].push_back(
          {unsigned(Unit % WarpsPerBlock), Weight});
      ++Trace.WantedWarps;
      return;
    }
    for (unsigned W = 0; W < WarpsPerBlock; ++W)
      Sampled[Unit].push_back({W, Weight});
    Trace.WantedWarps += WarpsPerBlock;
  };
  if (Units <= Wanted) {
    for (uint64_t U = 0; U < Units; ++U)
      add(U, 1);
  } else {
    add(0, 1);
    uint64_t Parts = Wanted - 2, Begin = 1;
    for (uint64_t P = 0; P < Parts; ++P) {
      uint64_t Length = (Units - 1 - Begin) / (Parts - P);
      add(Begin + Length / 2, double(Length));
      Begin += Length;
    }
    add(Units - 1, 1);
  }
  Trace.Runs.assign(Code.Blocks.size(), 0);
  Trace.Lanes.assign(Code.Blocks.size(), 0);
  Trace.Entries.assign(Code.Loops.size(), 0);
  for (const TracedCode::Loop &L : Code.Loops)
    Trace.Loops.push_back(L.Header);
  Reuse.emplace(Sampled.size(), Trace.WantedWarps, Code.Loads.count());
}

std::vector<uint64_t> TraceRecorder::sampledBlocks() const {
  std::vector<uint64_t> Blocks;
  for (const auto &Entry : Sampled)
    Blocks.push_back(Entry.first);
  llvm::sort(Blocks);
  unsigned Bits = Log2_64_Ceil(std::max<size_t>(2, Blocks.size()));
  std::vector<uint64_t> Ordered;
  for (uint64_t N = 0; N < uint64_t(1) << Bits; ++N)
    if (uint64_t Number = reverseBits(N) >> (64 - Bits); Number < Blocks.size())
      Ordered.push_back(Blocks[Number]);
  return Ordered;
}

std::unique_ptr<TracedBlock>
TraceRecorder::start(uint64_t Linear, const DeviceAllocations &Memory) {
  auto It = Sampled.find(Linear);
  if (It == Sampled.end())
    return nullptr;
  auto B = std::make_unique<TracedBlock>();
  size_t Warps = std::max<size_t>(1, Trace.WantedWarps);
  B->Linear = Linear;
  B->Lanes = Lanes;
  B->Memory = &Memory;
  B->IsSampleOnly = Request.SampledOnly;
  B->LastRange.resize(Code.Global.size());
  B->Warps.resize(WarpsPerBlock);
  B->CountsOfOthers.resize(Code.Blocks.size());
  for (const SampledWarp &W : It->second)
    B->Warps[W.Warp] = std::make_unique<WarpTrace>(
        Code, Lanes, MaxVisitsOfLaunch / Warps, MaxRequestsOfLaunch / Warps);
  return B;
}

void TraceRecorder::end(const TracedBlock &B, uint64_t SharedBase,
                        uint64_t SharedBytes, const DeviceAllocations &Memory) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::vector<const WarpTrace *> Traces;
  std::vector<RunTrace::Warp> Warps;
  for (const SampledWarp &S : Sampled.find(B.Linear)->second) {
    const WarpTrace &W = *B.Warps[S.Warp];
    const std::array<uint64_t, 3> &Grid = Request.Grid;
    Traces.push_back(&W);
    RunTrace::Warp &Warp = Warps.emplace_back();
    Warp.Block = {B.Linear % Grid[0], B.Linear / Grid[0] % Grid[1],
                  B.Linear / (Grid[0] * Grid[1])};
    Warp.Index = S.Warp;
    Warp.Weight = S.Weight;
    Warp.Sampled = B.Linear;
  }
  Reuse->add(Traces, Warps, SharedBase, SharedBase + SharedBytes);
  for (auto [W, Warp] : zip_equal(Traces, Warps))
    W->addTo(Trace, std::move(Warp), SharedBase, SharedBytes, Memory);
}

RunTrace TraceRecorder::take(std::string StopReason) {
  if (Trace.Stop.empty())
    Trace.Stop = std::move(StopReason);
  Reuse->finish(Trace.Accesses);
  auto byNumber = [](const auto &A, const auto &B) {
    return A.Instruction < B.Instruction;
  };
  llvm::sort(Trace.Conditions, byNumber);
  llvm::sort(Trace.Branches, byNumber);
  llvm::sort(Trace.Accesses, byNumber);
  llvm::sort(Trace.Warps, [](const RunTrace::Warp &A, const RunTrace::Warp &B) {
    return std::pair(A.Sampled, A.Index) < std::pair(B.Sampled, B.Index);
  });
  return std::move(Trace);
}

} // namespace gpuestimate
