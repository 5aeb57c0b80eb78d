/// \file
/// Execution and request counts of a launch, from a bounded sample of its
/// warps.
///
/// A launch may have 10^9 thread blocks. Warps differ only through the symbolic
/// functions of the kernel model (guards, trip counts, addresses), so that a
/// fixed number of warps is evaluated exactly, lane by lane, and each has a
/// weight: the number of warps that it represents. The first and last block of
/// every grid dimension represent themselves, because guards take effect there;
/// the interior is sampled evenly. Warps of a block, and iterations of a loop
/// whose body depends on its counter, are sampled in the same way. The cost is
/// independent of grid size and trip counts. If the sample contains the whole
/// launch, the counts are exact.
#ifndef GPU_ESTIMATE_EVALUATE_SAMPLING_SAMPLING_H
#define GPU_ESTIMATE_EVALUATE_SAMPLING_SAMPLING_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include <array>

namespace gpuestimate {

class LaneState;
class RequestCostTables;
struct ExecutedLaunch;

struct SampledBlock {
  std::array<uint64_t, 3> Index{};
  double Weight = 0; ///< blocks that it represents
};

/// Control flow of a sampled warp, or of several consecutive ones with equal
/// control flow.
struct WarpPath {
  double Weight = 0; ///< warps of the launch that it stands for
  /// Index of the thread block, which ends with its slowest warp, in
  /// LaunchSample::Blocks.
  unsigned SampledBlock = 0;
  std::vector<double> BlockShare; ///< [block] fraction of the executions of the
                                  ///< enclosing body that execute the block
  std::vector<double> LoopShare;  ///< [loop] fraction that enters the loop
  std::vector<double>
      LoopTrips; ///< [loop] mean iterations per entry (maximum over the lanes)
  /// [wait] mean cycles of one execution (maximum over the lanes).
  std::vector<double> WaitCycles;
  /// [block] executions by all warps of the thread block, relative to those
  /// that they would make if every warp took this path: 1 / warps where one
  /// warp works for all. Empty where nothing is known of the other warps.
  std::vector<double> Participation;
};

/// Totals of one access over the launch.
struct AccessTotals {
  double Requests = 0; ///< warp-level executions
  double Threads = 0;  ///< thread-level executions
  double Sectors = 0;  ///< distinct sectors, summed over requests
  double Lines = 0;    ///< distinct lines of L1, summed over requests
  /// Sectors that one request of a store writes completely.
  double FullSectors = 0;
  double Wavefronts =
      0; ///< passes through shared memory or the L1 data stage, summed
  /// Atomics: largest number of lanes on one address, summed over requests.
  double SameAddress = 0;
};

struct LaunchSample {
  std::vector<SampledBlock> Blocks;
  std::vector<WarpPath> Paths;
  std::vector<double> BlockWarps; ///< [block] warp executions over the launch
  std::vector<double>
      BlockThreads; ///< [block] thread executions over the launch
  std::vector<double>
      LoopWarpEntries; ///< [loop] entries by a warp over the launch
  std::vector<double>
      LoopWarpIterations; ///< [loop] warp iterations over the launch
  std::vector<AccessTotals> Accesses; ///< parallel to KernelModel::Accesses
  double Warps = 0;                   ///< of the launch
  /// Fraction of the thread blocks that make any request; the others exit at
  /// once.
  double ActiveBlockFraction = 1;
  /// Blocks in each dimension up to the last block that makes a request.
  std::array<uint64_t, 3> ActiveGrid{};
  /// Cost of the sampling itself: evaluated expressions x lanes.
  double LaneEvaluations = 0;
};

/// Samples a launch. All: every free parameter of the kernel's expressions
/// except coordinates, counters and indirect indices, which get random values,
/// uniform over the buffer, with a fixed seed. Effort scales the size of the
/// sample.
LaunchSample sampleLaunch(const KernelModel &Kernel, const GpuModel &Gpu,
                          const Launch &L, const Bindings &All,
                          double Effort = 1);
/// sampleLaunch() of a kernel that is bound already. Executed (or null): the
/// requests of an executed launch, which replace those whose addresses depend
/// on data. CostTables (or null): costs of requests on this GPU, to which new
/// costs are added.
LaunchSample sampleLaunch(LaneState &State, const GpuModel &Gpu,
                          const Launch &L, double Effort = 1,
                          const ExecutedLaunch *Executed = nullptr,
                          RequestCostTables *CostTables = nullptr);

} // namespace gpuestimate

#endif
