#include "ArithmeticLowering.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// The number of a rounding mode of C's fesetround() by its letters in PTX, -1
/// for another text.
int roundingMode(StringRef Mode) {
  return StringSwitch<int>(Mode)
      .Cases("rn", "rni", 0)
      .Cases("rz", "rzi", 1)
      .Cases("rm", "rmi", "rd", 2)
      .Cases("rp", "rpi", "ru", 3)
      .Default(-1);
}

class ArithmeticLowering {
public:
  ArithmeticLowering(CallBase &Call, StringRef Name, IRBuilder<> &B)
      : Call(Call), Name(Name), B(B), T(Call.getType()) {
    Name.split(Words, '.');
    Mode = Words.size() > 1 ? roundingMode(Words[1]) : -1;
  }

  Value *lower();

private:
  struct Row {
    StringLiteral Operation;
    bool OnReals;   ///< of real numbers: see isRoundedReal()
    unsigned Words; ///< at least, of the name
    Intrinsic::ID Id = Intrinsic::not_intrinsic; ///< with the same operands; or
    Value *(ArithmeticLowering::*Lower)() = nullptr;
  };
  static const Row Rows[];

  Value *in(unsigned N) { return Call.getArgOperand(N); }
  bool has(StringRef Word) const { return is_contained(Words, Word); }
  bool isNearest() const { return Mode <= 0; }
  bool isSigned() const { return !Words[1].starts_with("u"); }
  /// Other roundings exist for float and double alone.
  bool isRoundedReal() const {
    return T->isFPOrFPVectorTy() &&
           (T->isFloatTy() || T->isDoubleTy() || isNearest());
  }
  Value *intrinsic(Intrinsic::ID Id) {
    SmallVector<Value *> Arguments(Call.args());
    return B.CreateIntrinsic(Id, {T}, Arguments);
  }
  Value *callRuntime(const Twine &Function, ArrayRef<Value *> Arguments) {
    SmallVector<Type *> Types;
    for (Value *A : Arguments)
      Types.push_back(A->getType());
    return B.CreateCall(Call.getModule()->getOrInsertFunction(
                            Function.str(), FunctionType::get(T, Types, false)),
                        Arguments);
  }
  /// The executor's function for another rounding than to the nearest.
  Value *rounded(StringRef Function, ArrayRef<Value *> Operands) {
    SmallVector<Value *> Arguments = {B.getInt32(Mode)};
    append_range(Arguments, Operands);
    return callRuntime("ge." + Function + (T->isDoubleTy() ? ".d" : ".f"),
                       Arguments);
  }
  Value *rounded(StringRef Function) {
    return rounded(Function, SmallVector<Value *>(Call.args()));
  }
  /// V between 0 and 1.
  Value *clamp(Value *V) {
    Type *Of = V->getType();
    return B.CreateBinaryIntrinsic(
        Intrinsic::minnum,
        B.CreateBinaryIntrinsic(Intrinsic::maxnum, V, ConstantFP::get(Of, 0.0)),
        ConstantFP::get(Of, 1.0));
  }
  Value *saturated(Value *V) { return has("sat") ? clamp(V) : V; }

  Value *multiplyAdd() {
    return saturated(isNearest() ? intrinsic(Intrinsic::fma) : rounded("fma"));
  }
  Value *add() {
    return saturated(isNearest() ? B.CreateFAdd(in(0), in(1)) : rounded("add"));
  }
  Value *multiply() {
    return saturated(isNearest() ? B.CreateFMul(in(0), in(1)) : rounded("mul"));
  }
  Value *divide() {
    return isNearest() ? B.CreateFDiv(in(0), in(1)) : rounded("div");
  }
  Value *squareRoot() {
    return isNearest() ? intrinsic(Intrinsic::sqrt) : rounded("sqrt");
  }
  Value *reciprocal() {
    Value *One = ConstantFP::get(T, 1.0);
    return isNearest() ? B.CreateFDiv(One, in(0))
                       : rounded("div", {One, in(0)});
  }
  Value *reciprocalRoot() {
    return B.CreateFDiv(ConstantFP::get(T, 1.0), intrinsic(Intrinsic::sqrt));
  }
  Value *tanh() { return callRuntime("tanhf", {in(0)}); }
  Value *minimum() {
    return intrinsic(has("nan") ? Intrinsic::minimum : Intrinsic::minnum);
  }
  Value *maximum() {
    return intrinsic(has("nan") ? Intrinsic::maximum : Intrinsic::maxnum);
  }
  Value *negate() { return B.CreateFNeg(in(0)); }
  Value *saturate() { return clamp(in(0)); }
  /// Two floats as a pair of halves; the first operand is the upper one.
  Value *pack() {
    Value *Pair = PoisonValue::get(T);
    for (unsigned Half : {0, 1}) {
      Value *V = in(1 - Half);
      if (has("relu"))
        V = B.CreateBinaryIntrinsic(Intrinsic::maximum, V,
                                    ConstantFP::get(V->getType(), 0.0));
      Pair = B.CreateInsertElement(Pair, B.CreateFPTrunc(V, T->getScalarType()),
                                   uint64_t(Half));
    }
    return Pair;
  }

  Value *upperProduct() {
    unsigned Bits = T->getIntegerBitWidth();
    Type *Wide = B.getIntNTy(2 * Bits);
    auto Widen = [&](Value *V) {
      return isSigned() ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide);
    };
    return B.CreateTrunc(
        B.CreateLShr(B.CreateMul(Widen(in(0)), Widen(in(1))), Bits), T);
  }
  Value *productOf24Bits() {
    auto Narrow = [&](Value *V) {
      V = B.CreateShl(V, 8);
      return isSigned() ? B.CreateAShr(V, 8) : B.CreateLShr(V, 8);
    };
    return B.CreateMul(Narrow(in(0)), Narrow(in(1)));
  }
  Value *absoluteDifference() {
    Value *Less = isSigned() ? B.CreateICmpSLT(in(0), in(1))
                             : B.CreateICmpULT(in(0), in(1));
    return B.CreateAdd(B.CreateSelect(Less, B.CreateSub(in(1), in(0)),
                                      B.CreateSub(in(0), in(1))),
                       in(2));
  }
  Value *findSetBit() { return callRuntime("ge.fns", {in(0), in(1), in(2)}); }
  Value *permute() { return callRuntime("ge.prmt", {in(0), in(1), in(2)}); }
  /// idp4a.s.u: signedness of both operands; idp2a has a choice of halves.
  Value *dotProduct() {
    SmallVector<Value *> Arguments = {
        B.getInt32((Words[1] == "s") + 2 * (Words[2] == "s"))};
    for (Value *A : Call.args())
      Arguments.push_back(B.CreateZExt(A, B.getInt32Ty()));
    return callRuntime("ge." + Words.front(), Arguments);
  }
  Value *countOnes() {
    return B.CreateZExtOrTrunc(B.CreateUnaryIntrinsic(Intrinsic::ctpop, in(0)),
                               T);
  }
  Value *leadingZeros() {
    return B.CreateZExtOrTrunc(
        B.CreateBinaryIntrinsic(Intrinsic::ctlz, in(0), B.getFalse()), T);
  }
  Value *rotate() {
    return B.CreateIntrinsic(Intrinsic::fshl, {T},
                             {in(0), in(0), B.CreateZExt(in(1), T)});
  }
  Value *fromHalves() {
    Type *Long = B.getInt64Ty();
    return B.CreateBitCast(
        B.CreateOr(B.CreateZExt(in(0), Long),
                   B.CreateShl(B.CreateZExt(in(1), Long), 32)),
        T);
  }

  /// Conversions: f2i.rz, d2ull.rp, i2f.rn, d2f.rn.ftz, f2h.rn; and the halves
  /// of a double, d2i.lo and d2i.hi.
  Value *convert() {
    auto [From, To] = Words.front().split('2');
    if (To.empty() || Call.arg_size() != 1)
      return nullptr;
    Value *A = in(0);
    if (Name == "d2i.lo" || Name == "d2i.hi") {
      Value *Bits = B.CreateBitCast(A, B.getInt64Ty());
      return B.CreateTrunc(Name == "d2i.hi" ? B.CreateLShr(Bits, 32) : Bits, T);
    }
    if (To == "h")
      return B.CreateBitCast(B.CreateFPTrunc(A, B.getHalfTy()), B.getInt16Ty());
    bool ToReal = T->isFPOrFPVectorTy();
    if (ToReal && A->getType()->isFPOrFPVectorTy())
      return isNearest() ? B.CreateFPTrunc(A, T)
                         : callRuntime("ge.d2f", {B.getInt32(Mode), A});
    if (ToReal)
      return integerToReal(A, !From.starts_with("u"));
    return A->getType()->isFloatTy() || A->getType()->isDoubleTy()
               ? realToInteger(A, !To.starts_with("u"))
               : nullptr;
  }
  Value *integerToReal(Value *A, bool Signed) {
    if (isNearest() || T->isDoubleTy())
      return Signed ? B.CreateSIToFP(A, T) : B.CreateUIToFP(A, T);
    Type *Long = B.getInt64Ty();
    Value *Wide = Signed ? B.CreateSExt(A, Long) : B.CreateZExt(A, Long);
    return callRuntime(Signed ? "ge.ll2f" : "ge.ull2f",
                       {B.getInt32(Mode), Wide});
  }
  Value *realToInteger(Value *A, bool Signed) {
    Intrinsic::ID Round = Mode == 0   ? Intrinsic::roundeven
                          : Mode == 1 ? Intrinsic::trunc
                          : Mode == 2 ? Intrinsic::floor
                                      : Intrinsic::ceil;
    A = B.CreateUnaryIntrinsic(Round, A);
    return B.CreateIntrinsic(Signed ? Intrinsic::fptosi_sat
                                    : Intrinsic::fptoui_sat,
                             {T, A->getType()}, {A});
  }

  CallBase &Call;
  StringRef Name;
  IRBuilder<> &B;
  Type *T;
  SmallVector<StringRef> Words;
  int Mode; ///< of rounding
};

using Lowering = ArithmeticLowering;

// One row per line.
// clang-format off
const Lowering::Row Lowering::Rows[] = {
    {"fma", true, 1, {}, &Lowering::multiplyAdd},
    {"add", true, 1, {}, &Lowering::add},
    {"mul", true, 1, {}, &Lowering::multiply},
    {"div", true, 1, {}, &Lowering::divide},
    {"sqrt", true, 1, {}, &Lowering::squareRoot},
    {"rcp", true, 1, {}, &Lowering::reciprocal},
    {"rsqrt", true, 1, {}, &Lowering::reciprocalRoot},
    {"ex2", true, 1, Intrinsic::exp2},
    {"lg2", true, 1, Intrinsic::log2},
    {"sin", true, 1, Intrinsic::sin},
    {"cos", true, 1, Intrinsic::cos},
    {"tanh", true, 1, {}, &Lowering::tanh},
    {"fmin", true, 1, {}, &Lowering::minimum},
    {"fmax", true, 1, {}, &Lowering::maximum},
    {"ff2f16x2", true, 1, {}, &Lowering::pack},
    {"ff2bf16x2", true, 1, {}, &Lowering::pack},
    {"fabs", true, 1, Intrinsic::fabs},
    {"abs", true, 1, Intrinsic::fabs},
    {"neg", true, 1, {}, &Lowering::negate},
    {"floor", true, 1, Intrinsic::floor},
    {"ceil", true, 1, Intrinsic::ceil},
    {"trunc", true, 1, Intrinsic::trunc},
    {"round", true, 1, Intrinsic::roundeven},
    {"saturate", true, 1, {}, &Lowering::saturate},
    {"mulhi", false, 2, {}, &Lowering::upperProduct},
    {"mul24", false, 2, {}, &Lowering::productOf24Bits},
    {"sad", false, 2, {}, &Lowering::absoluteDifference},
    {"fns", false, 1, {}, &Lowering::findSetBit},
    {"prmt", false, 1, {}, &Lowering::permute},
    {"idp4a", false, 3, {}, &Lowering::dotProduct},
    {"idp2a", false, 3, {}, &Lowering::dotProduct},
    {"brev32", false, 1, Intrinsic::bitreverse},
    {"brev64", false, 1, Intrinsic::bitreverse},
    {"clz", false, 1, {}, &Lowering::leadingZeros},
    {"popc", false, 1, {}, &Lowering::countOnes},
    {"rotate", false, 1, {}, &Lowering::rotate},
    {"lohi", false, 1, {}, &Lowering::fromHalves},
};
// clang-format on

Value *ArithmeticLowering::lower() {
  for (const Row &R : Rows) {
    if (R.Operation != Words.front() || Words.size() < R.Words ||
        (R.OnReals && !isRoundedReal()))
      continue;
    if (R.Id != Intrinsic::not_intrinsic)
      return intrinsic(R.Id);
    return (this->*R.Lower)();
  }
  return Name.starts_with("bitcast.") ? B.CreateBitCast(in(0), T) : convert();
}

} // namespace

Value *lowerArithmetic(CallBase &Call, StringRef Name, IRBuilder<> &B) {
  return ArithmeticLowering(Call, Name, B).lower();
}

} // namespace gpuestimate
