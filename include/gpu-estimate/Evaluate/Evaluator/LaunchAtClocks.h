/// \file
/// One launch of one kernel at many clocks of its GPU, evaluated once.
///
/// Clocks change no count: warps, requests, hits, bytes and occupancy stay, and
/// so do all latencies and throughputs in core cycles (Configuration.h). What
/// remains of the default model for each point is
///
///   T1(core clock)            the walk of the warps at the latencies of DRAM
///                             and L3, which are core cycles; kept for each
///                             core clock
///   cycles = f(T1, bounds)    waves and bounds in closed form (LaunchCycles.h)
///   time   = cycles / core clock + launch
///
/// These are the formulas of KernelEvaluator::evaluate() on the values that
/// configured() gives, without approximation. Example: 200 core clocks by 500
/// memory clocks take 200 walks and 100,000 closed forms.
#ifndef GPU_ESTIMATE_EVALUATE_EVALUATOR_LAUNCHATCLOCKS_H
#define GPU_ESTIMATE_EVALUATE_EVALUATOR_LAUNCHATCLOCKS_H

#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"

namespace gpuestimate {

/// A prediction at some clocks, as far as they change it.
struct ClockedPrediction {
  Seconds Time;      ///< Prediction::Time
  Seconds Execution; ///< Prediction::Execution
  /// Prediction::Bottleneck; empty unless WantedResults::Explanation.
  llvm::StringRef Bottleneck;
  std::optional<Watts> Power; ///< PowerEstimate::Board
};

/// Made by KernelEvaluator::atClocks(), which it must not outlive. One object
/// serves one thread at a time.
class LaunchAtClocks {
public:
  struct Impl; // LaunchAtClocks.cpp
  explicit LaunchAtClocks(std::unique_ptr<Impl> Made);
  LaunchAtClocks(LaunchAtClocks &&);
  ~LaunchAtClocks();

  /// The prediction at these clocks. Memory: in the unit of
  /// GpuModel::DramClock; the card's own if not given. Whether the card can
  /// have the clocks is not checked. Errors: a time that is not finite; a
  /// memory clock for a card whose own is not known.
  llvm::Expected<ClockedPrediction> at(Hertz Core,
                                       std::optional<Hertz> Memory = {});

  /// The card with the values of the last call of at(); its
  /// GpuModel::Sources are those of the card.
  const GpuModel &gpu() const;
  /// What no clock changes.
  const Occupancy &occupancy() const;
  const Counts &counts() const;

private:
  std::unique_ptr<Impl> I;
};

} // namespace gpuestimate

#endif
