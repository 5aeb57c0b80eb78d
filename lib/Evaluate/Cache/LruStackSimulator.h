/// \file
/// LRU caches of several capacities, simulated in one pass.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_LRUSTACKSIMULATOR_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_LRUSTACKSIMULATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace gpuestimate {

/// Simulates fully associative LRU caches of several capacities in one pass
/// (Mattson et al. 1970). All share one recency list, and each cache holds its
/// most recent suffix that fits. Entries (blocks of memory of different sizes)
/// are evicted as a whole: in a partly evicted entry, every line that is
/// fetched again would evict the next line before its use.
class LruStackSimulator {
public:
  struct Entry {
    int Number = -1;     ///< of the block of memory; -1: never used again
    unsigned Writer = 0; ///< access that stored to it last
    double Bytes = 0;    ///< a block's size is constant
    bool Dirty = false;
  };
  /// Eight caches at most, in ascending order of capacity. Entries: one more
  /// than the largest number of an entry.
  LruStackSimulator(llvm::ArrayRef<double> CapacityBytes, unsigned Entries);
  unsigned caches() const { return unsigned(Caches.size()); }
  double smallestCapacity() const { return Caches.front().CapacityBytes; }

  /// Uses an entry, which becomes the most recent one of all caches. Returns
  /// the number of caches that miss: the first ones, since a larger cache holds
  /// whatever a smaller one does. Calls OnEvict(cache, entry), cache by cache,
  /// for the dirty entries that are evicted.
  template <typename Function>
  unsigned use(const Entry &Used, const Function &OnEvict);

private:
  struct Cache {
    double CapacityBytes = 0, HeldBytes = 0;
    unsigned Boundary = 0; ///< index of the least recent use that it may hold
  };
  struct PastUse {
    int Number;
    unsigned Writer;
    double Bytes;
    uint8_t DirtyMask; ///< bit c: dirty in cache c
    bool IsLast;       ///< of its entry
  };
  static constexpr unsigned Never = ~0U;
  /// Appends a use to the recency list; returns the number of misses.
  unsigned append(const Entry &Used);
  /// Removes uses that are the last of an entry in no cache.
  void compact();

  llvm::SmallVector<Cache, 6> Caches;
  std::vector<PastUse> Uses;     ///< most recent last
  std::vector<unsigned> LastUse; ///< [entry] index in Uses, or Never
  uint8_t AllCaches;             ///< mask
};

inline unsigned LruStackSimulator::append(const Entry &Used) {
  unsigned Previous = Used.Number >= 0 ? LastUse[Used.Number] : Never,
           Misses = unsigned(Caches.size());
  PastUse Use{Used.Number, Used.Writer, Used.Bytes, 0, true};
  if (Previous != Never) {
    PastUse &Old = Uses[Previous];
    Old.IsLast = false;
    while (Misses > 0 && Previous >= Caches[Misses - 1].Boundary)
      --Misses;
    Use.DirtyMask = uint8_t(Old.DirtyMask & AllCaches << Misses);
    if (Use.DirtyMask && !Used.Dirty)
      Use.Writer = Old.Writer;
  }
  if (Used.Dirty)
    Use.DirtyMask = AllCaches;
  if (Uses.size() == Uses.capacity())
    compact();
  if (Used.Number >= 0)
    LastUse[Used.Number] = unsigned(Uses.size());
  Uses.push_back(Use);
  return Misses;
}

template <typename Function>
unsigned LruStackSimulator::use(const Entry &Used, const Function &OnEvict) {
  const unsigned Misses = append(Used), Newest = unsigned(Uses.size()) - 1;
  const PastUse *List = Uses.data();
  for (unsigned Index = 0; Index < Misses; ++Index) {
    Cache &C = Caches[Index];
    double HeldBytes = C.HeldBytes + Used.Bytes;
    unsigned Boundary = C.Boundary;
    while (HeldBytes > C.CapacityBytes && Boundary < Newest) {
      const PastUse &Victim = List[Boundary++];
      if (!Victim.IsLast)
        continue;
      HeldBytes -= Victim.Bytes;
      if (Victim.DirtyMask >> Index & 1)
        OnEvict(Index, Entry{Victim.Number, Victim.Writer, Victim.Bytes, true});
    }
    C.HeldBytes = HeldBytes;
    C.Boundary = Boundary;
  }
  return Misses;
}

} // namespace gpuestimate

#endif
