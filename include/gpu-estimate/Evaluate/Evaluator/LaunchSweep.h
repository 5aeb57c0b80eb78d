/// \file
/// Launches of one kernel that follow one number: a size of the data, say, at
/// hundreds of values. Most of what a launch's time is made of (LaunchDemand)
/// changes smoothly along such a line, so it is evaluated at some launches
/// only; waves, bounds and occupancy, which change in steps, are those of each
/// launch.
///
///   demand(x) = demand(a)^(1-u) * demand(b)^u,  u = ln(x/a) / ln(b/a)
///
/// is exact for any power of the number (linear in x where something is not
/// positive); per block of the grid instead, where that comes closer: a kernel
/// without guards does as much as its grid is large, which grows in steps.
/// Launches between a and b are evaluated as well, some to find that out and
/// some to see whether it holds: where the interpolation misses the time of one
/// of them by more than SweepTolerance, or its DRAM traffic by as much of all
/// that passes L2, each part is taken on its own, in the end launch by launch.
///
/// What follows the alignment of rows or of loops is no smooth function of the
/// number. It mostly is one of the powers of two that divide it, so numbers
/// that are divisible by the same power are lines of their own. Somewhere in
/// the line every remainder by a cache line is evaluated, and every way in
/// which the rows of the grid meet the multiprocessors; where they differ
/// beyond that, each is a line.
#ifndef GPU_ESTIMATE_EVALUATE_EVALUATOR_LAUNCHSWEEP_H
#define GPU_ESTIMATE_EVALUATE_EVALUATOR_LAUNCHSWEEP_H

#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"

namespace gpuestimate {

/// Launch and Values stay owned by the caller.
struct SweepPoint {
  double At = 0; ///< the number that it follows
  const Launch *L = nullptr;
  const Bindings *Values = nullptr;
};

struct SweepResult {
  Seconds Time;
  double DramBytes = 0;
  Occupancy Occ;
  bool Evaluated = true; ///< not interpolated
};

/// Relative; half of what the screening of `tune` is for could bear, since
/// what is close to the fastest is evaluated again.
inline constexpr double SweepTolerance = 0.01;
/// Launches between two that are evaluated to see whether the rest needs to be.
inline constexpr unsigned SweepChecks = 4;
/// At least one of so many neighbouring launches is evaluated, so that nothing
/// that rises and falls again between two of them stays unseen for long.
inline constexpr size_t MaxSweepGap = 32;

/// By is of the default model. Take hears of each launch once, by its place in
/// Launches, in no order; errors are those of KernelEvaluator::evaluate().
void interpolateSweep(
    KernelEvaluator &By, llvm::ArrayRef<SweepPoint> Launches,
    llvm::function_ref<void(size_t, llvm::Expected<SweepResult>)> Take);

} // namespace gpuestimate

#endif
