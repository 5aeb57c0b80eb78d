/// \file
/// Demand of a launch on each resource, summed over the launch.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_WORKLOAD_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_WORKLOAD_H

#include "gpu-estimate/Evaluate/Warp/Costs.h"
#include "gpu-estimate/Evaluate/Warp/Schedule.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

struct ExecutedLaunch;

struct Workload : MemoryDemand {
  Counts Count;
  /// Issue-slot cycles, in cycles of one multiprocessor.
  double IssueCycles = 0;
  /// Cycles that the register read ports of one multiprocessor are held.
  double RegisterCycles = 0;
  /// Cycles that each pipe of one multiprocessor is held, all warps together.
  std::array<double, NumPipes> PipeCycles{};
  /// Cycles of the shared-memory and the L1 data stage of one multiprocessor:
  ///   shared: passes * banks * bank width / bandwidth
  ///   L1: max(passes * pass cycles, bytes that lanes ask for / bandwidth)
  double SharedCycles = 0, L1Cycles = 0;
  /// Passes beyond the first of uncoalesced global requests.
  double ExtraPasses = 0;
  /// Cycles of the busiest atomic unit: same-address shared atomics on one
  /// multiprocessor, global atomics chip-wide.
  double SharedAtomicCycles = 0, GlobalAtomicCycles = 0;
  /// [access] Cycles of a compare-and-swap loop on shared memory from its
  /// beginning, by all warps of a block at once, to the success of the last
  /// one (blockRetryCycles()); 0 for all other accesses.
  std::vector<double> RetryCycles;
};

/// Times that an instruction goes through its pipe. Constant memory serves one
/// word at a time: "the cost scales linearly with the number of unique
/// addresses read by all threads within a warp" (CUDA C++ Best Practices Guide,
/// Constant Memory), one word being what the class's throughput is stated for.
double pipeRounds(const KernelModel &Kernel, const LaunchSample &Sample,
                  const Operation &Op);

/// Schedule: scheduleBlocks(Kernel). Loop overhead is issued once for all
/// iterations that a laid-out block covers. Executed may be null.
Workload measureWorkload(const KernelModel &Kernel, const GpuModel &Gpu,
                         const Launch &L, const Bindings &All,
                         const LaunchSample &Sample, const Traffic &Flow,
                         const OperationCosts &Costs,
                         llvm::ArrayRef<BlockSchedule> Schedule,
                         const ExecutedLaunch *Executed = nullptr);

} // namespace gpuestimate

#endif
