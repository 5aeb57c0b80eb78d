/// \file
/// Reuse distances of the traced warps of a launch (RunTrace in Run/Records.h).
#ifndef GPU_ESTIMATE_LIB_EXECUTE_RECORD_REUSETRACE_H
#define GPU_ESTIMATE_LIB_EXECUTE_RECORD_REUSETRACE_H

#include "gpu-estimate/Run/Records.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <limits>

namespace gpuestimate {

class WarpTrace;

/// An LRU stack of 128-byte lines whose sectors are filled one by one (Mattson
/// et al. 1970). A cache of a number of lines has lost a sector if, at some use
/// of the line since the sector was used, as many other lines had been used
/// since the use before. The distance of a sector is the largest such number.
class LineStack {
public:
  static constexpr unsigned SectorsPerLine = 4;
  static constexpr uint32_t Never = std::numeric_limits<uint32_t>::max();

  /// MaxUses: uses of lines that are counted.
  explicit LineStack(uint32_t MaxUses) : Tree(MaxUses + 1) {}

  /// Is there room for a request of so many sectors?
  bool hasRoom(size_t Sectors) const { return Time + Sectors < Tree.size(); }
  /// Uses the sectors of one request, by ascending numbers. Distances: of each
  /// in lines; Never for a first use. NewLines: of each, whether it is the
  /// first sector of its line that is ever used.
  void use(llvm::ArrayRef<uint64_t> Sectors,
           llvm::SmallVectorImpl<uint32_t> &Distances,
           llvm::SmallVectorImpl<bool> &NewLines);

private:
  struct Line {
    uint32_t LastUse = 0; ///< the number of the use, from 1
    /// [sector] the largest distance since the sector was used.
    std::array<uint32_t, SectorsPerLine> Largest = {Never, Never, Never, Never};
  };
  /// A Fenwick tree over the numbers of uses counts the lines whose last use
  /// was At or before.
  void count(uint32_t At, int By);
  uint32_t usedUntil(uint32_t At) const;

  llvm::DenseMap<uint64_t, Line> Lines;
  std::vector<uint32_t> Tree;
  uint32_t Time = 0;
};

/// Measures the reuse of data by the traced warps of one thread block after the
/// other.
class ReuseTrace {
public:
  /// Numbers of the traced blocks and warps of the launch, and of the loads of
  /// the kernel: they limit what is kept of each.
  ReuseTrace(size_t Blocks, size_t Warps, size_t Loads);

  /// The requests of the warps of one block. Warps is parallel to Traces; their
  /// weights are set, and their reuses are written. [Shared, SharedEnd) is the
  /// block's shared memory.
  void add(llvm::ArrayRef<const WarpTrace *> Traces,
           llvm::MutableArrayRef<RunTrace::Warp> Warps, uint64_t Shared,
           uint64_t SharedEnd);
  /// Writes the reuse of each access.
  void finish(std::vector<RunTrace::Access> &Accesses) const;

private:
  /// RunTrace::Reuse while it is summed.
  struct Sum {
    struct {
      double Lines = 0, Sectors = 0;
    } Classes[33];          ///< [bits of the distance in lines]
    RunTrace::Reuse Result; ///< all but the classes

    void add(uint32_t Lines, double Weight);
    RunTrace::Reuse result() const;
  };
  struct AccessSum {
    Sum AmongLoads, AmongAll;
  };
  /// One sector of one request.
  struct Use {
    uint32_t Instruction, Request;
    double Weight;
    uint64_t Sector;
    bool IsLoad;
    /// In lines, among the loads and among all accesses.
    uint32_t AmongLoads = 0, AmongAll = 0;
    bool NewLineOfLoads = false, NewLine = false;
  };
  /// What some thread blocks have used.
  struct Touched {
    llvm::DenseSet<uint64_t> Sectors, Lines;
    void add(Sum &To, uint64_t Sector, bool IsNewLine);
  };

  /// Recorded: the requests of Uses, out of All.
  void addUses(llvm::ArrayRef<Use> Uses, uint32_t Recorded, double All);

  uint32_t MaxUses;
  size_t MaxReuses;
  llvm::DenseMap<uint32_t, AccessSum> Sums; ///< [instruction]
  Touched ByLoads, ByAll;
};

} // namespace gpuestimate

#endif
