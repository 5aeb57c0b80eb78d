/// \file
/// How much the time depends on what was assumed, by evaluating the launch
/// again with other values:
///   sensitivity = d(ln time) / d(ln value), by a value 10% larger (integers:
///     at least one more; probabilities: at most 1)
///   effect      = time(Low) / time and time(High) / time, by the ends of the
///     range in which the value lies with probability 0.8 (InputRange.h)
#ifndef GPU_ESTIMATE_LIB_EVALUATE_UNCERTAINTY_ASSUMPTIONEFFECTS_H
#define GPU_ESTIMATE_LIB_EVALUATE_UNCERTAINTY_ASSUMPTIONEFFECTS_H

#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// Groups of assumptions that are varied. Kernels with more (a sort whose
/// every comparison is data) would be evaluated hundreds of times.
inline constexpr unsigned MaxVaried = 64;
/// Fills Sensitivity and Effect of the assumptions. Assumptions, parallel to
/// Bound's, that read the same (one branch of a loop that was unrolled fifty
/// times) are varied together, and each gets an equal part of the sensitivity
/// and the whole effect. Time: of the launch with these bindings, 0 where it
/// has none (no effect is told then). Reach: how much of the kernel depends on
/// a parameter; where there are more than MaxVaried groups, or varying all of
/// them takes more than MaxWork (units of Support/WorkBudget.h), the groups of
/// the largest reach are varied, and the others are marked as NotVaried.
void varyAssumptions(std::vector<Assumption> &Assumptions,
                     const BoundParameters &Bound, uint64_t MaxWork,
                     llvm::function_ref<Seconds(const Bindings &All)> Time,
                     llvm::function_ref<double(llvm::StringRef)> Reach);

/// Takes the effects from an earlier launch of the kernel, whose assumptions of
/// the same place and text they are. One that it did not have is marked as
/// NotVaried.
void takeEffects(std::vector<Assumption> &Assumptions,
                 const BoundParameters &Bound,
                 llvm::ArrayRef<Assumption> Earlier);

/// Reach of each parameter: warp instructions of the basic blocks whose
/// executions, iterations or addresses depend on it. A parameter that is not in
/// the map has none.
llvm::StringMap<double> reachOfParameters(const KernelModel &Kernel,
                                          const LaunchSample &Sample);

/// A loaded value that addresses depend on and of which nothing is known.
bool isRandomIndex(const Unknown &U);
/// The kernel with a pattern in place of every such value: consecutive
/// elements, or one for all. Nothing where there is no such value.
std::optional<KernelModel> withSequentialIndices(const KernelModel &Kernel);
std::optional<KernelModel> withOneIndex(const KernelModel &Kernel);
/// Sets the effect of the assumptions about such values, which the patterns
/// change together.
void addIndexEffect(std::vector<Assumption> &Assumptions,
                    const KernelModel &Kernel, TimeFactors Effect);

} // namespace gpuestimate

#endif
