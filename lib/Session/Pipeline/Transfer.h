/// \file
/// Measured times of one GPU as times of another one (--transfer).
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_TRANSFER_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_TRANSFER_H

#include "gpu-estimate/Model/Result/Analysis.h"

namespace gpuestimate {

/// Sets ExplainedPrediction::Transferred of each recorded launch that has a
/// measured time of another GPU, and a prediction for that GPU in A:
///
///   time on B = measured on A * predicted on B / predicted on A
///   its error factor = geometric mean of TimeError::Transfer of both
///
/// Example: 10 us on A, predicted 8 us on A and 4 us on B: 5 us on B.
void addTransfers(Analysis &A);

} // namespace gpuestimate

#endif
