/// \file
/// The bandwidth loop of Kleimenov & Popova 2021 (figures 4 and 5): the
/// latency of a memory level is raised until the kernel takes long enough for
/// the level's bandwidth to carry its traffic.
///
///   repeat: time = time(latency); ratio = demand / time
///           latency *= 1 + Damping * (ratio - 1)     while ratio > 1
///
/// `demand` is traffic / bandwidth in cycles. As printed, the loop would also
/// shrink latencies when ratio < 1; the text says "while the bandwidth that is
/// needed exceeds the one there is", so only ratios above 1 act. time() never
/// decreases with latency and time(c * latency) <= c * time(latency) for
/// c >= 1, hence the loop approaches the demand from below and cannot
/// oscillate; a kernel whose time does not depend on the latency (it only
/// stores) stops at once and takes `demand`. Where other waiting hides part of
/// the level (the other warps of a block at a barrier), the loop goes on until
/// the latency becomes visible.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_BANDWIDTHREFINEMENT_H
#define GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_BANDWIDTHREFINEMENT_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

struct RefinementOptions {
  double Damping = 0.9;
  unsigned MaxIterations = 24;
  double Tolerance = 1e-3; ///< relative, of the time
  /// Secant method after the first step. Times are nearly linear in a long
  /// latency, so half of the steps lead to the same end.
  bool Secants = false;
};

struct RefinementResult {
  double Latency = 0; ///< loaded latency
  double Time = 0;    ///< max(time(Latency), demand)
  unsigned Iterations = 0;
  bool Converged = false; ///< time(Latency) reached the demand
};

RefinementResult refineLatency(llvm::function_ref<double(double)> Time,
                               double UnloadedLatency, double Demand,
                               const RefinementOptions &Options = {});

} // namespace gpuestimate

#endif
