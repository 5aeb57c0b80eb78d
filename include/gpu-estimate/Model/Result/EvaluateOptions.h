/// \file
/// Settings of an evaluation: the model, the state of the caches, the terms
/// that are switched off, and the results beside the time.
#ifndef GPU_ESTIMATE_MODEL_RESULT_EVALUATEOPTIONS_H
#define GPU_ESTIMATE_MODEL_RESULT_EVALUATEOPTIONS_H

#include "gpu-estimate/Model/Result/TimeInterval.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// The model that is used when none is named.
inline constexpr llvm::StringLiteral DefaultModel = "latency-bandwidth";

enum class CacheState : uint8_t {
  Cold, ///< the launch finds nothing in L2 (flushed, as profilers do)
  Warm, ///< the same launch ran just before
};

/// How hits in L1 and L2 are computed.
enum class CacheRule : uint8_t {
  LayerConditions, ///< closed form for fully associative caches
  SetAssociative,  ///< reuse distances within sets, of traced warps
};

/// How a launch follows its predecessor, which decides its launch overhead
/// (LaunchTime.h).
enum class LaunchTiming : uint8_t {
  BackToBack, ///< one of many in a stream: the stream's launch rate counts
  Single,     ///< alone, from start to end
  Graph,      ///< one node after the other of a graph, without the host
};

/// "back-to-back", "single", "graph"; nothing for another name.
std::optional<LaunchTiming> launchTimingFromName(llvm::StringRef Name);

/// The order in which a scheduler issues ready warps, for model interval.
enum class WarpOrder : uint8_t {
  RoundRobin,
  GreedyThenOldest, ///< the same warp until it stalls, then the oldest
};

/// Operations that the user counts, a class of their own for model
/// quantitative-roofline (QuantitativeRoofline.h).
struct SpecialOperations {
  double Count = 0;           ///< of all threads of the launch
  std::optional<double> Rate; ///< per second; that of special functions
};

class EvaluationCache;  // EvaluationCache.h
struct Assumption;      // Prediction.h
struct ExecutedLaunch;  // Model/Kernel/ExecutedLaunch.h
struct ProfileCounters; // QuantitativeRoofline.h
struct ReferenceTime;   // QuantitativeRoofline.h

/// Results beside the time. Each costs work that a what-if does not need.
struct WantedResults {
  /// Breakdown, bounds, bottleneck and divergence.
  bool Explanation = true;
  bool Sensitivities = true; ///< effect of each assumption: evaluate it again
  bool Latencies = false;    ///< Prediction::Latencies
  bool Formulas = false;     ///< Prediction::Formulas
  bool Lines = false;        ///< Prediction::Lines and OffLine

  /// Only the time, the accesses and the counts.
  static WantedResults timeOnly() { return {false, false}; }
};

/// Settings of model quantitative-roofline.
struct QuantitativeSettings {
  /// The kernel's counters in place of ours, and a time that was measured on
  /// another GPU. Owned by the caller.
  const ProfileCounters *Profile = nullptr;
  const ReferenceTime *Reference = nullptr;
  std::optional<SpecialOperations> Special;
  double TrafficWeight = 1; ///< factor of the DRAM bytes
};

struct EvaluateOptions {
  std::string Model = DefaultModel.str(); ///< a name of modelTable()
  CacheState Caches = CacheState::Warm;
  /// Default: back to back with warm caches, single with cold caches.
  std::optional<LaunchTiming> Timing;
  CacheRule Hits = CacheRule::LayerConditions;
  std::optional<double> L1Hit, L2Hit; ///< overrides of the computed fractions
  llvm::StringSet<> Without;          ///< terms switched off, by name
  /// Share of the usual number of sampled warps and iterations, 0 to 1. Two
  /// evaluations that are compared with each other must use the same.
  double SampleEffort = 1;
  WantedResults Wanted;
  /// With Wanted.Sensitivities: assumptions of an earlier launch of the kernel,
  /// whose effects are taken instead of evaluating the launch again for each.
  /// Owned by the caller.
  const std::vector<Assumption> *KnownEffects = nullptr;
  /// Probability of Prediction::Interval, a value of intervalLevels().
  double IntervalLevel = DefaultIntervalLevel;
  /// Units of work (Support/WorkBudget.h) after which no further assumption is
  /// varied; the default is about two seconds of processor time.
  uint64_t MaxSensitivityWork = 10'000'000;
  /// Units of work after which no further change is evaluated for advice.
  uint64_t MaxAdviceWork = UINT64_MAX;
  WarpOrder Order = WarpOrder::GreedyThenOldest; ///< model interval
  QuantitativeSettings Quantitative;
  /// Traces of executed warps of the launch, if there are any. Owned by the
  /// caller.
  const ExecutedLaunch *Executed = nullptr;
  /// Shared by evaluations that are about the same GPU object, if given. Owned
  /// by the caller.
  EvaluationCache *Cache = nullptr;
};

} // namespace gpuestimate

#endif
