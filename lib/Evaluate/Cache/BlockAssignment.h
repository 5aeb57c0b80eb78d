/// \file
/// Assignment of thread blocks to SMs and waves.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_BLOCKASSIGNMENT_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_BLOCKASSIGNMENT_H

#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include <array>

namespace gpuestimate {

/// Which thread blocks run together. Blocks of the first wave are assigned to
/// the SMs round-robin, in the order of the grid. Later blocks go wherever a
/// slot becomes free, which is random.
///
/// Blocks whose guard is false exit at once. They still take part in the
/// round-robin assignment to SMs, but free their slot immediately; so L2 and
/// DRAM see the grid without them, L1 sees the assignment with them. Grid is
/// without the rows at its end in which all blocks exit at once.
struct BlockAssignment {
  std::array<uint64_t, 3> Grid{1, 1, 1};
  double Blocks = 1;         ///< thread blocks of Grid
  double LaunchedBlocks = 1; ///< thread blocks of the launch
  double Sms = 1;            ///< SMs that get a block
  double SmStride = 1; ///< consecutive blocks of one SM are this far apart
  double FirstWaveFraction = 1; ///< of the launched blocks
  double BlocksPerSm = 1;       ///< launched blocks that one SM holds at a time
  double BlocksPerWave = 1;     ///< blocks of Grid that all SMs hold at a time
  double ActiveFraction = 1;    ///< blocks of Grid that do not exit at once
  /// Blocks in the last row of Grid (one block, if it has one dimension), and
  /// the fraction of their threads that a guard leaves active.
  double LastRowBlocks = 1, LastRowActiveFraction = 1;
};

/// BlocksPerSm: from the occupancy. LastRow* are left at 1.
BlockAssignment assignBlocks(const GpuModel &Gpu, const Launch &L,
                             const LaunchSample &Sample, unsigned BlocksPerSm);

} // namespace gpuestimate

#endif
