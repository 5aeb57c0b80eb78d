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
/// one stream (Timeline.h), with the times of Estimates. Kernels without an
/// estimate, copies and calls of libraries take no time and are named. A loop
/// counts once, and of a choice the part whose kernels take longest.
std::vector<SequenceTotal>
sequenceTotals(const LaunchSequence &Sequence,
               llvm::ArrayRef<const Prediction *> Estimates,
               llvm::ArrayRef<GpuModel> Gpus);

} // namespace gpuestimate

#endif
