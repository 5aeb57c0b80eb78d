/// \file
/// SectoredCache against equations 9 to 11 of CGPredict.
#include "Evaluate/Cache/SectoredCache.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace gpuestimate;

namespace {

bool use(SectoredCache &Cache, uint64_t Line) {
  if (Cache.find(Line))
    return true;
  SectoredCache::Line Evicted;
  bool HasEvicted;
  Cache.insert(Line, &Evicted, HasEvicted);
  return false;
}

/// (9): for each use of a line, the temporal conflict set is collected from the
/// trace of its set.
std::vector<bool> hitsByConflictSets(const std::vector<uint64_t> &Trace,
                                     uint64_t Sets, size_t Ways) {
  std::map<uint64_t, std::vector<uint64_t>> TraceOfSet;
  std::vector<bool> Hits;
  for (uint64_t Line : Trace) {
    std::vector<uint64_t> &Before = TraceOfSet[Line % Sets];
    std::set<uint64_t> Conflicts;
    bool Used = false;
    for (auto I = Before.rbegin(); I != Before.rend() && !Used; ++I) {
      Used = *I == Line;
      if (!Used)
        Conflicts.insert(*I);
    }
    Hits.push_back(Used && Conflicts.size() < Ways);
    Before.push_back(Line);
  }
  return Hits;
}

} // namespace

TEST(SectoredCache, HitsWhereTheConflictSetIsSmallerThanTheWays) {
  std::minstd_rand Random(11);
  for (unsigned Ways : {1u, 2u, 4u, 16u})
    for (unsigned Sets : {1u, 2u, 8u, 24u}) {
      SectoredCache Cache({double(Sets) * Ways * 128, Ways});
      std::vector<uint64_t> Trace;
      for (unsigned I = 0; I < 4000; ++I)
        Trace.push_back(Random() % 3 ? Random() % (2 * Sets * Ways)
                                     : Random() % (Sets * Ways / 2 + 1));
      std::vector<bool> Expected = hitsByConflictSets(Trace, Sets, Ways);
      unsigned Hits = 0;
      for (size_t I = 0; I < Trace.size(); ++I) {
        ASSERT_EQ(use(Cache, Trace[I]), Expected[I])
            << Sets << " sets of " << Ways << ", use " << I;
        Hits += Expected[I];
      }
      EXPECT_GT(Hits, 100u);
      EXPECT_LT(Hits, 3900u);
    }
}

TEST(SectoredCache, ExampleOfItsHeader) {
  SectoredCache Cache({2 * 128, 2}); // one set
  EXPECT_FALSE(use(Cache, 'a'));
  EXPECT_FALSE(use(Cache, 'b'));
  EXPECT_TRUE(use(Cache, 'a'));  // TCS = {b}
  EXPECT_FALSE(use(Cache, 'c')); // first use
  EXPECT_FALSE(use(Cache, 'b')); // TCS = {a, c}
}

TEST(SectoredCache, ShorterLinesMakeMoreSets) {
  SectoredCache Cache({512, 2, {}, 64}); // 4 sets
  for (uint64_t Line : {0, 4, 1, 5, 2, 6, 3, 7})
    EXPECT_FALSE(use(Cache, Line));
  for (uint64_t Line : {0, 4, 1, 5, 2, 6, 3, 7})
    EXPECT_TRUE(use(Cache, Line));
}
