/// \file
/// The effects of the assumptions of a prediction, together.
#ifndef GPU_ESTIMATE_EVALUATE_UNCERTAINTY_COMBINEEFFECTS_H
#define GPU_ESTIMATE_EVALUATE_UNCERTAINTY_COMBINEEFFECTS_H

#include "gpu-estimate/Evaluate/Uncertainty/ModelError.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// The product of the effects of assumptions, of each variation once, with a
/// probability of 80 %.
TimeFactors combinedEffect(llvm::ArrayRef<Assumption> Assumptions);

/// Fills Assumption::Share and, where P has an interval, both of its parts:
/// P.Error and the combined effect, as whereAssumed() makes them if P has
/// assumptions. Moves the assumptions with the largest share to the front.
void combineEffects(Prediction &P, const ErrorTable &Table = errorTable());

} // namespace gpuestimate

#endif
