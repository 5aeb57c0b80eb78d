/// \file
/// The simulator itself, on accesses that can be followed by hand.
#include "../unit/helpers/TestKernel.h"
#include "LaunchSimulator.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

bool touch(SectoredCache &Cache, uint64_t Line) {
  if (Cache.find(Line))
    return true;
  SectoredCache::Line Evicted;
  bool HasEvicted;
  Cache.insert(Line, &Evicted, HasEvicted);
  return false;
}

TEST(SectoredCache, TheOldestLineLeaves) {
  SectoredCache Cache({4 * 128});
  for (uint64_t Line : {1, 2, 3, 4})
    EXPECT_FALSE(touch(Cache, Line));
  EXPECT_TRUE(touch(Cache, 1));
  EXPECT_FALSE(touch(Cache, 5)); // 2 leaves
  EXPECT_TRUE(touch(Cache, 1));
  EXPECT_FALSE(touch(Cache, 2));
}

TEST(SectoredCache, SetsOverflowOnTheirOwn) {
  SectoredCache Cache({8 * 128, 2}); // 4 sets of 2
  for (uint64_t Line : {0, 4, 8})
    EXPECT_FALSE(touch(Cache, Line)); // one set
  EXPECT_FALSE(touch(Cache, 0));
  EXPECT_FALSE(touch(Cache, 1));
  EXPECT_TRUE(touch(Cache, 8));
}

// As many lines as there are, at any distance of a power of two, have a set
// each, which the low bits give to one set only.
TEST(SectoredCache, RemaindersOfAPolynomialSpreadPowersOfTwo) {
  for (uint64_t Distance : {1, 2, 16, 128, 1024})
    for (bool Spread : {true, false}) {
      SectoredCache Cache(
          {128 * 128,
           1,
           {Spread ? SetHash::Remainder : SetHash::LowBits, 0x83}});
      unsigned Found = 0;
      for (unsigned Sweep = 0; Sweep < 2; ++Sweep)
        for (uint64_t Line = 0; Line < 128; ++Line)
          Found += touch(Cache, Line * Distance);
      EXPECT_EQ(Found, Spread || Distance == 1 ? 128u : 0u) << Distance;
    }
}

// A line of a swept array is found when at most as many others as there are
// ways but one have been drawn to its set: a binomial distribution (Smith, A
// comparative study of set associative memory mapping algorithms, 1978).
TEST(SectoredCache, DrawnSetsAreFilledBinomially) {
  constexpr uint64_t Lines = 250, Sets = 4, Ways = 64, Draws = 256;
  double Chance = std::pow(1 - 1.0 / Sets, Lines - 1), Expected = 0;
  for (uint64_t Others = 0; Others < Ways; ++Others) {
    Expected += Chance;
    Chance *= double(Lines - 1 - Others) / double(Others + 1) / (Sets - 1);
  }
  uint64_t Found = 0;
  for (uint64_t Draw = 0; Draw < Draws; ++Draw) {
    SectoredCache Cache({Sets * Ways * 128, Ways, {SetHash::Drawn, Draw}});
    for (uint64_t Line = 0; Line < Lines; ++Line)
      touch(Cache, Line);
    for (uint64_t Line = 0; Line < Lines; ++Line)
      Found += touch(Cache, Line);
  }
  EXPECT_NEAR(double(Found) / double(Lines * Draws), Expected, 0.03);
  EXPECT_LT(Expected, 0.7); // of 250 lines where there is room for 256
}

/// One block of one warp; the caches of testGpu.
SimulatedTraffic run(const TestKernel &K, const GpuModel &G,
                     unsigned Launches = 1, double L2 = 4096) {
  Launch L = launch({1, 1, 1}, {32, 1, 1});
  SimulatedMachine M{G, 1, {4096}, {L2}, 32, Launches};
  return simulate(K.Model, LaunchTrace(K.Model, L, {}, G), M);
}

TEST(LaunchSimulator, LoadsFillSectorsOfL1AndL2) {
  TestKernel K;
  unsigned B = K.block(-1);
  K.access(B, "a", K.tid() * 4);
  K.access(B, "a", K.tid() * 4);
  K.access(B, "a", K.tid() * 4 + 4); // 3 of the same sectors, one behind
  SimulatedTraffic T = run(K, testGpu());
  EXPECT_EQ(T.Accesses[0].Read, 4);
  EXPECT_EQ(T.Accesses[1].ToL2, 0);
  EXPECT_EQ(T.Accesses[2].Asked, 5);
  EXPECT_EQ(T.Accesses[2].Read, 1);
  T = run(K, testGpu(), 2);
  EXPECT_EQ(T.Accesses[0].ToL2, 4); // L1 forgets, L2 does not
  EXPECT_EQ(T.Accesses[0].Read, 0);
}

TEST(LaunchSimulator, StoresAllocateInL2Only) {
  TestKernel K;
  unsigned B = K.block(-1);
  K.access(B, "a", K.tid() * 4, AccessKind::Store);
  K.access(B, "a", K.tid() * 4);
  SimulatedTraffic T = run(K, testGpu());
  EXPECT_EQ(T.Accesses[0].Read, 0);
  EXPECT_EQ(T.Accesses[1].ToL2, 4);
  EXPECT_EQ(T.Accesses[1].Read, 0);
  EXPECT_EQ(T.Written, 0);
}

TEST(LaunchSimulator, PartsOfSectorsAreReadAtOnceOrWhenAsked) {
  TestKernel K;
  unsigned B = K.block(-1);
  K.access(B, "a", K.tid() * 8, AccessKind::Store); // half of 8 sectors
  K.access(B, "a", K.tid() * 8);                    // what was written
  K.access(B, "a", K.tid() * 8 + 4);                // the other half
  SimulatedTraffic T = run(K, testGpu());
  EXPECT_EQ(T.Accesses[0].Read, 0);
  EXPECT_EQ(T.Accesses[1].Read, 8); // L1 fills whole sectors
  GpuModel G = testGpu();
  G.PartialWriteRead = Bytes(32);
  T = run(K, G);
  EXPECT_EQ(T.Accesses[0].Read, 8);
  EXPECT_EQ(T.Accesses[1].Read, 0);
}

TEST(LaunchSimulator, DirtySectorsAreWrittenWhenTheyLeave) {
  TestKernel K;
  int Loop = K.loop(-1, K.number(8));
  K.access(K.block(Loop), "a", K.tid() * 4 + K.counter(Loop) * 128,
           AccessKind::Store);
  // Eight lines through four: four leave.
  EXPECT_EQ(run(K, testGpu(), 1, 512).Written, 16);
}

TEST(LaunchSimulator, PrivateArraysAreWrittenBackByL1) {
  TestKernel K;
  unsigned B = K.block(-1);
  for (AccessKind Kind : {AccessKind::Store, AccessKind::Load})
    K.access(B, "v", K.number(4), Kind, 4, MemorySpace::Local);
  for (MemoryAccess &A : K.Model.Accesses)
    A.BaseBytes = 16;
  SimulatedTraffic T = run(K, testGpu());
  EXPECT_EQ(T.Accesses[0].Asked, 4); // a word of all lanes is one line
  EXPECT_EQ(T.Accesses[0].ToL2 + T.Accesses[1].ToL2, 0);
}

} // namespace
