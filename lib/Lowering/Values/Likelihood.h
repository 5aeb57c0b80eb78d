/// \file
/// Conditions on data.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_LIKELIHOOD_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_LIKELIHOOD_H

namespace llvm {
class Value;
} // namespace llvm

namespace gpuestimate {

/// How likely a data-dependent condition is, by its form, when nothing else
/// is known (Wu & Larus 1994, after Ball & Larus 1993: equality with a
/// constant, and being negative, fail in 84% of the cases).
struct Likelihood {
  double Probability = 0.5;
  const char *Why = "nothing is known about the data";
};
Likelihood likelihood(const llvm::Value *Condition);
/// The likelihood that data equals a constant.
Likelihood equalityWithConstant();

} // namespace gpuestimate

#endif
