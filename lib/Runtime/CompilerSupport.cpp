/// \file
/// Conversions to bfloat16 that clang's host code calls and that libgcc has
/// only from version 13 on: rounded to nearest, ties to even.
#include "Api.h"
#include <bit>
#include <cmath>
#include <cstdint>

extern "C" {

GPU_ESTIMATE_EXPORT __bf16 __truncsfbf2(float Value) {
  uint32_t Bits = std::bit_cast<uint32_t>(Value);
  if (std::isnan(Value))
    Bits |= 0x400000; // stays a NaN where only low bits are set
  else
    Bits += 0x7fff + (Bits >> 16 & 1);
  return std::bit_cast<__bf16>(uint16_t(Bits >> 16));
}

GPU_ESTIMATE_EXPORT __bf16 __truncdfbf2(double Value) {
  // To odd first, so that the second rounding sees what the first one lost.
  float Single = Value;
  uint32_t Bits = std::bit_cast<uint32_t>(Single);
  if (std::isfinite(Single) && double(Single) != Value) {
    if (std::fabs(double(Single)) > std::fabs(Value))
      --Bits;
    Bits |= 1;
  }
  return __truncsfbf2(std::bit_cast<float>(Bits));
}

} // extern "C"
