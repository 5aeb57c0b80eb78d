/// \file
/// The time of a sequence of launches as a whole.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_SEQUENCETOTALS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_SEQUENCETOTALS_H

#include "gpu-estimate/Model/Kernel/LaunchSequence.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

/// One execution of Sequence on each of Gpus, in the order of the sequence on
/// one stream (Timeline.h), with the times of Estimates. Where host code
/// chooses between parts (if and else), the part counts whose kernels take
/// longest. A loop of n iterations takes
///
///   T(1) + (n - 1) * (T(2) - T(1))
///
/// where T(k) is the time of k of them; where n is not known, one counts.
/// Kernels without an estimate, calls of libraries and copies of unknown size
/// take no time and are named.
std::vector<SequenceTotal>
sequenceTotals(const LaunchSequence &Sequence,
               llvm::ArrayRef<const Prediction *> Estimates,
               llvm::ArrayRef<GpuModel> Gpus);

} // namespace gpuestimate

#endif
