/// \file
/// Kernel x GPU x launch x bindings -> Prediction: the one place where a
/// kernel and a machine meet.
#ifndef GPU_ESTIMATE_EVALUATE_EVALUATE_H
#define GPU_ESTIMATE_EVALUATE_EVALUATE_H

#include "gpu-estimate/Evaluate/Models.h"
#include "gpu-estimate/Evaluate/Prediction.h"
#include "gpu-estimate/GpuModel/GpuModel.h"
#include "gpu-estimate/KernelModel/KernelModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

enum class CacheState : uint8_t {
  Cold, ///< the launch finds nothing in L2 (flushed, as profilers do)
  Warm, ///< the same launch ran just before
};

/// How a launch follows the one before it, which decides what it costs beside
/// its execution (LaunchTime.h).
enum class LaunchTiming : uint8_t {
  BackToBack, ///< one of many in a stream: the stream's launch rate counts
  Single,     ///< alone, from start to end
  Graph,      ///< one node after the other of a graph, without the host
};

/// "back-to-back", "single", "graph"; nothing for another name.
std::optional<LaunchTiming> launchTimingFromName(llvm::StringRef Name);

/// Which of the ready warps a scheduler takes, for models that ask.
enum class WarpOrder : uint8_t {
  RoundRobin,
  GreedyThenOldest, ///< the same warp until it stalls, then the oldest
};

class EvaluationMemory; // EvaluationMemory.h
struct ExecutedLaunch;  // KernelModel/ExecutedLaunch.h
struct ProfileCounters; // QuantitativeProfile.h
struct ReferenceTime;   // QuantitativeRoofline.h

struct EvaluateOptions {
  std::string Model = DefaultModel.str(); ///< a name of modelTable()
  CacheState Caches = CacheState::Warm;
  /// Unless it is given: back to back with warm caches, single with cold ones,
  /// which is how each of them comes about.
  std::optional<LaunchTiming> Timing;
  std::optional<double> L1Hit, L2Hit; ///< overrides of the computed fractions
  llvm::StringSet<> Without;          ///< terms switched off, by name
  /// Share of the usual number of sampled warps and iterations, 0 to 1. Two
  /// evaluations that are compared with each other must use the same.
  double SampleEffort = 1;
  bool Sensitivities = true; ///< re-evaluate for each assumption
  bool Latencies = false;    ///< fill Prediction::Latencies
  bool Formulas = false;     ///< fill Prediction::SymbolicTime and its like
  WarpOrder Order = WarpOrder::GreedyThenOldest; ///< model interval
  /// Model quantitative-roofline: the kernel's counters in place of ours, and
  /// a time that was measured on another GPU. Owned by the caller.
  const ProfileCounters *Profile = nullptr;
  const ReferenceTime *Reference = nullptr;
  bool Lines = false; ///< fill Prediction::Lines and OffLine
  /// What warps of the launch did, where some have been executed. Owned by the
  /// caller.
  const ExecutedLaunch *Executed = nullptr;
  /// Fill where the time goes: breakdown, bounds, bottleneck, divergence.
  /// Off for a what-if, of which only the time is wanted (and the accesses and
  /// counts).
  bool Explained = true;
  /// Shared by evaluations that are about the same GPU object, if given. Owned
  /// by the caller.
  EvaluationMemory *Memory = nullptr;
};

/// Effort for "what if this were different": the relative change needs fewer
/// samples than the time itself.
inline constexpr double WhatIfEffort = 0.125;

/// Values: kernel arguments by name (pointers: element count of the buffer)
/// and unknowns by name. What is not bound takes its Unknown::Default, or the
/// default of its argument kind, and becomes an Assumption.
/// Errors: impossible launches (block too large, too much shared memory, zero
/// sized), an unknown model name.
llvm::Expected<Prediction> evaluate(const KernelModel &Kernel,
                                    const GpuModel &Gpu, const Launch &L,
                                    const Bindings &Values,
                                    const EvaluateOptions &Options);

/// One launch by several models, in place of Options.Model; what they have in
/// common is computed once. Take gets a prediction or a ModelRefusal for each,
/// in order; assumptions have no sensitivities. Errors as above.
llvm::Error evaluateModels(
    const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
    const Bindings &Values, const EvaluateOptions &Options,
    llvm::ArrayRef<std::string> Models,
    llvm::function_ref<void(llvm::StringRef, llvm::Expected<Prediction>)> Take);

} // namespace gpuestimate

#endif
