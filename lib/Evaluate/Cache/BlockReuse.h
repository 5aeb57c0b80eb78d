/// \file
/// Bytes that a cache fetches for one reference group: one strategy for each
/// way in which thread blocks reuse each other's data.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_BLOCKREUSE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_BLOCKREUSE_H

#include "DecisionLog.h"
#include "ReuseModel.h"

namespace gpuestimate {

/// Layer conditions (Rivera & Tseng 2000; Stengel et al. 2015; Hammer et al.
/// 2017, Kerncraft) of one group in one cache. Levels go through the launch
/// from the inside:
///   0. every request on its own (the requested bytes);
///   1. all warps of the resident blocks, one iteration of the innermost loop;
///   2. one entry of the innermost loop, of the next loop, ...;
///   3. growing windows of thread blocks: a row of the grid, a plane, a period
///      of `blockIdx.x % n`, up to all blocks that use the cache.
/// At level l the fetched bytes are at most M_l = F_l * N_l, the footprint of
/// one execution of the level times the number of its executions. The step from
/// M_(l-1) to M_l is reuse between consecutive executions of level l-1. It hits
/// if the working set W_(l-1) of all groups there fits the cache:
///   fetched = M_0 - sum over l of hit(W_(l-1)) * (M_(l-1) - M_l).
/// Example: 1000 requested bytes, 400 at level 1, 100 at level 2, hit fractions
/// 1 and 0.5: 1000 - 600 - 150 = 250 bytes are fetched.
class LayerConditions {
public:
  LayerConditions(const FootprintModel &Footprints, unsigned Group,
                  double RequestedBytes);
  /// Names the step to a level; called for a log only.
  using Scope = llvm::function_ref<ReuseScope()>;
  /// The next level: Blocks blocks execute the innermost Loops loops.
  void addLevel(unsigned Loops, double Blocks, double HitFraction, Scope S);
  /// The next level, from its M_l.
  void addBytes(double LevelBytes, double HitFraction, Scope S);
  /// The next levels execute a loop (an index of the group's) as a whole.
  void enterLoop(unsigned Index) {
    Executions /= Footprints.group(Group).Pattern.MeanTrips[Index];
  }
  void addHits(double Bytes) { Fetched -= Bytes; }
  double levelBytes() const { return Level; } ///< M_l of the last level
  double fetchedBytes() const { return Fetched; }

private:
  const FootprintModel &Footprints;
  unsigned Group;
  double Level, Fetched; ///< bytes
  double Executions;     ///< of the level by each window of blocks
};

/// Predicts the bytes that one cache fetches for a reference group over the
/// launch.
class BlockReuse {
public:
  BlockReuse(const FootprintModel &Footprints,
             const WorkingSetModel &WorkingSets, const ReuseModel &Reuse);
  virtual ~BlockReuse();
  virtual double fetchedBytes(unsigned Group, double RequestedBytes) const = 0;

protected:
  LayerConditions conditions(unsigned Group, double RequestedBytes) const {
    return {Footprints, Group, RequestedBytes};
  }
  /// Levels 1 and 2 of an affine group: Blocks blocks in lockstep.
  void addRequestsAndLoops(LayerConditions &Conditions, unsigned Group,
                           double Blocks) const;
  void addLoops(LayerConditions &Conditions, unsigned Group, unsigned Loops,
                double Blocks) const;
  /// Reuse after so many thread blocks.
  ReuseScope blockScope(double Blocks) const;

  const FootprintModel &Footprints;
  const WorkingSetModel &WorkingSets;
  const ReuseModel &Reuse;
  const CacheView &View;
};

/// Resident blocks advance in lockstep, wave by wave.
class LockstepReuse : public BlockReuse {
public:
  using BlockReuse::BlockReuse;
  double fetchedBytes(unsigned Group, double RequestedBytes) const override;

private:
  /// An earlier group of the kernel stores what this one loads.
  bool isStoredBefore(unsigned Group) const;
};

/// Blocks after the first wave start one by one, each when another has ended,
/// so that resident blocks are at different places of their work.
///
/// k resident blocks go through the same n bytes, each at a random place. While
/// blocks do the fraction w of their work, the cache meets
/// sum(n (1 - (1 - w)^k)) distinct bytes, over the groups. It holds the data
/// used since that sum was its capacity: the characteristic time of Che, Tung
/// and Wang (IEEE JSAC 2002). A block fetches where none of the others has been
/// since: with the probability (1 - w)^(k - 1).
class StaggeredReuse : public BlockReuse {
public:
  using BlockReuse::BlockReuse;
  double fetchedBytes(unsigned Group, double RequestedBytes) const override;
  /// Indirect accesses have no order, and local arrays no sharers.
  static bool applies(const ReferenceGroup &G) {
    return !G.isIndirect() && !G.isLocal();
  }

private:
  struct SharingStats {
    double Sharers = 1; ///< resident blocks that go through the same data (k)
    double MissProbability = 1; ///< that no sharer has left the data
  };
  struct WindowHits {
    double Blocks;
    double HitFraction; ///< of what the window shares with the next smaller one
  };
  std::vector<WindowHits> windowHits(unsigned Group) const;
  const SharingStats &sharing(unsigned Group) const;
  void estimateSharing() const;

  mutable std::vector<SharingStats> Stats; ///< [group]; empty: not computed
};

/// Blocks reach the caches at random: L1 after the first wave.
class RandomPlacementReuse : public BlockReuse {
public:
  using BlockReuse::BlockReuse;
  double fetchedBytes(unsigned Group, double RequestedBytes) const override;

private:
  /// Of Bytes, which each wave of this cache would fetch for itself, those that
  /// earlier waves have left.
  double crossWaveHits(unsigned Group, double Bytes) const;
};

/// Indirect accesses have random indices, and so no reuse distance: a line is
/// present with a probability.
class IndirectReuse : public BlockReuse {
public:
  using BlockReuse::BlockReuse;
  double fetchedBytes(unsigned Group, double RequestedBytes) const override;
  double hitFraction(unsigned Group) const;
};

} // namespace gpuestimate

#endif
