/// \file
/// Semantics of the operations on numbers; NaN stands for "undefined". Constant
/// folding, the reference evaluator and the compiled programs all use these
/// functions, so that they agree.
#ifndef GPU_ESTIMATE_LIB_SYMBOLIC_SEMANTICS_H
#define GPU_ESTIMATE_LIB_SYMBOLIC_SEMANTICS_H

#include "ExprImpl.h"
#include <array>
#include <bit>
#include <cmath>

namespace gpuestimate::semantics {

/// std::floor in operations that vectorise on any target: adding 1.5 * 2^52
/// leaves no fraction bits, so the sum is rounded to a whole number.
inline double floorOf(double X) {
  constexpr double Round = 6755399441055744.0; // 1.5 * 2^52
  double Rounded = (X + Round) - Round;
  double Floored = Rounded - (Rounded > X ? 1.0 : 0.0);
  return std::fabs(X) < 2251799813685248.0 ? Floored : std::floor(X); // 2^51
}
inline double ceilOf(double X) { return -floorOf(-X); }

inline double mul(double A, double B) {
  double Product = A * B;
  return ((A == 0) | (B == 0)) ? 0.0 : Product;
}
inline double div(double A, double B) {
  double Quotient = A / B;
  return B == 0 ? NotANumber : Quotient;
}
inline double floorDiv(double A, double B) { return floorOf(div(A, B)); }
inline double ceilDiv(double A, double B) { return ceilOf(div(A, B)); }
inline double mod(double A, double B) { return A - B * floorDiv(A, B); }

inline double min(double A, double B) {
  double Least = B < A ? B : A;
  return ((A != A) | (B != B)) ? NotANumber : Least;
}
inline double max(double A, double B) {
  double Greatest = B > A ? B : A;
  return ((A != A) | (B != B)) ? NotANumber : Greatest;
}
inline double comparison(bool Result, double A, double B) {
  double Number = Result ? 1.0 : 0.0;
  return ((A != A) | (B != B)) ? NotANumber : Number;
}
inline double less(double A, double B) { return comparison(A < B, A, B); }
inline double lessEqual(double A, double B) { return comparison(A <= B, A, B); }
inline double equal(double A, double B) { return comparison(A == B, A, B); }
inline double notEqual(double A, double B) { return comparison(A != B, A, B); }
inline double select(double C, double A, double B) {
  double Chosen = C != 0 ? A : B;
  return C != C ? NotANumber : Chosen;
}

template <typename Operation> double bitwise(double A, double B, Operation Op) {
  constexpr double Limit = 9223372036854775808.0; // 2^63
  if (!(A >= -Limit && A < Limit && B >= -Limit && B < Limit))
    return NotANumber;
  return static_cast<double>(Op(static_cast<int64_t>(std::floor(A)),
                                static_cast<int64_t>(std::floor(B))));
}
inline double bitAnd(double A, double B) {
  return bitwise(A, B, [](int64_t X, int64_t Y) { return X & Y; });
}
inline double bitOr(double A, double B) {
  return bitwise(A, B, [](int64_t X, int64_t Y) { return X | Y; });
}
inline double bitXor(double A, double B) {
  return bitwise(A, B, [](int64_t X, int64_t Y) { return X ^ Y; });
}
inline double shiftLeft(double A, double B) {
  if (A != A || B != B)
    return NotANumber;
  double Exponent = std::fmin(std::fmax(std::floor(B), -4000.0), 4000.0);
  return std::ldexp(A, static_cast<int>(Exponent));
}
inline double floorLog2(double A) {
  if (A != A)
    return NotANumber;
  if (A < 1)
    return 0;
  if (A == Infinity)
    return Infinity;
  return static_cast<double>(std::bit_cast<uint64_t>(A) >> 52) - 1023.0;
}
inline double squareRoot(double A) {
  return A < 0 ? 0 : std::sqrt(A); // NaN stays NaN
}

/// How a Sum of Count terms is sampled: exactly up to MaxSumTerms (a count
/// with a fraction weighs the last term by it), else one point per stratum.
/// The offset within a stratum follows the golden ratio, the sequence that
/// stays spread for every period, so a body such as `i mod 16` is not always
/// met at the same residue.
namespace sampling {
inline constexpr std::array<double, MaxSumTerms> Points = [] {
  std::array<double, MaxSumTerms> Result{};
  for (unsigned K = 0; K < MaxSumTerms; ++K) {
    double Turn = (K + 1) * 0.6180339887498949;
    Result[K] = K + (Turn - static_cast<double>(static_cast<int>(Turn)));
  }
  return Result;
}();

/// Number of points for a count that is not NaN.
inline unsigned size(double Count) {
  if (Count <= 0)
    return 0;
  return Count <= MaxSumTerms ? static_cast<unsigned>(std::ceil(Count))
                              : MaxSumTerms;
}
inline double point(double Count, unsigned K) {
  double Spread = floorOf(Points[K] * (Count * (1.0 / MaxSumTerms)));
  return Count <= MaxSumTerms ? static_cast<double>(K) : Spread;
}
/// 0 for points at or beyond the count.
inline double weight(double Count, unsigned K) {
  double Remaining = Count - K;
  double Exact = Remaining >= 1 ? 1.0 : (Remaining > 0 ? Remaining : 0.0);
  return Count <= MaxSumTerms ? Exact : Count * (1.0 / MaxSumTerms);
}
} // namespace sampling

} // namespace gpuestimate::semantics

#endif
