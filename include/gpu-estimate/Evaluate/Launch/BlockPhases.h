/// \file
/// Thread blocks that are not alike.
///
/// Guards and trip counts that depend on blockIdx give the blocks of a launch
/// different work: the surplus blocks of a grid that is rounded up leave at
/// once, the rows of a triangle differ in length, one block does what is done
/// once. The hardware hands blocks to the multiprocessors in launch order,
/// blockIdx.x first, and starts the next one where one ends. So a launch goes
/// through phases: stretches of blocks, in launch order, of which each is long
/// enough to fill the chip and whose blocks do about the same work. Within a
/// phase blocks count by their mean, as they share the multiprocessors; between
/// phases nothing is shared but the moment in which one passes into the next.
///
/// Example: a grid of 6250x37 blocks, of which the first 750 columns work, on a
/// chip that holds 680 blocks: in each row a phase of 750 blocks that work and
/// one of 5500 blocks that leave.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_BLOCKPHASES_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_BLOCKPHASES_H

#include "gpu-estimate/Evaluate/Sampling/Sampling.h"

namespace gpuestimate {

/// Shares are fractions of the launch; the phases' sum to 1.
struct PhaseExtent {
  double BlockShare = 1;
  double WorkShare = 1; ///< of the executed operations
  /// Times that the phase occurs: the rows of a grid repeat theirs.
  double Repeats = 1;

  /// Work of one of its blocks, in that of the launch's mean block.
  double density() const { return BlockShare > 0 ? WorkShare / BlockShare : 1; }
};

struct BlockPhase {
  PhaseExtent Extent;
  /// Indices into LaunchSample::Blocks, in launch order.
  std::vector<unsigned> SampledBlocks;
  /// Parallel to SampledBlocks: blocks up to the end of the phase that follow
  /// the first one that the sampled block stands for, itself included.
  std::vector<double> UntilEnd;
};

/// Returns the phases of a launch in launch order, at least one.
/// BlocksAtOnce: thread blocks that the chip holds together.
/// PathOperations: [path] operations that one warp of LaunchSample::Paths
/// executes.
std::vector<BlockPhase> blockPhases(const LaunchSample &Sample, const Launch &L,
                                    double BlocksAtOnce,
                                    llvm::ArrayRef<double> PathOperations);

} // namespace gpuestimate

#endif
