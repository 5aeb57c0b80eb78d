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

struct PtxArithmetic::Row {
  StringLiteral Opcode;
  unsigned Operands; ///< at least, with the result
  bool (PtxArithmetic::*Translate)(const PtxInstruction &I);
};

bool PtxArithmetic::translate(const PtxInstruction &I) {
  static constexpr Row Rows[] = {
      {"abs", 2, &PtxArithmetic::absolute},
      {"add", 3, &PtxArithmetic::add},
      {"addc", 3, &PtxArithmetic::add},
      {"and", 3, &PtxArithmetic::logic},
      {"bfe", 4, &PtxArithmetic::extractBits},
      {"bfi", 5, &PtxArithmetic::insertBits},
      {"brev", 2, &PtxArithmetic::countBits},
      {"clz", 2, &PtxArithmetic::countBits},
      {"cnot", 2, &PtxArithmetic::complement},
      {"copysign", 3, &PtxArithmetic::copySign},
      {"cos", 2, &PtxArithmetic::approximate},
      {"div", 3, &PtxArithmetic::divide},
      {"ex2", 2, &PtxArithmetic::approximate},
      {"fma", 4, &PtxArithmetic::multiplyAdd},
      {"lg2", 2, &PtxArithmetic::approximate},
      {"lop3", 5, &PtxArithmetic::logicTable},
      {"mad", 4, &PtxArithmetic::multiplyAdd},
      {"mad24", 4, &PtxArithmetic::multiplyAdd},
      {"madc", 4, &PtxArithmetic::multiplyAdd},
      {"max", 3, &PtxArithmetic::minMax},
      {"min", 3, &PtxArithmetic::minMax},
      {"mov", 2, &PtxArithmetic::move},
      {"mul", 3, &PtxArithmetic::multiply},
      {"mul24", 3, &PtxArithmetic::multiply},
      {"neg", 2, &PtxArithmetic::negate},
      {"not", 2, &PtxArithmetic::complement},
      {"or", 3, &PtxArithmetic::logic},
      {"popc", 2, &PtxArithmetic::countBits},
      {"prmt", 4, &PtxArithmetic::permute},
      {"rcp", 2, &PtxArithmetic::reciprocal},
      {"rem", 3, &PtxArithmetic::remainder},
      {"rsqrt", 2, &PtxArithmetic::approximate},
      {"sad", 4, &PtxArithmetic::absoluteDifference},
      {"selp", 4, &PtxArithmetic::select},
      {"set", 3, &PtxArithmetic::set},
      {"setp", 3, &PtxArithmetic::setPredicate},
      {"shf", 4, &PtxArithmetic::funnelShift},
      {"shl", 3, &PtxArithmetic::shift},
      {"shr", 3, &PtxArithmetic::shift},
      {"sin", 2, &PtxArithmetic::approximate},
      {"slct", 4, &PtxArithmetic::selectBySign},
      {"sqrt", 2, &PtxArithmetic::squareRoot},
      {"sub", 3, &PtxArithmetic::subtract},
      {"subc", 3, &PtxArithmetic::subtract},
      {"tanh", 2, &PtxArithmetic::approximate},
      {"xor", 3, &PtxArithmetic::logic},
  };
  const Row *Found =
      lower_bound(Rows, I.Opcode, [](const Row &R, StringRef Opcode) {
        return R.Opcode < Opcode;
      });
  if (Found == std::end(Rows) || Found->Opcode != I.Opcode ||
      I.Operands.size() < Found->Operands)
    return false;
  // Bits have no real type: `or.f32` is no instruction.
  static constexpr StringLiteral OnBits[] = {
      "and", "bfe", "bfi",  "bfind", "brev", "clz", "cnot", "lop3",
      "not", "or",  "popc", "prmt",  "shf",  "shl", "shr",  "xor"};
  if (is_contained(OnBits, I.Opcode) &&
      any_of(I.types(), [](PtxType T) { return T.isFloat(); }))
    return false;
  // Nor do integers and halves have these: `rcp.u32`, `sqrt.f16`.
  static constexpr StringLiteral OnReals[] = {"copysign", "rcp", "sqrt"};
  if (PtxType T = I.type(); is_contained(OnReals, I.Opcode) &&
                            (!T.isFloat() || T.Lanes > 1 || T.Width < 32))
    return false;
  return (this->*Found->Translate)(I);
}

/// add, sub and mul of real numbers. What has no rounding may be contracted.
bool PtxArithmetic::realSum(const PtxInstruction &I, StringRef Name) {
  PtxType T = I.type();
  if (I.types().size() > 1) // add.f32.f16 of PTX 8.6
    return false;
  StringRef Rounding = ptxRounding(I);
  Value *X = in(I, 1, T), *Y = in(I, 2, T), *V = nullptr;
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
  return out(I, V);
}

Value *PtxArithmetic::withCarry(const PtxInstruction &I, Value *X, Value *Y,
                                bool Subtracts) {
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

bool PtxArithmetic::add(const PtxInstruction &I) {
  PtxType T = I.type();
  if (T.isFloat())
    return realSum(I, "add");
  Value *X = in(I, 1, T), *Y = in(I, 2, T);
  if (I.has("sat"))
    return out(I, B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, X, Y));
  if (I.has("cc") || I.Opcode == "addc")
    return out(I, withCarry(I, X, Y, /*Subtracts=*/false));
  return out(I, B.CreateAdd(X, Y), T.isSigned());
}

bool PtxArithmetic::subtract(const PtxInstruction &I) {
  PtxType T = I.type();
  if (T.isFloat())
    return realSum(I, "sub");
  Value *X = in(I, 1, T), *Y = in(I, 2, T);
  if (I.has("sat"))
    return out(I, B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, X, Y));
  if (I.has("cc") || I.Opcode == "subc")
    return out(I, withCarry(I, X, Y, /*Subtracts=*/true));
  return out(I, B.CreateSub(X, Y), T.isSigned());
}

/// The product of the first two sources: its low, high or all (Wide) bits.
Value *PtxArithmetic::product(const PtxInstruction &I, bool &Wide) {
  PtxType T = I.type();
  Value *X = in(I, 1, T), *Y = in(I, 2, T);
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

bool PtxArithmetic::multiply(const PtxInstruction &I) {
  PtxType T = I.type();
  if (T.isFloat())
    return realSum(I, "mul");
  bool Wide;
  return out(I, product(I, Wide), T.isSigned());
}

bool PtxArithmetic::multiplyAdd(const PtxInstruction &I) {
  PtxType T = I.type();
  if (!T.isFloat()) {
    if (I.has("sat"))
      return false;
    bool Wide;
    Value *V = product(I, Wide);
    if (!V)
      return false;
    Value *Sum = in(I, 3, Wide ? doubled(T) : T);
    if (I.has("cc") || I.Opcode == "madc")
      return out(I, withCarry(I, V, Sum, /*Subtracts=*/false));
    return out(I, B.CreateAdd(V, Sum), T.isSigned());
  }
  if (I.types().size() > 1 || I.has("relu") || I.has("oob"))
    return false;
  StringRef Rounding = ptxRounding(I);
  SmallVector<Value *> Values = {in(I, 1, T), in(I, 2, T), in(I, 3, T)};
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
  return out(I, V);
}

bool PtxArithmetic::divide(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T), *Y = in(I, 2, T);
  if (!T.isFloat())
    return out(I, T.isSigned() ? B.CreateSDiv(X, Y) : B.CreateUDiv(X, Y),
               T.isSigned());
  StringRef Ftz = I.has("ftz") ? ".ftz" : "";
  if (I.has("approx"))
    return out(I, callIntrinsic(B, Twine("llvm.nvvm.div.approx") + Ftz + ".f",
                                {X, Y}));
  if (I.has("full")) {
    // LLVM writes this instruction for a division that may be off by 2 ulp.
    Value *V = B.CreateFDiv(X, Y);
    if (auto *Division = dyn_cast<Instruction>(V))
      Division->setMetadata(LLVMContext::MD_fpmath,
                            MDBuilder(B.getContext()).createFPMath(2.0F));
    return out(I, V);
  }
  StringRef Rounding = ptxRounding(I);
  if (Rounding.empty() || Rounding == "rn")
    return out(I, B.CreateFDiv(X, Y));
  return out(I, callIntrinsic(B,
                              Twine("llvm.nvvm.div.") + Rounding + Ftz + "." +
                                  letterOf(T),
                              {X, Y}));
}

bool PtxArithmetic::remainder(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T), *Y = in(I, 2, T);
  return out(I, T.isSigned() ? B.CreateSRem(X, Y) : B.CreateURem(X, Y),
             T.isSigned());
}

bool PtxArithmetic::absolute(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T);
  if (T.isFloat())
    return out(I, B.CreateUnaryIntrinsic(Intrinsic::fabs, X));
  return out(I, B.CreateBinaryIntrinsic(Intrinsic::abs, X, B.getFalse()),
             /*Signed=*/true);
}

bool PtxArithmetic::negate(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T);
  return out(I, T.isFloat() ? B.CreateFNeg(X) : B.CreateNeg(X), T.isSigned());
}

bool PtxArithmetic::minMax(const PtxInstruction &I) {
  PtxType T = I.type();
  if (I.has("relu") || I.has("xorsign"))
    return false;
  bool IsMin = I.Opcode == "min";
  Intrinsic::ID Id =
      T.isFloat()    ? I.has("NaN")
                           ? (IsMin ? Intrinsic::minimum : Intrinsic::maximum)
                           : (IsMin ? Intrinsic::minnum : Intrinsic::maxnum)
      : T.isSigned() ? (IsMin ? Intrinsic::smin : Intrinsic::smax)
                     : (IsMin ? Intrinsic::umin : Intrinsic::umax);
  Value *V = in(I, 1, T);
  for (unsigned N = 2; N < I.Operands.size(); ++N)
    V = B.CreateBinaryIntrinsic(Id, V, in(I, N, T));
  return out(I, V, T.isSigned());
}

/// 1/x as LLVM writes a reciprocal. It has an intrinsic of the approximate one
/// only for denormals that are flushed to zero.
bool PtxArithmetic::reciprocal(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T);
  if (I.has("approx") && (I.has("ftz") || T.Width == 64))
    return out(
        I, callIntrinsic(B, Twine("llvm.nvvm.rcp.approx.ftz.") + letterOf(T),
                         {X}));
  StringRef Rounding = ptxRounding(I);
  if (!I.has("approx") && !Rounding.empty() && Rounding != "rn")
    return out(I,
               callIntrinsic(B,
                             Twine("llvm.nvvm.rcp.") + Rounding +
                                 (I.has("ftz") ? ".ftz." : ".") + letterOf(T),
                             {X}));
  Value *V = B.CreateFDiv(ConstantFP::get(X->getType(), 1.0), X);
  if (auto *Division = dyn_cast<Instruction>(V); Division && I.has("approx"))
    Division->setHasApproxFunc(true);
  return out(I, V);
}

bool PtxArithmetic::squareRoot(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T);
  StringRef Ftz = I.has("ftz") ? ".ftz" : "";
  if (I.has("approx"))
    return T.Width == 32 &&
           out(I, callIntrinsic(B, Twine("llvm.nvvm.sqrt.approx") + Ftz + ".f",
                                {X}));
  StringRef Rounding = ptxRounding(I);
  if (Rounding.empty() || Rounding == "rn")
    return out(I, B.CreateUnaryIntrinsic(Intrinsic::sqrt, X));
  return out(I, callIntrinsic(B,
                              Twine("llvm.nvvm.sqrt.") + Rounding + Ftz + "." +
                                  letterOf(T),
                              {X}));
}

/// Functions of the special function unit.
bool PtxArithmetic::approximate(const PtxInstruction &I) {
  PtxType T = I.type();
  if (T.Lanes > 1 || !T.isFloat() || T.Width == 16)
    return false;
  Value *X = in(I, 1, T);
  return out(I, callIntrinsic(B,
                              Twine("llvm.nvvm.") + I.Opcode + ".approx" +
                                  (I.has("ftz") ? ".ftz." : ".") + letterOf(T),
                              {X}));
}

bool PtxArithmetic::copySign(const PtxInstruction &I) {
  PtxType T = I.type();
  return out(I, B.CreateBinaryIntrinsic(Intrinsic::copysign, in(I, 2, T),
                                        in(I, 1, T)));
}

bool PtxArithmetic::logic(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T), *Y = in(I, 2, T);
  return out(I, I.Opcode == "and"  ? B.CreateAnd(X, Y)
                : I.Opcode == "or" ? B.CreateOr(X, Y)
                                   : B.CreateXor(X, Y));
}

/// lop3 with a table that at most two operators say. Bit 4a + 2b + c of the
/// table is the result for the bits a, b and c.
bool PtxArithmetic::logicTable(const PtxInstruction &I) {
  std::optional<uint64_t> Table = constantOf(I.Operands[4]);
  if (!Table || I.Operands.size() > 5)
    return false;
  constexpr unsigned Columns[] = {0xF0, 0xCC, 0xAA}; // of a, b and c
  enum Operator { And, Or, Xor };
  auto Apply = [](Operator O, auto X, auto Y) {
    return O == And ? (X & Y) : O == Or ? (X | Y) : (X ^ Y);
  };
  PtxType T = I.type();
  auto Emit = [&](Operator O, Value *X, Value *Y) {
    return O == And  ? B.CreateAnd(X, Y)
           : O == Or ? B.CreateOr(X, Y)
                     : B.CreateXor(X, Y);
  };
  auto Source = [&](unsigned N, bool Inverted) {
    Value *V = in(I, N + 1, T);
    return Inverted ? B.CreateNot(V) : V;
  };
  // What one source or two say needs no third one.
  if (*Table == 0 || *Table == 0xFF)
    return out(I, ConstantInt::getSigned(llvmType(T, B.getContext()),
                                         *Table ? -1 : 0));
  for (unsigned N = 0; N < 3; ++N)
    for (bool Inverted : {false, true})
      if (*Table == ((Inverted ? ~Columns[N] : Columns[N]) & 0xFF))
        return out(I, Source(N, Inverted));
  for (unsigned First : {0, 1})
    for (unsigned Second = First + 1; Second < 3; ++Second)
      for (Operator Only : {And, Or, Xor})
        for (unsigned Inverted = 0; Inverted < 4; ++Inverted)
          if (*Table ==
              (Apply(Only, Inverted & 1 ? ~Columns[First] : Columns[First],
                     Inverted & 2 ? ~Columns[Second] : Columns[Second]) &
               0xFF))
            return out(I, Emit(Only, Source(First, Inverted & 1),
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
          return out(I, Inverted & 8 ? B.CreateNot(V) : V);
        }
  }
  return false;
}

bool PtxArithmetic::complement(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T);
  if (I.Opcode == "not")
    return out(I, B.CreateNot(X));
  return out(I, B.CreateZExt(B.CreateIsNull(X), X->getType()));
}

/// An amount of all bits or more gives zero (or the sign) in PTX and nothing
/// defined in LLVM, as in C.
bool PtxArithmetic::shift(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T);
  if (std::optional<uint64_t> Amount = constantOf(I.Operands[2]);
      Amount && (*Amount & UINT32_MAX) >= T.Width)
    return out(I, I.Opcode == "shr" && T.isSigned()
                      ? B.CreateAShr(X, T.Width - 1)
                      : Constant::getNullValue(X->getType()));
  Value *Amount = convertBits(B, in(I, 2, PtxType{PtxType::Unsigned, 32, 1}),
                              X->getType(), false);
  return out(I,
             I.Opcode == "shl" ? B.CreateShl(X, Amount)
             : T.isSigned()    ? B.CreateAShr(X, Amount)
                               : B.CreateLShr(X, Amount),
             T.isSigned());
}

bool PtxArithmetic::funnelShift(const PtxInstruction &I) {
  PtxType T = I.type();
  std::optional<uint64_t> Amount = constantOf(I.Operands[3]);
  if (I.has("clamp") && (!Amount || *Amount >= 32))
    return false;
  Value *Low = in(I, 1, T), *High = in(I, 2, T), *By = in(I, 3, T);
  return out(I,
             B.CreateIntrinsic(I.has("l") ? Intrinsic::fshl : Intrinsic::fshr,
                               {Low->getType()}, {High, Low, By}));
}

bool PtxArithmetic::countBits(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T);
  if (I.Opcode == "clz")
    return out(I, B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse()));
  return out(
      I, B.CreateUnaryIntrinsic(
             I.Opcode == "popc" ? Intrinsic::ctpop : Intrinsic::bitreverse, X));
}

bool PtxArithmetic::extractBits(const PtxInstruction &I) {
  PtxType T = I.type();
  std::optional<uint64_t> First = constantOf(I.Operands[2]),
                          Number = constantOf(I.Operands[3]);
  if (!First || !Number || *Number == 0 || *Number > T.Width ||
      *First > T.Width - *Number)
    return false;
  Value *X = in(I, 1, T);
  if (!T.isSigned()) // as the C of it: no bits are lost on the way
    return out(I, B.CreateAnd(B.CreateLShr(X, *First),
                              APInt::getLowBitsSet(T.Width, *Number)));
  X = B.CreateShl(X, uint64_t(T.Width - *First - *Number));
  return out(I, B.CreateAShr(X, uint64_t(T.Width - *Number)),
             /*Signed=*/true);
}

/// bfi: the low bits of the first source go into the second.
bool PtxArithmetic::insertBits(const PtxInstruction &I) {
  PtxType T = I.type();
  std::optional<uint64_t> First = constantOf(I.Operands[3]),
                          Number = constantOf(I.Operands[4]);
  if (!First || !Number || *Number == 0 || *Number > T.Width ||
      *First > T.Width - *Number)
    return false;
  APInt Mask = APInt::getBitsSet(T.Width, *First, *First + *Number);
  Value *New = B.CreateAnd(B.CreateShl(in(I, 1, T), *First), Mask);
  return out(I, B.CreateOr(B.CreateAnd(in(I, 2, T), ~Mask), New));
}

bool PtxArithmetic::permute(const PtxInstruction &I) {
  PtxType T = I.type();
  if (I.Modifiers.size() > 1) // .f4e and the like
    return false;
  return out(I, callIntrinsic(B, "llvm.nvvm.prmt",
                              {in(I, 1, T), in(I, 2, T), in(I, 3, T)}));
}

bool PtxArithmetic::absoluteDifference(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *X = in(I, 1, T), *Y = in(I, 2, T);
  bool Signed = T.isSigned();
  Value *Low = B.CreateBinaryIntrinsic(
            Signed ? Intrinsic::smin : Intrinsic::umin, X, Y),
        *High = B.CreateBinaryIntrinsic(
            Signed ? Intrinsic::smax : Intrinsic::umax, X, Y);
  return out(I, B.CreateAdd(B.CreateSub(High, Low), in(I, 3, T)), Signed);
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
Value *PtxArithmetic::comparison(const PtxInstruction &I, PtxType T) {
  if (I.Modifiers.empty())
    return nullptr;
  Value *V = compare(I.Modifiers[0], T, in(I, 1, T), in(I, 2, T));
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

bool PtxArithmetic::setPredicate(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *V = comparison(I, T);
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
    return out(I, V);
  Operands.write(Result.Parts[0], V);
  // The second is the same with the comparison inverted.
  Value *Inverse =
      B.CreateNot(compare(I.Modifiers[0], T, in(I, 1, T), in(I, 2, T)));
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
bool PtxArithmetic::set(const PtxInstruction &I) {
  std::vector<PtxType> Types = I.types();
  if (Types.size() != 2 || Types[0].Lanes != Types[1].Lanes)
    return false;
  Value *V = comparison(I, Types[1]);
  if (!V)
    return false;
  Type *T = llvmType(Types[0], B.getContext());
  return out(I, Types[0].isFloat() ? B.CreateSelect(V, ConstantFP::get(T, 1.0),
                                                    ConstantFP::get(T, 0.0))
                                   : B.CreateSExt(V, T));
}

bool PtxArithmetic::select(const PtxInstruction &I) {
  PtxType T = I.type();
  Value *Condition = Operands.readPredicate(I.Operands[3]);
  return out(I, B.CreateSelect(Condition, in(I, 1, T), in(I, 2, T)),
             T.isSigned());
}

/// slct.dtype.ctype: the first source where the third is not negative.
bool PtxArithmetic::selectBySign(const PtxInstruction &I) {
  std::vector<PtxType> Types = I.types();
  if (Types.size() != 2)
    return false;
  Value *By = in(I, 3, Types[1]), *Zero = Constant::getNullValue(By->getType());
  Value *Condition = Types[1].isFloat() ? B.CreateFCmpOGE(By, Zero)
                                        : B.CreateICmpSGE(By, Zero);
  return out(I,
             B.CreateSelect(Condition, in(I, 1, Types[0]), in(I, 2, Types[0])));
}

bool PtxArithmetic::move(const PtxInstruction &I) {
  PtxType T = I.type();
  PtxOperand To = Operands.expanded(I.Operands[0]),
             From = Operands.expanded(I.Operands[1]);
  if (To.Kind == PtxOperand::Vector || From.Kind == PtxOperand::Vector) {
    unsigned Bits = T.bits(); // of all lanes of a `mov.v2`
    if (I.has("v2") || I.has("v4"))
      Bits *= I.has("v2") ? 2 : 4;
    Operands.writeBits(To, Operands.readBits(From, Bits));
    return true;
  }
  return out(I, in(I, 1, T), T.isSigned());
}

} // namespace gpuestimate
