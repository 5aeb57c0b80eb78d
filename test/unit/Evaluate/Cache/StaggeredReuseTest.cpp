/// \file
/// Blocks that begin one by one and read what others read: the closed form
/// against a cache that blocks at places drawn at random go through.
#include "Evaluate/Cache/SectoredCache.h"
#include "gpu-estimate/Evaluate/Warp/Costs.h"
#include "helpers/TrafficKernels.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Block b reads panel b % n, Lines lines of 128 bytes, one in each iteration.
constexpr unsigned Slots = 64, Lines = 256;

TestKernel panels() {
  TestKernel K;
  int Loop = K.loop(-1, K.number(Lines));
  K.access(
      K.block(Loop), "a",
      (K.context().mod(K.bid(), K.parameter("n")) * Lines + K.counter(Loop)) *
              128 +
          K.tid() * 4);
  return K;
}

/// Share of the lines that are fetched once all blocks stand at places of their
/// own. Blocks are dealt in turn: where one has ended, the next one that reads
/// this panel begins when as many have begun as read others.
double simulated(unsigned Panels, double Capacity, unsigned Seed) {
  SectoredCache Cache({Capacity, 0, {}});
  std::mt19937 Draw(Seed);
  std::vector<unsigned> Places;
  for (unsigned I = 0; I < Slots; ++I)
    Places.push_back(Draw() % Lines);
  double Fetched = 0, Read = 0;
  for (unsigned Round = 0, Rounds = 8 * Lines; Round < Rounds; ++Round)
    for (unsigned I = 0; I < Slots; ++I) {
      uint64_t Line = uint64_t(I % Panels) * Lines + Places[I];
      bool Hit = Cache.find(Line) != nullptr;
      if (!Hit) {
        SectoredCache::Line Evicted;
        bool HasEvicted;
        Cache.insert(Line, &Evicted, HasEvicted);
      }
      if (Round >= Rounds / 2) {
        ++Read;
        Fetched += !Hit;
      }
      Places[I] = (Places[I] + 1) % Lines;
    }
  return Fetched / Read;
}

struct Case {
  unsigned Panels;
  double Capacity; ///< of the panels
};

class OneByOne : public testing::TestWithParam<Case> {};

TEST_P(OneByOne, FetchesAsACacheDoes) {
  auto [Panels, Share] = GetParam();
  double Capacity = Share * Panels * Lines * 128, Mean = 0;
  for (unsigned Seed = 0; Seed < 8; ++Seed)
    Mean += simulated(Panels, Capacity, Seed) / 8;

  TestKernel K = panels();
  GpuModel G = testGpu();
  G.SmCount = Slots;
  G.L1.Size = Bytes(1024); // holds nothing of them
  G.L2.Size = Bytes(Capacity);
  Launch L = launch({100 * Slots, 1, 1}, {32, 1, 1});
  Bindings Values{{"n", double(Panels)}};
  LaunchSample Sample = sampleLaunch(K.Model, G, L, Values);
  CacheCurves Ideal;
  Ideal.L2 = {1, 1};
  Traffic T = estimateTraffic(K.Model, G, L, Values, Sample, 1, Cold, Ideal);
  EXPECT_NEAR(T.DramReadBytes / T.L2ReadBytes, Mean, 0.06)
      << Panels << " panels, " << Share << " of them held";
}

std::vector<Case> cases() {
  std::vector<Case> Out;
  for (unsigned Panels : {5, 13, 30, 50})
    for (double Capacity : {0.1, 0.3, 0.5, 0.7, 0.9})
      Out.push_back({Panels, Capacity});
  return Out;
}

INSTANTIATE_TEST_SUITE_P(Traffic, OneByOne, testing::ValuesIn(cases()));

TEST(Traffic, AllWaitForWhatOneFetches) {
  TestKernel K;
  int Loop = K.loop(-1, K.parameter("m"));
  K.access(K.block(Loop), "a", K.counter(Loop) * 128 + K.tid() * 4);
  // One block on each multiprocessor: all read the same line at a time.
  Traffic T = estimate(K, testGpu(), launch({4, 1, 1}, {32, 1, 1}),
                       {{"m", 1000}}, Cold, 1);
  EXPECT_NEAR(T.Accesses[0].L2Hit, 0.75, 1e-6);
  EXPECT_NEAR(T.Accesses[0].L2MissWaitFraction, 1, 1e-6);
  // Where the fraction of hits is given, the others wait.
  EvaluateOptions Given = Cold;
  Given.L2Hit = 0.75;
  T = estimate(K, testGpu(), launch({4, 1, 1}, {32, 1, 1}), {{"m", 1000}},
               Given, 1);
  EXPECT_NEAR(T.Accesses[0].L2MissWaitFraction, 0.25, 1e-6);
  // Data of their own: those that miss.
  TestKernel Rows = rows();
  T = estimate(Rows, testGpu(), launch({4, 1, 1}, {32, 1, 1}), {{"m", 1000}},
               Cold, 1);
  EXPECT_NEAR(T.Accesses[0].L2MissWaitFraction, 1 - T.Accesses[0].L2Hit, 1e-6);
}

TEST(Traffic, WarpsWaitForWhatOneOfThemFetches) {
  Launch L = launch({4, 1, 1}, {256, 1, 1});
  TestKernel K;
  int Loop = K.loop(-1, K.parameter("m"));
  K.access(K.block(Loop), "a", K.counter(Loop) * 4);
  // Eight warps read the same word, of a sector of eight: one of 64 requests
  // fetches, and eight wait for it.
  Traffic T = estimate(K, testGpu(), L, {{"m", 1000}}, Cold, 1);
  EXPECT_NEAR(T.Accesses[0].L1Hit, 1 - 1.0 / 64, 1e-6);
  EXPECT_NEAR(T.Accesses[0].L1PendingHit, 7.0 / 64, 1e-6);
  // Data of their own: those that miss.
  TestKernel Own;
  Loop = Own.loop(-1, Own.parameter("m"));
  Own.access(Own.block(Loop), "a", Own.id() * 4000 + Own.counter(Loop) * 4);
  T = estimate(Own, testGpu(), L, {{"m", 1000}}, Cold, 1);
  EXPECT_NEAR(T.Accesses[0].L1PendingHit, 0, 1e-6);
  // Where the fraction of hits is given, the others wait.
  EvaluateOptions Given = Cold;
  Given.L1Hit = 0.75;
  T = estimate(K, testGpu(), L, {{"m", 1000}}, Given, 1);
  EXPECT_EQ(T.Accesses[0].L1PendingHit, 0);
}

TEST(Traffic, PartitionsKeepCopiesOfWhatBothSidesUse) {
  TestKernel K;
  int Sweeps = K.loop(-1, K.number(10));
  int Loop = K.loop(Sweeps, K.parameter("m"));
  K.access(K.block(Loop), "a", K.counter(Loop) * 128 + K.tid() * 4);
  GpuModel G = testGpu();
  auto fetched = [&](unsigned Partitions) {
    G.L2Partitions = Partitions;
    // 3 of 4 MB, ten times.
    return estimate(K, G, launch({4, 1, 1}, {32, 1, 1}), {{"m", 24576}}, Cold,
                    1)
        .DramReadBytes;
  };
  EXPECT_NEAR(fetched(1), 3 << 20, 1e4);
  EXPECT_GT(fetched(2), 0.9 * 10 * (3 << 20));
}

} // namespace
