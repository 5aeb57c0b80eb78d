/// \file
/// Counts of a launch from a bounded sample of its warps.
///
/// A launch may have 10^9 blocks; warps differ only through the symbolic
/// functions of the kernel model (guards, trip counts, addresses). So a fixed
/// number of warps is evaluated exactly, lane by lane, and each stands for a
/// stated number of warps: the first and last block of every grid dimension
/// stand for themselves (guards bite there), the interior is sampled evenly;
/// likewise warps within a block and iterations within a loop whose body
/// depends on its counter. The cost is independent of grid size and trip
/// counts; where everything fits the sample, the counts are exact.
#ifndef GPU_ESTIMATE_EVALUATE_SAMPLING_SAMPLING_H
#define GPU_ESTIMATE_EVALUATE_SAMPLING_SAMPLING_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include <array>

namespace gpuestimate {

class BoundKernel;
class RequestShapes;
struct ExecutedLaunch;

/// How a sampled warp walks the tree, or several in a row that walk alike.
struct WarpPath {
  double Weight = 0; ///< warps of the launch that it stands for
  /// Number of the sampled thread block it belongs to: a block ends with its
  /// slowest warp. Not set yet: all paths are of one block.
  unsigned SampledBlock = 0;
  std::vector<double> BlockShare; ///< [block] share of the enclosing body's
                                  ///< executions in which the warp executes it
  std::vector<double> LoopShare;  ///< [loop] likewise: enters the loop
  std::vector<double>
      LoopTrips; ///< [loop] mean iterations per entry (maximum over the lanes)
};

/// Totals of one access over the launch.
struct AccessTotals {
  double Requests = 0; ///< warp-level executions
  double Threads = 0;  ///< thread-level executions
  double Sectors = 0;  ///< distinct sectors, summed over requests
  /// Those of a store that one request writes from end to end.
  double FullSectors = 0;
  double Wavefronts =
      0; ///< shared: bank passes; L1: data-stage passes; summed over requests
  /// Atomics: largest number of lanes on one address, summed over requests.
  double SameAddress = 0;
};

struct LaunchSample {
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
  /// Share of the thread blocks that make any request; the others end at once.
  double WorkingBlocks = 1;
  /// Blocks of each dimension up to the last one that makes a request.
  std::array<uint64_t, 3> WorkingGrid{};
  /// Work: expressions times lanes that were evaluated.
  double LaneEvaluations = 0;
};

/// All: every free parameter of the kernel's expressions except coordinates,
/// counters and data-dependent values (those are drawn per lane, uniform over
/// the buffer, with a fixed seed). Effort scales the size of the sample.
LaunchSample sampleLaunch(const KernelModel &Kernel, const GpuModel &Gpu,
                          const Launch &L, const Bindings &All,
                          double Effort = 1);
/// The same of a kernel that is bound already. Executed, if given: requests
/// whose addresses depend on data are those that were seen there. Known, if
/// given: a memory of requests on this GPU, which grows.
LaunchSample sampleLaunch(BoundKernel &Bound, const GpuModel &Gpu,
                          const Launch &L, double Effort = 1,
                          const ExecutedLaunch *Executed = nullptr,
                          RequestShapes *Known = nullptr);

} // namespace gpuestimate

#endif
