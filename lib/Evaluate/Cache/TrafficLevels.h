/// \file
/// Layer conditions of one cache: what is fetched more than once.
///
/// Accesses are taken together in groups: the same object, role, loops and
/// directions, apart by constant offsets only. For a group, the bytes that a
/// cache has to fetch are bounded from above at each level of its way through
/// the launch, from the inside:
///   0. every request on its own (what arrives);
///   1. all warps of the resident blocks, one iteration of the innermost loop;
///   2. ... one entry of the innermost loop, of the next loop, ...
///   3. ... growing numbers of blocks: where a digit of the block's number
///      moves the address (a row of the grid, a plane, a period of
///      `blockIdx.x % n`), up to all blocks that use the cache in the launch.
/// At level l that bound is M_l = F_l * N_l: the distinct bytes of one
/// execution of the level times the number of its executions. The step from
/// M_(l-1) to M_l is reuse between consecutive executions of level l-1; an
/// element waits for its reuse while the whole of level l-1 passes by, so the
/// cache provides the step if the footprint W_(l-1) of *all* groups there fits
/// (the layer condition: Rivera & Tseng 2000; Stengel et al. 2015; Hammer et
/// al. 2017, Kerncraft):
///   fetched = M_0 - sum over l of captured(W_(l-1)) * (M_(l-1) - M_l).
/// W_0 is what passes between two accesses of a group, or between two warps
/// that execute the same access. Blocks of the first wave advance together, so
/// that a distance of 1.5 waves is one wave for half of the data and two for
/// the rest. Later ones begin one by one (TrafficDrift.cpp).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_TRAFFICLEVELS_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_TRAFFICLEVELS_H

#include "TrafficPatterns.h"
#include "gpu-estimate/Evaluate/Access/GranuleCounts.h"
#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <tuple>

namespace gpuestimate {

struct AccessGroup {
  AccessPattern Pattern;         ///< of its widest member
  std::vector<unsigned> Members; ///< access indices, ascending
  /// Of each member, as if it were as wide as the pattern: an edge of a tile
  /// that some lanes load begins where a whole tile would that ends there. What
  /// follows are further copies of members that are more than one.
  std::vector<double> Starts;
  /// Data-dependent: the starts of members that are drawn together, by the
  /// first of them and by their block of the kernel.
  std::map<std::pair<unsigned, unsigned>, std::vector<double>> Draws;
  double Sectors = 0; ///< that its requests ask for, over the launch
  std::string Base;
  bool Writes = false;        ///< its first member is a store
  bool Modifies = false;      ///< some member is a store
  double SectorsPerBlock = 0; ///< summed over the members
  double Threads = 0;         ///< likewise, of one execution by a block
  /// Executed share of what the extents suggest: by guards that leave blocks,
  /// warps or iterations out, times the chance of each lane otherwise.
  double Activity = 1;
  double Executed = 1; ///< the first factor alone
  unsigned Block = 0;  ///< of the kernel, that its first member is in
  llvm::ArrayRef<WarpPath> Paths; ///< of the sample: who executes it how often
  unsigned Footprint = 0; ///< groups with equal numbers cover the same bytes
  /// Groups with equal numbers go in the same steps from the same starts, in
  /// whatever object.
  unsigned Shape = 0;
  /// Groups of one member with equal numbers are alike in everything but the
  /// object and the place in the program: every cache fetches as much for each
  /// of them, of as much that is asked for.
  unsigned Kind = 0;
};

std::vector<AccessGroup> groupAccesses(const KernelModel &Kernel,
                                       const LaunchSample &Sample,
                                       std::vector<AccessPattern> Patterns,
                                       const Residency &R);

/// One cache (or several equal ones side by side).
struct CacheView {
  /// A reuse distance of up to Full bytes is provided for, one of Gone bytes
  /// is not, between them a share that falls linearly. Caches hash addresses
  /// to sets and do not replace strictly by age, so the step of an ideal LRU
  /// cache is smeared (and a step would make estimates jump with the size).
  double Full = 0, Gone = 0;
  unsigned Sector = 32; ///< bytes of a fill
  unsigned Fetch = 32;  ///< the same for a load: more where the cache promotes
  unsigned Line = 128;  ///< bytes of room that a fill takes
  double Blocks = 1;    ///< of the launch
  double Present = 1;   ///< share of them in rows that are not all idle
  double Slots = 1;     ///< blocks that one cache can have at a time
  double Resident = 1;  ///< and has: no more than there are
  double Working = 1;   ///< share of them that make requests
  double All = 1;       ///< blocks that use one cache during the launch
  /// Of them, the mean number of those in the last row of the grid, and the
  /// share of a block that works there.
  double LastRow = 0, LastShare = 1;
  BlockDigits AccessPattern::*Along;
  /// Caches among which blocks are dealt by chance, by their numbers Along
  /// which an address moves; 1: those numbers are of the blocks that come to
  /// this one.
  double ByChance = 1;

  /// Share of the blocks that go in step with all that are resident, having
  /// begun with them: the first wave. Later ones begin one by one.
  double InStep = 1;
  /// Parts of the cache, each of which has its own copy of what multiprocessors
  /// on its side use.
  unsigned Partitions = 1;

  double capacity() const { return (Full + Gone) / 2; }
  /// Of as many blocks only as there are at first.
  CacheView firstWave() const;
  /// Copies: of what is used again, from 1 to Partitions on average.
  double captured(double Distance, double Copies = 1) const;
};

/// L1 of one multiprocessor, Capacity bytes of it being cache. The blocks that
/// come to it: dealt in turn or by chance.
CacheView l1View(const GpuModel &Gpu, const Residency &R, double Capacity,
                 const CacheCurves &Curves = {}, bool ByChance = false);
CacheView l2View(const GpuModel &Gpu, const Residency &R,
                 const CacheCurves &Curves = {});
/// The cache in front of DRAM; only where the GPU has one.
CacheView l3View(const GpuModel &Gpu, const Residency &R,
                 const CacheCurves &Curves = {});

/// Room that is taken by a part of the kernel, the outermost loop of which goes
/// over the data in steps.
struct PartRoom {
  /// Of what is used before, at and after a certain use in each step.
  double Before = 0, There = 0, After = 0;
  /// Up to that use of the data at a place, 0 the first and 1 the last.
  double begun(double Place, double Trips) const;
  double rest(double Place, double Trips) const {
    return Before + There + After - begun(Place, Trips);
  }
};

/// Room that is taken between a use in an earlier part of the kernel and one in
/// a later part: at some place of the data, the rest of the earlier part is
/// still to come, and of the later one there is the beginning.
struct PartsBetween {
  PartRoom Earlier, Later;
  double Between = 0;
  double EarlierTrips = 1, LaterTrips = 1;
  double passing(double Place) const {
    return Earlier.rest(Place, EarlierTrips) + Between +
           Later.begun(Place, LaterTrips);
  }
  /// Mean over the places.
  double mean(llvm::function_ref<double(double Place)> Of) const;
};

/// What a group covers with some blocks of those, dealt by chance, that come to
/// the places from Low to High.
struct Spread {
  unsigned Footprint = 0;
  double Low = 0, High = 0; ///< bytes
  double Share = 0;         ///< of the places that all blocks come to
  /// Share of it that others of the same object do not cover as well: blocks
  /// that meet by chance come to rows and to columns independently.
  double outside(llvm::ArrayRef<Spread> Others) const;
};

/// What LayerModel::coveredBy() depends on, hashed in full: the low half of the
/// bits of a whole number is zero.
struct CoveredKey {
  unsigned Shape, FirstStart, Starts, Loops, Granule;
  RowsMet Rows;
  uint64_t Numbers; ///< bits
  bool operator==(const CoveredKey &) const = default;

  static CoveredKey getEmptyKey() { return {~0U, 0, 0, 0, 0, {}, 0}; }
  static CoveredKey getTombstoneKey() { return {~0U - 1, 0, 0, 0, 0, {}, 0}; }
  static unsigned getHashValue(const CoveredKey &K) {
    uint64_t Hash = K.Numbers;
    for (uint64_t Part :
         {uint64_t(K.Shape) << 32 | K.Loops << 8 | unsigned(K.Rows),
          uint64_t(K.FirstStart) << 32 | K.Starts << 16 | K.Granule})
      Hash = (Hash ^ Hash >> 32 ^ Part) * 0x9E3779B97F4A7C15;
    return unsigned(Hash >> 32);
  }
  static bool isEqual(const CoveredKey &A, const CoveredKey &B) {
    return A == B;
  }
};

class LayerModel {
public:
  /// Groups: those that take room in this cache.
  /// Inner: the cache in front of this one, which has caught some of the reuse
  /// already; null where there is none. Counts stays owned by the caller.
  LayerModel(llvm::ArrayRef<const AccessGroup *> Groups, const CacheView &View,
             GranuleCounts &Counts, const LayerModel *Inner = nullptr);

  const CacheView &view() const { return View; }
  /// Bytes fetched for each group over the launch, given the bytes that its
  /// requests ask for (parallel to the groups).
  std::vector<double> fetched(llvm::ArrayRef<double> Asked) const;
  /// Of what the inner caches ask for in one step (an iteration of a group's
  /// innermost loop by all resident blocks), the share that is left when data
  /// that several of them ask for count once.
  double distinctInStep(unsigned Group) const;
  /// Distinct bytes of everything, over the launch and one cache.
  double everything() const { return volume(-1, View.All); }
  /// Distinct bytes of one group, over the launch and one cache.
  double distinct(unsigned Group) const;
  /// What a launch fetches of Missed bytes, those that it would have to on an
  /// empty cache, because the same launch ran before. Asked: what arrives.
  double missedAfterLaunch(unsigned Group, double Missed, double Asked) const;
  /// What a launch writes back of them while equal launches follow each other.
  double writtenBetweenLaunches(unsigned Group, double Missed,
                                double Asked) const;
  /// Share of what a group writes that leaves the cache before the launch
  /// ends, because more than the cache holds passes by afterwards.
  double evicted(unsigned Group) const;

private:
  /// Distinct bytes of a group, or of copies of it at Starts, over its
  /// innermost Loops loops and a number of blocks, in whole granules.
  double footprint(unsigned Group, unsigned Loops, double Blocks) const;
  double footprint(const AccessGroup &G, llvm::ArrayRef<double> Starts,
                   unsigned Loops, double Blocks, unsigned Granule,
                   RowsMet Rows = RowsMet::Mean) const;
  /// The same as far as directions decide it, remembered. Starts: a part of a
  /// group's.
  double covered(const AccessGroup &G, llvm::ArrayRef<double> Starts,
                 unsigned Loops, double Blocks, unsigned Granule,
                 RowsMet Rows = RowsMet::Mean) const;
  double coveredBy(const AccessGroup &G, llvm::ArrayRef<double> Starts,
                   unsigned Loops, double Numbers, unsigned Granule,
                   RowsMet Rows) const;
  double drawnFootprint(const AccessGroup &G, size_t Members, unsigned Loops,
                        double Blocks, unsigned Granule) const;
  /// Granules of all draws of a group, over its innermost Loops loops, per
  /// granule that its members have one by one in an iteration. OfBlock: members
  /// in different blocks of the kernel have nothing in common. Remembered.
  double perDraw(const AccessGroup &G, unsigned Loops, unsigned Granule,
                 bool OfBlock = false) const;
  /// Bytes of one fill for a group.
  unsigned fill(const AccessGroup &G) const;
  /// Room that all groups take in one execution of a loop's body (-1: of the
  /// kernel's) by some blocks: whole lines, since a line has one tag.
  /// In a loop's body, of what the cache in front keeps from one iteration to
  /// the next, only what is new passes by here.
  /// Iterations that begin new sectors bring more than others: those with a
  /// Phase (0 to 1) below the share of such iterations; negative: their mean.
  double volume(int Loop, double Blocks, double Phase = -1,
                RowsMet Rows = RowsMet::Mean) const;
  struct GroupInside {
    unsigned Group, Loops; ///< Loops: of the group's, inside of the asked one
    bool BeginsObject, IsObject; ///< the first, and the only one of its object
  };
  /// Groups in a loop's body (-1: all), those of one object side by side.
  llvm::ArrayRef<GroupInside> groupsIn(int Loop) const;
  double arriving(unsigned Group, unsigned Loops, double Blocks, double Bytes,
                  double Phase) const;
  /// Share of the iterations of a group's loop, from the second on, that bring
  /// something new.
  double freshShare(unsigned Group, unsigned Loops, double Blocks) const;
  /// All lanes and blocks come to new sectors in the same iterations.
  bool isFreshAtOnce(unsigned Group) const;
  /// Ends of the phases that differ, remembered.
  llvm::ArrayRef<double> phases(int Loop) const;
  /// Share of what is used again after this many blocks that is still there:
  /// the mean over windows that meet fewer rows of the grid and those that meet
  /// more, which decides where the cache holds the one and not the other.
  double capturedAfter(double Blocks) const; ///< remembered
  double windowCaptured(double Blocks) const;
  /// The same for one window of exactly so many blocks.
  double capturedOver(double Blocks, double Copies = 1) const;
  /// The same for what passes in one execution of a loop's body (-1: of the
  /// kernel's) by the resident blocks: Slots of them, fewer in the last wave.
  /// Held: what heldInside says of the group that is used again.
  double capturedIn(int Loop, double Held = 0, double Copies = 1) const;
  double capturedAt(double Distance, double Held, double Copies = 1) const;
  /// Copies of its data in the parts of this cache, if so many multiprocessors
  /// use them at a time, each on any side.
  double copies(double Sharers) const;
  /// What inner caches hold of a private object that is modified in a loop. It
  /// passes to this cache when it leaves them, so that until its next use only
  /// the rest of the distance goes by here, once fetched and once written back.
  double heldInside(unsigned Group, int Loop) const;
  /// Mean over the blocks: caches get a whole number of them, one more or less,
  /// and work on Slots at a time, fewer in the end, where blocks of the last
  /// row count in part.
  double ofResident(llvm::function_ref<double(double Blocks)> Captured) const;
  /// The same for what one part of the kernel leaves for a later one; the parts
  /// are those of the groups' outermost loops.
  double capturedBetween(unsigned Earlier, unsigned Later,
                         double Held = 0) const;
  /// Only: what is used there and nowhere else.
  PartsBetween partsBetween(unsigned Earlier, unsigned Later, double Blocks,
                            bool Only) const;
  /// The smallest number of blocks that cover all that a group uses.
  double sweep(unsigned Group) const;
  /// Share of a group's distinct bytes that is still there when the next launch
  /// comes to them. Dirty: and has been there ever since they were written,
  /// where a later part of the kernel reads them.
  double leftByLaunchBefore(unsigned Group, double Asked, bool Dirty) const;
  /// The same for what passes between two accesses of a group, or two warps.
  double capturedNear(unsigned Group) const;
  /// Shares of the reuse that the inner cache leaves, (c - c') / (1 - c') with
  /// c' what that one captures: this one would capture it as well, since both
  /// do so in the last wave, which is smaller.
  double caughtNear(unsigned Group) const;
  double caughtIn(unsigned Group, int Loop) const;
  double beyondInner(unsigned Group, double Captured,
                     llvm::function_ref<double(unsigned)> ByInner) const;
  int section(unsigned Group) const;
  /// Bytes that pass between two members of a group (or two warps at one).
  double passing(unsigned Group) const;
  /// Of one member, in one iteration by the resident blocks; remembered.
  double ofMember(unsigned Group, unsigned Member) const;
  /// OneByOne: blocks begin so, each is at a place of its own.
  double fetchedAlone(unsigned Group, double Asked, bool OneByOne) const;
  struct BlockLevel {
    double Blocks;   ///< that go together, from the next smaller level on
    double Captured; ///< share of what they then have in common
  };
  /// Up to all blocks, where they begin one by one.
  std::vector<BlockLevel> levelsOneByOne(unsigned Group) const;
  bool goesOneByOne(unsigned Group) const {
    const AccessPattern &P = Groups[Group]->Pattern;
    return P.DrawnSectors == 0 && P.Role != CacheRole::Private;
  }
  /// Of a group whose blocks begin one by one.
  struct Company {
    double Sharers = 1;  ///< resident blocks that go through the same data
    double Fetching = 1; ///< share of them that find nothing of each other's
  };
  const Company &together(unsigned Group) const;
  Spread spread(unsigned Group, unsigned Loops, double Bytes) const;
  /// The same, remembered by the kind of the group.
  double fetchedAlike(unsigned Group, double Asked) const;
  /// Of Bytes, which the waves of this cache fetch each for itself, what it
  /// still has from those before. Blocks are dealt by chance.
  double savedByChance(unsigned Group, double Bytes) const;
  /// A group of loads whose data another group has stored.
  bool isStoredBefore(unsigned Group) const;
  double fetchedDrawn(unsigned Group, double Bytes) const;
  double drawnHit(unsigned Group) const;
  /// Distinct bytes of one execution of the level by each Blocks blocks of
  /// every cache, summed; the last ones are fewer.
  double total(unsigned Group, unsigned Loops, double Blocks) const;
  void shareObjects(std::vector<double> &Bytes) const;
  void findWhatWasWritten(std::vector<double> &Bytes) const;
  Directions directions(const AccessPattern &P, unsigned Loops, double Blocks,
                        RowsMet Rows = RowsMet::Mean) const;
  /// Private arrays belong to a place, whichever block has it.
  bool isByChance(const AccessPattern &P) const {
    return View.ByChance > 1 && P.Role != CacheRole::Private;
  }
  const BlockDigits &along(const AccessPattern &P) const {
    return View.ByChance > 1 && !isByChance(P) ? P.OfSm : P.*View.Along;
  }
  /// Numbers along() that some blocks of this cache are among.
  double among(const AccessPattern &P, double Blocks) const {
    return isByChance(P) && Blocks > 1 ? Blocks * View.ByChance : Blocks;
  }
  /// Numbers of blocks from Resident to All at which footprints change course.
  llvm::SmallVector<double, 8> blockLevels(const AccessPattern &P) const;

  std::vector<const AccessGroup *> Groups;
  CacheView View;
  GranuleCounts &Counts;
  const LayerModel *Inner;
  std::vector<unsigned> ObjectOf; ///< numbers of the groups' objects
  std::vector<unsigned> ByObject; ///< the groups in order of these numbers
  /// All numbers of footprints and of kinds are below.
  unsigned Footprints = 0, Kinds = 0;
  /// By footprint: the groups that use it first and last in the program.
  std::vector<std::optional<std::pair<unsigned, unsigned>>> Uses;
  std::vector<std::optional<unsigned>> InInner; ///< the groups' places there
  mutable std::map<int, std::vector<double>> Phases; ///< by loop
  mutable std::map<std::tuple<int, double, double, RowsMet>, double> Volumes;
  mutable llvm::DenseMap<CoveredKey, double, CoveredKey> Covered;
  /// By kind: distinct() and sweep(); by kind and bits of what is asked for.
  mutable llvm::DenseMap<unsigned, double> Distinct, Sweeps;
  mutable std::map<std::pair<unsigned, uint64_t>, double> Alone;
  /// By kind and place in a line: ofMember(), negative where not known.
  mutable std::vector<std::vector<double>> OfMembers;
  mutable std::map<double, double> After; ///< capturedAfter(), by blocks
  mutable std::map<std::tuple<const AccessGroup *, unsigned, unsigned, bool>,
                   double>
      PerDraw;                                            ///< perDraw()
  mutable std::vector<Company> Together;                  ///< by group
  mutable std::map<int, std::vector<GroupInside>> Inside; ///< by loop
};

} // namespace gpuestimate

#endif
