/// \file
/// Integers, reals, conversions, elements of vectors and structures.
#include "Warp.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Operator.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static double smallReal(uint64_t Bits, const fltSemantics &Semantics) {
  APFloat V(Semantics, APInt(16, Bits & 0xffff));
  bool Lost;
  V.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lost);
  return V.convertToDouble();
}

static uint64_t smallBits(double V, const fltSemantics &Semantics) {
  APFloat Number(V);
  bool Lost;
  Number.convert(Semantics, APFloat::rmNearestTiesToEven, &Lost);
  return Number.bitcastToAPInt().getZExtValue();
}

double realOf(uint64_t Bits, CellFormat Format) {
  switch (Format) {
  case CellFormat::Float:
    return bit_cast<float>(static_cast<uint32_t>(Bits));
  case CellFormat::Double:
    return bit_cast<double>(Bits);
  case CellFormat::Half:
    return smallReal(Bits, APFloat::IEEEhalf());
  case CellFormat::BFloat:
    return smallReal(Bits, APFloat::BFloat());
  case CellFormat::Integer:
    break;
  }
  return 0;
}

uint64_t bitsOfReal(double V, CellFormat Format) {
  switch (Format) {
  case CellFormat::Float:
    return bit_cast<uint32_t>(static_cast<float>(V));
  case CellFormat::Double:
    return bit_cast<uint64_t>(V);
  case CellFormat::Half:
    return smallBits(V, APFloat::IEEEhalf());
  case CellFormat::BFloat:
    return smallBits(V, APFloat::BFloat());
  case CellFormat::Integer:
    break;
  }
  return 0;
}

uint64_t integerOf(double V, unsigned Bits, bool Signed) {
  if (std::isnan(V))
    return 0;
  V = std::trunc(V);
  double Most = std::ldexp(1.0, Signed ? Bits - 1 : Bits);
  double Least = Signed ? -Most : 0;
  if (V <= Least)
    return cut(Signed ? uint64_t(1) << (Bits - 1) : 0, Bits);
  if (V >= Most)
    return Signed ? cut(~uint64_t(0), Bits - 1) : cut(~uint64_t(0), Bits);
  return cut(Signed ? uint64_t(int64_t(V)) : uint64_t(V), Bits);
}

/// Division by zero and shifts beyond the width have no meaning in IR; devices
/// go on, with all bits set and with none.
void Warp::integer(const Decoded &D, uint64_t Mask) {
  const unsigned Bits = D.Bits;
  auto Two = [&](auto Do) {
    mapTwo(D, Mask,
           [&](uint64_t A, uint64_t B) { return cut(Do(A, B), Bits); });
  };
  auto Signed = [&](auto Do) {
    Two([&](uint64_t A, uint64_t B) {
      return uint64_t(Do(withSign(A, Bits), withSign(B, Bits)));
    });
  };
  constexpr uint64_t All = ~uint64_t(0);
  switch (D.Opcode) {
  case Instruction::Add:
    return Two([](uint64_t A, uint64_t B) { return A + B; });
  case Instruction::Sub:
    return Two([](uint64_t A, uint64_t B) { return A - B; });
  case Instruction::Mul:
    return Two([](uint64_t A, uint64_t B) { return A * B; });
  case Instruction::And:
    return Two([](uint64_t A, uint64_t B) { return A & B; });
  case Instruction::Or:
    return Two([](uint64_t A, uint64_t B) { return A | B; });
  case Instruction::Xor:
    return Two([](uint64_t A, uint64_t B) { return A ^ B; });
  case Instruction::Shl:
    return Two([&](uint64_t A, uint64_t B) { return B < Bits ? A << B : 0; });
  case Instruction::LShr:
    return Two([&](uint64_t A, uint64_t B) { return B < Bits ? A >> B : 0; });
  case Instruction::AShr:
    return Two([&](uint64_t A, uint64_t B) {
      return uint64_t(withSign(A, Bits) >> std::min<uint64_t>(B, 63));
    });
  case Instruction::UDiv:
    return Two([](uint64_t A, uint64_t B) { return B ? A / B : All; });
  case Instruction::URem:
    return Two([](uint64_t A, uint64_t B) { return B ? A % B : All; });
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

/// In double precision and rounded: of two numbers of a narrower format that
/// gives the correctly rounded result.
void Warp::real(const Decoded &D, uint64_t Mask) {
  auto Two = [&](auto Do) {
    mapTwo(D, Mask, [&](uint64_t A, uint64_t B) {
      return bitsOfReal(Do(realOf(A, D.Format), realOf(B, D.Format)), D.Format);
    });
  };
  switch (D.Opcode) {
  case Instruction::FAdd:
    return Two([](double A, double B) { return A + B; });
  case Instruction::FSub:
    return Two([](double A, double B) { return A - B; });
  case Instruction::FMul:
    return Two([](double A, double B) { return A * B; });
  case Instruction::FDiv:
    return Two([](double A, double B) { return A / B; });
  default:
    return Two([](double A, double B) { return std::fmod(A, B); });
  }
}

void Warp::compare(const Decoded &D, uint64_t Mask) {
  CmpInst::Predicate P = cast<CmpInst>(D.I)->getPredicate();
  if (D.Opcode == Instruction::FCmp)
    return mapTwo(D, Mask, [&](uint64_t A, uint64_t B) -> uint64_t {
      return FCmpInst::compare(APFloat(realOf(A, D.Format)),
                               APFloat(realOf(B, D.Format)), P);
    });
  const unsigned Bits = D.Bits;
  auto Signed = [&](auto Do) {
    mapTwo(D, Mask, [&](uint64_t A, uint64_t B) -> uint64_t {
      return Do(withSign(A, Bits), withSign(B, Bits));
    });
  };
  auto Plain = [&](auto Do) {
    mapTwo(D, Mask,
           [&](uint64_t A, uint64_t B) -> uint64_t { return Do(A, B); });
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
static void regroup(ArrayRef<uint64_t> From, unsigned FromBits,
                    MutableArrayRef<uint64_t> To, unsigned ToBits) {
  for (uint64_t &T : To)
    T = 0;
  unsigned Total = FromBits * From.size();
  for (unsigned At = 0; At < Total;) {
    unsigned In = At % FromBits, Out = At % ToBits;
    unsigned N = std::min(FromBits - In, ToBits - Out);
    if (At / ToBits < To.size())
      To[At / ToBits] |= cut(From[At / FromBits] >> In, N) << Out;
    At += N;
  }
}

bool Warp::conversion(const Decoded &D, uint64_t Mask) {
  const unsigned Bits = D.Bits, To = D.ResultBits;
  switch (D.Opcode) {
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    map(D, Mask, [&](uint64_t V) { return cut(V, To); });
    return true;
  case Instruction::ZExt:
  case Instruction::AddrSpaceCast:
    map(D, Mask, [](uint64_t V) { return V; });
    return true;
  case Instruction::SExt:
    map(D, Mask,
        [&](uint64_t V) { return cut(uint64_t(withSign(V, Bits)), To); });
    return true;
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    map(D, Mask, [&](uint64_t V) {
      return bitsOfReal(realOf(V, D.Format), D.ResultFormat);
    });
    return true;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    map(D, Mask, [&](uint64_t V) {
      return integerOf(realOf(V, D.Format), To,
                       D.Opcode == Instruction::FPToSI);
    });
    return true;
  case Instruction::SIToFP:
    map(D, Mask, [&](uint64_t V) {
      // From 64 bits at once: by way of double it would be rounded twice.
      return D.ResultFormat == CellFormat::Float
                 ? bit_cast<uint32_t>(static_cast<float>(withSign(V, Bits)))
                 : bitsOfReal(static_cast<double>(withSign(V, Bits)),
                              D.ResultFormat);
    });
    return true;
  case Instruction::UIToFP:
    map(D, Mask, [&](uint64_t V) {
      return D.ResultFormat == CellFormat::Float
                 ? bit_cast<uint32_t>(static_cast<float>(V))
                 : bitsOfReal(static_cast<double>(V), D.ResultFormat);
    });
    return true;
  case Instruction::BitCast: {
    SmallVector<uint64_t> From(cellsOf(D.I->getOperand(0)->getType()));
    SmallVector<uint64_t> Into(D.Cells);
    each(Mask, [&](unsigned L) {
      for (unsigned C = 0; C < From.size(); ++C)
        From[C] = cell(D.Operands[0] + C, L);
      regroup(From, Bits, Into, To);
      for (unsigned C = 0; C < Into.size(); ++C)
        cell(D.Result + C, L) = Into[C];
    });
    return true;
  }
  default:
    return stop(Twine("the conversion ") + D.I->getOpcodeName() +
                    " is not emulated",
                D.I);
  }
}

bool Warp::element(const Decoded &D, uint64_t Mask) {
  if (D.Opcode == Instruction::ExtractElement) {
    unsigned Count = cellsOf(D.I->getOperand(0)->getType());
    each(Mask, [&](unsigned L) {
      uint64_t At = cell(D.Operands[1], L);
      cell(D.Result, L) = At < Count ? cell(D.Operands[0] + At, L) : 0;
    });
    return true;
  }
  if (D.Opcode == Instruction::InsertElement) {
    map(D, Mask, [](uint64_t V) { return V; });
    each(Mask, [&](unsigned L) {
      if (uint64_t At = cell(D.Operands[2], L); At < D.Cells)
        cell(D.Result + At, L) = cell(D.Operands[1], L);
    });
    return true;
  }
  const auto *Shuffle = cast<ShuffleVectorInst>(D.I);
  int Count = cellsOf(Shuffle->getOperand(0)->getType());
  for (unsigned C = 0; C < D.Cells; ++C) {
    int From = Shuffle->getMaskValue(C);
    each(Mask, [&](unsigned L) {
      cell(D.Result + C, L) = From < 0 ? 0
                              : From < Count
                                  ? cell(D.Operands[0] + From, L)
                                  : cell(D.Operands[1] + From - Count, L);
    });
  }
  return true;
}

/// First cell of the part of T that Indices lead to.
static unsigned partOf(Type *T, ArrayRef<unsigned> Indices) {
  unsigned Cell = 0;
  for (unsigned Index : Indices) {
    if (auto *S = dyn_cast<StructType>(T)) {
      for (unsigned I = 0; I < Index; ++I)
        Cell += cellsOf(S->getElementType(I));
      T = S->getElementType(Index);
    } else {
      T = T->getArrayElementType();
      Cell += Index * cellsOf(T);
    }
  }
  return Cell;
}

bool Warp::aggregate(const Decoded &D, uint64_t Mask) {
  if (const auto *Extract = dyn_cast<ExtractValueInst>(D.I)) {
    unsigned From =
        D.Operands[0] + partOf(Extract->getAggregateOperand()->getType(),
                               Extract->getIndices());
    for (unsigned C = 0; C < D.Cells; ++C)
      each(Mask,
           [&](unsigned L) { cell(D.Result + C, L) = cell(From + C, L); });
    return true;
  }
  const auto *Insert = cast<InsertValueInst>(D.I);
  map(D, Mask, [](uint64_t V) { return V; });
  unsigned To = D.Result + partOf(D.I->getType(), Insert->getIndices());
  unsigned Count = cellsOf(Insert->getInsertedValueOperand()->getType());
  for (unsigned C = 0; C < Count; ++C)
    each(Mask,
         [&](unsigned L) { cell(To + C, L) = cell(D.Operands[1] + C, L); });
  return true;
}

} // namespace gpuestimate
