#include "MemoryEmitter.h"

#include "Lowering/Control/TripCounts.h"
#include "llvm/TargetParser/Triple.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace gpuestimate {

namespace {

/// The widest access of one thread in one instruction.
constexpr unsigned WidestAccess = 16;
/// A copy of more pieces than this counts as a loop would.
constexpr unsigned MostPieces = 64;

} // namespace

void MemoryEmitter::emitAccess(const llvm::Instruction &I) {
  const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I);
  const auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I);
  if (Load && Mem.isFreeRead(*Load))
    return;
  llvm::Type *Type =
      Load ? Load->getType() : Store->getValueOperand()->getType();
  uint64_t Bytes = A.DL.getTypeStoreSize(Type);
  if (Bytes == 0)
    return;
  AccessRequest Request;
  Request.At = &I;
  Request.Pointer = accessPointer(I);
  Request.Kind = Load ? AccessKind::Load : AccessKind::Store;
  Request.BypassL1 = Load ? Load->isVolatile() || Load->isAtomic()
                          : Store->isVolatile() || Store->isAtomic();
  // What the alignment forbids to move at once is several instructions.
  uint64_t Align = std::max<uint64_t>(
      llvm::getLoadStoreAlignment(const_cast<llvm::Instruction *>(&I)).value(),
      1);
  uint64_t Width = std::min<uint64_t>(
      {Bytes, WidestAccess, llvm::isa<llvm::VectorType>(Type) ? Align : Bytes});
  uint64_t Pieces = std::min<uint64_t>((Bytes + Width - 1) / Width, MostPieces);
  for (uint64_t N = 0; N < Pieces; ++N) {
    Request.Bytes =
        static_cast<unsigned>(std::min<uint64_t>(Width, Bytes - N * Width));
    Request.Extra = N ? Ctx.constant(static_cast<double>(N * Width)) : Expr();
    llvm::SmallVector<const llvm::Value *> Values;
    if (Store)
      Values.push_back(Store->getValueOperand());
    B.setProducer(I, B.appendAccess(Request, Values));
  }
}

/// Whether a device compiler combines the lanes of a warp in one operation, as
/// ptxas 13.0 does for sm_75 to sm_90: integers on one address, added (with or
/// without the old value) or joined by a bit operation, minimum or maximum
/// (without it). Values that differ between lanes only if they have 32 bits.
bool MemoryEmitter::combinesLanes(const llvm::AtomicRMWInst &Rmw) const {
  if (!A.UI.isUniform(Rmw.getPointerOperand()))
    return false;
  bool Differ = !A.UI.isUniform(Rmw.getValOperand());
  if (Differ && A.DL.getTypeStoreSize(Rmw.getType()) != 4)
    return false;
  switch (Rmw.getOperation()) {
  case llvm::AtomicRMWInst::Add:
  case llvm::AtomicRMWInst::Sub:
    return true;
  case llvm::AtomicRMWInst::And:
  case llvm::AtomicRMWInst::Or:
  case llvm::AtomicRMWInst::Xor:
  case llvm::AtomicRMWInst::Min:
  case llvm::AtomicRMWInst::Max:
  case llvm::AtomicRMWInst::UMin:
  case llvm::AtomicRMWInst::UMax:
    return Rmw.use_empty();
  default:
    return false;
  }
}

/// Whether shared memory counts the lanes of a word at once: an increment by 1
/// whose old value nobody wants is ATOMS.POPC.INC since Ampere (ptxas 13.0).
bool MemoryEmitter::mergesLanes(const llvm::AtomicRMWInst &Rmw) const {
  constexpr unsigned Ampere = 80;
  const auto *By = llvm::dyn_cast<llvm::ConstantInt>(Rmw.getValOperand());
  return smOf(*Rmw.getFunction()) >= Ampere && By && By->isOne() &&
         Rmw.use_empty() && Rmw.getOperation() == llvm::AtomicRMWInst::Add &&
         Rmw.getType()->isIntegerTy(32);
}

/// Whether the swap is tried on one address until it succeeds.
bool MemoryEmitter::isRetryLoop(const llvm::AtomicCmpXchgInst &Swap) const {
  const llvm::Loop *L = A.LI.getLoopFor(Swap.getParent());
  return L && retriedSwap(*L) == &Swap;
}

/// Whether shared memory lacks the operation, so that ptxas makes a loop of a
/// read, the operation and a compare-and-swap. For sm_75 to sm_90 ptxas 13.0
/// does so for reals and for 64-bit integers, exchanges excepted; Kepler and
/// older GPUs have no atomics of shared memory at all (NVIDIA, Tuning CUDA
/// Applications for Maxwell).
bool MemoryEmitter::isLoopInShared(const llvm::AtomicRMWInst &Rmw) const {
  if (llvm::Triple(Rmw.getModule()->getTargetTriple()).isAMDGPU())
    return false;
  constexpr unsigned Maxwell = 50;
  if (unsigned Sm = smOf(*Rmw.getFunction()); Sm > 0 && Sm < Maxwell)
    return true;
  return Rmw.isFloatingPointOperation() ||
         (A.DL.getTypeStoreSize(Rmw.getType()) > 4 &&
          Rmw.getOperation() != llvm::AtomicRMWInst::Xchg);
}

/// The operation between the read and the swap of such a loop.
unsigned MemoryEmitter::emitUpdate(const llvm::AtomicRMWInst &Rmw,
                                   unsigned Old) {
  const llvm::Value *Values[] = {Rmw.getValOperand()};
  llvm::Type *Type = Rmw.getType();
  bool IsReal = Rmw.isFloatingPointOperation();
  OpClass Class = Type->isDoubleTy() ? OpClass::Fp64Add
                  : IsReal           ? OpClass::Fp32Add
                                     : OpClass::IntAdd;
  unsigned Update = B.append(Class, Rmw, Values, static_cast<int>(Old));
  Operation &Op = Model.Operations[Update];
  if (!IsReal)
    Op.Count = Op.Chain = A.DL.getTypeStoreSize(Type) > 4 ? 2 : 1;
  else
    (Type->isDoubleTy() ? Op.FlopFp64 : Op.FlopFp32) = 1;
  return Update;
}

void MemoryEmitter::emitAtomic(const llvm::Instruction &I) {
  AccessRequest Request;
  Request.At = &I;
  Request.Pointer = accessPointer(I);
  Request.Kind = AccessKind::Atomic;
  llvm::SmallVector<const llvm::Value *> Values;
  const auto *Rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&I);
  const auto *Swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&I);
  llvm::Type *Type = Rmw ? Rmw->getValOperand()->getType()
                         : Swap->getNewValOperand()->getType();
  Request.Bytes = static_cast<unsigned>(A.DL.getTypeStoreSize(Type));
  Request.ReturnsValue = !I.use_empty();
  Request.CombinesLanes = Rmw && combinesLanes(*Rmw);
  Request.Real = Rmw && Rmw->isFloatingPointOperation();
  Request.CasLoop = Swap && isRetryLoop(*Swap);
  if (Rmw)
    Values.push_back(Rmw->getValOperand());
  else
    Values.append({Swap->getCompareOperand(), Swap->getNewValOperand()});
  bool Shared = Mem.spaceOf(Request.Pointer) == MemorySpace::Shared;
  Request.MergesLanes = Rmw && Shared && mergesLanes(*Rmw);
  if (Rmw && Shared && isLoopInShared(*Rmw)) {
    AccessRequest Read = Request;
    Read.Kind = AccessKind::Load;
    Read.ReturnsValue = true;
    unsigned Update = emitUpdate(*Rmw, B.appendAccess(Read, {}));
    Request.ReturnsValue = Request.CasLoop = true;
    unsigned Cas = B.appendAccess(Request, {});
    B.addDependence(Cas, Update);
    unsigned Test = B.append(OpClass::Compare, I, {}, static_cast<int>(Cas));
    B.append(OpClass::Branch, I, {}, static_cast<int>(Test));
    B.setProducer(I, Cas);
    return;
  }
  B.setProducer(I, B.appendAccess(Request, Values));
}

void MemoryEmitter::emitBulk(const llvm::MemIntrinsic &I) {
  const auto *Length = llvm::dyn_cast<llvm::ConstantInt>(I.getLength());
  const auto *Copy = llvm::dyn_cast<llvm::MemTransferInst>(&I);
  uint64_t Align = I.getDestAlign().valueOrOne().value();
  if (Copy) {
    uint64_t Source = Copy->getSourceAlign().valueOrOne().value();
    // The assignment of an aggregate has one type on both sides: what is known
    // of the one holds for the other (a float4 that is put into an array of
    // float).
    bool Assignment = Copy->hasMetadata(llvm::LLVMContext::MD_tbaa_struct);
    Align = Assignment ? std::max(Align, Source) : std::min(Align, Source);
  }
  uint64_t Width = std::min<uint64_t>(Align, WidestAccess);
  uint64_t Bytes = Length ? Length->getZExtValue() : Width;
  if (Bytes == 0)
    return;
  uint64_t Pieces = std::min<uint64_t>((Bytes + Width - 1) / Width, MostPieces);
  if (!Length || Pieces * Width < Bytes) {
    Unknown U;
    U.Kind = Unknown::Call;
    U.Location = locate(I);
    U.What = "the block copy at " + U.Location.brief();
    U.Why = "its length is " +
            std::string(Length ? "large" : "not a constant") +
            "; it counts as " + std::to_string(Pieces) + " accesses";
    U.Default = static_cast<double>(Pieces);
    Names.note(std::move(U));
  }
  for (uint64_t N = 0; N < Pieces; ++N) {
    AccessRequest Request;
    Request.At = &I;
    Request.Bytes =
        static_cast<unsigned>(std::min<uint64_t>(Width, Bytes - N * Width));
    Request.Extra = Ctx.constant(static_cast<double>(N * Width));
    int Loaded = -1;
    if (Copy) {
      Request.Pointer = Copy->getRawSource();
      Loaded = static_cast<int>(B.appendAccess(Request, {}));
    }
    Request.Pointer = I.getRawDest();
    Request.Kind = AccessKind::Store;
    unsigned Stored = B.appendAccess(Request, {});
    if (Loaded >= 0)
      B.addDependence(Stored, static_cast<unsigned>(Loaded));
  }
}

void MemoryEmitter::emitAsyncCommit(const llvm::CallBase &I) {
  Commits.push_back(B.currentLoop());
  B.setProducer(I, B.append(OpClass::Branch, I));
}

void MemoryEmitter::emitAsyncWait(const llvm::CallBase &I, unsigned Groups) {
  GroupWait W{B.append(OpClass::Branch, I), -1, Groups, B.currentBlock()};
  B.setProducer(I, W.Op);
  if (Groups > 0 && B.currentLoop() >= 0) {
    W.Ahead = static_cast<int>(B.append(OpClass::Branch, I));
    Model.Operations[W.Ahead].Count = 0;
  }
  GroupWaits.push_back(W);
}

void MemoryEmitter::finishAsyncWaits() {
  for (const GroupWait &W : GroupWaits) {
    int L = B.loopOf(W.Op);
    unsigned OfIteration = std::max<size_t>(1, llvm::count(Commits, L));
    int Longest = -1; // of those of several iterations before
    for (auto [Copy, BB] : B.asyncCopies()) {
      bool IsBefore = Copy < W.Op;
      if (L < 0 || B.loopOf(Copy) != L) {
        if (IsBefore && A.DT.dominates(BB, W.Block))
          B.addDependence(W.Op, Copy);
        continue;
      }
      unsigned Distance = W.Groups / OfIteration + !IsBefore;
      if (Distance < 2) {
        B.addDependence(W.Op, Copy, /*Carried=*/Distance == 1);
      } else if (Longest < 0) {
        Longest = static_cast<int>(Copy);
        Model.Operations[W.Ahead].Effect =
            CopyArrival{*Model.Operations[Copy].access(), Distance};
        B.addDependence(W.Op, W.Ahead, /*Carried=*/true);
      }
    }
  }
}

} // namespace gpuestimate
