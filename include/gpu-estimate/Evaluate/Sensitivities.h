/// \file
/// How much the time depends on what was assumed:
///   sensitivity = d(ln time) / d(ln value),
/// by evaluating the launch again with a value 10% larger (integers: at least
/// one more; probabilities: at most 1).
#ifndef GPU_ESTIMATE_EVALUATE_SENSITIVITIES_H
#define GPU_ESTIMATE_EVALUATE_SENSITIVITIES_H

#include "gpu-estimate/Evaluate/BindParameters.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// Fills Assumption::Sensitivity, the largest first afterwards. Assumptions,
/// parallel to Bound's, that read the same (one branch of a loop that was
/// unrolled fifty times) are varied together, and each gets an equal part of
/// the effect. Time: of the launch with these bindings.
void fillSensitivities(std::vector<Assumption> &Assumptions,
                       const BoundParameters &Bound,
                       llvm::function_ref<Seconds(const Bindings &All)> Time);

} // namespace gpuestimate

#endif
