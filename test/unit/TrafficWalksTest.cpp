/// \file
/// Lanes that walk through sectors of their own, against an enumeration.
#include "Evaluate/Cache/TrafficPatterns.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;

namespace {

AccessPattern walk(double LaneStride, double Step) {
  AccessPattern P;
  P.Role = CacheRole::CachedLoad;
  P.Lanes = {{LaneStride, 256}};
  P.Chain = {0};
  P.Loops = {{{Step, 1000}}};
  return P;
}

/// Iterations of a sector's worth in which some lane of a warp enters a sector.
double entered(double LaneStride, double Step, double Sector) {
  unsigned Count = 0, PerSector = Sector / Step;
  for (unsigned J = 1; J <= PerSector; ++J) {
    bool Enters = false;
    for (unsigned Lane = 0; Lane < 32; ++Lane) {
      double At = Lane * LaneStride + J * Step;
      Enters |= std::floor(At / Sector) != std::floor((At - Step) / Sector);
    }
    Count += Enters;
  }
  return Count;
}

TEST(TrafficWalks, AreTheIterationsInWhichALaneEntersASector) {
  for (double Step : {1.0, 2.0, 4.0, 8.0, 16.0})
    for (unsigned Elements = 32 / Step; Elements < 300; ++Elements) {
      double Stride = Elements * Step;
      EXPECT_EQ(walks(walk(Stride, Step)), entered(Stride, Step, 32))
          << "stride " << Stride << ", step " << Step;
    }
}

TEST(TrafficWalks, NeedSectorsOfTheirOwn) {
  EXPECT_EQ(walks(walk(4100, 4)), 8);
  EXPECT_EQ(walks(walk(4, 4)), 0) << "neighbours share sectors";
  EXPECT_EQ(walks(walk(4096, 32)), 0) << "every iteration enters one";
  AccessPattern Stored = walk(4100, 4);
  Stored.Role = CacheRole::Store;
  EXPECT_EQ(walks(Stored), 0) << "nobody waits for it";
  AccessPattern Drawn = walk(4100, 4);
  Drawn.DrawnSectors = 1000;
  EXPECT_EQ(walks(Drawn), 0);
}

} // namespace
