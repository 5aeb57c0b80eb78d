/// \file
/// Misses of traced requests, against exact counts of small launches.
#include "Evaluate/Cache/TracedReuse.h"
#include "Evaluate/Cache/CacheView.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

/// A cache of so many bytes that is exactly LRU.
CacheView cacheOf(double Bytes, double Resident, double Blocks) {
  CacheView V;
  V.AllHitBytes = V.NoHitBytes = Bytes;
  V.ResidentBlocks = Resident;
  V.BlocksPerCache = V.LaunchBlocks = Blocks;
  return V;
}

/// Blocks of one warp, of which 16 of 1000 were traced.
ExecutedLaunch launchOf(const SectorReuse &Uses) {
  ExecutedLaunch L;
  L.TracedBlocks = L.TracedWarps = 16;
  L.RepresentedWarps = 1000;
  L.ReuseOfBuffers["a"] = {Uses, Uses};
  return L;
}

/// The reuse of the one buffer of L, which has so many bytes.
TracedReuse traced(const ExecutedLaunch &L, double Bytes = INFINITY) {
  const ExecutedReuse &Uses = L.ReuseOfBuffers.at("a");
  return TracedReuse(Uses, Bytes, TracedBuffer{Uses, Bytes}, L,
                     /*WarpsPerBlock=*/1);
}

TEST(RandomDraws, FindsThePopulation) {
  RandomDraws Truth{100, 1000};
  double Union = Truth.distinct(16);
  EXPECT_NEAR(Union, 1000 * (1 - std::pow(0.9, 16)), 1e-9);
  RandomDraws Found = RandomDraws::fit(100, 16, 1600, Union);
  EXPECT_NEAR(Found.Population, 1000, 1e-3);
  EXPECT_NEAR((LinesOfBuffers{{Found}}.units(Union)), 16, 1e-6);
  EXPECT_EQ(RandomDraws::fit(100, 16, 1600, 100).Population, 100);
  EXPECT_TRUE(std::isinf(RandomDraws::fit(100, 16, 1600, 1600).Population));
}

TEST(TracedReuse, StreamsOfLanesThatSweepSectors) {
  // Each warp reads 32 lines of its own, sector by sector, 4 bytes at a time:
  // 4 first uses and 28 uses at a distance of 31 lines for each line.
  SectorReuse Uses;
  Uses.Classes = {{31 * 128, 1000 * 32 * 28}};
  Uses.FirstUses = 1000 * 32 * 4;
  Uses.Footprint = Uses.Union = 16 * 32 * 4;
  Uses.FootprintLines = Uses.UnionLines = 16 * 32;
  ExecutedLaunch L = launchOf(Uses);
  TracedReuse Reuse = traced(L);
  // 10 warps keep 10 * 31 lines between two uses.
  EXPECT_DOUBLE_EQ(Reuse.missFraction(cacheOf(310 * 128, 10, 1000)), 1.0 / 8);
  EXPECT_DOUBLE_EQ(Reuse.missFraction(cacheOf(309 * 128, 10, 1000)), 1);
  EXPECT_NEAR(Reuse.footprintBytes(cacheOf(1, 1, 1), 1000, 32), 1000 * 32 * 128,
              1e-3);
}

TEST(TracedReuse, ATableThatAllBlocksRead) {
  // Each warp reads the same 512 lines once.
  SectorReuse Uses;
  Uses.FirstUses = 1000.0 * 2048;
  Uses.Footprint = 16 * 2048;
  Uses.Union = 2048;
  Uses.FootprintLines = 16 * 512;
  Uses.UnionLines = 512;
  ExecutedLaunch L = launchOf(Uses);
  TracedReuse Reuse = traced(L);
  EXPECT_NEAR(Reuse.missFraction(cacheOf(512 * 128, 10, 100)), 1.0 / 100, 1e-9);
  EXPECT_NEAR(Reuse.footprintBytes(cacheOf(1, 1, 1), 1000, 32), 2048 * 32,
              1e-6);
}

TEST(TracedReuse, BlocksFarApartShareTheirBufferAllTheSame) {
  // Each of 1000 warps reads 2048 sectors at random of a buffer of 65,536. The
  // traced ones happen to share none.
  SectorReuse Uses;
  Uses.FirstUses = 1000.0 * 2048;
  Uses.Footprint = Uses.Union = 16 * 2048;
  Uses.FootprintLines = Uses.UnionLines = 16 * 512;
  ExecutedLaunch L = launchOf(Uses);
  constexpr double Bytes = 65536 * 32;
  // Without its size each warp is taken to have data of its own.
  EXPECT_DOUBLE_EQ(traced(L).missFraction(cacheOf(2 * Bytes, 1, 1000)), 1);
  // A cache that holds the buffer reads it once.
  EXPECT_NEAR(traced(L, Bytes).missFraction(cacheOf(2 * Bytes, 1, 1000)),
              65536 / (1000 * 2048.0), 1e-6);
  EXPECT_NEAR(traced(L, Bytes).footprintBytes(cacheOf(1, 1, 1), 1000, 32),
              Bytes, 1);
  // One that holds a tenth of it has few of the next warp's sectors.
  EXPECT_GT(traced(L, Bytes).missFraction(cacheOf(Bytes / 10, 1, 1000)), 0.85);
}

TEST(TracedReuse, AStreamBesideABufferTakesLittleOfACache) {
  // The buffer above, and a buffer of which each warp writes one line.
  SectorReuse Uses, Stream;
  Uses.FirstUses = 1000.0 * 2048;
  Uses.Footprint = Uses.Union = 16 * 2048;
  Uses.FootprintLines = Uses.UnionLines = 16 * 512;
  Stream.FirstUses = 1000 * 4;
  Stream.Footprint = Stream.Union = 16 * 4;
  Stream.FootprintLines = Stream.UnionLines = 16;
  ExecutedLaunch L = launchOf(Uses);
  constexpr double Bytes = 65536 * 32;
  TracedReuse Reuse({Uses, Uses}, Bytes,
                    {{{Uses, Uses}, Bytes}, {{Stream, Stream}}}, L,
                    /*WarpsPerBlock=*/1);
  // 500 lines beyond the buffer: what 500 warps have written.
  EXPECT_NEAR(Reuse.missFraction(cacheOf(Bytes + 500 * 128, 1, 1000)),
              65536 / (1000 * 2048.0), 1e-4);
}

TEST(TracedReuse, SparseSectorsTakeWholeLines) {
  // One sector of each of 64 lines, used twice.
  SectorReuse Uses;
  Uses.Classes = {{63 * 128, 1000 * 64}};
  Uses.FirstUses = 1000 * 64;
  Uses.Footprint = Uses.Union = Uses.FootprintLines = Uses.UnionLines = 16 * 64;
  ExecutedLaunch L = launchOf(Uses);
  TracedReuse Reuse = traced(L);
  EXPECT_DOUBLE_EQ(Reuse.missFraction(cacheOf(63 * 128, 1, 1000)), 0.5);
  EXPECT_DOUBLE_EQ(Reuse.missFraction(cacheOf(62 * 128, 1, 1000)), 1);
  CacheView V = cacheOf(1, 1, 1);
  EXPECT_DOUBLE_EQ(Reuse.bytesPerUsedByte(V, 32), 1);
  EXPECT_DOUBLE_EQ(Reuse.bytesPerUsedByte(V, 64), 1.75);
}

} // namespace
