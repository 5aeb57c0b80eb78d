#include "Operands.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

/// Names of the components of a vector.
static constexpr StringLiteral Components = "xyzw";

std::optional<unsigned> ptxAddressSpace(StringRef Name) {
  return StringSwitch<std::optional<unsigned>>(Name)
      .Case("global", ptxspace::Global)
      .StartsWith("shared", ptxspace::Shared)
      .Case("const", ptxspace::Constant)
      .Case("local", ptxspace::Local)
      .Default(std::nullopt);
}

Type *llvmType(PtxType T, LLVMContext &C) {
  Type *Lane = nullptr;
  if (T.Kind == PtxType::BFloat)
    Lane = Type::getBFloatTy(C);
  else if (T.Kind == PtxType::Float)
    Lane = T.Width == 16   ? Type::getHalfTy(C)
           : T.Width == 32 ? Type::getFloatTy(C)
                           : Type::getDoubleTy(C);
  else
    Lane = Type::getIntNTy(C, T.Width);
  return T.Lanes > 1 ? FixedVectorType::get(Lane, T.Lanes) : Lane;
}

Value *convertBits(IRBuilder<> &B, Value *V, Type *To, bool Signed) {
  Type *From = V->getType();
  if (From == To)
    return V;
  if (From->isPointerTy())
    return convertBits(B, B.CreatePtrToInt(V, B.getInt64Ty()), To, Signed);
  if (To->isPointerTy())
    return B.CreateIntToPtr(convertBits(B, V, B.getInt64Ty(), false), To);
  unsigned FromBits = From->getPrimitiveSizeInBits(),
           ToBits = To->getPrimitiveSizeInBits();
  if (FromBits != ToBits) {
    V = B.CreateBitCast(V, B.getIntNTy(FromBits));
    V = Signed ? B.CreateSExtOrTrunc(V, B.getIntNTy(ToBits))
               : B.CreateZExtOrTrunc(V, B.getIntNTy(ToBits));
  }
  return B.CreateBitCast(V, To);
}

Value *callIntrinsic(IRBuilder<> &B, const Twine &Name,
                     ArrayRef<Value *> Arguments, ArrayRef<Type *> Overloads) {
  SmallString<64> Buffer;
  StringRef Full = Name.toStringRef(Buffer);
  Intrinsic::ID Id = Function::lookupIntrinsicID(Full);
  if (Id == Intrinsic::not_intrinsic ||
      Intrinsic::isOverloaded(Id) == Overloads.empty())
    return nullptr;
  Function *F =
      Intrinsic::getDeclaration(B.GetInsertBlock()->getModule(), Id, Overloads);
  // The table has "llvm.nvvm.x" for every name that starts so.
  if (Overloads.empty() && F->getName() != Full)
    return nullptr;
  FunctionType *Type = F->getFunctionType();
  if (Type->getNumParams() != Arguments.size())
    return nullptr;
  SmallVector<Value *> Converted;
  for (auto [Given, Wanted] : zip(Arguments, Type->params()))
    Converted.push_back(convertBits(B, Given, Wanted, /*Signed=*/false));
  return B.CreateCall(F, Converted);
}

PtxOperands::PtxOperands(IRBuilder<> &B, Function &F, const PtxSymbols &Symbols)
    : B(B), F(F), Symbols(Symbols) {
  enterScope();
}

AllocaInst *PtxOperands::allocate(Type *T, const Twine &Name,
                                  unsigned Alignment) {
  llvm::BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  AllocaInst *Slot = AtEntry.CreateAlloca(T, nullptr, Name);
  if (Alignment && isPowerOf2_32(Alignment))
    Slot->setAlignment(Align(Alignment));
  return Slot;
}

void PtxOperands::declare(const PtxRegisters &Registers) {
  if (Registers.Count) {
    Scopes.back().Families[Registers.Name] = Registers;
    return;
  }
  Type *T = llvmType(Registers.Type, B.getContext());
  if (Registers.VectorSize == 1) {
    Scopes.back().Registers[Registers.Name] = allocate(T, "");
    return;
  }
  unsigned Size = std::min<unsigned>(Registers.VectorSize, Components.size());
  Scopes.back().Vectors[Registers.Name] = Size;
  for (char Component : Components.take_front(Size))
    Scopes.back().Registers[(Registers.Name + "." + Twine(Component)).str()] =
        allocate(T, "");
}

PtxOperand PtxOperands::expanded(const PtxOperand &O) const {
  if (O.Kind != PtxOperand::Name || !O.Component.empty())
    return O;
  for (const Scope &S : reverse(Scopes)) {
    unsigned Size = S.Vectors.lookup(O.Text);
    if (const PtxRegisters *Declared = family(O.Text, S))
      Size = Declared->VectorSize > 1
                 ? std::min<unsigned>(Declared->VectorSize, Components.size())
                 : 0;
    if (Size == 0)
      continue;
    PtxOperand Vector;
    Vector.Kind = PtxOperand::Vector;
    for (unsigned N = 0; N != Size; ++N) {
      PtxOperand &Part = Vector.Parts.emplace_back();
      Part.Text = O.Text;
      Part.Component = Components.substr(N, 1);
    }
    return Vector;
  }
  return O;
}

void PtxOperands::declare(StringRef Name, Value *Address) {
  Scopes.back().Variables[Name] = Address;
}

const PtxRegisters *PtxOperands::family(StringRef Name, const Scope &S) const {
  // "%r1<4>" declares "%r10" to "%r13".
  size_t Digits = Name.rtrim("0123456789").size();
  for (size_t Size = Digits; Size < Name.size(); ++Size) {
    auto Declared = S.Families.find(Name.take_front(Size));
    unsigned Number;
    if (Declared != S.Families.end() &&
        !Name.drop_front(Size).getAsInteger(10, Number) &&
        Number < Declared->second.Count)
      return &Declared->second;
  }
  return nullptr;
}

AllocaInst *PtxOperands::slot(StringRef Name) {
  auto [Stem, Component] = Name.split('.');
  for (Scope &S : reverse(Scopes)) {
    auto Entry = S.Registers.find(Name);
    if (Entry != S.Registers.end())
      return Entry->second;
    const PtxRegisters *Declared = family(Stem, S);
    if (!Declared || Component.empty() != (Declared->VectorSize == 1))
      continue;
    AllocaInst *Slot = allocate(llvmType(Declared->Type, B.getContext()), "");
    S.Registers[Name] = Slot;
    return Slot;
  }
  return nullptr;
}

Type *PtxOperands::registerType(StringRef Name) {
  AllocaInst *Slot = slot(Name);
  return Slot ? Slot->getAllocatedType() : nullptr;
}

AllocaInst *PtxOperands::carry() {
  if (!Carry)
    Carry = allocate(B.getInt1Ty(), "");
  return Carry;
}

Value *PtxOperands::symbol(StringRef Name) const {
  for (const Scope &S : reverse(Scopes)) {
    auto Entry = S.Variables.find(Name);
    if (Entry != S.Variables.end())
      return Entry->second;
  }
  return Symbols.lookup(Name);
}

/// "%tid.x" and its like; null if O is no special register.
Value *PtxOperands::specialRegister(const PtxOperand &O) {
  if (O.Text == "WARP_SZ")
    return B.getInt32(32);
  StringRef Name = O.Text;
  if (!Name.consume_front("%"))
    return nullptr;
  std::string Intrinsic = "llvm.nvvm.read.ptx.sreg." + Name.str();
  StringRef Letters = Name.rtrim("0123456789");
  if (Letters == "envreg" || Letters == "pm")
    return callIntrinsic(B, Intrinsic, {});
  if (Name == "lanemask_eq" || Name == "lanemask_le" || Name == "lanemask_lt" ||
      Name == "lanemask_ge" || Name == "lanemask_gt") {
    Intrinsic = "llvm.nvvm.read.ptx.sreg.lanemask." + Name.take_back(2).str();
  } else if (Name == "clock_hi") {
    Intrinsic = "llvm.nvvm.read.ptx.sreg.clock";
  } else if (Name == "globaltimer_lo" || Name == "globaltimer_hi") {
    Intrinsic = "llvm.nvvm.read.ptx.sreg.globaltimer";
  } else if (Name.starts_with("cluster_")) {
    Intrinsic = "llvm.nvvm.read.ptx.sreg.cluster." + Name.substr(8).str();
  } else if (Name == "is_explicit_cluster") {
    Intrinsic = "llvm.nvvm.is_explicit_cluster";
  }
  if (!O.Component.empty())
    Intrinsic += "." + O.Component.str();
  if (Value *V = callIntrinsic(B, Intrinsic, {}))
    return V;
  // A register that LLVM has no intrinsic for is read by an instruction.
  static constexpr StringLiteral Others[] = {"dynamic_smem_size",
                                             "total_smem_size",
                                             "aggr_smem_size",
                                             "current_graph_exec",
                                             "reserved_smem_offset_begin",
                                             "reserved_smem_offset_end",
                                             "reserved_smem_offset_cap",
                                             "reserved_smem_offset_0",
                                             "reserved_smem_offset_1",
                                             "nsmid",
                                             "nwarpid",
                                             "gridid",
                                             "clusterid",
                                             "nclusterid",
                                             "warpid",
                                             "smid",
                                             "cluster_ctarank",
                                             "cluster_nctarank",
                                             "globaltimer",
                                             "clock64"};
  if (!is_contained(Others, Name))
    return nullptr;
  bool Is64 = Name == "gridid" || Name == "current_graph_exec" ||
              Name == "globaltimer" || Name == "clock64";
  std::string Text = std::string(Is64 ? "mov.u64" : "mov.u32") + " $0, %" +
                     Name.str() +
                     (O.Component.empty() ? "" : "." + O.Component.str()) + ";";
  auto *Type = FunctionType::get(Is64 ? B.getInt64Ty() : B.getInt32Ty(), false);
  return B.CreateCall(
      InlineAsm::get(Type, Text, Is64 ? "=l" : "=r", /*SideEffects=*/false));
}

Value *PtxOperands::number(const PtxOperand &O, Type *Wanted) {
  Type *Lane = Wanted->getScalarType();
  Constant *C = nullptr;
  if (O.Kind == PtxOperand::Real) {
    APFloat V(O.Width == 32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble(),
              APInt(O.Width, O.Value));
    if (Lane->isFloatingPointTy()) {
      bool Inexact;
      V.convert(Lane->getFltSemantics(), APFloat::rmNearestTiesToEven,
                &Inexact);
      C = ConstantFP::get(B.getContext(), V);
    } else {
      C = ConstantInt::get(
          Lane, APInt(64, O.Value).zextOrTrunc(Lane->getIntegerBitWidth()));
    }
  } else if (Lane->isFloatingPointTy()) {
    // An integer where a real number is wanted gives its bits.
    unsigned Bits = Lane->getPrimitiveSizeInBits();
    C = ConstantFP::get(
        B.getContext(),
        APFloat(Lane->getFltSemantics(), APInt(64, O.Value).zextOrTrunc(Bits)));
  } else {
    C = ConstantInt::get(
        Lane, APInt(64, O.Value).sextOrTrunc(Lane->getIntegerBitWidth()));
  }
  if (auto *V = dyn_cast<FixedVectorType>(Wanted)) {
    unsigned Bits = V->getPrimitiveSizeInBits();
    return ConstantExpr::getBitCast(
        B.getInt(APInt(64, O.Value).zextOrTrunc(Bits)), V);
  }
  return C;
}

/// The value of a register, special register or address of a variable.
Value *PtxOperands::named(const PtxOperand &O, Type *Wanted) {
  std::string Full =
      (O.Text + (O.Component.empty() ? "" : ".") + O.Component).str();
  AllocaInst *Slot = slot(O.Component.empty() ? O.Text : StringRef(Full));
  if (Slot)
    return B.CreateLoad(Slot->getAllocatedType(), Slot);
  if (Value *Special = specialRegister(O))
    return Special;
  if (Value *Pointer = symbol(O.Text)) {
    Value *Address = B.CreatePtrToInt(Pointer, B.getInt64Ty());
    return Address;
  }
  fail("'" + Full + "' is not declared");
  return PoisonValue::get(Wanted);
}

Value *PtxOperands::read(const PtxOperand &Given, PtxType T) {
  PtxOperand O = expanded(Given);
  Type *Wanted = llvmType(T, B.getContext());
  switch (O.Kind) {
  case PtxOperand::Integer:
  case PtxOperand::Real:
    return number(O, Wanted);
  case PtxOperand::Vector:
    return convertBits(B, readBits(O, T.bits()), Wanted, T.isSigned());
  case PtxOperand::Name: {
    if (O.isSink())
      return PoisonValue::get(Wanted);
    Value *V = named(O, Wanted);
    if (V->getType()->isIntegerTy(1) && !Wanted->isIntegerTy(1) &&
        T.Kind != PtxType::Predicate)
      V = B.CreateZExt(V, B.getInt32Ty());
    V = convertBits(B, V, Wanted, T.isSigned());
    if (O.Offset && Wanted->isIntegerTy())
      V = B.CreateAdd(V, ConstantInt::get(Wanted, O.Offset, /*Signed=*/true));
    if (O.Negated)
      V = Wanted->isIntegerTy(1)       ? B.CreateNot(V)
          : Wanted->isFPOrFPVectorTy() ? B.CreateFNeg(V)
                                       : B.CreateNeg(V);
    return V;
  }
  default:
    fail("an operand that is no value");
    return PoisonValue::get(Wanted);
  }
}

Value *PtxOperands::readPredicate(const PtxOperand &O) {
  return read(O, PtxType{PtxType::Predicate, 1, 1});
}

Value *PtxOperands::predicate(StringRef Name, bool Negated) {
  PtxOperand O;
  O.Text = Name;
  O.Negated = Negated;
  Type *T = registerType(Name);
  if (!T || !T->isIntegerTy(1)) {
    fail("'" + Name + "' is no predicate: declare it with '.reg .pred'");
    return B.getFalse();
  }
  return readPredicate(O);
}

void PtxOperands::write(const PtxOperand &Given, Value *V, bool Signed) {
  PtxOperand O = expanded(Given);
  if (O.isSink())
    return;
  if (O.Kind == PtxOperand::Vector)
    return writeBits(O, V);
  if (O.Kind == PtxOperand::Pair) // a second result that no one gave
    return write(O.Parts[0], V, Signed);
  std::string Full =
      (O.Text + (O.Component.empty() ? "" : ".") + O.Component).str();
  AllocaInst *Slot = O.Kind == PtxOperand::Name ? slot(Full) : nullptr;
  if (!Slot)
    return fail("'" + Full + "' is no register");
  Type *T = Slot->getAllocatedType();
  if (T->isIntegerTy(1) && !V->getType()->isIntegerTy(1))
    V = B.CreateIsNotNull(convertBits(
        B, V, B.getIntNTy(V->getType()->getPrimitiveSizeInBits()), false));
  V = convertBits(B, V, T, Signed);
  if (Guard)
    V = B.CreateSelect(Guard, V, B.CreateLoad(T, Slot));
  B.CreateStore(V, Slot);
}

Value *PtxOperands::readBits(const PtxOperand &Given, unsigned Bits) {
  PtxOperand O = expanded(Given);
  if (O.Kind != PtxOperand::Vector || O.Parts.empty())
    return read(O, PtxType{PtxType::Bits, Bits, 1});
  unsigned Lane = Bits / O.Parts.size();
  if (Lane == 0) {
    fail("a vector with too many parts");
    return PoisonValue::get(B.getIntNTy(Bits));
  }
  Type *LaneType = B.getIntNTy(Lane);
  Value *V = PoisonValue::get(FixedVectorType::get(LaneType, O.Parts.size()));
  for (auto [I, Part] : enumerate(O.Parts))
    V = B.CreateInsertElement(V, read(Part, PtxType{PtxType::Bits, Lane, 1}),
                              I);
  return convertBits(B, V, B.getIntNTy(Bits), false);
}

void PtxOperands::writeBits(const PtxOperand &Given, Value *V) {
  PtxOperand O = expanded(Given);
  if (O.Kind != PtxOperand::Vector || O.Parts.empty())
    return write(O, V);
  unsigned Bits = V->getType()->getPrimitiveSizeInBits(),
           Lane = Bits / O.Parts.size();
  if (Lane == 0)
    return fail("a vector with too many parts");
  V = convertBits(B, V, FixedVectorType::get(B.getIntNTy(Lane), O.Parts.size()),
                  false);
  for (auto [I, Part] : enumerate(O.Parts))
    write(Part, B.CreateExtractElement(V, I));
}

Value *PtxOperands::base(const PtxOperand &O) {
  if (O.Kind == PtxOperand::Name)
    if (!registerType(O.Text))
      if (Value *Pointer = symbol(O.Text))
        return Pointer;
  PtxOperand WithoutOffset = O;
  WithoutOffset.Offset = 0;
  Type *T = O.Kind == PtxOperand::Name ? registerType(O.Text) : nullptr;
  if (T && T->isPointerTy())
    return B.CreateLoad(T, slot(O.Text));
  bool Is32 = T && T->isIntegerTy(32);
  return read(WithoutOffset, PtxType{PtxType::Bits, Is32 ? 32u : 64u, 1});
}

Value *PtxOperands::address(const PtxOperand &O, unsigned Space) {
  const PtxOperand &Named = O.Kind == PtxOperand::Address ? O.Parts[0] : O;
  Value *V = base(Named);
  Type *Pointer = PointerType::get(B.getContext(), Space);
  if (V->getType()->isPointerTy()) {
    if (V->getType() != Pointer && Space != ptxspace::Generic)
      V = B.CreateAddrSpaceCast(V, Pointer);
  } else {
    V = B.CreateIntToPtr(V, Pointer);
  }
  if (Named.Kind == PtxOperand::Name && Named.Offset)
    V = B.CreateInBoundsGEP(B.getInt8Ty(), V, B.getInt64(Named.Offset));
  return V;
}

} // namespace gpuestimate
