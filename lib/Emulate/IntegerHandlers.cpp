/// \file
/// Integers: arithmetic, comparisons, conversions, and calls.
#include "Handlers.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Operator.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Division by zero gives all ones and a shift beyond the width gives 0, as on
/// devices; both are undefined in IR.
bool integerArithmetic(WarpState &W, const Decoded &D, uint64_t Mask) {
  const unsigned Bits = D.Bits;
  auto Binary = [&](auto Do) {
    W.mapTwo(D, Mask,
             [&](uint64_t A, uint64_t B) { return truncate(Do(A, B), Bits); });
    return true;
  };
  auto Signed = [&](auto Do) {
    return Binary([&](uint64_t A, uint64_t B) {
      return uint64_t(Do(signExtend(A, Bits), signExtend(B, Bits)));
    });
  };
  constexpr uint64_t All = ~uint64_t(0);
  switch (D.Opcode) {
  case Instruction::Add:
    return Binary([](uint64_t A, uint64_t B) { return A + B; });
  case Instruction::Sub:
    return Binary([](uint64_t A, uint64_t B) { return A - B; });
  case Instruction::Mul:
    return Binary([](uint64_t A, uint64_t B) { return A * B; });
  case Instruction::And:
    return Binary([](uint64_t A, uint64_t B) { return A & B; });
  case Instruction::Or:
    return Binary([](uint64_t A, uint64_t B) { return A | B; });
  case Instruction::Xor:
    return Binary([](uint64_t A, uint64_t B) { return A ^ B; });
  case Instruction::Shl:
    return Binary(
        [&](uint64_t A, uint64_t B) { return B < Bits ? A << B : 0; });
  case Instruction::LShr:
    return Binary(
        [&](uint64_t A, uint64_t B) { return B < Bits ? A >> B : 0; });
  case Instruction::AShr:
    return Binary([&](uint64_t A, uint64_t B) {
      return uint64_t(signExtend(A, Bits) >> std::min<uint64_t>(B, 63));
    });
  case Instruction::UDiv:
    return Binary([](uint64_t A, uint64_t B) { return B ? A / B : All; });
  case Instruction::URem:
    return Binary([](uint64_t A, uint64_t B) { return B ? A % B : All; });
  case Instruction::SDiv:
    return Signed([](int64_t A, int64_t B) -> int64_t {
      return B == 0 ? -1 : B == -1 ? int64_t(0 - uint64_t(A)) : A / B;
    });
  case Instruction::SRem:
    return Signed([](int64_t A, int64_t B) -> int64_t {
      return B == 0 ? -1 : B == -1 ? 0 : A % B;
    });
  default:
    llvm_unreachable("a binary operation of integers");
  }
}

bool compareNumbers(WarpState &W, const Decoded &D, uint64_t Mask) {
  CmpInst::Predicate P = cast<CmpInst>(D.I)->getPredicate();
  if (D.Opcode == Instruction::FCmp) {
    W.mapTwo(D, Mask, [&](uint64_t A, uint64_t B) -> uint64_t {
      return FCmpInst::compare(APFloat(realOf(A, D.Format)),
                               APFloat(realOf(B, D.Format)), P);
    });
    return true;
  }
  const unsigned Bits = D.Bits;
  auto Signed = [&](auto Do) {
    W.mapTwo(D, Mask, [&](uint64_t A, uint64_t B) -> uint64_t {
      return Do(signExtend(A, Bits), signExtend(B, Bits));
    });
    return true;
  };
  auto Plain = [&](auto Do) {
    W.mapTwo(D, Mask,
             [&](uint64_t A, uint64_t B) -> uint64_t { return Do(A, B); });
    return true;
  };
  switch (P) {
  case CmpInst::ICMP_EQ:
    return Plain(std::equal_to<uint64_t>());
  case CmpInst::ICMP_NE:
    return Plain(std::not_equal_to<uint64_t>());
  case CmpInst::ICMP_UGT:
    return Plain(std::greater<uint64_t>());
  case CmpInst::ICMP_UGE:
    return Plain(std::greater_equal<uint64_t>());
  case CmpInst::ICMP_ULT:
    return Plain(std::less<uint64_t>());
  case CmpInst::ICMP_ULE:
    return Plain(std::less_equal<uint64_t>());
  case CmpInst::ICMP_SGT:
    return Signed(std::greater<int64_t>());
  case CmpInst::ICMP_SGE:
    return Signed(std::greater_equal<int64_t>());
  case CmpInst::ICMP_SLT:
    return Signed(std::less<int64_t>());
  default:
    return Signed(std::less_equal<int64_t>());
  }
}

/// Regroups bits: <2 x half> as i32, i64 as <2 x float>.
static void regroup(ArrayRef<uint64_t> Source, unsigned SourceBits,
                    MutableArrayRef<uint64_t> Target, unsigned TargetBits) {
  for (uint64_t &T : Target)
    T = 0;
  unsigned Total = SourceBits * Source.size();
  for (unsigned Position = 0; Position < Total;) {
    unsigned SourceBit = Position % SourceBits,
             TargetBit = Position % TargetBits;
    unsigned N = std::min(SourceBits - SourceBit, TargetBits - TargetBit);
    if (Position / TargetBits < Target.size())
      Target[Position / TargetBits] |=
          truncate(Source[Position / SourceBits] >> SourceBit, N) << TargetBit;
    Position += N;
  }
}

bool convertNumber(WarpState &W, const Decoded &D, uint64_t Mask) {
  const unsigned Bits = D.Bits, TargetBits = D.ResultBits;
  switch (D.Opcode) {
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    W.map(D, Mask, [&](uint64_t V) { return truncate(V, TargetBits); });
    return true;
  case Instruction::ZExt:
  case Instruction::AddrSpaceCast:
    W.map(D, Mask, [](uint64_t V) { return V; });
    return true;
  case Instruction::SExt:
    W.map(D, Mask, [&](uint64_t V) {
      return truncate(uint64_t(signExtend(V, Bits)), TargetBits);
    });
    return true;
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    W.map(D, Mask, [&](uint64_t V) {
      return bitsOfReal(realOf(V, D.Format), D.ResultFormat);
    });
    return true;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    W.map(D, Mask, [&](uint64_t V) {
      return integerOf(realOf(V, D.Format), TargetBits,
                       D.Opcode == Instruction::FPToSI);
    });
    return true;
  case Instruction::SIToFP:
    W.map(D, Mask, [&](uint64_t V) {
      // Directly from 64 bits: a conversion via double would round twice.
      return D.ResultFormat == CellFormat::Float
                 ? bit_cast<uint32_t>(static_cast<float>(signExtend(V, Bits)))
                 : bitsOfReal(static_cast<double>(signExtend(V, Bits)),
                              D.ResultFormat);
    });
    return true;
  case Instruction::UIToFP:
    W.map(D, Mask, [&](uint64_t V) {
      return D.ResultFormat == CellFormat::Float
                 ? bit_cast<uint32_t>(static_cast<float>(V))
                 : bitsOfReal(static_cast<double>(V), D.ResultFormat);
    });
    return true;
  case Instruction::BitCast: {
    SmallVector<uint64_t> Source(cellsOf(D.I->getOperand(0)->getType()));
    SmallVector<uint64_t> Target(D.Cells);
    forEachLane(Mask, [&](unsigned L) {
      for (unsigned C = 0; C < Source.size(); ++C)
        Source[C] = W.cell(D.Operands[0] + C, L);
      regroup(Source, Bits, Target, TargetBits);
      for (unsigned C = 0; C < Target.size(); ++C)
        W.cell(D.Result + C, L) = Target[C];
    });
    return true;
  }
  default:
    return W.stop(Twine("the conversion ") + D.I->getOpcodeName() +
                      " is not emulated",
                  D.I);
  }
}

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
  uint64_t Result = 0;
  for (unsigned I = 0; I < Bits; ++I)
    Result |= (V >> I & 1) << (Bits - 1 - I);
  return Result;
}

/// prmt: each nibble of C picks one byte of B:A, its upper bit the byte's sign.
uint64_t permuted(uint64_t A, uint64_t B, uint64_t C) {
  uint64_t Both = truncate(B, 32) << 32 | truncate(A, 32), Result = 0;
  for (unsigned I = 0; I < 4; ++I) {
    unsigned Pick = C >> (4 * I) & 15;
    uint64_t Byte = Both >> (8 * (Pick & 7)) & 255;
    if (Pick & 8)
      Byte = Byte & 128 ? 255 : 0;
    Result |= Byte << (8 * I);
  }
  return Result;
}

uint64_t dot4(uint64_t A, uint64_t B, uint64_t Sum, bool Signed) {
  for (unsigned I = 0; I < 4; ++I) {
    uint64_t X = A >> (8 * I) & 255, Y = B >> (8 * I) & 255;
    Sum += Signed ? uint64_t(signExtend(X, 8) * signExtend(Y, 8)) : X * Y;
  }
  return Sum;
}

uint64_t saturated(__int128 V, unsigned Bits, bool Signed) {
  __int128 One = 1;
  __int128 Maximum = (One << (Signed ? Bits - 1 : Bits)) - 1,
           Minimum = Signed ? -Maximum - 1 : 0;
  return truncate(uint64_t(V < Minimum   ? Minimum
                           : V > Maximum ? Maximum
                                         : V),
                  Bits);
}

uint64_t evaluate(unsigned Function, uint64_t A, uint64_t B, uint64_t C,
                  unsigned Bits) {
  const int64_t SA = signExtend(A, Bits), SB = signExtend(B, Bits);
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
    return C ? A << C | truncate(B, Bits) >> (Bits - C) : A;
  case FunnelRight:
    C %= Bits;
    return C ? A << (Bits - C) | truncate(B, Bits) >> C : B;
  case MulHigh:
    return uint64_t(static_cast<__int128>(SA) * SB >> Bits);
  case UMulHigh:
    return uint64_t(static_cast<unsigned __int128>(A) * B >> Bits);
  case Mul24:
    return uint64_t(signExtend(A, 24) * signExtend(B, 24));
  case UMul24:
    return truncate(A, 24) * truncate(B, 24);
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
  size_t Binary = Name.find('2');
  if (Binary == StringRef::npos)
    return false;
  auto IsType = [](StringRef Type) {
    return StringSwitch<bool>(Type)
        .Cases("f", "d", "i", "ui", "ll", "ull", "h", true)
        .Cases("float", "double", "int", "uint", "half", true)
        .Default(false);
  };
  StringRef To = Name.drop_front(Binary + 1).take_until([](char C) {
    return C == '_' || C == '.';
  });
  return IsType(Name.take_front(Binary)) && IsType(To);
}

} // namespace

bool findIntegerCall(StringRef Name, Decoded &D) {
  bool Reals =
      D.Format != CellFormat::Integer || D.ResultFormat != CellFormat::Integer;
  if (int Function = integerFunction(Name); Function >= 0 && !Reals) {
    D.Handler = integerCall;
    D.Extra = Function;
    return true;
  }
  if (isConversion(Name)) {
    D.Handler = convertCall;
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
  D.Handler = reinterpret;
  D.Extra = Shift;
  return true;
}

bool integerCall(WarpState &W, const Decoded &D, uint64_t Mask) {
  for (unsigned C = 0; C < D.Cells; ++C)
    forEachLane(Mask, [&](unsigned L) {
      auto Operand = [&](unsigned N) {
        if (N >= D.Operands.size())
          return uint64_t(0);
        // Flags, such as "zero is poison", are one cell for all elements.
        bool Vector =
            cast<CallBase>(D.I)->getArgOperand(N)->getType()->isVectorTy();
        return W.cell(D.Operands[N] + (Vector ? C : 0), L);
      };
      W.cell(D.Result + C, L) = truncate(
          evaluate(D.Extra, Operand(0), Operand(1), Operand(2), D.Bits),
          D.ResultBits);
    });
  return true;
}

bool convertCall(WarpState &W, const Decoded &D, uint64_t Mask) {
  StringRef Name = cast<CallBase>(D.I)->getCalledFunction()->getName();
  StringRef Types = Name;
  if (!Types.consume_front("__nv_"))
    Types.consume_front("llvm.nvvm.");
  StringRef To = Types.drop_front(Types.find('2') + 1);
  bool Unsigned = D.Format == CellFormat::Integer ? Types.starts_with("u")
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
  W.map(D, Mask, [&](uint64_t V) {
    if (D.Format == CellFormat::Integer)
      return bitsOfReal(Unsigned ? double(V) : double(signExtend(V, D.Bits)),
                        D.ResultFormat);
    double Real = realOf(V, D.Format);
    return D.ResultFormat == CellFormat::Integer
               ? integerOf(Rounded(Real), D.ResultBits, !Unsigned)
               : bitsOfReal(Real, D.ResultFormat);
  });
  return true;
}

bool reinterpret(WarpState &W, const Decoded &D, uint64_t Mask) {
  forEachLane(Mask, [&](unsigned L) {
    uint64_t A = W.cell(D.Operands[0], L);
    if (D.Extra < 64) {
      W.cell(D.Result, L) = truncate(A >> D.Extra, D.ResultBits);
      return;
    }
    uint64_t B = W.cell(D.Operands[1], L);
    W.cell(D.Result, L) = D.Extra == 64 ? B << 32 | A : A << 32 | B;
  });
  return true;
}

bool overflowArithmetic(WarpState &W, const Decoded &D, uint64_t Mask) {
  forEachLane(Mask, [&](unsigned L) {
    uint64_t A = W.cell(D.Operands[0], L), B = W.cell(D.Operands[1], L);
    bool Signed = D.Extra >= 3;
    __int128 X = Signed ? static_cast<__int128>(signExtend(A, D.Bits))
                        : static_cast<__int128>(A);
    __int128 Y = Signed ? static_cast<__int128>(signExtend(B, D.Bits))
                        : static_cast<__int128>(B);
    unsigned Kind = D.Extra % 3;
    __int128 V = Kind == 0 ? X + Y : Kind == 1 ? X - Y : X * Y;
    uint64_t Result = truncate(uint64_t(V), D.Bits);
    __int128 Kept = Signed ? static_cast<__int128>(signExtend(Result, D.Bits))
                           : static_cast<__int128>(Result);
    W.cell(D.Result, L) = Result;
    W.cell(D.Result + 1, L) = Kept != V;
  });
  return true;
}

bool reduceVector(WarpState &W, const Decoded &D, uint64_t Mask) {
  const auto *Call = cast<CallBase>(D.I);
  StringRef Name = Call->getCalledFunction()->getName();
  Name.consume_front("llvm.vector.reduce.");
  StringRef What = Name.split('.').first;
  unsigned Count = cellsOf(Call->getArgOperand(0)->getType());
  auto Binary = [&](uint64_t A, uint64_t B) -> uint64_t {
    int64_t SA = signExtend(A, D.Bits), SB = signExtend(B, D.Bits);
    return StringSwitch<uint64_t>(What)
        .Case("add", truncate(A + B, D.Bits))
        .Case("mul", truncate(A * B, D.Bits))
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
    return refuseCall(W, D, Mask);
  forEachLane(Mask, [&](unsigned L) {
    uint64_t Sum = W.cell(D.Operands[0], L);
    for (unsigned C = 1; C < Count; ++C)
      Sum = Binary(Sum, W.cell(D.Operands[0] + C, L));
    W.cell(D.Result, L) = Sum;
  });
  return true;
}

ArrayRef<CallRow> integerCalls() {
  static const CallRow Rows[] = {
      {"llvm.vector.reduce.*", reduceVector},
      {"llvm.uadd.with.overflow*", overflowArithmetic, 0},
      {"llvm.usub.with.overflow*", overflowArithmetic, 1},
      {"llvm.umul.with.overflow*", overflowArithmetic, 2},
      {"llvm.sadd.with.overflow*", overflowArithmetic, 3},
      {"llvm.ssub.with.overflow*", overflowArithmetic, 4},
      {"llvm.smul.with.overflow*", overflowArithmetic, 5},
      {"llvm.fptosi.sat*", convertCall},
      {"llvm.fptoui.sat*", convertCall},
  };
  return Rows;
}

} // namespace gpuestimate
