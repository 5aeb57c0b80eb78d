/// \file
/// Hit fractions of reuses, from their reuse distances.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_REUSEMODEL_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_REUSEMODEL_H

#include "KernelSections.h"
#include "WorkingSetModel.h"

namespace gpuestimate {

/// Hit fractions of reuses in one cache: in the next iteration of a loop,
/// between members of a group, after a number of thread blocks, and between
/// sections of the kernel. The reuse distance is the working set of what
/// executes in between; CacheView::hitFraction() turns it into a fraction.
class ReuseModel {
public:
  /// Inner: the reuse model of the cache in front of this one; null if there is
  /// none.
  ReuseModel(const FootprintModel &Footprints,
             const WorkingSetModel &WorkingSets, const KernelSections &Sections,
             const ReuseModel *Inner);

  /// Reuse after Blocks blocks. Blocks of a wave advance together, so that a
  /// distance of 1.5 waves is one wave for half of the data and two waves for
  /// the rest.
  double hitFractionAfterBlocks(double Blocks) const;
  /// Reuse after a window of exactly Blocks blocks: the mean over windows that
  /// meet fewer rows of the grid and windows that meet more of them, since the
  /// cache may hold the working set of one and not of the other.
  double hitFractionAfterWindow(double Blocks, double Copies = 1) const;
  /// Reuse in the next iteration of a loop (-1: by the next block in the same
  /// slot). DirtyInInnerBytes: dirtyBytesInInner() of the group.
  double hitFractionInLoop(int Loop, double DirtyInInnerBytes = 0,
                           double Copies = 1) const;
  /// Reuse by a later section of the kernel.
  double hitFractionBetweenSections(unsigned Earlier, unsigned Later,
                                    double DirtyInInnerBytes = 0) const;

  /// Hit fraction among the reuses that miss the inner cache:
  /// (c - c')/(1 - c'), c and c' being the stand-alone hit fractions of this
  /// and the inner level. A difference, not a product: both levels hit in the
  /// same accesses, those of the last, smaller wave.
  double marginalHitFractionInLoop(unsigned Group, int Loop) const;
  double marginalHitFractionBetweenMembers(unsigned Group) const;

  /// Windows of thread blocks, ascending, from the resident blocks to all of
  /// the cache, at which footprints begin to overlap.
  llvm::SmallVector<double, 8> blockWindows(const AccessPattern &P) const;
  /// Requests of the inner caches in one lockstep (an iteration of a group's
  /// innermost loop by all resident blocks): the fraction that remains if equal
  /// requests count once.
  double lockstepDedupFactor(unsigned Group) const;
  /// Dirty bytes that inner caches hold of a local object that is modified in a
  /// loop. The inner caches write them back and fetch them again, so that until
  /// the next use only the rest of the reuse distance passes by in this cache,
  /// once fetched and once written back.
  double dirtyBytesInInner(unsigned Group, int Loop) const;
  /// Mean number of partitions that hold data which Sharers SMs use at a time:
  /// p (1 - (1 - 1/p)^Sharers).
  double copies(double Sharers) const;
  /// Mean of a hit fraction, a function of the number of resident blocks. Each
  /// cache gets a whole number of blocks, one more or less, and holds
  /// BlockSlots of them at a time, fewer in the last wave; blocks in the last
  /// row of the grid count by their active threads.
  double
  meanOverWaves(llvm::function_ref<double(double Blocks)> HitFraction) const;

private:
  double hitFractionBetweenMembers(unsigned Group) const;
  double hitFractionAt(double ReuseDistance, double DirtyInInnerBytes,
                       double Copies = 1) const;
  double marginal(unsigned Group, double HitFraction,
                  llvm::function_ref<double(unsigned)> InnerHitFraction) const;
  double computeHitFractionAfterBlocks(double Blocks) const;

  const FootprintModel &Footprints;
  const WorkingSetModel &WorkingSets;
  const KernelSections &Sections;
  const ReuseModel *Inner;
  CacheView View;
  mutable std::map<double, double> AfterBlocksMemo;
};

} // namespace gpuestimate

#endif
