#include "BulkCopyEmitter.h"

#include "Lowering/Pipeline/PhaseTests.h"
#include "Lowering/Values/ClusterShape.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// Where nothing says how large a tensor copy is: 128 rows of 128 bytes.
constexpr unsigned DefaultCopyBytes = 16384;
/// The widest row that the copy engine swizzles.
constexpr double RowBytes = 128;
/// Where nothing says how many buffers a pipeline has.
constexpr unsigned DefaultBuffers = 4;
/// Where the launch chooses the cluster: the least that a multicast is for.
constexpr unsigned SmallestCluster = 2;
constexpr unsigned BarrierBytes = 8;

bool mayStartCopies(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return false;
    if (Call->isInlineAsm())
      return StringRef(
                 cast<InlineAsm>(Call->getCalledOperand())->getAsmString())
          .contains("cp.async.bulk");
    const Function *Callee = Call->getCalledFunction();
    return Callee && Callee->getName().starts_with("llvm.nvvm.cp.async.bulk");
  });
}

/// The number n of an index that runs through 0 .. n-1 again and again and that
/// V is computed from: i % n, i & (n - 1), i + 1 == n ? 0 : i + 1. 0 if there
/// is none.
unsigned wrapsAt(const Value *V, SmallPtrSetImpl<const Value *> &Seen,
                 unsigned Depth = 0) {
  using namespace PatternMatch;
  constexpr unsigned MaxDepth = 8;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth || !Seen.insert(I).second)
    return 0;
  const APInt *N;
  Value *X;
  if ((match(I, m_URem(m_Value(X), m_APInt(N))) ||
       match(I, m_SRem(m_Value(X), m_APInt(N)))) &&
      N->getActiveBits() < 8)
    return N->getZExtValue();
  if (match(I, m_And(m_Value(X), m_APInt(N))) && N->getActiveBits() < 8 &&
      isPowerOf2_64(N->getZExtValue() + 1) && *N != 0)
    return N->getZExtValue() + 1;
  ICmpInst::Predicate P;
  if (match(I, m_Select(m_ICmp(P, m_Value(X), m_APInt(N)), m_Value(),
                        m_Value())) &&
      ICmpInst::isEquality(P) && N->getActiveBits() < 8) {
    const auto *S = cast<SelectInst>(I);
    const Value *Wrapped =
        P == ICmpInst::ICMP_EQ ? S->getTrueValue() : S->getFalseValue();
    if (match(Wrapped, m_Zero()))
      // The counter is compared after its step, or before.
      return match(X, m_Add(m_Value(), m_One())) ? N->getZExtValue()
                                                 : N->getZExtValue() + 1;
  }
  if (isa<CallBase, LoadInst>(I))
    return 0;
  for (const Value *Operand : I->operands())
    if (unsigned Found = wrapsAt(Operand, Seen, Depth + 1))
      return Found;
  return 0;
}

} // namespace

bool BulkCopyEmitter::emit(const CallBase &I, const InlineAssembly &Assembly,
                           const PtxInstruction &P) {
  SmallVector<const PtxOperand *> Addresses, Plain;
  for (const PtxOperand &O : P.Operands)
    (O.Kind == PtxOperand::Address ? Addresses : Plain).push_back(&O);
  auto Argument = [&](const PtxOperand *O) { return Assembly.argument(*O); };
  if (P.Opcode == "mbarrier") {
    const Value *Pointer =
        Addresses.empty() ? nullptr : Argument(Addresses.front());
    if (P.has("try_wait") || P.has("test_wait")) {
      emitTest(I, Pointer);
      return true;
    }
    if (P.has("expect_tx") && !P.Operands.empty())
      Transactions.push_back(
          {&I, Assembly.constant(P.Operands.back()), barrier(Pointer)});
    if (!Pointer)
      return false;
    emitArrive(I, Pointer);
    return true;
  }
  if (P.Opcode != "cp" || !P.has("async") || !P.has("bulk") ||
      Addresses.empty() || P.has("commit_group") || P.has("wait_group"))
    return false;
  Request R;
  R.IsTensor = P.has("tensor");
  R.IsMulticast = any_of(
      P.Modifiers, [](StringRef M) { return M.starts_with("multicast"); });
  const auto *Global = find(P.Modifiers, "global").base();
  const auto *Shared = find_if(P.Modifiers, [](StringRef M) {
                         return M.starts_with("shared");
                       }).base();
  const auto *End = P.Modifiers.data() + P.Modifiers.size();
  if (Global == End)
    // Between the blocks of a cluster: the data stay on the chip's network of
    // multiprocessors.
    return false;
  R.IsLoad = P.has("prefetch") || Shared < Global;
  const PtxOperand &Memory =
      *Addresses[R.IsLoad && Addresses.size() > 1 ? 1 : 0];
  R.Memory = Assembly.argument(Memory);
  if (Memory.Parts.size() > 1) { // [map, {x, y}]
    const PtxOperand &Box = Memory.Parts[1];
    for (const PtxOperand &Part :
         Box.Kind == PtxOperand::Vector ? ArrayRef(Box.Parts) : ArrayRef(Box))
      R.Coordinates.push_back(Assembly.argument(Part));
  }
  if (R.IsLoad && Addresses.size() > 2)
    R.Barrier = Argument(Addresses[2]);
  if (!R.IsTensor && !Plain.empty())
    R.Bytes = Assembly.constant(*Plain.front());
  if (R.IsMulticast && Plain.size() > !R.IsTensor)
    R.Blocks = Argument(Plain[!R.IsTensor]);
  emitCopy(I, R);
  return true;
}

bool BulkCopyEmitter::emit(const CallBase &I, StringRef Name) {
  if (Name.starts_with("llvm.nvvm.mbarrier.")) {
    const Value *Pointer = I.arg_size() ? I.getArgOperand(0) : nullptr;
    if (!Pointer || !Pointer->getType()->isPointerTy())
      return false;
    if (testsPhase(I))
      emitTest(I, Pointer);
    else
      emitArrive(I, Pointer);
    return true;
  }
  if (!Name.consume_front("llvm.nvvm.cp.async.bulk.") ||
      Name.contains("commit") || Name.contains("wait"))
    return false;
  Request R;
  if (Name.starts_with("global.to.shared")) {
    // destination, barrier, source, bytes
    R.Barrier = I.getArgOperand(1);
    R.Memory = I.getArgOperand(2);
    if (const auto *C = dyn_cast<ConstantInt>(I.getArgOperand(3)))
      R.Bytes = C->getZExtValue();
  } else if (Name.starts_with("shared.cta.to.global")) {
    R.IsLoad = false;
    R.Memory = I.getArgOperand(0);
    if (const auto *C = dyn_cast<ConstantInt>(I.getArgOperand(2)))
      R.Bytes = C->getZExtValue();
  } else if (Name.starts_with("tensor.g2s.") ||
             Name.starts_with("tensor.s2g.")) {
    R.IsTensor = true;
    R.IsLoad = Name.starts_with("tensor.g2s.");
    // destination, barrier, map, coordinates; or source, map, coordinates
    unsigned Map = R.IsLoad ? 2 : 1;
    R.Memory = I.getArgOperand(Map);
    if (R.IsLoad)
      R.Barrier = I.getArgOperand(1);
    unsigned Dimensions = 0;
    Name.rsplit('.').second.consumeInteger(10, Dimensions);
    for (unsigned N = 0; N < Dimensions && Map + 1 + N < I.arg_size(); ++N)
      R.Coordinates.push_back(I.getArgOperand(Map + 1 + N));
  } else {
    return false;
  }
  emitCopy(I, R);
  return true;
}

BulkCopyEmitter::Barrier BulkCopyEmitter::barrier(const Value *Pointer) {
  if (!Pointer)
    return {};
  return {Pointer, B.accesses().address(Pointer)};
}

void BulkCopyEmitter::emitCopy(const CallBase &I, const Request &R) {
  AccessRequest Access;
  Access.At = &I;
  Access.Kind = R.IsLoad ? AccessKind::AsyncCopy : AccessKind::Store;
  Access.Space = MemorySpace::Global;
  Access.BypassL1 = true;
  Access.IsBulk = true;
  Access.Bytes = std::clamp<int64_t>(R.Bytes.value_or(DefaultCopyBytes), 16,
                                     int64_t(1) << 20);
  if (!R.IsTensor)
    Access.Pointer = R.Memory;
  SmallVector<const Value *> Values;
  for (const Value *X : R.Coordinates)
    if (X)
      Values.push_back(X);
  unsigned Op = B.appendAccess(Access, Values);
  B.setProducer(I, Op);
  MemoryAccess &M = Model.Accesses[*Model.Operations[Op].access()];
  if (R.IsTensor && R.Memory) {
    PointerValue Map = B.accesses().address(R.Memory);
    M.Base = V.nameOf(Map.Base, M.BaseArgument);
    M.BaseArgument.reset(); // the argument is the map, not the tensor
  }
  Copy C;
  C.At = &I;
  C.Op = Op;
  C.IsLoad = R.IsLoad;
  C.IsTensor = R.IsTensor;
  C.HasBytes = R.Bytes.has_value();
  C.Completes = barrier(R.Barrier);
  for (const Value *X : R.Coordinates)
    C.Coordinates.push_back(X ? V.of(X) : Ctx.constant(0));
  if (R.IsMulticast) {
    const auto *Mask = dyn_cast_or_null<ConstantInt>(R.Blocks);
    std::optional<unsigned> Cluster = clusterBlocks();
    C.Blocks = std::max(1, Mask ? popcount(Mask->getZExtValue())
                                : int(Cluster.value_or(SmallestCluster)));
    if (!Mask && !Cluster) {
      Unknown U;
      U.Kind = Unknown::Instruction;
      U.Location = locate(I);
      U.What = "blocks that share the copy at " + U.Location.brief();
      U.Why = "the launch chooses the size of the cluster; taken as the "
              "smallest one";
      U.Default = SmallestCluster;
      B.Names.note(std::move(U));
    }
  }
  if (!R.IsTensor && !R.Bytes) {
    Unknown U;
    U.Kind = Unknown::Instruction;
    U.Location = locate(I);
    U.What = "size of the copy at " + U.Location.brief();
    U.Why = "it is no constant";
    U.Default = DefaultCopyBytes;
    B.Names.note(std::move(U));
  }
  Copies.push_back(std::move(C));
}

/// All lanes access one barrier; which one of the ring does not matter.
void BulkCopyEmitter::hideIndex(unsigned Op) {
  MemoryAccess &M = Model.Accesses[*Model.Operations[Op].access()];
  if (!M.Address || B.Names.contains(M.Address)) {
    M.Address = Ctx.constant(0);
    M.DataDependent = false;
  }
}

/// An update of a word in shared memory, whose lanes the hardware counts at
/// once.
void BulkCopyEmitter::emitArrive(const CallBase &I, const Value *Pointer) {
  AccessRequest Access;
  Access.At = &I;
  Access.Pointer = Pointer;
  Access.Space = MemorySpace::Shared;
  Access.Kind = AccessKind::Atomic;
  Access.Bytes = BarrierBytes;
  Access.MergesLanes = true;
  Access.ReturnsValue = !I.use_empty();
  unsigned Op = B.appendAccess(Access, {});
  hideIndex(Op);
  B.setProducer(I, Op);
}

void BulkCopyEmitter::emitTest(const CallBase &I, const Value *Pointer) {
  AccessRequest Access;
  Access.At = &I;
  Access.Pointer = Pointer;
  Access.Space = MemorySpace::Shared;
  Access.Bytes = BarrierBytes;
  unsigned Read = B.appendAccess(Access, {});
  hideIndex(Read);
  B.setProducer(I, Read);
  PhaseWait W{&I, barrier(Pointer), I.getParent(), 0, 0, 0};
  W.Now = B.append(OpClass::Branch, I);
  W.Branch = B.append(OpClass::Branch, I);
  W.Ahead = B.append(OpClass::Branch, I);
  Waits.push_back(std::move(W));
}

void BulkCopyEmitter::emitStart(const Instruction &First) {
  if (mayStartCopies(B.F))
    Start = static_cast<int>(B.append(OpClass::Branch, First));
}

int BulkCopyEmitter::loopOf(const llvm::BasicBlock *BB) const {
  return B.R.loopIndex(B.A.LI.getLoopFor(BB));
}

std::optional<unsigned> BulkCopyEmitter::clusterBlocks() const {
  std::optional<std::array<unsigned, 3>> Shape = clusterShape(B.F);
  unsigned Blocks = Shape ? (*Shape)[0] * (*Shape)[1] * (*Shape)[2] : 1;
  return Blocks > 1 ? std::optional(Blocks) : std::nullopt;
}

/// Bytes of an element of the matrices that the kernel multiplies.
unsigned BulkCopyEmitter::elementBytes() const {
  for (const Operation &Op : Model.Operations)
    switch (Op.Class) {
    case OpClass::TensorInt8:
      return 1;
    case OpClass::TensorTf32:
      return 4;
    case OpClass::TensorFp64:
      return 8;
    case OpClass::TensorFp16:
      return 2;
    default:
      break;
    }
  return 2;
}

std::optional<double> BulkCopyEmitter::expectedBytes(const Copy &C) const {
  enum ScopeType { OfBarrier, OfLoop, OfKernel };
  for (ScopeType Scope : {OfBarrier, OfLoop, OfKernel}) {
    auto IsIn = [&](const CallBase &I, const Barrier &Other) {
      if (Scope == OfKernel)
        return true;
      const PointerValue &X = Other.Address, &Y = C.Completes.Address;
      bool IsSame =
          Other.Pointer &&
          (Other.Pointer == C.Completes.Pointer ||
           (X.Base && X.Base == Y.Base && X.Offset && X.Offset == Y.Offset));
      return loopOf(I.getParent()) == loopOf(C.At->getParent()) &&
             (Scope == OfLoop || IsSame);
    };
    double Bytes = 0, Parts = 0;
    for (const Expected &E : Transactions)
      if (IsIn(*E.At, E.Of))
        Bytes += static_cast<double>(E.Bytes.value_or(0));
    for (const Copy &Other : Copies) {
      if (!Other.IsLoad || !IsIn(*Other.At, Other.Completes))
        continue;
      // One that tells its own bytes leaves the rest to the others.
      if (Other.IsTensor)
        Parts += Other.Blocks;
      else if (Scope == OfBarrier && Other.HasBytes)
        Bytes -=
            Model.Accesses[*Model.Operations[Other.Op].access()].BytesPerThread;
    }
    if (Bytes > 0 && Parts > 0)
      return Bytes / Parts;
  }
  return std::nullopt;
}

void BulkCopyEmitter::sizeTensorCopies() {
  for (Copy &C : Copies) {
    if (C.HasBytes || !C.IsTensor)
      continue;
    std::optional<double> Bytes;
    if (C.IsLoad)
      Bytes = expectedBytes(C);
    MemoryAccess &M = Model.Accesses[*Model.Operations[C.Op].access()];
    if (Bytes)
      M.BytesPerThread = std::clamp(*Bytes, 16.0, 1048576.0);
    Unknown U;
    U.Kind = Unknown::Instruction;
    U.Location = locate(*C.At);
    U.What = "tensor map of the copy at " + U.Location.brief();
    U.Why = "the host makes it; the copy is taken as " +
            std::to_string(M.BytesPerThread) + " bytes" +
            (Bytes ? ", as many as its barrier expects" : "") +
            ", in rows of " + std::to_string(int(RowBytes)) +
            " bytes of a dense tensor with elements of " +
            std::to_string(elementBytes()) + " bytes";
    U.Default = M.BytesPerThread;
    B.Names.note(std::move(U));
    setAddress(C);
  }
}

void BulkCopyEmitter::setAddress(const Copy &C) {
  MemoryAccess &M = Model.Accesses[*Model.Operations[C.Op].access()];
  if (C.Coordinates.empty())
    return;
  double Element = elementBytes(), Bytes = M.BytesPerThread;
  double Row = std::min(RowBytes, Bytes);
  // The largest value of a coordinate: at the last iterations of all loops
  // around the copy and in the last block.
  StringMap<Expr> Last;
  for (int L = loopOf(C.At->getParent()); L >= 0; L = Model.Loops[L].Parent)
    Last[Model.Loops[L].Counter] =
        Ctx.max({Ctx.constant(0), Model.Loops[L].TripCount - 1.0});
  for (StringRef Axis : {"x", "y", "z"})
    Last[("blockIdx." + Axis).str()] =
        Ctx.parameter(("gridDim." + Axis).str()) - 1.0;
  Expr Address = C.Coordinates[0] * (Bytes * Element / Row);
  Expr Pitch = Ctx.constant(Element);
  double Extent = Row / Element;
  for (size_t N = 1; N < C.Coordinates.size(); ++N) {
    Pitch = Pitch * (Ctx.substitute(C.Coordinates[N - 1], Last) + Extent);
    Address = Address + C.Coordinates[N] * Pitch;
    Extent = N == 1 ? Bytes / Row : 1;
  }
  M.Address = Address;
  M.DataDependent = B.Names.contains(Address);
}

const BulkCopyEmitter::Copy *
BulkCopyEmitter::awaited(const PhaseWait &W) const {
  const Copy *Found = nullptr;
  for (const Copy &C : Copies) {
    if (!C.IsLoad || !C.Completes.Pointer)
      continue;
    // Arrays of their own tell the barriers of data from those of buffers.
    if (C.Completes.Address.Base && W.On.Address.Base &&
        C.Completes.Address.Base != W.On.Address.Base)
      continue;
    bool IsWriter = C.Completes.Pointer == W.On.Pointer;
    int OfWait = loopOf(W.Block), OfCopy = loopOf(C.At->getParent());
    if (!IsWriter && OfWait >= 0 && OfWait == OfCopy && W.Branch < C.Op &&
        B.A.DT.dominates(W.Block, C.At->getParent()) &&
        none_of(
            Model.Operations,
            [&](const Operation &Op) {
              unsigned Index = &Op - Model.Operations.data();
              return Op.TensorMultiplyAdds > 0 && B.loopOf(Index) == OfWait;
            }))
      continue; // for a free buffer
    auto Bytes = [&](const Copy &X) {
      return Model.Accesses[*Model.Operations[X.Op].access()].BytesPerThread;
    };
    // The one in a loop, else the longest.
    auto Rank = [&](const Copy &X) {
      return std::pair(loopOf(X.At->getParent()) >= 0, Bytes(X));
    };
    if (!Found || Rank(C) > Rank(*Found))
      Found = &C;
  }
  return Found;
}

unsigned BulkCopyEmitter::buffers(const PhaseWait &W) {
  if (const auto *Array = dyn_cast_or_null<GlobalVariable>(W.On.Address.Base))
    if (uint64_t Size = B.A.DL.getTypeAllocSize(Array->getValueType()))
      return std::max<uint64_t>(1, Size / BarrierBytes);
  SmallPtrSet<const Value *, 16> Seen;
  if (unsigned N = W.On.Pointer ? wrapsAt(W.On.Pointer, Seen) : 0)
    return N;
  if (const llvm::Loop *L = B.A.LI.getLoopFor(W.Block);
      L && W.On.Pointer && L->isLoopInvariant(W.On.Pointer))
    return 1;
  Unknown U;
  U.Kind = Unknown::Instruction;
  U.Location = locate(*W.At);
  U.What = "buffers of the pipeline at " + U.Location.brief();
  U.Why = "the index of its barriers has no constant length";
  U.Default = DefaultBuffers;
  B.Names.note(std::move(U));
  return DefaultBuffers;
}

void BulkCopyEmitter::resolve(const PhaseWait &W) {
  const Copy *C = awaited(W);
  if (!C)
    return;
  unsigned Access = *Model.Operations[C->Op].access();
  auto Await = [&](unsigned Op, unsigned Ahead) {
    Model.Operations[Op].Count = 0;
    Model.Operations[Op].Effect = CopyArrival{Access, Ahead};
  };
  unsigned Buffers = loopOf(W.Block) < 0 ? 1 : buffers(W);
  if (Buffers < 2) {
    Await(W.Now, 1);
    B.addDependence(W.Branch, W.Now);
    return;
  }
  Await(W.Ahead, Buffers - 1);
  B.addDependence(W.Branch, W.Ahead, /*Carried=*/true);
  if (Start >= 0) {
    Await(Start, 1);
    B.addDependence(W.Branch, Start);
  }
}

void BulkCopyEmitter::finish() {
  sizeTensorCopies();
  for (const PhaseWait &W : Waits)
    resolve(W);
}

} // namespace gpuestimate
