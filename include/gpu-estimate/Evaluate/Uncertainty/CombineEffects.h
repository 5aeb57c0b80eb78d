/// \file
/// The effects of the assumptions of a prediction, together.
#ifndef GPU_ESTIMATE_EVALUATE_UNCERTAINTY_COMBINEEFFECTS_H
#define GPU_ESTIMATE_EVALUATE_UNCERTAINTY_COMBINEEFFECTS_H

#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// Fills Assumption::Share and, where P has an interval, the part of it that
/// assumptions cause: the product of their effects, of each variation once.
/// Moves the assumptions with the largest share to the front.
void combineEffects(Prediction &P);

} // namespace gpuestimate

#endif
