/// \file
/// What LaunchAtClocks keeps of the evaluation of a launch.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_LAUNCHATCLOCKSIMPL_H
#define GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_LAUNCHATCLOCKSIMPL_H

#include "Evaluation.h"
#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Evaluator/LaunchAtClocks.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Model/Machine/Configuration.h"

namespace gpuestimate {

struct LaunchAtClocks::Impl {
  /// Kernel, Schedule and Options.Cache stay owned by the caller.
  Impl(const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
       const Occupancy &Occ, BoundParameters Bound,
       const EvaluateOptions &Options,
       const std::vector<BlockSchedule> &Schedule);
  Impl(const Impl &) = delete;

  llvm::Expected<ClockedPrediction> at(Hertz Core, std::optional<Hertz> Memory);

  /// T1 and the cold start without the terms Off at the core clock of Clocked.
  /// No memory clock changes them (Scaling::BeyondL2).
  const LaunchDemand &demand(TermSet Off);
  LaunchCycles launchCycles(const LaunchDemand &Demand, TermSet Off);
  /// Execution without the terms Off at the clocks of Clocked.
  double seconds(TermSet Off);
  /// Share of a term in the time, or 0 where it is at most half.
  double shareOf(Term Asked, const ClockedPrediction &P);
  llvm::StringRef largestLimit();

  const GpuModel &Card;
  const Launch L;
  const Occupancy Occ;
  const BoundParameters Bound;
  const EvaluateOptions Options;
  const TermSet Without;
  const bool WaitsForClocks; ///< Does the kernel have waits at all?
  const double SmsInUse;     ///< multiprocessors that hold warps
  Evaluation Evaluated;
  const ClockScaling Clocks;
  const std::optional<Hertz> OwnMemoryClock;
  GpuModel Clocked; ///< the card at the clocks of the last call
  LatencyBandwidthModel Model;
  /// [core clock in hertz] what it was asked for.
  using DemandsOfClock = std::vector<std::pair<TermSet, LaunchDemand>>;
  std::map<double, DemandsOfClock> Demands;
  DemandsOfClock *Current = nullptr; ///< of the last call
  double CurrentClock = 0;
  std::vector<PhaseExtent> Extents;
};

} // namespace gpuestimate

#endif
