/// \file
/// time(lat): cycles that one warp takes from its first to its last
/// instruction (Kleimenov & Popova 2021, time_WP), in-order and dependency
/// aware:
///
///   issue(k) = max(issue(k-1) + slot, pipe free, operands ready)
///   ready(k) = issue(k) + latency(k)
///
/// walked over the scheduled blocks of the loop tree along one sampled warp's
/// path. A loop is simulated until two successive iterations take the same
/// time (the max-plus cycle mean; the paper unrolls two and halves) and
/// extrapolated, so the cost does not grow with trip counts. A block that
/// runs in a share s of the iterations advances the clock by s times its time.
///
/// Barriers: all warps of a block leave together, so a segment between two
/// barriers lasts at least as long as the block's warps need to issue it:
///   segment >= max over pipes of warpsPerScheduler * issue cycles
#ifndef GPU_ESTIMATE_EVALUATE_TIMING_H
#define GPU_ESTIMATE_EVALUATE_TIMING_H

#include "gpu-estimate/Evaluate/Schedule.h"

namespace gpuestimate {

/// Cycles charged to single operations, for line shares.
struct WarpTime {
  double Cycles = 0;
  /// Of them: waiting in front of barriers (barrier latency and other warps).
  double BarrierCycles = 0;
};

class WarpTimer {
public:
  WarpTimer(const KernelModel &Kernel, const OperationCosts &Costs,
            const std::vector<BlockSchedule> &Schedule, unsigned WarpsPerBlock);

  WarpTime run(const WarpPath &Path);

  /// Off: barriers cost nothing and nobody waits at them.
  void setBarriers(bool On) { Barriers = On; }

  /// Steady-state cycles of one iteration of each loop in the last run
  /// (0 where it was not entered), and cycles of each block's last visit.
  const std::vector<double> &loopPeriods() const { return Periods; }
  const std::vector<double> &blockCycles() const { return BlockTimes; }
  /// Stall cycles spent waiting for operands, per operation, in the last run.
  const std::vector<double> &stalls() const { return Stalls; }

private:
  struct Mark;
  void runBody(const std::vector<Item> &Body, double Scale);
  void runBlock(unsigned Index, double Iterations, double Scale);
  void runLoop(unsigned Index, double Scale);
  void issueOperation(const Slot &What, unsigned Block, double Weight);
  void passBarrier(double Latency, double Scale);
  Mark mark() const;
  /// Makes what ran since Begin in Blocks count Factor times.
  void repeat(const Mark &Begin, llvm::ArrayRef<unsigned> Blocks,
              double Factor);

  const KernelModel &Kernel;
  const OperationCosts &Costs;
  const std::vector<BlockSchedule> &Schedule;
  double WarpsPerScheduler;
  bool Barriers = true;

  const WarpPath *Path = nullptr;
  double Now = 0;
  double SegmentStart = 0; ///< clock at the last barrier
  double BarrierWait = 0;
  std::array<double, NumPipes> PipeFree{};
  std::array<double, NumPipes> SegmentIssue{}; ///< since the last barrier
  std::vector<double> Ready;                   ///< [op * copies + copy]
  std::vector<double> Stalls, Periods, BlockTimes;
  std::vector<unsigned> ReadyBase;
  std::vector<unsigned> BlockOf;                 ///< operation -> block
  std::vector<std::vector<unsigned>> LoopBlocks; ///< loop -> all blocks inside
};

} // namespace gpuestimate

#endif
