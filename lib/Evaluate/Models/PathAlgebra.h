/// \file
/// Maxima of symbolic times that read as in Kleimenov & Popova 2021, figure 3.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_PATHALGEBRA_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_PATHALGEBRA_H

#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// Maxima of sums of latencies `lat.X` and issue delays `del.X`, none of which
/// is negative. An operand that another one contains disappears, and what both
/// have in common is written once: max(a + b, a + c) = a + max(b, c).
class PathAlgebra {
public:
  explicit PathAlgebra(ExprContext &Ctx) : Ctx(Ctx) {}

  /// States that Latency >= Delay (names of parameters). Example: a result of
  /// fp32_add is not ready before the pipe is free again.
  void assumeAtLeast(llvm::StringRef Latency, llvm::StringRef Delay) {
    LatencyOf[Delay] = Latency.str();
  }

  Expr max(Expr A, Expr B);
  /// True after so many comparisons that the formula is no longer readable.
  bool exhausted() const { return Steps > MaxSteps; }

private:
  static constexpr unsigned MaxSteps = 1000;

  std::pair<Expr, Expr> withoutCommon(Expr A, Expr B);
  /// A >= B for all latencies and delays; false also when that is not seen.
  bool dominates(Expr A, Expr B);
  bool isNonNegative(Expr E) const;

  ExprContext &Ctx;
  llvm::StringMap<std::string> LatencyOf; ///< delay -> latency
  unsigned Steps = 0;
};

} // namespace gpuestimate

#endif
