/// \file
/// Hits and misses of an executed warp's loads, one event for each execution,
/// for the intervals of GPUMech 2014, which end at misses.
///
/// The traffic of the launch (Evaluate/Cache) says which share of a load's
/// requests waits for L1, L2 or DRAM; the execution says which requests these
/// are: those with the longest reuse distances miss first. Requests of equal
/// distance take turns. So the mean latency of each load stays that of all
/// other models. Example: each thread reads 8 consecutive floats of a sector;
/// one of 8 executions misses, and its interval is long, where the mean has 8
/// intervals of an eighth of the wait.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_LOADEVENTS_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_LOADEVENTS_H

#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"

namespace gpuestimate {

/// What a load waits for in one execution.
enum class LoadEvent : uint8_t { Mean, L1, L2, Dram };

/// Parts of the requests of a load that wait for each level; together 1.
struct LevelShares {
  double L1 = 1, L2 = 0, Dram = 0;
};

/// The events of a load in the order of its executions.
std::vector<LoadEvent> eventsOf(llvm::ArrayRef<double> ReuseBytes,
                                const LevelShares &Shares);

/// Events of all loads that go together in some of the executions.
struct EventCombination {
  double Weight = 1;             ///< share of the executions
  std::vector<LoadEvent> Events; ///< [access]; Mean: by its mean latency
};

/// Which loads of a warp hit which level together. Loads of one basic block are
/// combined as they were executed; blocks are combined with each other in the
/// order of how long a warp waits for their loads. There are at most
/// MaxCombinations; the loads of further blocks keep their mean latencies.
/// Where Warp has no events the result is one combination in which all loads
/// have their mean latencies. Shares: [access].
std::vector<EventCombination> combineEvents(const KernelModel &Kernel,
                                            const ExecutedWarp *Warp,
                                            llvm::ArrayRef<LevelShares> Shares);
inline constexpr unsigned MaxCombinations = 32;

} // namespace gpuestimate

#endif
