#include "LibraryLowering.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuestimate {

/// Functions that LLVM has an operation for. A pow() with a constant exponent
/// such as 2 becomes products.
static Intrinsic::ID libraryIntrinsic(StringRef Name) {
  return StringSwitch<Intrinsic::ID>(Name)
      .Cases("fabs", "fabsf", Intrinsic::fabs)
      .Cases("floor", "floorf", Intrinsic::floor)
      .Cases("ceil", "ceilf", Intrinsic::ceil)
      .Cases("trunc", "truncf", Intrinsic::trunc)
      .Cases("rint", "rintf", Intrinsic::rint)
      .Cases("nearbyint", "nearbyintf", Intrinsic::nearbyint)
      .Cases("round", "roundf", Intrinsic::round)
      .Cases("sqrt", "sqrtf", "fsqrt_rn", "dsqrt_rn", Intrinsic::sqrt)
      .Cases("fma", "fmaf", "fmaf_rn", "fma_rn", Intrinsic::fma)
      .Cases("copysign", "copysignf", Intrinsic::copysign)
      .Cases("fmin", "fminf", Intrinsic::minnum)
      .Cases("fmax", "fmaxf", Intrinsic::maxnum)
      .Cases("fast_exp2f", "fast_ex2f", Intrinsic::exp2)
      .Cases("pow", "powf", Intrinsic::pow)
      .Cases("popc", "popcll", Intrinsic::ctpop)
      .Cases("brev", "brevll", Intrinsic::bitreverse)
      .Cases("min", "llmin", Intrinsic::smin)
      .Cases("max", "llmax", Intrinsic::smax)
      .Cases("umin", "ullmin", Intrinsic::umin)
      .Cases("umax", "ullmax", Intrinsic::umax)
      .Default(Intrinsic::not_intrinsic);
}

static Value *lowerReal(StringRef Name, ArrayRef<Value *> Arguments, Type *T,
                        IRBuilderBase &B) {
  auto One = [&] { return ConstantFP::get(T, 1.0); };
  if (Name == "fdiv_rn" || Name == "ddiv_rn" || Name == "fast_fdividef")
    return B.CreateFDiv(Arguments[0], Arguments[1]);
  if (Name == "frcp_rn" || Name == "drcp_rn")
    return B.CreateFDiv(One(), Arguments[0]);
  if (Name == "rsqrt" || Name == "rsqrtf" || Name == "frsqrt_rn")
    return B.CreateFDiv(One(),
                        B.CreateUnaryIntrinsic(Intrinsic::sqrt, Arguments[0]));
  if (Name == "saturatef")
    return B.CreateBinaryIntrinsic(
        Intrinsic::minnum,
        B.CreateBinaryIntrinsic(Intrinsic::maxnum, Arguments[0],
                                ConstantFP::get(T, 0.0)),
        One());
  if (Name == "fadd_rn" || Name == "dadd_rn")
    return B.CreateFAdd(Arguments[0], Arguments[1]);
  if (Name == "fsub_rn" || Name == "dsub_rn")
    return B.CreateFSub(Arguments[0], Arguments[1]);
  if (Name == "fmul_rn" || Name == "dmul_rn")
    return B.CreateFMul(Arguments[0], Arguments[1]);
  return nullptr;
}

/// What asks for, or moves, the bits of a real.
static Value *lowerBits(StringRef Name, ArrayRef<Value *> Arguments, Type *T,
                        IRBuilderBase &B) {
  if (is_contained({"float_as_int", "float_as_uint", "int_as_float",
                    "uint_as_float", "double_as_longlong",
                    "longlong_as_double"},
                   Name))
    return B.CreateBitCast(Arguments[0], T);
  Type *Long = B.getInt64Ty();
  if (Name == "hiloint2double")
    return B.CreateBitCast(
        B.CreateOr(B.CreateShl(B.CreateZExt(Arguments[0], Long), 32),
                   B.CreateZExt(Arguments[1], Long)),
        T);
  if (Name == "double2loint")
    return B.CreateTrunc(B.CreateBitCast(Arguments[0], Long), T);
  if (Name == "double2hiint")
    return B.CreateTrunc(B.CreateLShr(B.CreateBitCast(Arguments[0], Long), 32),
                         T);
  if (Name == "isnand" || Name == "isnanf")
    return B.CreateZExt(B.CreateFCmpUNO(Arguments[0], Arguments[0]), T);
  bool IsInfinite = Name == "isinfd" || Name == "isinff";
  if (IsInfinite || Name == "isfinited" || Name == "finitef") {
    Value *Magnitude = B.CreateUnaryIntrinsic(Intrinsic::fabs, Arguments[0]);
    Value *Infinity = ConstantFP::getInfinity(Magnitude->getType());
    return B.CreateZExt(IsInfinite ? B.CreateFCmpOEQ(Magnitude, Infinity)
                                   : B.CreateFCmpOLT(Magnitude, Infinity),
                        T);
  }
  if (Name == "signbitd" || Name == "signbitf") {
    Type *Bits = Name == "signbitd" ? Long : B.getInt32Ty();
    return B.CreateZExt(B.CreateIsNeg(B.CreateBitCast(Arguments[0], Bits)), T);
  }
  return nullptr;
}

/// "float2int_rz": the kinds of both numbers and how the result is rounded.
/// Integers are clamped to their range; NaN is 0. Reals are rounded to the
/// nearest only; the host's functions do the rest.
static Value *lowerConversion(StringRef Name, Value *From, Type *T,
                              IRBuilderBase &B) {
  auto [Kinds, Rounding] = Name.rsplit('_');
  auto [Source, Target] = Kinds.split('2');
  auto IsReal = [](StringRef Kind) {
    return Kind == "float" || Kind == "double";
  };
  auto IsInteger = [](StringRef Kind) {
    return is_contained({"int", "uint", "ll", "ull"}, Kind);
  };
  if (IsReal(Source) && IsInteger(Target)) {
    Intrinsic::ID Round = StringSwitch<Intrinsic::ID>(Rounding)
                              .Case("rn", Intrinsic::rint)
                              .Case("rz", Intrinsic::trunc)
                              .Case("rd", Intrinsic::floor)
                              .Case("ru", Intrinsic::ceil)
                              .Default(Intrinsic::not_intrinsic);
    if (!Round)
      return nullptr;
    Value *Whole = B.CreateUnaryIntrinsic(Round, From);
    return B.CreateIntrinsic(Target.starts_with("u") ? Intrinsic::fptoui_sat
                                                     : Intrinsic::fptosi_sat,
                             {T, Whole->getType()}, {Whole});
  }
  if (Rounding != "rn" || !IsReal(Target))
    return nullptr;
  if (IsInteger(Source))
    return Source.starts_with("u") ? B.CreateUIToFP(From, T)
                                   : B.CreateSIToFP(From, T);
  return Source == "double" && Target == "float" ? B.CreateFPTrunc(From, T)
                                                 : nullptr;
}

/// The upper half of the product of two unsigned 64-bit numbers, by their
/// halves: the host's vectors have no wider product.
static Value *upperProduct(Value *X, Value *Y, IRBuilderBase &B) {
  auto Low = [&](Value *V) { return B.CreateAnd(V, B.getInt64(UINT32_MAX)); };
  auto High = [&](Value *V) { return B.CreateLShr(V, 32); };
  Value *LowLow = B.CreateMul(Low(X), Low(Y)),
        *Middle = B.CreateAdd(B.CreateMul(High(X), Low(Y)), High(LowLow)),
        *Other = B.CreateAdd(B.CreateMul(Low(X), High(Y)), Low(Middle));
  return B.CreateAdd(B.CreateAdd(B.CreateMul(High(X), High(Y)), High(Middle)),
                     High(Other));
}

static Value *lowerUpperProduct(StringRef Name, Value *X, Value *Y,
                                IRBuilderBase &B) {
  bool IsSigned = !Name.starts_with("u");
  if (!Name.contains("64")) {
    auto Wide = [&](Value *V) {
      return IsSigned ? B.CreateSExt(V, B.getInt64Ty())
                      : B.CreateZExt(V, B.getInt64Ty());
    };
    return B.CreateTrunc(B.CreateLShr(B.CreateMul(Wide(X), Wide(Y)), 32),
                         B.getInt32Ty());
  }
  Value *Upper = upperProduct(X, Y, B);
  if (!IsSigned)
    return Upper;
  // A negative factor was taken to be larger by 2^64.
  auto Excess = [&](Value *Factor, Value *Of) {
    return B.CreateAnd(B.CreateAShr(Factor, 63), Of);
  };
  return B.CreateSub(B.CreateSub(Upper, Excess(X, Y)), Excess(Y, X));
}

/// Each byte of the result is the one of the two words that three bits of the
/// selector name.
static Value *lowerBytePermute(ArrayRef<Value *> Arguments, IRBuilderBase &B) {
  Type *Long = B.getInt64Ty();
  Value *Both = B.CreateOr(B.CreateZExt(Arguments[0], Long),
                           B.CreateShl(B.CreateZExt(Arguments[1], Long), 32));
  Value *Selector = B.CreateZExt(Arguments[2], Long);
  Value *Result = B.getInt32(0);
  for (unsigned Byte = 0; Byte < 4; ++Byte) {
    Value *Number = B.CreateAnd(B.CreateLShr(Selector, 4 * Byte), 7);
    Value *One = B.CreateTrunc(B.CreateLShr(Both, B.CreateShl(Number, 3)),
                               B.getInt32Ty());
    Result = B.CreateOr(Result, B.CreateShl(B.CreateAnd(One, 0xff), 8 * Byte));
  }
  return Result;
}

static Value *lowerInteger(StringRef Name, ArrayRef<Value *> Arguments, Type *T,
                           IRBuilderBase &B) {
  Value *X = Arguments[0];
  if (is_contained({"mulhi", "umulhi", "mul64hi", "umul64hi"}, Name))
    return lowerUpperProduct(Name, X, Arguments[1], B);
  if (Name == "clz" || Name == "clzll")
    return B.CreateZExtOrTrunc(
        B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse()), T);
  if (Name == "ffs" || Name == "ffsll") {
    Value *Place = B.CreateZExtOrTrunc(
        B.CreateBinaryIntrinsic(Intrinsic::cttz, X, B.getFalse()), T);
    return B.CreateSelect(B.CreateIsNull(X), ConstantInt::get(T, 0),
                          B.CreateAdd(Place, ConstantInt::get(T, 1)));
  }
  if (Name == "byte_perm")
    return lowerBytePermute(Arguments, B);
  if (Name == "mul24" || Name == "umul24") {
    auto Lower = [&](Value *V) {
      Value *Shifted = B.CreateShl(V, 8);
      return Name == "mul24" ? B.CreateAShr(Shifted, 8)
                             : B.CreateLShr(Shifted, 8);
    };
    return B.CreateMul(Lower(X), Lower(Arguments[1]));
  }
  if (Name == "sad" || Name == "usad") {
    bool IsSigned = Name == "sad";
    Value *Y = Arguments[1];
    Value *Larger = B.CreateBinaryIntrinsic(
              IsSigned ? Intrinsic::smax : Intrinsic::umax, X, Y),
          *Smaller = B.CreateBinaryIntrinsic(
              IsSigned ? Intrinsic::smin : Intrinsic::umin, X, Y);
    return B.CreateAdd(Arguments[2], B.CreateSub(Larger, Smaller));
  }
  return nullptr;
}

Value *lowerDeviceLibrary(StringRef Name, ArrayRef<Value *> Arguments, Type *T,
                          IRBuilderBase &B) {
  if (Arguments.empty())
    return nullptr;
  if (Intrinsic::ID Id = libraryIntrinsic(Name)) {
    Type *ArgumentType = Arguments[0]->getType();
    if (all_of(Arguments,
               [&](Value *A) { return A->getType() == ArgumentType; }))
      return B.CreateIntrinsic(Id, {ArgumentType}, Arguments);
  }
  if (Value *Real = lowerReal(Name, Arguments, T, B))
    return Real;
  if (Value *Bits = lowerBits(Name, Arguments, T, B))
    return Bits;
  if (Value *Integer = lowerInteger(Name, Arguments, T, B))
    return Integer;
  return Arguments.size() == 1 ? lowerConversion(Name, Arguments[0], T, B)
                               : nullptr;
}

} // namespace gpuestimate
