/// \file
/// sectorCrossingPhases() against an enumeration of the lanes.
#include "Evaluate/Cache/AccessPattern.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;

namespace {

/// Lanes LaneStride bytes apart, each of which advances by Step per iteration.
AccessPattern rowPerLane(double LaneStride, double Step) {
  AccessPattern P;
  P.Role = CacheRole::CachedLoad;
  P.ThreadDims = {{LaneStride, 256}};
  P.EnclosingLoops = {0};
  P.LoopDims = {{{Step, 1000}}};
  return P;
}

/// Iterations, of those that a sector lasts, in which some lane of a warp
/// enters a sector.
double enumeratePhases(double LaneStride, double Step, double SectorBytes) {
  unsigned Count = 0, PerSector = SectorBytes / Step;
  for (unsigned J = 1; J <= PerSector; ++J) {
    bool Enters = false;
    for (unsigned Lane = 0; Lane < 32; ++Lane) {
      double Address = Lane * LaneStride + J * Step;
      Enters |= std::floor(Address / SectorBytes) !=
                std::floor((Address - Step) / SectorBytes);
    }
    Count += Enters;
  }
  return Count;
}

TEST(SectorCrossing, CountsIterationsInWhichALaneEntersASector) {
  for (double Step : {1.0, 2.0, 4.0, 8.0, 16.0})
    for (unsigned Elements = 32 / Step; Elements < 300; ++Elements) {
      double Stride = Elements * Step;
      EXPECT_EQ(sectorCrossingPhases(rowPerLane(Stride, Step)),
                enumeratePhases(Stride, Step, 32))
          << "stride " << Stride << ", step " << Step;
    }
}

TEST(SectorCrossing, IsZeroWhereLanesShareSectors) {
  EXPECT_EQ(sectorCrossingPhases(rowPerLane(4100, 4)), 8);
  EXPECT_EQ(sectorCrossingPhases(rowPerLane(4, 4)), 0)
      << "neighbours share sectors";
  EXPECT_EQ(sectorCrossingPhases(rowPerLane(4096, 32)), 0)
      << "every iteration enters one";
  AccessPattern Store = rowPerLane(4100, 4);
  Store.Role = CacheRole::Store;
  EXPECT_EQ(sectorCrossingPhases(Store), 0) << "nobody waits for a store";
  AccessPattern Indirect = rowPerLane(4100, 4);
  Indirect.IndirectSectors = 1000;
  EXPECT_EQ(sectorCrossingPhases(Indirect), 0);
}

TEST(SectorCrossing, L2FetchesNeighboursOfASweep) {
  AccessPattern Words = rowPerLane(4100, 4);
  EXPECT_EQ(neighbourFetchedFraction(Words, 32), 0) << "a sector alone";
  EXPECT_EQ(neighbourFetchedFraction(Words, 64), 0.5);
  EXPECT_EQ(neighbourFetchedFraction(Words, 128), 0.75);
  EXPECT_EQ(neighbourFetchedFraction(rowPerLane(4096, 32), 64), 0.5);
  EXPECT_EQ(neighbourFetchedFraction(rowPerLane(4096, 48), 64), 0.25);
  EXPECT_EQ(neighbourFetchedFraction(rowPerLane(4096, 64), 64), 0)
      << "every step is a fetch";
  EXPECT_EQ(neighbourFetchedFraction(rowPerLane(32, 4), 64), 0)
      << "a neighbouring lane fetches at the same time";
  AccessPattern Short = rowPerLane(4100, 4);
  Short.LoopDims[0][0].Extent = 8;
  EXPECT_EQ(neighbourFetchedFraction(Short, 64), 0) << "ends before";
}

} // namespace
