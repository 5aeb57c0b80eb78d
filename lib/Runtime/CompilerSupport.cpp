/// \file
/// Conversions of 16-bit floating-point numbers that clang's host code calls:
/// rounded to nearest, ties to even. libgcc has those to bfloat16 only from
/// version 13 on, and takes some 100 ns for one to half that overflows, as it
/// sets the exception flags of the x87 unit.
#include "Api.h"
#include <bit>
#include <cmath>
#include <cstdint>

/// To odd, so that a second rounding sees what this one lost.
static float roundToOdd(double Value) {
  float Single = Value;
  uint32_t Bits = std::bit_cast<uint32_t>(Single);
  if (std::isfinite(Value) && double(Single) != Value) {
    if (std::fabs(double(Single)) > std::fabs(Value))
      --Bits;
    Bits |= 1;
  }
  return std::bit_cast<float>(Bits);
}

static constexpr uint32_t FloatInfinity = 0x7f800000;
/// Between the biases of single precision and half, as an exponent.
static constexpr uint32_t BiasDifference = (127 - 15) << 23;

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
  return __truncsfbf2(roundToOdd(Value));
}

GPU_ESTIMATE_EXPORT _Float16 __truncsfhf2(float Value) {
  uint32_t Bits = std::bit_cast<uint32_t>(Value);
  uint32_t Sign = Bits >> 16 & 0x8000, Magnitude = Bits & 0x7fffffff, Half;
  if (Magnitude > FloatInfinity)
    Half = 0x7e00 | (Magnitude >> 13 & 0x3ff); // a quiet NaN
  else if (Magnitude >= 0x477ff000)            // 65520: the middle to 2^16
    Half = 0x7c00;
  else if (Magnitude < 0x38800000) // 2^-14: units of 2^-24, as those of 0.5f
    Half = std::bit_cast<uint32_t>(std::bit_cast<float>(Magnitude) + 0.5f) -
           std::bit_cast<uint32_t>(0.5f);
  else
    Half = (Magnitude - BiasDifference + 0xfff + (Magnitude >> 13 & 1)) >> 13;
  return std::bit_cast<_Float16>(uint16_t(Sign | Half));
}

GPU_ESTIMATE_EXPORT _Float16 __truncdfhf2(double Value) {
  return __truncsfhf2(roundToOdd(Value));
}

GPU_ESTIMATE_EXPORT float __extendhfsf2(_Float16 Value) {
  uint32_t Bits = std::bit_cast<uint16_t>(Value);
  uint32_t Sign = (Bits & 0x8000) << 16, Magnitude = Bits & 0x7fff, Single;
  if (Magnitude >= 0x7c00)
    Single = FloatInfinity | (Magnitude & 0x3ff) << 13;
  else if (Magnitude < 0x400)
    Single = std::bit_cast<uint32_t>(float(Magnitude) * 0x1p-24f);
  else
    Single = (Magnitude << 13) + BiasDifference;
  return std::bit_cast<float>(Sign | Single);
}

} // extern "C"
