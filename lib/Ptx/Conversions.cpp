#include "Conversions.h"

#include "Arithmetic.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// "rni", "rzi", "rmi" or "rpi" of I; "" if it has none.
StringRef integerRounding(const PtxInstruction &I) {
  for (StringRef M : I.Modifiers)
    if (M == "rni" || M == "rzi" || M == "rmi" || M == "rpi")
      return M;
  return "";
}

/// The letters of a type in the names of LLVM's intrinsics: "ll" of s64.
StringRef lettersOf(PtxType T) {
  if (T.isFloat())
    return T.Width == 64 ? "d" : "f";
  if (T.Width == 64)
    return T.isSigned() ? "ll" : "ull";
  return T.isSigned() ? "i" : "ui";
}

/// V within what To can hold.
Value *saturate(IRBuilder<> &B, Value *V, PtxType From, PtxType To) {
  if (To.isFloat())
    return V->getType()->isFloatTy()
               ? callIntrinsic(B, "llvm.nvvm.saturate.f", {V})
               : nullptr;
  unsigned Bits = V->getType()->getIntegerBitWidth();
  if (From.isSigned()) {
    APInt Low = To.isSigned() ? APInt::getSignedMinValue(To.Width)
                              : APInt::getZero(To.Width);
    APInt High = To.isSigned() ? APInt::getSignedMaxValue(To.Width)
                               : APInt::getMaxValue(To.Width);
    if (To.Width <= Bits)
      V = B.CreateBinaryIntrinsic(
          Intrinsic::smin, V,
          B.getInt(To.isSigned() || To.Width < Bits
                       ? (To.isSigned() ? High.sextOrTrunc(Bits)
                                        : High.zextOrTrunc(Bits))
                       : APInt::getSignedMaxValue(Bits)));
    if (!To.isSigned() || To.Width <= Bits)
      V = B.CreateBinaryIntrinsic(Intrinsic::smax, V,
                                  B.getInt(Low.sextOrTrunc(Bits)));
    return V;
  }
  APInt High = To.isSigned() ? APInt::getSignedMaxValue(To.Width)
                             : APInt::getMaxValue(To.Width);
  if (To.Width <= Bits)
    V = B.CreateBinaryIntrinsic(Intrinsic::umin, V,
                                B.getInt(High.zextOrTrunc(Bits)));
  return V;
}

class Conversion {
public:
  Conversion(IRBuilder<> &B, PtxOperands &Operands, const PtxInstruction &I,
             PtxType To, PtxType From)
      : B(B), Operands(Operands), I(I), To(To), From(From),
        Target(llvmType(To, B.getContext())) {}

  Value *run() {
    Value *X = Operands.read(I.Operands[1], From);
    if (From.isFloat())
      return To.isFloat() ? realToReal(X) : realToInteger(X);
    return To.isFloat() ? integerToReal(X) : integerToInteger(X);
  }

private:
  Value *integerToInteger(Value *X) {
    if (I.has("sat"))
      X = saturate(B, X, From, To);
    return From.isSigned() ? B.CreateSExtOrTrunc(X, Target)
                           : B.CreateZExtOrTrunc(X, Target);
  }

  Value *integerToReal(Value *X) {
    StringRef Rounding = ptxRounding(I);
    if (!Rounding.empty() && Rounding != "rn" && From.Width >= 32 &&
        To.Width >= 32)
      return callIntrinsic(B,
                           Twine("llvm.nvvm.") + lettersOf(From) + "2" +
                               lettersOf(To) + "." + Rounding,
                           {X});
    return From.isSigned() ? B.CreateSIToFP(X, Target)
                           : B.CreateUIToFP(X, Target);
  }

  Value *realToInteger(Value *X) {
    StringRef Rounding = integerRounding(I);
    if (Rounding != "rzi" && !Rounding.empty()) {
      if (From.Width >= 32 && To.Width >= 32) {
        StringRef Ftz = I.has("ftz") && From.Width == 32 ? ".ftz" : "";
        return callIntrinsic(B,
                             Twine("llvm.nvvm.") + lettersOf(From) + "2" +
                                 lettersOf(To) + "." + Rounding.drop_back() +
                                 Ftz,
                             {X});
      }
      X = roundToInteger(X, Rounding);
    }
    return To.isSigned() ? B.CreateFPToSI(X, Target)
                         : B.CreateFPToUI(X, Target);
  }

  Value *roundToInteger(Value *X, StringRef Rounding) {
    auto Id = StringSwitch<Intrinsic::ID>(Rounding)
                  .Case("rni", Intrinsic::rint)
                  .Case("rzi", Intrinsic::trunc)
                  .Case("rmi", Intrinsic::floor)
                  .Default(Intrinsic::ceil);
    return B.CreateUnaryIntrinsic(Id, X);
  }

  Value *realToReal(Value *X) {
    StringRef Integer = integerRounding(I), Rounding = ptxRounding(I);
    if (!Integer.empty())
      X = roundToInteger(X, Integer);
    if (From.Width < To.Width) {
      X = B.CreateFPExt(X, Target);
    } else if (From.Width > To.Width) {
      if (Rounding == "rn" || Rounding.empty())
        X = B.CreateFPTrunc(X, Target);
      else if (From.Width == 64 && To.Width == 32)
        X = callIntrinsic(B, "llvm.nvvm.d2f." + Rounding, {X});
      else
        return nullptr;
    } else if (From.Kind != To.Kind) { // f16 and bf16
      X = B.CreateFPTrunc(B.CreateFPExt(X, B.getFloatTy()), Target);
    }
    if (I.has("sat"))
      return saturate(B, X, From, To);
    return I.has("relu") ? nullptr : X;
  }

  IRBuilder<> &B;
  PtxOperands &Operands;
  const PtxInstruction &I;
  PtxType To, From;
  Type *Target;
};

} // namespace

bool PtxConversion::convert() {
  std::vector<PtxType> Types = I.types();
  if (Types.size() != 2 || I.has("satfinite") || I.has("tf32") || I.has("rs") ||
      I.has("rna"))
    return false;
  if (Types[0].Lanes == 2 && I.Operands.size() == 3 && Types[1].Lanes == 1) {
    // Two values packed, the first in the upper half.
    StringRef Rounding = ptxRounding(I);
    Value *V = callIntrinsic(
        B,
        Twine("llvm.nvvm.ff2") +
            (Types[0].Kind == PtxType::BFloat ? "bf16x2." : "f16x2.") +
            Rounding + (I.has("relu") ? ".relu" : ""),
        {Operands.read(I.Operands[1], Types[1]),
         Operands.read(I.Operands[2], Types[1])});
    if (V)
      Operands.write(I.Operands[0], V);
    return V;
  }
  if (Types[0].Lanes > 1 || Types[1].Lanes > 1 || I.Operands.size() != 2 ||
      Types[0].Kind == PtxType::Bits || Types[1].Kind == PtxType::Bits)
    return false;
  Value *V = Conversion(B, Operands, I, Types[0], Types[1]).run();
  if (!V)
    return false;
  Operands.write(I.Operands[0], V, Types[0].isSigned());
  return true;
}

} // namespace gpuestimate
