/// \file
/// Functions of integers, and conversions between them and reals.
#include "Calls.h"
#include "Warp.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

enum IntegerFunction : unsigned {
  Abs,
  SMin,
  SMax,
  UMin,
  UMax,
  PopCount,
  LeadingZeros,
  TrailingZeros,
  FirstSet,
  BitReverse,
  ByteSwap,
  FunnelLeft,
  FunnelRight,
  MulHigh,
  UMulHigh,
  Mul24,
  UMul24,
  Sad,
  USad,
  Permute,
  AddSaturated,
  UAddSaturated,
  SubSaturated,
  USubSaturated,
  Dot4Signed,
  Dot4Unsigned,
  SignOf,
  USignOf,
};

int integerFunction(StringRef Name) {
  StringRef Plain = Name;
  if (Plain.consume_front("llvm.nvvm."))
    return StringSwitch<int>(Plain)
        .StartsWith("abs", Abs)
        .StartsWith("popc", PopCount)
        .StartsWith("clz", LeadingZeros)
        .StartsWith("brev", BitReverse)
        .Cases("mulhi.i", "mulhi.ll", "mulhi.s", MulHigh)
        .Cases("mulhi.ui", "mulhi.ull", "mulhi.us", UMulHigh)
        .Case("mul24.i", Mul24)
        .Case("mul24.ui", UMul24)
        .Case("sad.i", Sad)
        .Case("sad.ui", USad)
        .Case("prmt", Permute)
        .Case("idp4a.s.s", Dot4Signed)
        .Case("idp4a.u.u", Dot4Unsigned)
        .Default(-1);
  if (Plain.consume_front("__nv_"))
    return StringSwitch<int>(Plain)
        .Cases("abs", "llabs", Abs)
        .Cases("popc", "popcll", PopCount)
        .Cases("clz", "clzll", LeadingZeros)
        .Cases("ffs", "ffsll", FirstSet)
        .Cases("brev", "brevll", BitReverse)
        .Cases("mulhi", "mul64hi", MulHigh)
        .Cases("umulhi", "umul64hi", UMulHigh)
        .Case("mul24", Mul24)
        .Case("umul24", UMul24)
        .Case("sad", Sad)
        .Case("usad", USad)
        .Case("byte_perm", Permute)
        .Default(-1);
  if (Plain.consume_front("llvm.amdgcn."))
    return StringSwitch<int>(Plain)
        .StartsWith("mul.i24", Mul24)
        .StartsWith("mul.u24", UMul24)
        .Default(-1);
  if (!Plain.consume_front("llvm."))
    return -1;
  return StringSwitch<int>(Plain)
      .StartsWith("abs.", Abs)
      .StartsWith("smin.", SMin)
      .StartsWith("smax.", SMax)
      .StartsWith("umin.", UMin)
      .StartsWith("umax.", UMax)
      .StartsWith("ctpop.", PopCount)
      .StartsWith("ctlz.", LeadingZeros)
      .StartsWith("cttz.", TrailingZeros)
      .StartsWith("bitreverse.", BitReverse)
      .StartsWith("bswap.", ByteSwap)
      .StartsWith("fshl.", FunnelLeft)
      .StartsWith("fshr.", FunnelRight)
      .StartsWith("sadd.sat.", AddSaturated)
      .StartsWith("uadd.sat.", UAddSaturated)
      .StartsWith("ssub.sat.", SubSaturated)
      .StartsWith("usub.sat.", USubSaturated)
      .StartsWith("scmp.", SignOf)
      .StartsWith("ucmp.", USignOf)
      .Default(-1);
}

uint64_t reversed(uint64_t V, unsigned Bits) {
  uint64_t Out = 0;
  for (unsigned I = 0; I < Bits; ++I)
    Out |= (V >> I & 1) << (Bits - 1 - I);
  return Out;
}

/// prmt: each nibble of C picks one byte of B:A, its upper bit the byte's sign.
uint64_t permuted(uint64_t A, uint64_t B, uint64_t C) {
  uint64_t Both = cut(B, 32) << 32 | cut(A, 32), Out = 0;
  for (unsigned I = 0; I < 4; ++I) {
    unsigned Pick = C >> (4 * I) & 15;
    uint64_t Byte = Both >> (8 * (Pick & 7)) & 255;
    if (Pick & 8)
      Byte = Byte & 128 ? 255 : 0;
    Out |= Byte << (8 * I);
  }
  return Out;
}

uint64_t dot4(uint64_t A, uint64_t B, uint64_t Sum, bool Signed) {
  for (unsigned I = 0; I < 4; ++I) {
    uint64_t X = A >> (8 * I) & 255, Y = B >> (8 * I) & 255;
    Sum += Signed ? uint64_t(withSign(X, 8) * withSign(Y, 8)) : X * Y;
  }
  return Sum;
}

uint64_t saturated(__int128 V, unsigned Bits, bool Signed) {
  __int128 One = 1;
  __int128 Most = (One << (Signed ? Bits - 1 : Bits)) - 1,
           Least = Signed ? -Most - 1 : 0;
  return cut(uint64_t(V < Least ? Least : V > Most ? Most : V), Bits);
}

uint64_t evaluate(unsigned Function, uint64_t A, uint64_t B, uint64_t C,
                  unsigned Bits) {
  const int64_t SA = withSign(A, Bits), SB = withSign(B, Bits);
  switch (Function) {
  case Abs:
    return SA < 0 ? 0 - A : A;
  case SMin:
    return SA < SB ? A : B;
  case SMax:
    return SA > SB ? A : B;
  case UMin:
    return std::min(A, B);
  case UMax:
    return std::max(A, B);
  case PopCount:
    return popcount(A);
  case LeadingZeros:
    return A ? countl_zero(A) - (64 - Bits) : Bits;
  case TrailingZeros:
    return A ? countr_zero(A) : Bits;
  case FirstSet:
    return A ? countr_zero(A) + 1 : 0;
  case BitReverse:
    return reversed(A, Bits);
  case ByteSwap:
    return byteswap(A) >> (64 - Bits);
  case FunnelLeft:
    C %= Bits;
    return C ? A << C | cut(B, Bits) >> (Bits - C) : A;
  case FunnelRight:
    C %= Bits;
    return C ? A << (Bits - C) | cut(B, Bits) >> C : B;
  case MulHigh:
    return uint64_t(static_cast<__int128>(SA) * SB >> Bits);
  case UMulHigh:
    return uint64_t(static_cast<unsigned __int128>(A) * B >> Bits);
  case Mul24:
    return uint64_t(withSign(A, 24) * withSign(B, 24));
  case UMul24:
    return cut(A, 24) * cut(B, 24);
  case Sad:
    return C + uint64_t(std::abs(SA - SB));
  case USad:
    return C + (A > B ? A - B : B - A);
  case Permute:
    return permuted(A, B, C);
  case AddSaturated:
    return saturated(static_cast<__int128>(SA) + SB, Bits, true);
  case UAddSaturated:
    return saturated(static_cast<__int128>(A) + B, Bits, false);
  case SubSaturated:
    return saturated(static_cast<__int128>(SA) - SB, Bits, true);
  case USubSaturated:
    return saturated(static_cast<__int128>(A) - B, Bits, false);
  case Dot4Signed:
  case Dot4Unsigned:
    return dot4(A, B, C, Function == Dot4Signed);
  case SignOf:
    return uint64_t(SA < SB ? -1 : SA > SB);
  default:
    return uint64_t(A < B ? -1 : A > B);
  }
}

/// "llvm.nvvm.f2i.rz", "__nv_float2int_rn", "__nv_uint2float_rn", ...: to and
/// from, the rounding at the end.
bool isConversion(StringRef Name) {
  if (!Name.consume_front("__nv_") && !Name.consume_front("llvm.nvvm."))
    return false;
  size_t Two = Name.find('2');
  if (Two == StringRef::npos)
    return false;
  auto Known = [](StringRef Type) {
    return StringSwitch<bool>(Type)
        .Cases("f", "d", "i", "ui", "ll", "ull", "h", true)
        .Cases("float", "double", "int", "uint", "half", true)
        .Default(false);
  };
  StringRef To = Name.drop_front(Two + 1).take_until(
      [](char C) { return C == '_' || C == '.'; });
  return Known(Name.take_front(Two)) && Known(To);
}

} // namespace

bool findIntegerFunction(StringRef Name, Decoded &D) {
  bool Reals =
      D.Format != CellFormat::Integer || D.ResultFormat != CellFormat::Integer;
  if (int Function = integerFunction(Name); Function >= 0 && !Reals) {
    D.Handler = &Warp::integerCall;
    D.Extra = Function;
    return true;
  }
  if (isConversion(Name)) {
    D.Handler = &Warp::convert;
    return true;
  }
  // The same bits as another type, or a part of them.
  int Shift =
      StringSwitch<int>(Name)
          .Cases("__nv_float_as_int", "__nv_float_as_uint", "__nv_int_as_float",
                 "__nv_uint_as_float", 0)
          .Cases("__nv_double_as_longlong", "__nv_longlong_as_double", 0)
          .Cases("llvm.nvvm.d2i.lo", "__nv_double2loint", 0)
          .Cases("llvm.nvvm.d2i.hi", "__nv_double2hiint", 32)
          .Case("llvm.nvvm.lohi.i2d", 64)
          .Case("__nv_hiloint2double", 65)
          .StartsWith("llvm.nvvm.bitcast.", 0)
          .Default(-1);
  if (Shift < 0)
    return false;
  D.Handler = &Warp::reinterpret;
  D.Extra = Shift;
  return true;
}

bool Warp::integerCall(const Decoded &D, uint64_t Mask) {
  for (unsigned C = 0; C < D.Cells; ++C)
    each(Mask, [&](unsigned L) {
      auto Of = [&](unsigned N) {
        if (N >= D.Operands.size())
          return uint64_t(0);
        // Flags, such as "zero is poison", are one cell for all elements.
        bool Vector =
            cast<CallBase>(D.I)->getArgOperand(N)->getType()->isVectorTy();
        return cell(D.Operands[N] + (Vector ? C : 0), L);
      };
      cell(D.Result + C, L) =
          cut(evaluate(D.Extra, Of(0), Of(1), Of(2), D.Bits), D.ResultBits);
    });
  return true;
}

bool Warp::convert(const Decoded &D, uint64_t Mask) {
  StringRef Name = cast<CallBase>(D.I)->getCalledFunction()->getName();
  StringRef From = Name;
  if (!From.consume_front("__nv_"))
    From.consume_front("llvm.nvvm.");
  StringRef To = From.drop_front(From.find('2') + 1);
  bool Unsigned = D.Format == CellFormat::Integer ? From.starts_with("u")
                  : Name.starts_with("llvm.fpto") ? Name.contains("toui")
                                                  : To.starts_with("u");
  auto Rounded = [&](double V) {
    if (Name.contains("_rn") || Name.contains(".rn"))
      return std::nearbyint(V);
    if (Name.contains("_ru") || Name.contains(".rp"))
      return std::ceil(V);
    if (Name.contains("_rd") || Name.contains(".rm"))
      return std::floor(V);
    return std::trunc(V);
  };
  map(D, Mask, [&](uint64_t V) {
    if (D.Format == CellFormat::Integer)
      return bitsOfReal(Unsigned ? double(V) : double(withSign(V, D.Bits)),
                        D.ResultFormat);
    double Real = realOf(V, D.Format);
    return D.ResultFormat == CellFormat::Integer
               ? integerOf(Rounded(Real), D.ResultBits, !Unsigned)
               : bitsOfReal(Real, D.ResultFormat);
  });
  return true;
}

bool Warp::reinterpret(const Decoded &D, uint64_t Mask) {
  each(Mask, [&](unsigned L) {
    uint64_t A = cell(D.Operands[0], L);
    if (D.Extra < 64) {
      cell(D.Result, L) = cut(A >> D.Extra, D.ResultBits);
      return;
    }
    uint64_t B = cell(D.Operands[1], L);
    cell(D.Result, L) = D.Extra == 64 ? B << 32 | A : A << 32 | B;
  });
  return true;
}

bool Warp::overflow(const Decoded &D, uint64_t Mask) {
  each(Mask, [&](unsigned L) {
    uint64_t A = cell(D.Operands[0], L), B = cell(D.Operands[1], L);
    bool Signed = D.Extra >= 3;
    __int128 X = Signed ? static_cast<__int128>(withSign(A, D.Bits))
                        : static_cast<__int128>(A);
    __int128 Y = Signed ? static_cast<__int128>(withSign(B, D.Bits))
                        : static_cast<__int128>(B);
    unsigned Kind = D.Extra % 3;
    // Of 64-bit factors the product may not fit; as unsigned it does.
    __int128 V = Kind == 0 ? X + Y : Kind == 1 ? X - Y : X * Y;
    uint64_t Result = cut(uint64_t(V), D.Bits);
    __int128 Kept = Signed ? static_cast<__int128>(withSign(Result, D.Bits))
                           : static_cast<__int128>(Result);
    cell(D.Result, L) = Result;
    cell(D.Result + 1, L) = Kept != V;
  });
  return true;
}

bool Warp::reduceVector(const Decoded &D, uint64_t Mask) {
  const auto *Call = cast<CallBase>(D.I);
  StringRef Name = Call->getCalledFunction()->getName();
  Name.consume_front("llvm.vector.reduce.");
  StringRef What = Name.split('.').first;
  unsigned Count = cellsOf(Call->getArgOperand(0)->getType());
  auto Two = [&](uint64_t A, uint64_t B) -> uint64_t {
    int64_t SA = withSign(A, D.Bits), SB = withSign(B, D.Bits);
    return StringSwitch<uint64_t>(What)
        .Case("add", cut(A + B, D.Bits))
        .Case("mul", cut(A * B, D.Bits))
        .Case("and", A & B)
        .Case("or", A | B)
        .Case("xor", A ^ B)
        .Case("smin", SA < SB ? A : B)
        .Case("smax", SA > SB ? A : B)
        .Case("umin", std::min(A, B))
        .Case("umax", std::max(A, B))
        .Default(0);
  };
  if (D.ResultFormat != CellFormat::Integer)
    return refuseCall(D, Mask);
  each(Mask, [&](unsigned L) {
    uint64_t Sum = cell(D.Operands[0], L);
    for (unsigned C = 1; C < Count; ++C)
      Sum = Two(Sum, cell(D.Operands[0] + C, L));
    cell(D.Result, L) = Sum;
  });
  return true;
}

} // namespace gpuestimate
