/// \file
/// Why a prediction is what it is, and what would change it. Advice is not a
/// rule of thumb: each hint changes one thing in a copy of the kernel model
/// (an access made coalesced, an address free of bank conflicts, fewer
/// registers), evaluates the copy, and reports the gain that the model then
/// predicts. A change that gains less than MinimumGain is not worth a line.
#ifndef GPU_ESTIMATE_EXPLAIN_EXPLAIN_H
#define GPU_ESTIMATE_EXPLAIN_EXPLAIN_H

#include "gpu-estimate/Evaluate/Evaluate.h"
#include "gpu-estimate/Explain/Analysis.h"

namespace gpuestimate {

/// Smallest share of the time that a hint must save.
inline constexpr double MinimumGain = 0.02;

/// Hints for one evaluated kernel, largest gain first. The arguments after
/// Base are those that made it.
std::vector<Advice> advise(const Prediction &Base, const KernelModel &Kernel,
                           const GpuModel &Gpu, const Launch &L,
                           const Bindings &Values,
                           const EvaluateOptions &Options);

/// What a `bottleneck` value means, as the end of a sentence ("the bandwidth
/// of DRAM"); the value itself where it has no longer name.
llvm::StringRef describeBottleneck(llvm::StringRef Name);

} // namespace gpuestimate

#endif
