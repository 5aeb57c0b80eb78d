/// \file
/// Footprints: distinct bytes that the reference groups of a kernel touch.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_FOOTPRINTMODEL_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_FOOTPRINTMODEL_H

#include "CacheView.h"
#include "ReferenceGroup.h"
#include "gpu-estimate/Evaluate/Access/FootprintCache.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <tuple>

namespace gpuestimate {

/// Arguments of FootprintModel::unionBytes(). The hash covers all bits, since
/// the low half of a small whole number's bits is zero.
struct FootprintKey {
  unsigned OffsetClass, FirstStart, Starts, Loops, Granule;
  WindowOverlap Rows;
  uint64_t BlockBits; ///< bits of the number of blocks
  bool operator==(const FootprintKey &) const = default;

  static FootprintKey getEmptyKey() { return {~0U, 0, 0, 0, 0, {}, 0}; }
  static FootprintKey getTombstoneKey() { return {~0U - 1, 0, 0, 0, 0, {}, 0}; }
  static unsigned getHashValue(const FootprintKey &K) {
    uint64_t Hash = K.BlockBits;
    for (uint64_t Part :
         {uint64_t(K.OffsetClass) << 32 | K.Loops << 8 | unsigned(K.Rows),
          uint64_t(K.FirstStart) << 32 | K.Starts << 16 | K.Granule})
      Hash = (Hash ^ Hash >> 32 ^ Part) * 0x9E3779B97F4A7C15;
    return unsigned(Hash >> 32);
  }
  static bool isEqual(const FootprintKey &A, const FootprintKey &B) {
    return A == B;
  }
};

/// Distinct bytes that a group touches in its innermost loops and in a number
/// of thread blocks of one cache, in whole granules (sectors or lines). Affine
/// addresses: the union of strided sets (Evaluate/Access/Footprint.h). Indirect
/// addresses: n random indices among D sectors touch D (1 - exp(-n / D)).
/// Two more bounds hold: the number of blocks times the footprint of one, and
/// the bytes that the requests ask for.
class FootprintModel {
public:
  /// Groups: those that allocate in this cache. Counts stays owned by the
  /// caller.
  FootprintModel(llvm::ArrayRef<const ReferenceGroup *> Groups,
                 const CacheView &View, FootprintCache &Counts);

  const CacheView &view() const { return View; }
  llvm::ArrayRef<const ReferenceGroup *> groups() const { return Groups; }
  const ReferenceGroup &group(unsigned Index) const { return *Groups[Index]; }
  unsigned size() const { return unsigned(Groups.size()); }
  /// One more than the largest CostClass.
  unsigned costClasses() const { return unsigned(MemberMemo.size()); }

  /// Bytes of one fill for a group.
  unsigned fillBytes(const ReferenceGroup &G) const {
    return G.isLoad() ? View.LoadFillBytes : View.SectorBytes;
  }
  /// Distinct bytes of a group in its innermost Loops loops, in fills.
  double bytes(unsigned Group, unsigned Loops, double Blocks) const;
  /// Distinct bytes of some members of a group (Starts is a part of G.Starts).
  double bytes(const ReferenceGroup &G, llvm::ArrayRef<double> Starts,
               unsigned Loops, double Blocks, unsigned Granule,
               WindowOverlap Rows = WindowOverlap::Mean) const;
  /// Distinct bytes of a group over the launch in one cache.
  double launchBytes(unsigned Group) const;
  /// Lines of one member in one iteration by the resident blocks, in bytes.
  double memberBytes(unsigned Group, unsigned Member) const;
  /// Sum over the caches and over windows of Blocks blocks of each: the
  /// distinct bytes of one execution of the innermost Loops loops. The last
  /// window of a cache is smaller.
  double bytesOfAllWindows(unsigned Group, unsigned Loops, double Blocks) const;
  /// Distinct bytes of Blocks consecutive values of the block map, from strides
  /// alone.
  double unionBytes(const ReferenceGroup &G, llvm::ArrayRef<double> Starts,
                    unsigned Loops, double Blocks, unsigned Granule,
                    WindowOverlap Rows) const;
  /// Indirect accesses: granules per index over the innermost Loops loops, as a
  /// fraction of what the members would touch if each had an index of its own
  /// in every iteration. PerBasicBlock: members in different basic blocks share
  /// nothing.
  double indirectSharing(const ReferenceGroup &G, unsigned Loops,
                         unsigned Granule, bool PerBasicBlock = false) const;

  /// Strides and extents of the innermost Loops loops and of Blocks blocks.
  StridedAccess directions(const AccessPattern &P, unsigned Loops,
                           double Blocks,
                           WindowOverlap Rows = WindowOverlap::Mean) const;
  /// Local arrays belong to a slot of the SM, whichever block occupies it.
  bool isRandomlyPlaced(const AccessPattern &P) const {
    return View.RandomCaches > 1 && P.Role != CacheRole::Private;
  }
  const QuasiAffineMap &blockMap(const AccessPattern &P) const {
    return View.RandomCaches > 1 && !isRandomlyPlaced(P) ? P.SmBlockMap
                                                         : P.*View.BlockMap;
  }

private:
  /// Distinct bytes by strides; the expected value under random placement.
  double stridedBytes(const ReferenceGroup &G, llvm::ArrayRef<double> Starts,
                      unsigned Loops, double Blocks, unsigned Granule,
                      WindowOverlap Rows = WindowOverlap::Mean) const;
  double indirectBytes(const ReferenceGroup &G, size_t Members, unsigned Loops,
                       double Blocks, unsigned Granule) const;
  /// Values of the block map among which Blocks blocks of this cache are.
  double mapValues(const AccessPattern &P, double Blocks) const {
    return isRandomlyPlaced(P) && Blocks > 1 ? Blocks * View.RandomCaches
                                             : Blocks;
  }

  std::vector<const ReferenceGroup *> Groups;
  CacheView View;
  FootprintCache &Counts;
  mutable llvm::DenseMap<FootprintKey, double, FootprintKey> UnionMemo;
  mutable llvm::DenseMap<unsigned, double> LaunchMemo; ///< [CostClass]
  /// [CostClass][offset in a line]; negative: not computed yet.
  mutable std::vector<std::vector<double>> MemberMemo;
  mutable std::map<std::tuple<const ReferenceGroup *, unsigned, unsigned, bool>,
                   double>
      IndirectMemo;
};

} // namespace gpuestimate

#endif
