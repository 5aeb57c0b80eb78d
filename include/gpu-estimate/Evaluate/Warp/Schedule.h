/// \file
/// The order in which a device compiler lays out the operations of a block.
///
/// A warp issues in order, so the order decides how many loads are in flight
/// together. Device compilers list-schedule: among the operations whose
/// operands are available the one with the longest latency path to the end of
/// the block goes first. The latencies are nominal ones, the same for every
/// GPU, because a compiler does not know where a load will hit. Nothing moves
/// across a barrier or fence, and a load does not move above a store to the
/// same memory space unless one of the two is known not to alias (restrict,
/// read-only, different declared objects).
///
/// A block and what follows it up to the next branch that stays one are laid
/// out together: predicated blocks (BasicBlock::Predicated), and blocks that
/// are executed whenever the first one is. Such a single-entry region is a
/// hyperblock (Mahlke et al. 1992). An innermost loop of one hyperblock is laid
/// out Loop::Unroll times: copies are scheduled together, loop overhead is kept
/// once.
#ifndef GPU_ESTIMATE_EVALUATE_WARP_SCHEDULE_H
#define GPU_ESTIMATE_EVALUATE_WARP_SCHEDULE_H

#include "gpu-estimate/Evaluate/Cache/TermDifferenceCache.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

/// One laid-out operation: index into KernelModel::Operations, and the number
/// of the unrolled copy.
struct Slot {
  unsigned Op = 0;
  unsigned Copy = 0;
};

struct BlockSchedule {
  /// In issue order; of all blocks of the hyperblock, empty in those that are
  /// not its first.
  std::vector<Slot> Slots;
  unsigned Copies = 1;     ///< iterations that the slots cover
  unsigned Hyperblock = 0; ///< its first block
};

/// Schedules of basic blocks by everything that they depend on: changed copies
/// of a kernel have most blocks in common. The kernels' expressions must live
/// as long as the cache.
struct ScheduleCache {
  TermDifferenceCache Distances;
  llvm::StringMap<BlockSchedule> Schedules;
};

/// Parallel to KernelModel::Blocks.
std::vector<BlockSchedule> scheduleBlocks(const KernelModel &Kernel);
std::vector<BlockSchedule> scheduleBlocks(const KernelModel &Kernel,
                                          ScheduleCache &Cache);

/// The operations in the order of the IR, one iteration at a time: what a model
/// that knows of no device compiler walks over.
std::vector<BlockSchedule> programOrder(const KernelModel &Kernel);

/// [access] The iterations whose loads a warp issues before it waits for the
/// first of them, on average; at least 1. The copies of an unrolled body if
/// nothing keeps them apart; fewer where a store that may write the same
/// object, a barrier or the number of registers does.
std::vector<double> loadsIssuedTogether(const KernelModel &Kernel,
                                        const std::vector<BlockSchedule> &S);

/// Copies of an unrolled body beyond this add nothing: the most that a device
/// compiler lays out (four iterations by nvcc, four of these by ptxas).
inline constexpr unsigned MaxScheduledCopies = 16;

/// Words of 32 bits that iterations of an unrolled body may have loaded and not
/// yet used. ptxas 13.0 unrolls with as many registers as let the
/// multiprocessor hold all its threads, 32 on sm_80, of which addresses and
/// sums take about half. Loops of 1, 2, 4, 8 and 12 loads have 12, 16, 18, 28
/// and 32 registers there without unrolling, and 32 each with it. The 40 of
/// sm_86 and the 64 of sm_75 leave room for more words.
inline constexpr double MaxWordsAhead = 16;

} // namespace gpuestimate

#endif
