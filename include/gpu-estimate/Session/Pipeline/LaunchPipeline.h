/// \file
/// The way from a launch to a number, which every command takes:
///
///   source file     --KernelPipeline-->  KernelReading        KernelPipeline.h
///   KernelReading   --planLaunches()-->  LaunchPlan, ...      LaunchPlan.h
///   LaunchPlan      --bind()-->          BoundLaunch          here
///   BoundLaunch     --predict()-->       Prediction           here
///   Prediction      --explain()-->       ExplainedPrediction  here
///
/// A plan has the numbers of a launch: sizes, values of arguments, pointers
/// that share a buffer, what host code has put into buffers. bind() finds the
/// kernel that it runs: the one of the source, or a copy in which two pointers
/// lead to one buffer, or in which `a[idx[i]]` is `a[i]` because host code has
/// filled idx with 0, 1, 2, ... predict() evaluates it on a GPU and adds what
/// only the plan knows: premises, and how much the time depends on each guess.
/// explain() finds what is worth changing.
///
/// Example: `add<<<16384, 256>>>(p, p, p, n)`. bind() gives a copy of `add`
/// whose three accesses are to one buffer; predict() finds that two of them hit
/// L1 and that the launch takes 14.7 us on an A100, where three buffers take
/// 37.4 us.
///
/// A command decides which launches are planned, for which GPUs, and what
/// becomes of the results. It has no step of its own in between. What-ifs of a
/// launch (another value of a guess, another block for advice) are evaluated
/// with the kernel of the launch; points of charts are launches of their own.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_LAUNCHPIPELINE_H
#define GPU_ESTIMATE_SESSION_PIPELINE_LAUNCHPIPELINE_H

#include "gpu-estimate/Advice/Advice.h"
#include "gpu-estimate/Session/Pipeline/BoundLaunch.h"
#include "gpu-estimate/Session/Pipeline/LaunchEvaluators.h"

namespace gpuestimate {

/// The launch on the kernel that it runs. Errors: a buffer of --buffer that
/// does not fit its parameter.
llvm::Expected<BoundLaunch> bind(LaunchPlan Plan, const GpuModel &Gpu,
                                 KernelCopies &Copies);

/// Why the launch has no time (docs/unknown-sizes.md): "its time depends on n,
/// which is not known (...); settle with --param n=VALUE". "" where all sizes
/// are known that decide it.
std::string whyNoTime(const LaunchPlan &Plan, KernelCopies &Copies,
                      LaunchEvaluators &On);

/// The record of the launch, which nothing changes afterwards but
/// withdrawWhatIfs(). Guesses are varied with EvaluateOptions::Sensitivities.
/// Errors: those of KernelEvaluator::evaluate(). workExhausted() afterwards
/// with a record: the time stands, and its what-ifs are withdrawn.
llvm::Expected<Prediction> predict(const BoundLaunch &L, LaunchEvaluators &On);

/// What explain() works with.
struct ExplainInputs {
  LaunchEvaluators &On; ///< that predicted the launch
  Alternatives Other;   ///< launches of equal work that the source allows
  /// False: the findings are made for another launch of its loop.
  bool FindsCosts = true;
};

/// The record of L with findings. Work that ends early withdraws what-ifs.
ExplainedPrediction explain(Prediction P, const BoundLaunch &L,
                            const ExplainInputs &In);

/// The findings alone, for an explanation that was made without them.
std::vector<Finding> findings(const Prediction &P, const BoundLaunch &L,
                              const ExplainInputs &In);

/// Takes back what what-if evaluations have told, since work has ended early:
/// findings, comparisons, and the effect of assumptions. Time and counts stand,
/// and guesses stay stated.
void withdrawWhatIfs(ExplainedPrediction &E, const LaunchPlan &Plan);

} // namespace gpuestimate

#endif
