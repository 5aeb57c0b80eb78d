/// \file
/// Blocks with barriers that take turns at what they share.
///
/// The warps of a block wait for each other at a barrier, so the block as a
/// whole now uses a unit (the load/store path while it multiplies a tile, DRAM
/// while it loads the next one) and now waits. Two blocks do not hide each
/// other's waits as evenly as their 64 warps would: each finds the other in
/// its way. That is a closed queueing network whose customers are the blocks.
/// A block alone takes Think (latencies) and Demand at each station; with
/// others it finds as many of them there as an arrival sees,
///
///   response_s = demand_s * (1 + (n_s - 1) / n_s * queue_s)
///   queue_s    = n_s * response_s / period
///   period     = think + sum over s of response_s
///
/// (mean-value analysis: Reiser & Lavenberg, J. ACM 27(2), 1980; the arriving
/// customer's view of the queue: Schweitzer 1979). One block takes think +
/// demands, many take n * the largest demand.
///
/// Example: think 500 cycles, one station of 2000 cycles and two blocks: 4266
/// cycles for both, not 4000 (perfect turns) nor 4500 (in step).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_BLOCKTURNS_H
#define GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_BLOCKTURNS_H

#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

/// What blocks share.
struct Station {
  double Demand = 0; ///< cycles of one block
  double Blocks = 1; ///< that share it, at least 1
};

/// Cycles in which each block is served once by every station.
double turnsPeriod(double Think, llvm::ArrayRef<Station> Stations);

} // namespace gpuestimate

#endif
