#include "RaceDetector.h"

#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace gpuestimate {

//===----------------------------------------------------------------------===//
// Detection
//===----------------------------------------------------------------------===//

void RaceDetector::start(const char *Memory, uint64_t Bytes, unsigned Lanes,
                         unsigned Warps, bool WithinWarps,
                         uint64_t MaxAccesses) {
  AccessesLeft = MaxAccesses;
  Begin = reinterpret_cast<uint64_t>(Memory);
  End = Begin + Bytes;
  LanesShift = Log2_32(Lanes);
  LooksWithinWarps = WithinWarps;
  WarpEpochs.resize(Warps);
  // What earlier blocks left is of an earlier epoch.
  Words.resize(std::max<size_t>(Words.size(), Bytes / WordBytes + 1));
  order();
}

bool RaceDetector::races(const Access &Before, const Access &Now) const {
  if (Before.Epoch != Now.Epoch || Before.Thread == Now.Thread ||
      !(Before.Mask & Now.Mask) || (Before.Flags & Now.Flags & Synchronising))
    return false;
  bool SameWarp = Before.Thread >> LanesShift == Now.Thread >> LanesShift;
  return !SameWarp || (LooksWithinWarps && Before.WarpEpoch == Now.WarpEpoch);
}

void RaceDetector::report(const Access &Before, const Access &Now,
                          uint64_t Offset, uint32_t Bytes) {
  if (!Seen.insert({Before.Site, Now.Site}).second)
    return;
  Race R;
  const Access *Both[2] = {&Before, &Now};
  for (unsigned I = 0; I < 2; ++I) {
    R.Sites[I] = Both[I]->Site;
    R.Threads[I] = Both[I]->Thread;
    R.Writes[I] = Both[I]->Flags & Write;
  }
  R.Offset = Offset;
  R.Bytes = Bytes;
  Found.push_back(R);
}

void RaceDetector::access(uint32_t Thread, uint64_t Address, uint32_t Bytes,
                          uint32_t Flags, uint64_t Value, uint64_t Site) {
  if (Address < Begin || Address >= End || Bytes > End - Address ||
      AccessesLeft == 0)
    return;
  --AccessesLeft;
  uint64_t Offset = Address - Begin;
  Access Now;
  Now.Site = Site;
  Now.Thread = Thread;
  Now.Epoch = Epoch;
  Now.WarpEpoch = WarpEpochs[Thread >> LanesShift];
  Now.Flags = static_cast<uint8_t>(Flags);
  // A write of the value that is there already.
  auto keeps = [&] {
    return (Flags & Write) && (Flags & HasValue) &&
           std::memcmp(reinterpret_cast<const void *>(Address), &Value,
                       Bytes) == 0;
  };
  for (uint64_t At = Offset, Last = Offset + Bytes; At < Last;) {
    uint64_t Number = At / WordBytes, Next = (Number + 1) * WordBytes;
    uint64_t Upto = std::min(Next, Last);
    Now.Mask =
        static_cast<uint8_t>(((1u << (Upto - At)) - 1) << At % WordBytes);
    Word &W = Words[Number];
    if (races(W.Written, Now) && !keeps())
      report(W.Written, Now, Offset, Bytes);
    if (Flags & Write) {
      for (const Access &Read : W.Read)
        if (races(Read, Now))
          report(Read, Now, Offset, Bytes);
      W.Written = Now;
    } else {
      bool IsFirst = W.Read[0].Epoch != Now.Epoch || W.Read[0].Thread == Thread;
      W.Read[IsFirst ? 0 : 1] = Now;
    }
    At = Upto;
  }
}

//===----------------------------------------------------------------------===//
// Instrumentation
//===----------------------------------------------------------------------===//

/// Leaves out, of pointers without an address space, only those that are known
/// not to be shared.
static bool mayBeShared(const Value *Pointer) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  if (Space)
    return Space == SharedSpace;
  const Value *Object = getUnderlyingObject(Pointer);
  if (const auto *G = dyn_cast<GlobalVariable>(Object))
    return G->getAddressSpace() == SharedSpace;
  unsigned ObjectSpace = Object->getType()->isPointerTy()
                             ? Object->getType()->getPointerAddressSpace()
                             : 0;
  if (ObjectSpace)
    return ObjectSpace == SharedSpace;
  return !isa<AllocaInst>(Object) && !isa<Argument>(Object);
}

/// The bits of a stored value in 64; null where there are more, or none.
static Value *bitsOf(IRBuilder<> &B, Value *V, const DataLayout &Layout) {
  Type *T = V->getType();
  uint64_t Bits = Layout.getTypeSizeInBits(T).getFixedValue();
  if (Bits > 64 || Bits != Layout.getTypeStoreSizeInBits(T).getFixedValue())
    return nullptr;
  if (T->isPointerTy())
    return B.CreateZExt(B.CreatePtrToInt(V, B.getIntNTy(unsigned(Bits))),
                        B.getInt64Ty());
  if (!T->isIntOrIntVectorTy() && !T->isFPOrFPVectorTy())
    return nullptr;
  return B.CreateZExt(B.CreateBitCast(V, B.getIntNTy(unsigned(Bits))),
                      B.getInt64Ty());
}

namespace {

class RaceCallInserter {
public:
  RaceCallInserter(Function &F, Value *Context)
      : M(*F.getParent()), Layout(M.getDataLayout()), Context(Context) {
    LLVMContext &C = M.getContext();
    Type *Void = Type::getVoidTy(C), *Int = Type::getInt32Ty(C),
         *Long = Type::getInt64Ty(C), *Pointer = PointerType::get(C, 0);
    Access = M.getOrInsertFunction("ge.race.access", Void, Pointer, Pointer,
                                   Long, Int, Long);
    Order = M.getOrInsertFunction("ge.race.order", Void, Pointer);
  }

  void insert(Instruction &I);

private:
  void call(Instruction &I, Value *Pointer, Value *Bytes, uint32_t Flags,
            Value *Stored = nullptr);
  void call(Instruction &I, Value *Pointer, Type *Accessed, uint32_t Flags,
            Value *Stored = nullptr) {
    uint64_t Bytes = Layout.getTypeStoreSize(Accessed).getFixedValue();
    call(I, Pointer, ConstantInt::get(Type::getInt64Ty(M.getContext()), Bytes),
         Flags, Stored);
  }

  Module &M;
  const DataLayout &Layout;
  Value *Context;
  FunctionCallee Access, Order;
};

} // namespace

void RaceCallInserter::call(Instruction &I, Value *Pointer, Value *Bytes,
                            uint32_t Flags, Value *Stored) {
  if (!mayBeShared(Pointer))
    return;
  IRBuilder<> B(&I);
  Value *Bits = Stored ? bitsOf(B, Stored, Layout) : nullptr;
  if (Bits)
    Flags |= RaceDetector::HasValue;
  else
    Bits = B.getInt64(0);
  B.CreateCall(Access, {Context, B.CreateAddrSpaceCast(Pointer, B.getPtrTy()),
                        B.CreateZExtOrTrunc(Bytes, B.getInt64Ty()),
                        B.getInt32(Flags), Bits});
}

void RaceCallInserter::insert(Instruction &I) {
  using enum RaceDetector::Flag;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    call(I, Load->getPointerOperand(), Load->getType(),
         Load->isSimple() ? 0 : Synchronising);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    call(I, Store->getPointerOperand(), Store->getValueOperand()->getType(),
         Write | (Store->isSimple() ? 0 : Synchronising),
         Store->getValueOperand());
  } else if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I)) {
    call(I, Rmw->getPointerOperand(), Rmw->getType(), Write | Synchronising);
  } else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I)) {
    call(I, Swap->getPointerOperand(), Swap->getNewValOperand()->getType(),
         Write | Synchronising);
  } else if (auto *Range = dyn_cast<MemIntrinsic>(&I)) {
    call(I, Range->getRawDest(), Range->getLength(), Write);
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      call(I, Copy->getRawSource(), Copy->getLength(), 0);
  }
  // Locks are taken and given back by these.
  auto *Rmw = dyn_cast<AtomicRMWInst>(&I);
  if (isa<AtomicCmpXchgInst>(I) ||
      (Rmw && Rmw->getOperation() == AtomicRMWInst::Xchg)) {
    IRBuilder<> B(&I);
    B.CreateCall(Order, {Context});
  }
}

void addRaceCalls(Function &F, Value *Context) {
  const Module &M = *F.getParent();
  if (none_of(M.globals(), [](const GlobalVariable &G) {
        return G.getAddressSpace() == SharedSpace;
      }))
    return;
  SmallVector<Instruction *> Instructions;
  for (Instruction &I : instructions(F))
    Instructions.push_back(&I);
  RaceCallInserter Inserter(F, Context);
  for (Instruction *I : Instructions)
    Inserter.insert(*I);
}

static void raceAccess(ThreadContext *Context, const void *Address,
                       uint64_t Bytes, uint32_t Flags, uint64_t Value) {
  if (!Context->Races)
    return;
  uint32_t Thread =
      Context->Thread[0] +
      Context->BlockSize[0] *
          (Context->Thread[1] + Context->BlockSize[1] * Context->Thread[2]);
  Context->Races->access(
      Thread, reinterpret_cast<uint64_t>(Address),
      static_cast<uint32_t>(std::min<uint64_t>(Bytes, UINT32_MAX)), Flags,
      Value, reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1);
  if (Context->Races->hasEnded())
    Context->Races = nullptr;
}

/// The accesses of the active lanes of a vector, whose first thread is First.
/// Values is null where the stored value is not known.
static void raceAccessOfLanes(ThreadContext *Context, uint32_t First,
                              uint32_t Active, const uint64_t *Addresses,
                              uint64_t Bytes, uint32_t Flags,
                              const uint64_t *Values) {
  RaceDetector *Races = Context->Races;
  uint64_t Site = reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1;
  for (; Active; Active &= Active - 1) {
    unsigned Lane = unsigned(countr_zero(Active));
    Races->access(First + Lane, Addresses[Lane],
                  static_cast<uint32_t>(std::min<uint64_t>(Bytes, UINT32_MAX)),
                  Flags, Values ? Values[Lane] : 0, Site);
  }
  if (Races->hasEnded())
    Context->Races = nullptr; // the code does not call any more
}

static void raceOrder(ThreadContext *Context) {
  if (Context->Races)
    Context->Races->order();
}

void addRaceFunctions(StringMap<void *> &Table) {
  Table["ge.race.access"] = reinterpret_cast<void *>(raceAccess);
  Table["ge.race.access.lanes"] = reinterpret_cast<void *>(raceAccessOfLanes);
  Table["ge.race.order"] = reinterpret_cast<void *>(raceOrder);
}

} // namespace gpuestimate
