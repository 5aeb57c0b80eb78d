#include "CellNumbers.h"

#include "llvm/ADT/APFloat.h"
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
  double Maximum = std::ldexp(1.0, Signed ? Bits - 1 : Bits);
  double Minimum = Signed ? -Maximum : 0;
  if (V <= Minimum)
    return truncate(Signed ? uint64_t(1) << (Bits - 1) : 0, Bits);
  if (V >= Maximum)
    return Signed ? truncate(~uint64_t(0), Bits - 1)
                  : truncate(~uint64_t(0), Bits);
  return truncate(Signed ? uint64_t(int64_t(V)) : uint64_t(V), Bits);
}

} // namespace gpuestimate
