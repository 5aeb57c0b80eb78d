#include "Arithmetic.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace gpuestimate {

StringRef ptxRounding(const PtxInstruction &I) {
  for (StringRef M : I.Modifiers)
    if (M == "rn" || M == "rz" || M == "rm" || M == "rp")
      return M;
  return "";
}

namespace {

/// Halves and packed values have no reciprocal, square root or copied sign.
bool isSingleOrDouble(PtxType T) {
  return T.isFloat() && T.Lanes == 1 && T.Width >= 32;
}

/// "f" or "d" in the names of LLVM's intrinsics.
StringRef letterOf(PtxType T) { return T.Width == 64 ? "d" : "f"; }

bool isSingle(PtxType T) { return T.Kind == PtxType::Float && T.Width == 32; }

/// The number of a constant operand.
std::optional<uint64_t> constantOf(const PtxOperand &O) {
  return O.Kind == PtxOperand::Integer ? std::optional(O.Value) : std::nullopt;
}

PtxType doubled(PtxType T) {
  T.Width *= 2;
  return T;
}

} // namespace

/// add, sub and mul of real numbers. What has no rounding may be contracted.
bool PtxArithmetic::realSum(StringRef Name) {
  if (I.types().size() > 1) // add.f32.f16 of PTX 8.6
    return false;
  StringRef Rounding = ptxRounding(I);
  Value *X = in(1), *Y = in(2), *V = nullptr;
  if (Rounding.empty() || Rounding == "rn") {
    IRBuilder<>::FastMathFlagGuard Guard(B);
    FastMathFlags Flags;
    Flags.setAllowContract(Rounding.empty());
    B.setFastMathFlags(Flags);
    V = Name == "add"   ? B.CreateFAdd(X, Y)
        : Name == "sub" ? B.CreateFSub(X, Y)
                        : B.CreateFMul(X, Y);
  } else if (T.Lanes == 1 && T.Width >= 32) {
    if (Name == "sub")
      Y = B.CreateFNeg(Y);
    V = callIntrinsic(B,
                      Twine("llvm.nvvm.") + (Name == "mul" ? "mul." : "add.") +
                          Rounding + (I.has("ftz") ? ".ftz." : ".") +
                          letterOf(T),
                      {X, Y});
  }
  if (V && I.has("sat"))
    V = isSingle(T) ? callIntrinsic(B, "llvm.nvvm.saturate.f", {V}) : nullptr;
  return out(V);
}

Value *PtxArithmetic::withCarry(Value *X, Value *Y, bool Subtracts) {
  bool Takes = I.Opcode.ends_with("c"), Gives = I.has("cc");
  Intrinsic::ID Id =
      Subtracts ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow;
  AllocaInst *Flag = Operands.carry();
  Value *Carry = nullptr, *V = nullptr;
  auto Step = [&](Value *A, Value *C) {
    if (!Gives) {
      V = Subtracts ? B.CreateSub(A, C) : B.CreateAdd(A, C);
      return;
    }
    Value *Pair = B.CreateBinaryIntrinsic(Id, A, C);
    V = B.CreateExtractValue(Pair, 0);
    Value *Over = B.CreateExtractValue(Pair, 1);
    Carry = Carry ? B.CreateOr(Carry, Over) : Over;
  };
  Step(X, Y);
  if (Takes)
    Step(V, B.CreateZExt(B.CreateLoad(B.getInt1Ty(), Flag), X->getType()));
  if (Gives)
    B.CreateStore(Carry, Flag);
  return V;
}

bool PtxArithmetic::add() {
  if (T.isFloat())
    return realSum("add");
  Value *X = in(1), *Y = in(2);
  if (I.has("sat"))
    return out(B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, X, Y));
  if (I.has("cc") || I.Opcode == "addc")
    return out(withCarry(X, Y, /*Subtracts=*/false));
  return out(B.CreateAdd(X, Y), T.isSigned());
}

bool PtxArithmetic::subtract() {
  if (T.isFloat())
    return realSum("sub");
  Value *X = in(1), *Y = in(2);
  if (I.has("sat"))
    return out(B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, X, Y));
  if (I.has("cc") || I.Opcode == "subc")
    return out(withCarry(X, Y, /*Subtracts=*/true));
  return out(B.CreateSub(X, Y), T.isSigned());
}

/// The product of the first two sources: its low, high or all (Wide) bits.
Value *PtxArithmetic::product(bool &Wide) {
  Value *X = in(1), *Y = in(2);
  Wide = I.has("wide");
  if (I.Opcode.contains("24"))
    return I.has("lo") || I.Modifiers.size() == 1
               ? callIntrinsic(B,
                               T.isSigned() ? "llvm.nvvm.mul24.i"
                                            : "llvm.nvvm.mul24.ui",
                               {X, Y})
               : nullptr;
  if (I.has("hi") && T.Width >= 32)
    return callIntrinsic(B,
                         Twine("llvm.nvvm.mulhi.") +
                             (T.Width == 32 ? (T.isSigned() ? "i" : "ui")
                                            : (T.isSigned() ? "ll" : "ull")),
                         {X, Y});
  if (!Wide && !I.has("hi"))
    return B.CreateMul(X, Y);
  Type *Double = llvmType(doubled(T), B.getContext());
  auto Extend = [&](Value *V) {
    return T.isSigned() ? B.CreateSExt(V, Double) : B.CreateZExt(V, Double);
  };
  // A product of two halves fits the whole.
  Value *V = B.CreateMul(Extend(X), Extend(Y), "", !T.isSigned(),
                         /*HasNSW=*/T.isSigned());
  if (Wide)
    return V;
  return B.CreateTrunc(B.CreateLShr(V, T.Width), X->getType());
}

bool PtxArithmetic::multiply() {
  if (T.isFloat())
    return realSum("mul");
  bool Wide;
  return out(product(Wide), T.isSigned());
}

bool PtxArithmetic::multiplyAdd() {
  if (!T.isFloat()) {
    if (I.has("sat"))
      return false;
    bool Wide;
    Value *V = product(Wide);
    if (!V)
      return false;
    Value *Sum = in(3, Wide ? doubled(T) : T);
    if (I.has("cc") || I.Opcode == "madc")
      return out(withCarry(V, Sum, /*Subtracts=*/false));
    return out(B.CreateAdd(V, Sum), T.isSigned());
  }
  if (I.types().size() > 1 || I.has("relu") || I.has("oob"))
    return false;
  StringRef Rounding = ptxRounding(I);
  SmallVector<Value *> Values = {in(1), in(2), in(3)};
  Value *V = nullptr;
  if (Rounding.empty() || Rounding == "rn")
    V = B.CreateIntrinsic(Intrinsic::fma, {Values[0]->getType()}, Values);
  else if (T.Lanes == 1 && T.Width >= 32)
    V = callIntrinsic(B,
                      Twine("llvm.nvvm.fma.") + Rounding +
                          (I.has("ftz") ? ".ftz." : ".") + letterOf(T),
                      Values);
  if (V && I.has("sat"))
    V = isSingle(T) ? callIntrinsic(B, "llvm.nvvm.saturate.f", {V}) : nullptr;
  return out(V);
}

bool PtxArithmetic::divide() {
  Value *X = in(1), *Y = in(2);
  if (!T.isFloat())
    return out(T.isSigned() ? B.CreateSDiv(X, Y) : B.CreateUDiv(X, Y),
               T.isSigned());
  StringRef Ftz = I.has("ftz") ? ".ftz" : "";
  if (I.has("approx"))
    return out(
        callIntrinsic(B, Twine("llvm.nvvm.div.approx") + Ftz + ".f", {X, Y}));
  if (I.has("full")) {
    // LLVM writes this instruction for a division that may be off by 2 ulp.
    Value *V = B.CreateFDiv(X, Y);
    if (auto *Division = dyn_cast<Instruction>(V))
      Division->setMetadata(LLVMContext::MD_fpmath,
                            MDBuilder(B.getContext()).createFPMath(2.0F));
    return out(V);
  }
  StringRef Rounding = ptxRounding(I);
  if (Rounding.empty() || Rounding == "rn")
    return out(B.CreateFDiv(X, Y));
  return out(callIntrinsic(
      B, Twine("llvm.nvvm.div.") + Rounding + Ftz + "." + letterOf(T), {X, Y}));
}

bool PtxArithmetic::remainder() {
  Value *X = in(1), *Y = in(2);
  return out(T.isSigned() ? B.CreateSRem(X, Y) : B.CreateURem(X, Y),
             T.isSigned());
}

bool PtxArithmetic::absolute() {
  Value *X = in(1);
  if (T.isFloat())
    return out(B.CreateUnaryIntrinsic(Intrinsic::fabs, X));
  return out(B.CreateBinaryIntrinsic(Intrinsic::abs, X, B.getFalse()),
             /*Signed=*/true);
}

bool PtxArithmetic::negate() {
  Value *X = in(1);
  return out(T.isFloat() ? B.CreateFNeg(X) : B.CreateNeg(X), T.isSigned());
}

bool PtxArithmetic::minMax() {
  if (I.has("relu") || I.has("xorsign"))
    return false;
  bool IsMin = I.Opcode == "min";
  Intrinsic::ID Id =
      T.isFloat()    ? I.has("NaN")
                           ? (IsMin ? Intrinsic::minimum : Intrinsic::maximum)
                           : (IsMin ? Intrinsic::minnum : Intrinsic::maxnum)
      : T.isSigned() ? (IsMin ? Intrinsic::smin : Intrinsic::smax)
                     : (IsMin ? Intrinsic::umin : Intrinsic::umax);
  Value *V = in(1);
  for (unsigned N = 2; N < I.Operands.size(); ++N)
    V = B.CreateBinaryIntrinsic(Id, V, in(N));
  return out(V, T.isSigned());
}

/// 1/x as LLVM writes a reciprocal. It has an intrinsic of the approximate one
/// only for denormals that are flushed to zero.
bool PtxArithmetic::reciprocal() {
  if (!isSingleOrDouble(T))
    return false;
  Value *X = in(1);
  if (I.has("approx") && (I.has("ftz") || T.Width == 64))
    return out(callIntrinsic(
        B, Twine("llvm.nvvm.rcp.approx.ftz.") + letterOf(T), {X}));
  StringRef Rounding = ptxRounding(I);
  if (!I.has("approx") && !Rounding.empty() && Rounding != "rn")
    return out(callIntrinsic(B,
                             Twine("llvm.nvvm.rcp.") + Rounding +
                                 (I.has("ftz") ? ".ftz." : ".") + letterOf(T),
                             {X}));
  Value *V = B.CreateFDiv(ConstantFP::get(X->getType(), 1.0), X);
  if (auto *Division = dyn_cast<Instruction>(V); Division && I.has("approx"))
    Division->setHasApproxFunc(true);
  return out(V);
}

bool PtxArithmetic::squareRoot() {
  if (!isSingleOrDouble(T))
    return false;
  Value *X = in(1);
  StringRef Ftz = I.has("ftz") ? ".ftz" : "";
  if (I.has("approx"))
    return T.Width == 32 &&
           out(callIntrinsic(B, Twine("llvm.nvvm.sqrt.approx") + Ftz + ".f",
                             {X}));
  StringRef Rounding = ptxRounding(I);
  if (Rounding.empty() || Rounding == "rn")
    return out(B.CreateUnaryIntrinsic(Intrinsic::sqrt, X));
  return out(callIntrinsic(
      B, Twine("llvm.nvvm.sqrt.") + Rounding + Ftz + "." + letterOf(T), {X}));
}

/// Functions of the special function unit.
bool PtxArithmetic::approximate() {
  if (T.Lanes > 1 || !T.isFloat() || T.Width == 16)
    return false;
  Value *X = in(1);
  return out(callIntrinsic(B,
                           Twine("llvm.nvvm.") + I.Opcode + ".approx" +
                               (I.has("ftz") ? ".ftz." : ".") + letterOf(T),
                           {X}));
}

bool PtxArithmetic::copySign() {
  if (!isSingleOrDouble(T))
    return false;
  return out(B.CreateBinaryIntrinsic(Intrinsic::copysign, in(2), in(1)));
}

bool PtxArithmetic::logic() {
  Value *X = in(1), *Y = in(2);
  return out(I.Opcode == "and"  ? B.CreateAnd(X, Y)
             : I.Opcode == "or" ? B.CreateOr(X, Y)
                                : B.CreateXor(X, Y));
}

/// lop3 with a table that at most two operators say. Bit 4a + 2b + c of the
/// table is the result for the bits a, b and c.
bool PtxArithmetic::logicTable() {
  std::optional<uint64_t> Table = constantOf(I.Operands[4]);
  if (!Table || I.Operands.size() > 5)
    return false;
  constexpr unsigned Columns[] = {0xF0, 0xCC, 0xAA}; // of a, b and c
  enum Operator { And, Or, Xor };
  auto Apply = [](Operator O, auto X, auto Y) {
    return O == And ? (X & Y) : O == Or ? (X | Y) : (X ^ Y);
  };
  auto Emit = [&](Operator O, Value *X, Value *Y) {
    return O == And  ? B.CreateAnd(X, Y)
           : O == Or ? B.CreateOr(X, Y)
                     : B.CreateXor(X, Y);
  };
  auto Source = [&](unsigned N, bool Inverted) {
    Value *V = in(N + 1);
    return Inverted ? B.CreateNot(V) : V;
  };
  // What one source or two say needs no third one.
  if (*Table == 0 || *Table == 0xFF)
    return out(ConstantInt::getSigned(type(), *Table ? -1 : 0));
  for (unsigned N = 0; N < 3; ++N)
    for (bool Inverted : {false, true})
      if (*Table == ((Inverted ? ~Columns[N] : Columns[N]) & 0xFF))
        return out(Source(N, Inverted));
  for (unsigned First : {0, 1})
    for (unsigned Second = First + 1; Second < 3; ++Second)
      for (Operator Only : {And, Or, Xor})
        for (unsigned Inverted = 0; Inverted < 4; ++Inverted)
          if (*Table ==
              (Apply(Only, Inverted & 1 ? ~Columns[First] : Columns[First],
                     Inverted & 2 ? ~Columns[Second] : Columns[Second]) &
               0xFF))
            return out(Emit(Only, Source(First, Inverted & 1),
                            Source(Second, Inverted & 2)));
  // (x op y) op z, each of the three and the result inverted or not.
  for (unsigned Last = 0; Last < 3; ++Last) {
    unsigned First = Last == 0 ? 1 : 0, Second = Last == 2 ? 1 : 2;
    for (Operator Inner : {And, Or, Xor})
      for (Operator Outer : {And, Or, Xor})
        for (unsigned Inverted = 0; Inverted < 16; ++Inverted) {
          auto Column = [&](unsigned N) {
            return Inverted >> N & 1 ? ~Columns[N] & 0xFF : Columns[N];
          };
          unsigned Whole = Apply(
              Outer, Apply(Inner, Column(First), Column(Second)), Column(Last));
          if (Inverted & 8)
            Whole = ~Whole & 0xFF;
          if (Whole != (*Table & 0xFF))
            continue;
          auto At = [&](unsigned N) { return Source(N, Inverted >> N & 1); };
          Value *V = Emit(Outer, Emit(Inner, At(First), At(Second)), At(Last));
          return out(Inverted & 8 ? B.CreateNot(V) : V);
        }
  }
  return false;
}

bool PtxArithmetic::complement() {
  Value *X = in(1);
  if (I.Opcode == "not")
    return out(B.CreateNot(X));
  return out(B.CreateZExt(B.CreateIsNull(X), X->getType()));
}

/// An amount of all bits or more gives zero (or the sign) in PTX and nothing
/// defined in LLVM, as in C.
bool PtxArithmetic::shift() {
  Value *X = in(1);
  if (std::optional<uint64_t> Amount = constantOf(I.Operands[2]);
      Amount && (*Amount & UINT32_MAX) >= T.Width)
    return out(I.Opcode == "shr" && T.isSigned()
                   ? B.CreateAShr(X, T.Width - 1)
                   : Constant::getNullValue(X->getType()));
  Value *Amount = convertBits(B, in(2, PtxType{PtxType::Unsigned, 32, 1}),
                              X->getType(), false);
  return out(I.Opcode == "shl" ? B.CreateShl(X, Amount)
             : T.isSigned()    ? B.CreateAShr(X, Amount)
                               : B.CreateLShr(X, Amount),
             T.isSigned());
}

bool PtxArithmetic::funnelShift() {
  std::optional<uint64_t> Amount = constantOf(I.Operands[3]);
  if (I.has("clamp") && (!Amount || *Amount >= 32))
    return false;
  Value *Low = in(1), *High = in(2), *By = in(3);
  return out(B.CreateIntrinsic(I.has("l") ? Intrinsic::fshl : Intrinsic::fshr,
                               {Low->getType()}, {High, Low, By}));
}

bool PtxArithmetic::countBits() {
  Value *X = in(1);
  if (I.Opcode == "clz")
    return out(B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse()));
  return out(B.CreateUnaryIntrinsic(
      I.Opcode == "popc" ? Intrinsic::ctpop : Intrinsic::bitreverse, X));
}

bool PtxArithmetic::extractBits() {
  std::optional<uint64_t> First = constantOf(I.Operands[2]),
                          Number = constantOf(I.Operands[3]);
  if (!First || !Number || *Number == 0 || *Number > T.Width ||
      *First > T.Width - *Number)
    return false;
  Value *X = in(1);
  if (!T.isSigned()) // as the C of it: no bits are lost on the way
    return out(B.CreateAnd(B.CreateLShr(X, *First),
                           APInt::getLowBitsSet(T.Width, *Number)));
  X = B.CreateShl(X, uint64_t(T.Width - *First - *Number));
  return out(B.CreateAShr(X, uint64_t(T.Width - *Number)),
             /*Signed=*/true);
}

/// bfi: the low bits of the first source go into the second.
bool PtxArithmetic::insertBits() {
  std::optional<uint64_t> First = constantOf(I.Operands[3]),
                          Number = constantOf(I.Operands[4]);
  if (!First || !Number || *Number == 0 || *Number > T.Width ||
      *First > T.Width - *Number)
    return false;
  APInt Mask = APInt::getBitsSet(T.Width, *First, *First + *Number);
  Value *New = B.CreateAnd(B.CreateShl(in(1), *First), Mask);
  return out(B.CreateOr(B.CreateAnd(in(2), ~Mask), New));
}

bool PtxArithmetic::permute() {
  if (I.Modifiers.size() > 1) // .f4e and the like
    return false;
  return out(callIntrinsic(B, "llvm.nvvm.prmt", {in(1), in(2), in(3)}));
}

bool PtxArithmetic::absoluteDifference() {
  Value *X = in(1), *Y = in(2);
  bool Signed = T.isSigned();
  Value *Low = B.CreateBinaryIntrinsic(
            Signed ? Intrinsic::smin : Intrinsic::umin, X, Y),
        *High = B.CreateBinaryIntrinsic(
            Signed ? Intrinsic::smax : Intrinsic::umax, X, Y);
  return out(B.CreateAdd(B.CreateSub(High, Low), in(3)), Signed);
}

Value *PtxArithmetic::compare(StringRef Operator, PtxType T, Value *X,
                              Value *Y) {
  using Predicate = CmpInst::Predicate;
  if (T.isFloat()) {
    auto P = StringSwitch<Predicate>(Operator)
                 .Case("eq", CmpInst::FCMP_OEQ)
                 .Case("ne", CmpInst::FCMP_ONE)
                 .Case("lt", CmpInst::FCMP_OLT)
                 .Case("le", CmpInst::FCMP_OLE)
                 .Case("gt", CmpInst::FCMP_OGT)
                 .Case("ge", CmpInst::FCMP_OGE)
                 .Case("equ", CmpInst::FCMP_UEQ)
                 .Case("neu", CmpInst::FCMP_UNE)
                 .Case("ltu", CmpInst::FCMP_ULT)
                 .Case("leu", CmpInst::FCMP_ULE)
                 .Case("gtu", CmpInst::FCMP_UGT)
                 .Case("geu", CmpInst::FCMP_UGE)
                 .Case("num", CmpInst::FCMP_ORD)
                 .Case("nan", CmpInst::FCMP_UNO)
                 .Default(CmpInst::BAD_FCMP_PREDICATE);
    return P == CmpInst::BAD_FCMP_PREDICATE ? nullptr : B.CreateFCmp(P, X, Y);
  }
  bool Signed = T.isSigned();
  auto P = StringSwitch<Predicate>(Operator)
               .Case("eq", CmpInst::ICMP_EQ)
               .Case("ne", CmpInst::ICMP_NE)
               .Case("lt", Signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
               .Case("le", Signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
               .Case("gt", Signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
               .Case("ge", Signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
               .Case("lo", CmpInst::ICMP_ULT)
               .Case("ls", CmpInst::ICMP_ULE)
               .Case("hi", CmpInst::ICMP_UGT)
               .Case("hs", CmpInst::ICMP_UGE)
               .Default(CmpInst::BAD_ICMP_PREDICATE);
  return P == CmpInst::BAD_ICMP_PREDICATE ? nullptr : B.CreateICmp(P, X, Y);
}

/// The comparison of operands 1 and 2, combined with the predicate behind them
/// by `.and`, `.or` or `.xor`.
Value *PtxArithmetic::comparison(PtxType T) {
  if (I.Modifiers.empty())
    return nullptr;
  Value *V = compare(I.Modifiers[0], T, in(1), in(2));
  if (!V || I.Modifiers.size() < 2 || I.Operands.size() < 4)
    return V;
  StringRef Combine = I.Modifiers[1];
  if (Combine != "and" && Combine != "or" && Combine != "xor")
    return V;
  Value *With = Operands.readPredicate(I.Operands[3]);
  if (T.Lanes > 1)
    With = B.CreateVectorSplat(T.Lanes, With);
  return Combine == "and"  ? B.CreateAnd(V, With)
         : Combine == "or" ? B.CreateOr(V, With)
                           : B.CreateXor(V, With);
}

bool PtxArithmetic::setPredicate() {
  Value *V = comparison(T);
  if (!V)
    return false;
  const PtxOperand &Result = I.Operands[0];
  bool IsPair = Result.Kind == PtxOperand::Pair;
  if (T.Lanes > 1) { // one predicate for each lane
    Operands.write(IsPair ? Result.Parts[0] : Result,
                   B.CreateExtractElement(V, uint64_t(0)));
    if (IsPair)
      Operands.write(Result.Parts[1], B.CreateExtractElement(V, 1));
    return true;
  }
  if (!IsPair)
    return out(V);
  Operands.write(Result.Parts[0], V);
  // The second is the same with the comparison inverted.
  Value *Inverse = B.CreateNot(compare(I.Modifiers[0], T, in(1), in(2)));
  if (I.Operands.size() > 3) {
    Value *With = Operands.readPredicate(I.Operands[3]);
    Inverse = I.has("and")  ? B.CreateAnd(Inverse, With)
              : I.has("or") ? B.CreateOr(Inverse, With)
                            : B.CreateXor(Inverse, With);
  }
  Operands.write(Result.Parts[1], Inverse);
  return true;
}

/// set.cmp.dtype.stype: all bits or 1.0 where the comparison holds.
bool PtxArithmetic::set() {
  std::vector<PtxType> Types = I.types();
  if (Types.size() != 2 || Types[0].Lanes != Types[1].Lanes)
    return false;
  Value *V = comparison(Types[1]);
  if (!V)
    return false;
  Type *T = llvmType(Types[0], B.getContext());
  return out(Types[0].isFloat() ? B.CreateSelect(V, ConstantFP::get(T, 1.0),
                                                 ConstantFP::get(T, 0.0))
                                : B.CreateSExt(V, T));
}

bool PtxArithmetic::select() {
  Value *Condition = Operands.readPredicate(I.Operands[3]);
  return out(B.CreateSelect(Condition, in(1), in(2)), T.isSigned());
}

/// slct.dtype.ctype: the first source where the third is not negative.
bool PtxArithmetic::selectBySign() {
  std::vector<PtxType> Types = I.types();
  if (Types.size() != 2)
    return false;
  Value *By = in(3, Types[1]), *Zero = Constant::getNullValue(By->getType());
  Value *Condition = Types[1].isFloat() ? B.CreateFCmpOGE(By, Zero)
                                        : B.CreateICmpSGE(By, Zero);
  return out(B.CreateSelect(Condition, in(1, Types[0]), in(2, Types[0])));
}

bool PtxArithmetic::move() {
  PtxOperand To = Operands.expanded(I.Operands[0]),
             From = Operands.expanded(I.Operands[1]);
  if (To.Kind == PtxOperand::Vector || From.Kind == PtxOperand::Vector) {
    unsigned Bits = T.bits(); // of all lanes of a `mov.v2`
    if (I.has("v2") || I.has("v4"))
      Bits *= I.has("v2") ? 2 : 4;
    Operands.writeBits(To, Operands.readBits(From, Bits));
    return true;
  }
  return out(in(1), T.isSigned());
}

} // namespace gpuestimate
