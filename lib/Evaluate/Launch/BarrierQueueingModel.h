/// \file
/// Time of thread blocks with barriers that queue for shared units:
/// Schweitzer's approximate mean-value analysis of a closed queueing network.
///
/// The warps of a block wait for each other at a barrier, so the block as a
/// whole alternates between using a unit (the load/store path while it
/// multiplies a tile, DRAM while it loads the next one) and waiting. Two blocks
/// then hide each other's waits less evenly than 64 independent warps would.
/// The customers of the network are the blocks, its stations the units. A
/// block alone takes think (latencies) plus demand_s at each station s; with
/// n_s blocks at a station it waits for those that an arrival finds there,
///
///   response_s = demand_s * (1 + (n_s - 1) / n_s * queue_s)
///   queue_s    = n_s * response_s / period
///   period     = think + sum over s of response_s
///
/// (mean-value analysis: Reiser & Lavenberg, J. ACM 27(2), 1980; the arriving
/// customer's view of the queue: Schweitzer 1979). One block takes think +
/// demands, many blocks take n * the largest demand.
///
/// Example: think 500 cycles, one station of 2000 cycles and two blocks: 4266
/// cycles for both, between 4000 (perfectly alternating) and 4500 (in
/// lockstep).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_BARRIERQUEUEINGMODEL_H
#define GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_BARRIERQUEUEINGMODEL_H

#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

/// A unit that blocks share.
struct Station {
  double Demand = 0; ///< cycles of one block
  double Blocks = 1; ///< that share it, at least 1
};

/// Cycles in which each block is served once by every station.
double cycleTime(double ThinkTime, llvm::ArrayRef<Station> Stations);

} // namespace gpuestimate

#endif
