/// \file
/// Compares closed forms of footprints with enumerated sets of bytes.
#include "gpu-estimate/Evaluate/Access/Footprint.h"
#include "Evaluate/Access/QuasiAffineMap.h"
#include "gpu-estimate/Evaluate/Access/FootprintCache.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <set>

using namespace gpuestimate;

namespace {

/// Enumerates every byte of the set.
double byHand(const StridedAccess &Set, const std::vector<double> &Starts,
              unsigned Width, long SectorBytes) {
  std::vector<long> Members;
  for (double S : Starts)
    Members.push_back(long(S));
  for (const StridedDim &D : Set) {
    std::vector<long> Next;
    for (long M : Members)
      for (long I = 0; I < long(D.Extent); ++I)
        Next.push_back(M + I * long(D.Stride));
    Members.swap(Next);
  }
  std::set<long> SectorIndices;
  for (long M : Members)
    for (long B = 0; B < long(Width); ++B)
      SectorIndices.insert((M + B + (1L << 40)) / SectorBytes);
  return SectorIndices.size();
}

// The start of a run is known modulo the strides around it: the mean over all
// possible starts.
TEST(Footprint, RunAtAllAlignments) {
  for (double Start : {-40.0, 0.0, 3.0, 17.0, 2.5})
    for (double Width : {1.0, 4.0, 31.0, 70.0, 12.5})
      for (double Step : {1.0, 4.0, 8.0, 32.0}) {
        double Sum = 0, Places = 32 / Step;
        for (double P = 0; P < Places; ++P)
          Sum += std::floor((Start + P * Step + Width - 1) / 32) -
                 std::floor((Start + P * Step) / 32) + 1;
        EXPECT_EQ(footprintSectors({}, Start, Width, 32, {Step}),
                  std::min(Sum / Places, std::ceil(Width / 32) + 1))
            << Start << ' ' << Width << ' ' << Step;
      }
}

TEST(Footprint, ExactForNestedStrides) {
  std::mt19937 Random(5);
  for (int Case = 0; Case < 3000; ++Case) {
    unsigned Width = 1u << (Random() % 5);
    StridedAccess Set;
    double Stride = Width, Extent = 1, Covered = Width;
    for (unsigned D = 0, N = 1 + Random() % 4; D < N; ++D) {
      switch (Random() % 3) {
      case 0: // right behind the last direction, or within it
        Stride *= D ? 1 + Random() % unsigned(Extent) : 1;
        break;
      case 1:
        Stride *= Extent;
        break;
      case 2: // beyond everything
        Stride = std::ceil(Covered / 128) * 128 * (1 + Random() % 3);
        break;
      }
      Extent = 1 + Random() % 7;
      Set.push_back({Random() % 4 ? Stride : -Stride, Extent});
      Covered += Stride * (Extent - 1);
    }
    std::shuffle(Set.begin(), Set.end(), Random);
    double Start = 1 << 20;
    double Got = footprintSectors(Set, Start, Width, 32);
    double Want = byHand(Set, {Start}, Width, 32);
    // Runs whose places differ modulo a sector are averaged, not counted.
    EXPECT_NEAR(Got, Want, 0.1 * Want + 1) << Case;
  }
}

/// The interior of a grid: the gap between the ends of two rows is smaller than
/// a sector, so that all sectors are covered.
TEST(Footprint, NoSectorFitsBetweenRows) {
  for (double Gap : {4, 8, 28, 32, 100, 124})
    for (double Row : {60, 64, 248, 1000})
      for (long SectorBytes : {32, 128}) {
        if (Gap >= SectorBytes)
          continue;
        StridedAccess Set = {{4, Row / 4}, {Row + Gap, 20}};
        EXPECT_EQ(footprintSectors(Set, 260, 4, SectorBytes),
                  byHand(Set, {260}, 4, SectorBytes))
            << Row << " of " << Row + Gap << ", " << SectorBytes;
      }
}

TEST(Footprint, WellKnownSets) {
  auto sectors = [](StridedAccess Set, double Start = 0, double Width = 4) {
    return footprintSectors(Set, Start, Width, 32);
  };
  EXPECT_EQ(sectors({{4, 32}}), 4);
  EXPECT_EQ(sectors({{4, 32}}, 4), 5);
  EXPECT_EQ(sectors({{8, 32}}), 8);
  EXPECT_EQ(sectors({{32, 32}}), 32);
  EXPECT_EQ(sectors({{4096, 32}}), 32);
  EXPECT_EQ(sectors({{0, 32}}), 1);
  EXPECT_EQ(sectors({{4, 16}, {4096, 16}}), 2 * 16); // a tile
  EXPECT_EQ(sectors({{4, 16}, {64, 16}}), 32);       // rows that touch
  EXPECT_EQ(sectors({{4, 16}, {4096, 16}, {4, 900}}),
            16 * 115); // and a loop along them
  EXPECT_EQ(sectors({{4, 16}, {4096, 16}, {4, 1024}}),
            2050); // until the rows touch
  EXPECT_EQ(sectors({{4, 32}, {4096, 8}, {32768, 4}}),
            4 * 32); // rows of neighbouring blocks
  EXPECT_EQ(sectors({{4, 32}, {4096, 8}, {4096, 4}}),
            4 * 11); // overlapping rows
}

TEST(Footprint, NeverFarBelowForAnyStrides) {
  std::mt19937 Random(9);
  for (int Case = 0; Case < 3000; ++Case) {
    StridedAccess Set;
    for (unsigned D = 0, N = 1 + Random() % 3; D < N; ++D)
      Set.push_back({double(4 * (Random() % 300)), double(1 + Random() % 9)});
    double Got = footprintSectors(Set, 0, 4, 32),
           Want = byHand(Set, {0}, 4, 32);
    EXPECT_GE(Got, 0.6 * Want) << Case;
    double Members = 1;
    for (const StridedDim &D : Set)
      Members *= D.Extent;
    EXPECT_LE(Got, 2 * Members);
  }
}

TEST(Footprint, StencilNeighboursShare) {
  // A block of 32 x 8 of a 5-point stencil on rows of 4 KiB.
  StridedAccess Block = {{4, 32}, {4096, 8}};
  std::vector<double> Star = {8196, 8192, 8200, 4100, 12292};
  double Want = byHand(Block, Star, 4, 32);
  EXPECT_NEAR(footprintSectors(Block, Star, 4, 32), Want, 0.1 * Want);
  // One row alone: the rows above and below are apart.
  EXPECT_NEAR(footprintSectors({{4, 32}}, Star, 4, 32),
              byHand({{4, 32}}, Star, 4, 32), 1);
  // Fields of a structure.
  EXPECT_EQ(footprintSectors({{16, 32}}, {0., 4., 8., 12.}, 4, 32), 16);
  // Far halves of one array.
  EXPECT_EQ(footprintSectors({{4, 32}}, {0., 1 << 20}, 4, 32), 8);
}

TEST(Footprint, StarsHaveNoCorners) {
  // 16 x 8 x 4 points of 4 bytes and their neighbours in a cube whose rows are
  // 1056 bytes apart: 4 bytes before a row and 4 bytes behind it, a row above
  // and below, a plane before and behind.
  StridedAccess Block = {{4, 16}, {1056, 8}, {33792, 4}};
  std::vector<double> Star = {0, -4, 4, -1056, 1056, -33792, 33792}, Box;
  for (int Z : {-1, 0, 1})
    for (int Y : {-1, 0, 1})
      for (int X : {-1, 0, 1})
        Box.push_back(Z * 33792 + Y * 1056 + X * 4);
  auto distinct = [&](const std::vector<double> &Starts) {
    std::set<int64_t> Sectors;
    for (double S : Starts)
      for (int X = 0; X < 16; ++X)
        for (int Y = 0; Y < 8; ++Y)
          for (int Z = 0; Z < 4; ++Z)
            Sectors.insert(
                int64_t(0x100000 + S + X * 4 + Y * 1056 + Z * 33792) / 32);
    return double(Sectors.size());
  };
  for (const std::vector<double> &Starts : {Star, Box}) {
    std::vector<double> At;
    for (double S : Starts)
      At.push_back(0x100000 + S);
    EXPECT_EQ(footprintSectors(Block, At, 4, 32), distinct(Starts));
  }
  EXPECT_LT(distinct(Star), 0.8 * distinct(Box));
}

TEST(Footprint, CachedFootprintsDependOnAllArguments) {
  // Equal numbers, distributed over the arguments in different ways.
  std::vector<StridedAccess> Sets = {{}, {{4, 32}}, {{4, 32}, {100, 4}}};
  std::vector<std::vector<double>> Starts = {
      {0}, {0, 4}, {4, 0}, {4, 32, 100, 4}, {100, 4, 4, 32}};
  FootprintCache Counts;
  for (unsigned Round = 0; Round < 2; ++Round)
    for (const StridedAccess &Set : Sets)
      for (const std::vector<double> &At : Starts)
        for (double Width : {4.0, 8.0})
          for (std::vector<double> Elsewhere : {std::vector<double>(), {4}})
            EXPECT_EQ(Counts(Set, At, Width, 32, Elsewhere),
                      footprintSectors(Set, At, Width, 32, Elsewhere));
}

TEST(Footprint, SmoothInFractionalExtents) {
  double Before = 4;
  for (double N = 1; N < 40; N += 0.25) {
    double Sectors = footprintSectors({{4, 32}, {4096, N}}, 0, 4, 32);
    EXPECT_GE(Sectors, Before);
    EXPECT_LE(Sectors - Before, 1.0 + 1e-9);
    Before = Sectors;
  }
}

TEST(Delinearize, DigitsOfAnIndex) {
  auto row = [](uint64_t I) { return double(I / 16 * 4096 + I % 16 * 4); };
  StridedAccess Want = {{4, 16}, {4096, 16}};
  std::vector<double> All;
  for (uint64_t I = 0; I < 256; ++I)
    All.push_back(row(I));
  EXPECT_EQ(delinearize(All), Want);
  EXPECT_EQ(delinearize(row, 256), Want);
  auto Long = delinearize(row, 1000000000);
  ASSERT_TRUE(Long);
  EXPECT_EQ((*Long)[0], (StridedDim{4, 16}));
  EXPECT_EQ((*Long)[1], (StridedDim{4096, 62500000}));
  EXPECT_FALSE(delinearize([](uint64_t I) { return double(I * I); }, 1000));
  EXPECT_FALSE(
      delinearize([](uint64_t I) { return double(I % 37 * 11 % 37); }, 37));
  // Exclusive or with a power of two flips a digit.
  auto Flipped =
      delinearize([](uint64_t I) { return double((I ^ 4) * 4); }, 32);
  ASSERT_TRUE(Flipped);
  EXPECT_EQ(footprintSectors(*Flipped, 16, 4, 4), 32);
  EXPECT_EQ(delinearize([](uint64_t) { return 7.0; }, 1), StridedAccess{});
}

TEST(QuasiAffineMap, WindowsOfTerms) {
  QuasiAffineMap Rows = {{4, 16, 1}, {4096, 8, 16}};
  EXPECT_EQ(window(Rows, 1), StridedAccess{});
  EXPECT_EQ(window(Rows, 16), (StridedAccess{{4, 16}}));
  EXPECT_EQ(window(Rows, 32), (StridedAccess{{4, 16}, {4096, 2}}));
  // Windows of 24 begin at 0 or 8 of a row: two rows of 16 are touched.
  EXPECT_EQ(window(Rows, 24), (StridedAccess{{4, 16}, {4096, 2}}));
  // Of 10, anywhere by steps of 2: 6 of 8 windows stay in a row.
  EXPECT_EQ(window(Rows, 10), (StridedAccess{{4, 10}, {4096, 1.5}}));
}

TEST(QuasiAffineMap, MinAndMaxOverlapAreThoseOfTheWindows) {
  // Strips: what a block uses follows its row alone.
  for (int Unit : {5, 8, 18})
    for (int Count : {2, 4, 7, 8, 12, 24, 30}) {
      constexpr int Rows = 40;
      QuasiAffineMap Strips = {{1000, Rows, double(Unit)}};
      auto met = [&](WindowOverlap Which) {
        return averageOverWindows(
            Strips, Count,
            [](const StridedAccess &D) { return D.empty() ? 1 : D[0].Extent; },
            Which);
      };
      double Fewest = INFINITY, Largest = 0, Sum = 0, Windows = 0;
      // All places at which windows begin come as often as each other.
      for (int First = 0; First < Count * Unit; First += Count, ++Windows) {
        double Met = (First + Count - 1) / Unit - First / Unit + 1;
        Fewest = std::min(Fewest, Met);
        Largest = std::max(Largest, Met);
        Sum += Met;
      }
      EXPECT_EQ(met(WindowOverlap::Min), Fewest) << Count << " of " << Unit;
      EXPECT_EQ(met(WindowOverlap::Max), Largest) << Count << " of " << Unit;
      EXPECT_DOUBLE_EQ(met(WindowOverlap::Mean), Sum / Windows);
    }
}

TEST(QuasiAffineMap, WindowsAreNotBoxes) {
  // Blocks of 64 x 8 bytes and rows with a halo of one row on either side, in
  // rows of 8 blocks and planes of 6 rows.
  QuasiAffineMap Grid = {{64, 8, 1}, {8 * 512, 6, 8}, {64 * 512, 9, 48}};
  auto size = [](const StridedAccess &Blocks) {
    StridedAccess All = {{1, 64}, {512, 10}};
    All.append(Blocks);
    return footprintSectors(All, 0, 1, 32);
  };
  for (int Count : {1, 4, 8, 12, 20, 24, 48, 72, 96, 432}) {
    double Mean = 0, Windows = 0;
    for (int First = 0; First + Count <= 432; First += Count, ++Windows) {
      std::set<int> Sectors;
      for (int B = First; B < First + Count; ++B)
        for (int Y = 0; Y < 10; ++Y)
          for (int X = 0; X < 64; X += 32)
            Sectors.insert(
                (B % 8 * 64 + B / 8 % 6 * 4096 + B / 48 * 32768 + Y * 512 + X) /
                32);
      Mean += double(Sectors.size());
    }
    Mean /= Windows;
    EXPECT_NEAR(averageOverWindows(Grid, Count, size), Mean, 0.02 * Mean)
        << Count;
  }
  // A share of the positions only is reached.
  QuasiAffineMap Part = {{64, 8, 1, 0, 0.75}};
  EXPECT_EQ(averageOverWindows(Part, 8, size), size({{64, 6}}));
}

TEST(QuasiAffineMap, QuotientAndRemainder) {
  auto Found = fitQuasiAffineMap(
      [](uint64_t I) { return double(I % 5 * 64 + I / 5 * 8192); }, 1000);
  ASSERT_TRUE(Found);
  EXPECT_EQ(*Found, (QuasiAffineMap{{64, 5, 1}, {8192, 200, 5}}));
}

TEST(QuasiAffineMap, ResiduesIfTheModulusIsNoMultiple) {
  // 128 elements of 5000: 39 blocks go around once, all but 8 elements.
  auto Found = fitQuasiAffineMap(
      [](uint64_t I) { return double(I * 128 % 5000 * 4); }, 313);
  ASSERT_TRUE(Found);
  EXPECT_EQ(*Found, (QuasiAffineMap{{512, 313, 1, 20000}}));
  // Every sixth: after 13 of them 2 times around, all but 16 elements.
  QuasiAffineMap Sixth = everyNth(*Found, 6);
  EXPECT_EQ(Sixth.front().Modulus, 20000);
  StridedAccess All = window(Sixth, 52);
  EXPECT_EQ(All, (StridedAccess{{20000.0 / 13, 13}, {64, 4}}));
  auto Levels = windowBreakpoints(Sixth, 4, 52);
  EXPECT_EQ(std::vector<double>(Levels.begin(), Levels.end()),
            (std::vector<double>{6, 7, 13, 52}));
}

TEST(QuasiAffineMap, RoundRobinAssignment) {
  // 18 columns by 6: three columns, a row after every third.
  QuasiAffineMap Grid = {{64, 18, 1}, {4096, 18, 18}};
  EXPECT_EQ(everyNth(Grid, 6), (QuasiAffineMap{{384, 3, 1}, {4096, 18, 3}}));
  // 4 columns by 6: every other column, 3 rows every 2.
  QuasiAffineMap Few = everyNth({{64, 4, 1}, {4096, 12, 4}}, 6);
  ASSERT_EQ(Few.size(), 2u);
  EXPECT_EQ(window({Few[0]}, 8), (StridedAccess{{128, 2}}));
  EXPECT_EQ(Few[1], (BlockStrideTerm{6144, 8, 1}));
}

} // namespace
