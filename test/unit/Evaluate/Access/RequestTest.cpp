/// \file
/// Compares sectors, bank passes and other costs of one request with
/// enumeration.
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "Evaluate/Sampling/PartialWarpCost.h"
#include "gpu-estimate/Evaluate/Sampling/RequestCostModel.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "helpers/TestKernel.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace gpuestimate;

namespace {

/// Byte by byte.
unsigned granulesByHand(const std::vector<double> &Lanes, unsigned Bytes,
                        unsigned SectorBytes) {
  std::set<long> Seen;
  for (double A : Lanes)
    if (!std::isnan(A))
      for (unsigned B = 0; B < Bytes; ++B)
        Seen.insert((long(A) + B) / SectorBytes);
  return Seen.size();
}

/// Groups of lanes in turn; in a group, the largest number of distinct words
/// that one bank has to give.
unsigned passesByHand(const std::vector<double> &Lanes, unsigned Bytes,
                      unsigned Groups) {
  unsigned Total = 0, Size = Lanes.size() / Groups;
  for (unsigned G = 0; G < Groups; ++G) {
    std::map<long, std::set<long>> Words;
    for (unsigned L = G * Size; L < (G + 1) * Size; ++L)
      if (!std::isnan(Lanes[L]))
        for (unsigned B = 0; B < Bytes; ++B) {
          long Word = (long(Lanes[L]) + B) / 4;
          Words[Word % 32].insert(Word);
        }
    size_t Worst = 0;
    for (auto &[Bank, W] : Words)
      Worst = std::max(Worst, W.size());
    Total += Worst;
  }
  return Total;
}

/// Many shapes of request: strides, broadcast, permutations, random, holes.
std::vector<std::vector<double>> patterns(unsigned Lanes, unsigned Bytes) {
  std::vector<std::vector<double>> Out;
  std::mt19937 Random(7);
  for (int Stride = -9; Stride <= 70; ++Stride)
    for (int Start : {0, 1, 3, 16, 33}) {
      std::vector<double> P;
      for (unsigned L = 0; L < Lanes; ++L)
        P.push_back((4096 + Start + Stride * int(L)) * double(Bytes));
      Out.push_back(P);
      for (double &A : P) // some lanes idle
        if (Random() % 3 == 0)
          A = NAN;
      Out.push_back(P);
    }
  for (unsigned Range : {1u, 2u, 8u, 33u, 64u, 1000u, 100000u})
    for (int Repeat = 0; Repeat < 20; ++Repeat) {
      std::vector<double> P;
      for (unsigned L = 0; L < Lanes; ++L)
        P.push_back(double(Random() % Range) * Bytes);
      Out.push_back(P);
    }
  for (unsigned Xor : {1u, 2u, 4u, 8u, 16u}) {
    std::vector<double> P;
    for (unsigned L = 0; L < Lanes; ++L)
      P.push_back(double(L ^ Xor) * Bytes);
    Out.push_back(P);
  }
  return Out;
}

TEST(Request, SectorsEqualTheSetOfAccessedBytes) {
  for (unsigned Lanes : {32u, 64u})
    for (unsigned Bytes : {1u, 2u, 4u, 8u, 12u, 16u})
      for (const std::vector<double> &P : patterns(Lanes, Bytes))
        for (unsigned SectorBytes : {32u, 64u, 128u})
          ASSERT_EQ(sectorsPerRequest(P, Bytes, SectorBytes),
                    granulesByHand(P, Bytes, SectorBytes));
}

TEST(Request, BankPassesEqualTheWorstBankOfEachGroup) {
  for (unsigned Bytes : {1u, 2u, 4u, 8u, 16u})
    for (const std::vector<double> &P : patterns(32, Bytes))
      ASSERT_EQ(bankPasses(P, Bytes, 32, 4),
                passesByHand(P, Bytes, std::max(1u, Bytes / 4)));
  // 64 lanes on 32 banks take turns by halves.
  for (unsigned Bytes : {4u, 8u})
    for (const std::vector<double> &P : patterns(64, Bytes))
      ASSERT_EQ(bankPasses(P, Bytes, 32, 4), passesByHand(P, Bytes, Bytes / 2));
}

TEST(Request, WellKnownSharedPatterns) {
  auto strided = [](unsigned Stride) {
    std::vector<double> P;
    for (unsigned L = 0; L < 32; ++L)
      P.push_back(4.0 * Stride * L);
    return P;
  };
  EXPECT_EQ(bankPasses(strided(0), 4, 32, 4), 1u); // broadcast
  EXPECT_EQ(bankPasses(strided(1), 4, 32, 4), 1u);
  EXPECT_EQ(bankPasses(strided(2), 4, 32, 4), 2u);
  EXPECT_EQ(bankPasses(strided(32), 4, 32, 4),
            32u); // column of an unpadded tile
  EXPECT_EQ(bankPasses(strided(33), 4, 32, 4), 1u); // of a padded one
  EXPECT_EQ(bankPasses(strided(2), 8, 32, 4), 2u);  // 256 bytes, conflict-free
  EXPECT_EQ(bankPasses(strided(4), 16, 32, 4), 4u);
}

// The two conditions as NVIDIA staff state them for 7.0 to 7.5.
TEST(Request, PairsOfOneAddressHalveThePassesOfWideLoads) {
  auto passes = [](unsigned Bytes, auto Place, bool Merge = true) {
    std::vector<double> P;
    for (unsigned L = 0; L < 32; ++L)
      P.push_back(double(Bytes) * Place(L));
    return bankPasses(P, Bytes, 32, 4, 0, Merge);
  };
  auto One = [](unsigned) { return 0u; };
  auto Xor1 = [](unsigned L) { return L / 2; };
  auto Xor2 = [](unsigned L) { return (L / 4) * 2 + L % 2; };
  auto Xor4 = [](unsigned L) { return (L / 8) * 4 + L % 4; };
  EXPECT_EQ(passes(16, One), 2u);
  EXPECT_EQ(passes(16, One, false), 4u);
  EXPECT_EQ(passes(16, Xor1), 2u);
  EXPECT_EQ(passes(16, Xor2), 2u);
  EXPECT_EQ(passes(16, Xor4), 4u); // other pairs do not help
  EXPECT_EQ(passes(8, One), 1u);
  EXPECT_EQ(passes(8, Xor4), 2u);
  // Inactive lanes break no pair.
  std::vector<double> P(32, NAN);
  P[0] = 0;
  P[9] = 64;
  P[16] = P[17] = 256;
  EXPECT_EQ(bankPasses(P, 16, 32, 4, 0, true), 2u);

  MemoryAccess A;
  A.Space = MemorySpace::Shared;
  A.BytesPerThread = 16;
  GpuModel G;
  for (auto [Capability, Merges] : {std::pair{"2.0", false},
                                    {"3.5", false},
                                    {"5.2", true},
                                    {"7.5", true},
                                    {"", false}}) {
    G.ComputeCapability = Capability;
    EXPECT_EQ(mergesLanePairs(A, G), Merges) << Capability;
    EXPECT_EQ(wideAccessPassFactor(A, G) > 1, Capability == std::string("2.0"));
  }
  G.ComputeCapability = "7.5";
  A.Kind = AccessKind::Store;
  EXPECT_FALSE(mergesLanePairs(A, G));
}

// Kepler's mode of 4-byte banks: words i and i + 32 of an aligned segment of 64
// words come in one pass (CUDA C Programming Guide, compute capability 3.x).
TEST(Request, WordsOfOneSegmentDoNotConflict) {
  auto passes = [](unsigned Stride, double First = 0) {
    std::vector<double> P;
    for (unsigned L = 0; L < 32; ++L)
      P.push_back(First + 4.0 * Stride * L);
    return bankPasses(P, 4, 32, 4, 256);
  };
  EXPECT_EQ(passes(1), 1u);
  EXPECT_EQ(passes(1, 192), 1u); // across two segments, each bank once
  EXPECT_EQ(passes(2), 1u);      // a whole segment
  EXPECT_EQ(passes(2, 128), 2u); // the same stride over two segments
  EXPECT_EQ(passes(32), 16u);    // column of a tile: its rows in pairs
  EXPECT_EQ(passes(64), 32u);
  EXPECT_EQ(bankPasses({-128.0, -256.0, 0.0}, 4, 32, 4, 256), 2u);
}

TEST(Request, ExpectedSectorsMatchTheirDefinition) {
  std::mt19937 Random(3);
  std::uniform_real_distribution<double> Unit(0, 1);
  // All subsets of eight lanes, weighted by their probability.
  for (int Case = 0; Case < 40; ++Case) {
    std::vector<double> Address, P;
    for (int L = 0; L < 8; ++L) {
      Address.push_back(4.0 * (Random() % 40));
      P.push_back(Case % 4 == 0 ? double(Random() % 2) : Unit(Random));
    }
    double Expected = 0;
    for (unsigned Subset = 0; Subset < 256; ++Subset) {
      double Chance = 1;
      std::vector<double> Chosen;
      for (int L = 0; L < 8; ++L) {
        Chance *= Subset >> L & 1 ? P[L] : 1 - P[L];
        if (Subset >> L & 1)
          Chosen.push_back(Address[L]);
      }
      Expected += Chance * granulesByHand(Chosen, 4, 32);
    }
    EXPECT_NEAR(expectedSectorsPerRequest(Address, P, 4, 32), Expected, 1e-9);
  }
}

TEST(Request, Multiplicity) {
  EXPECT_EQ(maxLanesPerAddress({}), 0u);
  EXPECT_EQ(maxLanesPerAddress({8, NAN, 4, 8}), 2u);
  EXPECT_EQ(maxLanesPerAddress(std::vector<double>(32, 40)), 32u);
}

TEST(Request, PartialWarpCosts) {
  std::mt19937 Random(11);
  const GpuModel G = test::testGpu();
  for (unsigned Case = 0; Case < 1000; ++Case) {
    // Near each other, with equal places, or far apart.
    unsigned Places = 1u << (Random() % 14), Lanes = 1 + Random() % 32;
    MemoryAccess A;
    A.Space = MemorySpace::Global;
    A.BytesPerThread = 1u << Random() % 3;
    A.Kind = std::array{AccessKind::Load, AccessKind::Store,
                        AccessKind::Atomic}[Random() % 3];
    std::vector<double> Addresses;
    for (unsigned L = 0; L < Lanes; ++L)
      Addresses.push_back(A.BytesPerThread * double(Random() % Places) - 256);
    uint64_t On = Random() & (~uint64_t(0) >> (64 - Lanes));
    std::vector<double> Taking = Addresses;
    for (unsigned L = 0; L < Lanes; ++L)
      if (!(On >> L & 1))
        Taking[L] = NAN;
    PartialWarpCost Counts(A, Addresses, G);
    ASSERT_TRUE(Counts.isSupported());
    RequestCost Some = Counts(On),
                All = RequestCostModel(A, G).computeCost(Taking);
    EXPECT_EQ(Some.Wavefronts, All.Wavefronts) << Case;
    EXPECT_EQ(Some.FullSectors, All.FullSectors) << Case;
    EXPECT_EQ(Some.SameAddress, All.SameAddress) << Case;
    EXPECT_EQ(Some.Lines, All.Lines) << Case;
  }
  MemoryAccess A;
  A.Space = MemorySpace::Global;
  A.BytesPerThread = 4;
  EXPECT_TRUE(PartialWarpCost(A, {0, NAN, 4}, G).isSupported());
  EXPECT_FALSE(PartialWarpCost(A, {0, 6}, G).isSupported());
  EXPECT_FALSE(PartialWarpCost(A, {0, INFINITY}, G).isSupported());
  GpuModel Older = G;
  Older.ComputeCapability = "6.1";
  EXPECT_FALSE(PartialWarpCost(A, {0, 4}, Older).isSupported());
  A.BytesPerThread = 8;
  EXPECT_FALSE(PartialWarpCost(A, {0, 8}, G).isSupported());
}

// Requests in any order are hashed, ascending ones are not.
TEST(Request, OrderOfLanesDoesNotMatter) {
  std::mt19937 Random(5);
  for (unsigned Case = 0; Case < 1000; ++Case) {
    unsigned Places = 1u << (Random() % 14), Bytes = 1u << Random() % 4;
    std::vector<double> Addresses;
    for (unsigned L = 0; L < 32; ++L)
      Addresses.push_back(Bytes * double(Random() % Places) - 512);
    std::vector<double> Sorted = Addresses;
    std::sort(Sorted.begin(), Sorted.end());
    EXPECT_EQ(distinctSectorsAndLines(Addresses, Bytes, 32, 128),
              distinctSectorsAndLines(Sorted, Bytes, 32, 128));
    EXPECT_EQ(fullyCoveredSectors(Addresses, Bytes, 32),
              fullyCoveredSectors(Sorted, Bytes, 32));
    if (Bytes <= 4) {
      EXPECT_EQ(bankPasses(Addresses, Bytes, 32, 4),
                bankPasses(Sorted, Bytes, 32, 4));
    }
  }
}

namespace {
MemoryAccess globalAccess(AccessKind Kind, unsigned Bytes) {
  MemoryAccess A;
  A.Space = MemorySpace::Global;
  A.Kind = Kind;
  A.BytesPerThread = Bytes;
  return A;
}

void expectEqual(const RequestCost &A, const RequestCost &B) {
  EXPECT_EQ(A.Sectors, B.Sectors);
  EXPECT_EQ(A.FullSectors, B.FullSectors);
  EXPECT_EQ(A.Wavefronts, B.Wavefronts);
  EXPECT_EQ(A.SameAddress, B.SameAddress);
  EXPECT_EQ(A.Lines, B.Lines);
}
} // namespace

// Costs of other requests and accesses in the shared map change nothing.
TEST(Request, CachedCostsEqualComputedCosts) {
  std::mt19937 Random(12);
  const GpuModel G = test::testGpu();
  const MemoryAccess A = globalAccess(AccessKind::Store, 8);
  RequestCostMap Costs;
  RequestCostModel One(A, G), Other(A, G);
  One.shareCosts(Costs, 0);
  Other.shareCosts(Costs, 0);
  for (unsigned Case = 0; Case < 400; ++Case) {
    double Stride = 8.0 * double(Random() % 3), First = 8.0 * (Random() % 40);
    uint64_t On = Random() % 4 ? 0xffffffff : 1 + Random() % 0xffffffff;
    std::vector<double> Addresses(32), Taking(32, NAN);
    for (unsigned L = 0; L < 32; ++L)
      Addresses[L] = First + Stride * L;
    for (unsigned L = 0; L < 32; ++L)
      if (On >> L & 1)
        Taking[L] = Addresses[L];
    RequestCostModel &Counter = Random() % 2 ? One : Other;
    const RequestCost *Counts = Counter.cachedCost(Addresses, On);
    ASSERT_TRUE(Counts);
    expectEqual(*Counts, RequestCostModel(A, G).computeCost(Taking));
  }
  EXPECT_FALSE(One.cachedCost({0, NAN}, 3));
  EXPECT_FALSE(One.cachedCost({NAN, 0}, 3));
  EXPECT_TRUE(One.cachedCost({0, NAN}, 1));
}

// Where a pass takes two cycles, lanes that are served one by one still take
// one cycle each.
TEST(Request, NoRequestTakesLongerThanItsLanesOneByOne) {
  GpuModel G = test::testGpu();
  G.L1UnifiedWithShared = true;
  auto passes = [&](unsigned WordsOfABank, double BytesPerCycle) {
    G.SharedBandwidth = gpuestimate::BytesPerCycle(BytesPerCycle);
    std::vector<double> Lanes; // 32 lanes, each bank has as many words
    for (unsigned L = 0; L < 32; ++L)
      Lanes.push_back(L % (32 / WordsOfABank) * 4 +
                      L / (32 / WordsOfABank) * 4096);
    return RequestCostModel(globalAccess(AccessKind::Load, 4), G)
        .computeCost(Lanes)
        .Wavefronts;
  };
  for (unsigned Words : {1, 2, 4, 8, 16, 32})
    EXPECT_EQ(passes(Words, 128), std::max(Words, 1u));
  for (auto [Words, Cycles] :
       {std::pair(1, 2), {2, 4}, {4, 8}, {8, 16}, {16, 32}, {32, 32}})
    EXPECT_EQ(passes(Words, 64) * 2, Cycles) << Words;
  EXPECT_EQ(serialPasses(16, 8, G), 16); // two words a lane
  EXPECT_EQ(serialPasses(0, 4, G), 1);
}

TEST(Request, GlobalPassesByArchitecture) {
  auto strided = [](double Stride, unsigned Lanes = 32) {
    std::vector<double> P;
    for (unsigned L = 0; L < Lanes; ++L)
      P.push_back(Stride * L);
    return P;
  };
  GpuModel G = test::testGpu();
  EXPECT_EQ(globalPasses(strided(4), 4, G), 1);
  EXPECT_EQ(globalPasses(strided(8), 8, G), 2);
  EXPECT_EQ(globalPasses(strided(16), 16, G), 4);
  EXPECT_EQ(globalPasses(strided(132), 4, G),
            8); // 32 lines, four per pass, no bank twice
  EXPECT_EQ(globalPasses(std::vector<double>(32, NAN), 4, G), 0);
  G.ComputeCapability = "6.1";
  EXPECT_EQ(globalPasses(strided(4), 4, G), 1);   // four requests of one sector
  EXPECT_EQ(globalPasses(strided(128), 4, G), 8); // 32 sectors, a quarter each
  G.ComputeCapability = "3.5";
  EXPECT_EQ(globalPasses(strided(128), 4, G), 32);
  EXPECT_EQ(globalPasses(strided(8), 8, G), 2);
  // RDNA: gpu-strides on RX 6900 XT.
  G.ComputeCapability = "";
  for (auto [Stride, Passes] :
       {std::pair(1, 1), {2, 2}, {4, 4}, {5, 2}, {12, 4}, {17, 5}, {33, 8}})
    EXPECT_EQ(globalPasses(strided(4 * Stride), 4, G), Passes) << Stride;
  MemoryAccess Wide;
  Wide.BytesPerThread = 8;
  EXPECT_EQ(minWideLoadPasses(Wide, strided(8), G), 4);
  EXPECT_EQ(minWideLoadPasses(Wide, strided(8, 16), G), 2);
  Wide.Kind = AccessKind::Store;
  EXPECT_EQ(minWideLoadPasses(Wide, strided(8), G), 0);
  G.WarpSize = 64;
  G.L1.Line = G.L1.Sector = Bytes(64);
  EXPECT_EQ(globalPasses(strided(4, 64), 4, G), 4);
  EXPECT_EQ(globalPasses(strided(64, 64), 4, G), 64);
  EXPECT_EQ(globalPasses(strided(0, 64), 4, G), 4);
}

TEST(Request, LocalWordsOfOneIndexAreContiguous) {
  std::vector<double> Word5, Byte;
  for (unsigned L = 0; L < 32; ++L)
    Word5.push_back(interleavedLocalAddress(20, L, 32));
  EXPECT_EQ(sectorsPerRequest(Word5, 4, 32), 4u);
  EXPECT_EQ(Word5[0], 5 * 128);
  EXPECT_EQ(interleavedLocalAddress(22, 3, 32), 5 * 128 + 3 * 4 + 2);
}

} // namespace
