/// \file
/// LruStackSimulator against one simulation of each cache.
#include "Evaluate/Cache/LruStackSimulator.h"
#include "gtest/gtest.h"
#include <list>
#include <random>

using namespace gpuestimate;

namespace {

/// A fully associative LRU cache, straight from the definition.
class LruCache {
public:
  explicit LruCache(double CapacityBytes) : CapacityBytes(CapacityBytes) {}
  /// Whether the use hits; appends the writers of dirty victims.
  bool use(const LruStackSimulator::Entry &Used,
           std::vector<unsigned> &EvictedWriters) {
    auto Position = Entries.end();
    if (Used.Number >= 0)
      for (Position = Entries.begin(); Position != Entries.end(); ++Position)
        if (Position->Number == Used.Number)
          break;
    bool Hit = Position != Entries.end();
    if (Hit) {
      Entries.splice(Entries.begin(), Entries, Position);
    } else {
      Entries.push_front(Used);
      HeldBytes += Used.Bytes;
    }
    if (Used.Dirty) {
      Entries.front().Dirty = true;
      Entries.front().Writer = Used.Writer;
    }
    while (HeldBytes > CapacityBytes && Entries.size() > 1) {
      HeldBytes -= Entries.back().Bytes;
      if (Entries.back().Dirty)
        EvictedWriters.push_back(Entries.back().Writer);
      Entries.pop_back();
    }
    return Hit;
  }

private:
  double CapacityBytes, HeldBytes = 0;
  std::list<LruStackSimulator::Entry> Entries; ///< most recent first
};

} // namespace

TEST(LruStackSimulator, AgreesWithEachCacheSimulatedAlone) {
  const double Capacities[] = {3, 10, 10.5, 40};
  LruStackSimulator Simulator(Capacities, 64);
  std::vector<LruCache> Caches(std::begin(Capacities), std::end(Capacities));
  std::minstd_rand Random(7);
  unsigned Hits = 0, Evictions = 0;
  for (unsigned Step = 0; Step < 20000; ++Step) {
    // The size depends on the entry; the largest one exceeds the smallest
    // cache.
    int Number = int(Random() % 65) - 1;
    double Bytes = Number < 0 ? 0.7 : 0.25 * (1 + Number % 14);
    LruStackSimulator::Entry Used{Number, Step, Bytes,
                                  Number >= 0 && Random() % 3 == 0};
    std::vector<std::vector<unsigned>> Evicted(4), Expected(4);
    unsigned Misses = Simulator.use(
        Used, [&](unsigned C, const LruStackSimulator::Entry &Victim) {
          Evicted[C].push_back(Victim.Writer);
        });
    for (unsigned C = 0; C < 4; ++C) {
      bool Hit = Caches[C].use(Used, Expected[C]);
      ASSERT_EQ(C >= Misses, Hit) << "step " << Step << " cache " << C;
      ASSERT_EQ(Evicted[C], Expected[C]) << "step " << Step << " cache " << C;
      Hits += Hit;
      Evictions += Evicted[C].size();
    }
  }
  EXPECT_GT(Hits, 1000u);
  EXPECT_GT(Evictions, 1000u);
}
