/// \file
/// Working sets: capacity that all reference groups take together in a cache.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_WORKINGSETMODEL_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_WORKINGSETMODEL_H

#include "FootprintModel.h"
#include "RandomOverlap.h"

namespace gpuestimate {

/// Bytes that all groups allocate in one execution of a loop body by a number
/// of thread blocks: the reuse distance of data that are used again in the next
/// iteration. Whole lines count, since a line has one tag. Groups that cover
/// the same bytes of an object count once.
class WorkingSetModel {
public:
  /// Inner: the working sets of the cache in front of this one; null if there
  /// is none.
  WorkingSetModel(const FootprintModel &Footprints,
                  const WorkingSetModel *Inner);

  /// Working set of one execution of a loop's body (-1: the kernel's) by
  /// Blocks blocks. Data that the inner cache keeps from one iteration to the
  /// next pass by here once, when they are new. Iterations that start new
  /// sectors bring more than others: a Phase in [0, 1) below the fraction of
  /// such iterations stands for one of them, a negative Phase for their mean.
  double bytes(int Loop, double Blocks, double Phase = -1,
               WindowOverlap Rows = WindowOverlap::Mean) const;
  /// Working set of the launch in one cache.
  double launchBytes() const {
    return bytes(-1, Footprints.view().BlocksPerCache);
  }
  /// Ends of the phases of a loop that differ in their working sets, ascending;
  /// the last one is 1.
  llvm::ArrayRef<double> phases(int Loop) const;
  /// Bytes that pass between two members of a group, or between two warps that
  /// execute its only member.
  double bytesBetweenMembers(unsigned Group) const;
  /// Number of the group in the inner cache; nullopt if it bypasses that.
  std::optional<unsigned> innerGroup(unsigned Group) const {
    return InnerGroups[Group];
  }

private:
  /// A group in a loop's body.
  struct LoopGroup {
    unsigned Group;
    unsigned Loops;    ///< loops of the group inside of the body
    bool BeginsObject; ///< the first group of its object in the list
    bool IsObject;     ///< the only group of its object in the list
  };
  struct Extent {
    double Bytes = 0, Low = INFINITY, High = -INFINITY;
  };
  /// Groups in a loop's body (-1: all), those of one object side by side.
  llvm::ArrayRef<LoopGroup> groupsIn(int Loop) const;
  Extent extent(const LoopGroup &Part, int Loop, double Blocks, double Phase,
                WindowOverlap Rows) const;
  RandomFootprint randomFootprint(unsigned Group, unsigned Loops,
                                  double Bytes) const;
  /// Bytes of a group that reach this cache in one execution of its innermost
  /// Loops loops, of Bytes that it touches.
  double bytesPastInner(unsigned Group, unsigned Loops, double Blocks,
                        double Bytes, double Phase) const;
  /// Fraction of the iterations of a group's loop, from the second on, that
  /// start new sectors.
  double newSectorFraction(unsigned Group, unsigned Loops, double Blocks) const;
  /// All lanes and blocks start new sectors in the same iterations.
  bool startsSectorsTogether(unsigned Group) const;

  const FootprintModel &Footprints;
  const WorkingSetModel *Inner;
  std::vector<unsigned> ObjectOf;       ///< [group] number of its object
  std::vector<unsigned> GroupsByObject; ///< groups in the order of ObjectOf
  std::vector<std::optional<unsigned>> InnerGroups;            ///< [group]
  mutable std::map<int, std::vector<double>> PhaseMemo;        ///< by loop
  mutable std::map<int, std::vector<LoopGroup>> LoopGroupMemo; ///< by loop
  mutable std::map<std::tuple<int, double, double, WindowOverlap>, double>
      BytesMemo;
};

} // namespace gpuestimate

#endif
