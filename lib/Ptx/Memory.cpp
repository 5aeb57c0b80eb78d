#include "Memory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// The address space that I names; generic if it names none. `.param` is a
/// variable of the function, whose own space counts.
unsigned spaceOf(const PtxInstruction &I) {
  for (StringRef M : I.Modifiers)
    if (std::optional<unsigned> Space = ptxAddressSpace(M))
      return *Space;
  return ptxspace::Generic;
}

unsigned lanesOf(const PtxInstruction &I) {
  for (StringRef M : I.Modifiers)
    if (M == "v2" || M == "v4" || M == "v8")
      return M.back() - '0';
  return 1;
}

/// An access is aligned to its size.
Align alignmentOf(unsigned Lanes, PtxType T) {
  return Align(PowerOf2Ceil(std::max(1u, Lanes * T.bits() / 8)));
}

bool isVolatile(const PtxInstruction &I) {
  return I.has("volatile") || I.has("relaxed") || I.has("acquire") ||
         I.has("release") || I.has("mmio");
}

} // namespace

/// Does an access bypass L1 in a way that LLVM IR cannot say?
bool PtxMemory::hasCacheOperator() const {
  return !Executes && any_of(I.Modifiers, [](StringRef M) {
    return M == "cg" || M == "cv" || M == "wt" || M.contains("no_allocate");
  });
}

bool PtxMemory::load() {
  if (I.Operands.size() < 2 || I.Operands[1].Kind != PtxOperand::Address ||
      hasCacheOperator())
    return false;
  PtxType T = I.type();
  unsigned Lanes = lanesOf(I);
  Type *Lane = llvmType(T, B.getContext());
  if (Lane->isIntegerTy(1) || (Lanes > 1 && Lane->isVectorTy()))
    Lane = B.getIntNTy(std::max(8u, T.bits()));
  Type *Whole = Lanes > 1 ? FixedVectorType::get(Lane, Lanes) : Lane;
  Value *Pointer = Operands.address(I.Operands[1], spaceOf(I));
  LoadInst *Load =
      B.CreateAlignedLoad(Whole, Pointer, alignmentOf(Lanes, T), isVolatile(I));
  if (I.has("nc") || I.Opcode == "ldu")
    Load->setMetadata(LLVMContext::MD_invariant_load,
                      MDNode::get(B.getContext(), {}));
  PtxOperand Result = Operands.expanded(I.Operands[0]);
  if (Lanes == 1) {
    Operands.write(Result, Load, T.isSigned());
    return true;
  }
  if (Result.Kind != PtxOperand::Vector || Result.Parts.size() != Lanes) {
    Operands.fail("'" + I.mnemonic() + "' needs " + Twine(Lanes) + " results");
    return true;
  }
  for (auto [N, Part] : enumerate(Result.Parts))
    Operands.write(Part, B.CreateExtractElement(Load, N), T.isSigned());
  return true;
}

bool PtxMemory::store() {
  if (I.Operands.size() < 2 || I.Operands[0].Kind != PtxOperand::Address ||
      hasCacheOperator() || I.has("async") || I.has("bulk"))
    return false;
  PtxType T = I.type();
  unsigned Lanes = lanesOf(I);
  Value *Pointer = Operands.address(I.Operands[0], spaceOf(I));
  PtxOperand Source = Operands.expanded(I.Operands[1]);
  Value *V = nullptr;
  if (Lanes == 1) {
    V = Operands.read(Source, T);
  } else {
    if (Source.Kind != PtxOperand::Vector || Source.Parts.size() != Lanes) {
      Operands.fail("'" + I.mnemonic() + "' needs " + Twine(Lanes) + " values");
      return true;
    }
    if (T.Lanes > 1)
      T = PtxType{PtxType::Bits, T.bits(), 1};
    V = PoisonValue::get(
        FixedVectorType::get(llvmType(T, B.getContext()), Lanes));
    for (auto [N, Part] : enumerate(Source.Parts))
      V = B.CreateInsertElement(V, Operands.read(Part, T), N);
  }
  B.CreateAlignedStore(V, Pointer, alignmentOf(Lanes, T), isVolatile(I));
  return true;
}

bool PtxMemory::compareAndSwap(Value *Pointer) {
  if (I.Operands.size() < 4)
    return false;
  Type *Bits = B.getIntNTy(T.bits());
  PtxType AsBits{PtxType::Bits, T.bits(), 1};
  Value *Pair = B.CreateAtomicCmpXchg(
      Pointer,
      convertBits(B, Operands.read(I.Operands[2], AsBits), Bits, false),
      convertBits(B, Operands.read(I.Operands[3], AsBits), Bits, false),
      MaybeAlign(), AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
  Operands.write(I.Operands[0], B.CreateExtractValue(Pair, 0));
  return true;
}

bool PtxMemory::atomic() {
  bool IsReduction = I.Opcode == "red";
  unsigned At = IsReduction ? 0 : 1;
  if (I.Operands.size() < At + 2 || lanesOf(I) > 1 || I.has("async") ||
      I.Operands[At].Kind != PtxOperand::Address)
    return false;
  PtxType T = I.type();
  if (T.Lanes > 1)
    return false;
  Value *Pointer = Operands.address(I.Operands[At], spaceOf(I));
  if (I.has("cas"))
    return compareAndSwap(Pointer);
  auto Operation = AtomicRMWInst::BAD_BINOP;
  for (StringRef M : I.Modifiers)
    if (Operation == AtomicRMWInst::BAD_BINOP)
      Operation = StringSwitch<AtomicRMWInst::BinOp>(M)
                      .Case("and", AtomicRMWInst::And)
                      .Case("or", AtomicRMWInst::Or)
                      .Case("xor", AtomicRMWInst::Xor)
                      .Case("exch", AtomicRMWInst::Xchg)
                      .Case("add", T.isFloat() ? AtomicRMWInst::FAdd
                                               : AtomicRMWInst::Add)
                      .Case("inc", AtomicRMWInst::UIncWrap)
                      .Case("dec", AtomicRMWInst::UDecWrap)
                      .Case("min", T.isFloat()    ? AtomicRMWInst::FMin
                                   : T.isSigned() ? AtomicRMWInst::Min
                                                  : AtomicRMWInst::UMin)
                      .Case("max", T.isFloat()    ? AtomicRMWInst::FMax
                                   : T.isSigned() ? AtomicRMWInst::Max
                                                  : AtomicRMWInst::UMax)
                      .Default(AtomicRMWInst::BAD_BINOP);
  if (Operation == AtomicRMWInst::BAD_BINOP)
    return false;
  Value *Old = B.CreateAtomicRMW(Operation, Pointer,
                                 Operands.read(I.Operands[At + 1], T),
                                 MaybeAlign(), AtomicOrdering::Monotonic);
  if (!IsReduction)
    Operands.write(I.Operands[0], Old, T.isSigned());
  return true;
}

/// cvta: the casts keep the address, and tell the recovery of pointers what
/// the register holds.
bool PtxMemory::convertAddress() {
  if (I.Operands.size() < 2)
    return false;
  unsigned Space = spaceOf(I);
  if (Space == ptxspace::Local) // as clang, which has allocas in no space
    Space = ptxspace::Generic;
  bool To = I.has("to");
  Value *Pointer =
      Operands.address(I.Operands[1], To ? unsigned(ptxspace::Generic) : Space);
  Type *Target = PointerType::get(B.getContext(),
                                  To ? Space : unsigned(ptxspace::Generic));
  if (Pointer->getType() != Target)
    Pointer = B.CreateAddrSpaceCast(Pointer, Target);
  Operands.write(I.Operands[0], B.CreatePtrToInt(Pointer, B.getInt64Ty()));
  return true;
}

bool PtxMemory::isInSpace() {
  if (I.Operands.size() < 2 || I.Modifiers.empty())
    return false;
  Value *V =
      callIntrinsic(B, "llvm.nvvm.isspacep." + I.Modifiers[0].split("::").first,
                    {Operands.address(I.Operands[1], ptxspace::Generic)});
  if (V)
    Operands.write(I.Operands[0], V);
  return V;
}

/// cp.async of 4, 8 or 16 bytes, and the waits for it.
bool PtxMemory::asyncCopy() {
  if (!I.has("async") || I.has("bulk") || I.has("mbarrier") || I.has("reduce"))
    return false;
  if (I.has("commit_group"))
    return callIntrinsic(B, "llvm.nvvm.cp.async.commit.group", {});
  if (I.has("wait_all"))
    return callIntrinsic(B, "llvm.nvvm.cp.async.wait.all", {});
  if (I.has("wait_group"))
    return I.Operands.size() == 1 &&
           callIntrinsic(
               B, "llvm.nvvm.cp.async.wait.group",
               {Operands.read(I.Operands[0], PtxType{PtxType::Bits, 32, 1})});
  if (I.Operands.size() < 3 || I.Operands[2].Kind != PtxOperand::Integer)
    return false;
  SmallVector<Value *> Values = {
      Operands.address(I.Operands[0], ptxspace::Shared),
      Operands.address(I.Operands[1], ptxspace::Global)};
  bool HasSize = I.Operands.size() > 3 && !I.has("L2::cache_hint");
  if (HasSize)
    Values.push_back(
        Operands.read(I.Operands[3], PtxType{PtxType::Bits, 32, 1}));
  return callIntrinsic(B,
                       Twine("llvm.nvvm.cp.async.") +
                           (I.has("cg") ? "cg" : "ca") + ".shared.global." +
                           Twine(I.Operands[2].Value) + (HasSize ? ".s" : ""),
                       Values);
}

} // namespace gpuestimate
