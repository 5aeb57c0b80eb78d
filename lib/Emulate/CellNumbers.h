/// \file
/// Numbers in the 64-bit cells of an emulated register file.
#ifndef GPU_ESTIMATE_LIB_EMULATE_CELLNUMBERS_H
#define GPU_ESTIMATE_LIB_EMULATE_CELLNUMBERS_H

#include <cstdint>

namespace gpuestimate {

/// How the bits of a cell represent a number.
enum class CellFormat : uint8_t { Integer, Half, BFloat, Float, Double };

/// The real number that Bits represent in a format, and the bits of V.
double realOf(uint64_t Bits, CellFormat Format);
uint64_t bitsOfReal(double V, CellFormat Format);
/// The low Bits of V.
inline uint64_t truncate(uint64_t V, unsigned Bits) {
  return Bits >= 64 ? V : V & ((uint64_t(1) << Bits) - 1);
}
/// The low Bits of V, sign-extended.
inline int64_t signExtend(uint64_t V, unsigned Bits) {
  return Bits >= 64 ? int64_t(V) : int64_t(V << (64 - Bits)) >> (64 - Bits);
}
/// V as an integer of Bits, saturated as on devices; NaN becomes 0.
uint64_t integerOf(double V, unsigned Bits, bool Signed);

} // namespace gpuestimate

#endif
