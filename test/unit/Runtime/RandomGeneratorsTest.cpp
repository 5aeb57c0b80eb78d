/// \file
/// Generators against published values, jumps against single steps.
#include "Runtime/RandomGenerators.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace gpuestimate;

namespace {

template <class Sequence> void jumpsAreSteps() {
  for (uint64_t Jump : {0, 1, 2, 5, 64, 1000, 4097}) {
    Sequence Stepping(12345678901234567), Jumping(12345678901234567);
    for (uint64_t I = 0; I < Jump; ++I)
      Stepping.next();
    Jumping.skip(Jump);
    for (unsigned I = 0; I < 8; ++I)
      EXPECT_EQ(Stepping.next(), Jumping.next()) << Jump;
  }
  // A sequence is 2^SequenceBits jumps long, in jumps of 2^60.
  Sequence Long(7), Whole(7);
  for (unsigned I = 0; I < 1u << (Sequence::SequenceBits - 60); ++I)
    Long.skip(uint64_t(1) << 60);
  Whole.skipSequence();
  for (unsigned I = 0; I < 8; ++I)
    EXPECT_EQ(Long.next(), Whole.next());
}

TEST(RandomGenerators, JumpsAreSteps) {
  jumpsAreSteps<Xorwow>();
  jumpsAreSteps<Mrg32k3a>();
}

/// L'Ecuyer, Simard, Chen, Kelton 2002: RngStreams starts with these numbers at
/// 12345, which is the start without a seed.
TEST(RandomGenerators, Mrg32k3aIsLecuyers) {
  Mrg32k3a S(0);
  for (double Expected :
       {0.127011122046577, 0.318527565397179, 0.309186015583298})
    EXPECT_NEAR(S.uniformDouble(), Expected, 1e-9);
}

/// Result n is number n / 4096 of sequence n % 4096, whatever the calls.
TEST(RandomGenerators, SequencesAreInterleaved) {
  auto G = makeXorwow();
  G->reset(42, 0);
  std::vector<uint32_t> All(3 * 4096), Parts(All.size()), Later(4096);
  G->bits(All.data(), All.size());
  Xorwow Own(42);
  EXPECT_EQ(All[0], Own.next());
  EXPECT_EQ(All[4096], Own.next());
  EXPECT_EQ(All[8192], Own.next());
  Xorwow Second(42);
  Second.skipSequence();
  EXPECT_EQ(All[1], Second.next());
  EXPECT_EQ(All[4097], Second.next());
  G->reset(42, 0);
  G->bits(Parts.data(), 5000);
  G->bits(Parts.data() + 5000, Parts.size() - 5000);
  EXPECT_EQ(All, Parts);
  G->reset(42, 4100);
  G->bits(Later.data(), Later.size());
  EXPECT_TRUE(std::equal(Later.begin(), Later.end(), All.begin() + 4100));
}

template <class Real> void momentsAreRight(RandomGenerator &G) {
  constexpr size_t Count = 1 << 18;
  std::vector<Real> Numbers(Count);
  auto Moments = [&] {
    double Sum = 0, Squares = 0;
    for (Real X : Numbers) {
      Sum += X;
      Squares += double(X) * X;
    }
    double Mean = Sum / Count;
    return std::pair(Mean, Squares / Count - Mean * Mean);
  };
  G.reset(3, 0);
  G.uniform(Numbers.data(), Count);
  for (Real X : Numbers)
    ASSERT_TRUE(X > 0 && X <= 1) << X;
  EXPECT_NEAR(Moments().first, 0.5, 0.003);
  EXPECT_NEAR(Moments().second, 1 / 12.0, 0.002);
  G.normal(Numbers.data(), Count, Real(2), Real(0.5));
  EXPECT_NEAR(Moments().first, 2, 0.005);
  EXPECT_NEAR(Moments().second, 0.25, 0.005);
}

TEST(RandomGenerators, DistributionsHaveTheirMoments) {
  auto Xorwow = makeXorwow(), Mrg = makeMrg32k3a(4096), Philox = makePhilox();
  for (RandomGenerator *G : {Xorwow.get(), Mrg.get(), Philox.get()}) {
    momentsAreRight<float>(*G);
    momentsAreRight<double>(*G);
  }
}

/// The published known answer of philox4x32-10 for a counter and a key of zeros
/// (Random123, kat_vectors).
TEST(RandomGenerators, PhiloxIsRandom123s) {
  Philox S(0);
  for (uint32_t Expected : {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u})
    EXPECT_EQ(S.next(), Expected);
}

/// Four results of a sequence, then four of the next.
TEST(RandomGenerators, PhiloxTakesFourOfASequence) {
  constexpr size_t Round = 4 * 65536;
  auto G = makePhilox();
  G->reset(42, 0);
  std::vector<uint32_t> All(Round + 8), Later(100);
  G->bits(All.data(), All.size());
  Philox First(42), Second(42);
  Second.skipSequence();
  for (unsigned I = 0; I < 4; ++I) {
    EXPECT_EQ(All[I], First.next());
    EXPECT_EQ(All[4 + I], Second.next());
  }
  EXPECT_EQ(All[Round], First.next());
  G->reset(42, 7);
  G->bits(Later.data(), Later.size());
  EXPECT_TRUE(std::equal(Later.begin(), Later.end(), All.begin() + 7));
}

/// A dimension's first 2^k points lie in the 2^k intervals of that length, one
/// in each, and calls go on where the last one ended.
TEST(RandomGenerators, SobolPointsAreEvenInEachDimension) {
  auto G = makeSobol32();
  G->reset(MaxSobolDimensions, 0);
  constexpr unsigned Points = 256;
  std::vector<uint32_t> All(Points * MaxSobolDimensions);
  G->bits(All.data(), All.size());
  for (unsigned D = 0; D < MaxSobolDimensions; ++D) {
    std::vector<bool> Has(Points);
    for (unsigned I = 0; I < Points; ++I)
      Has[All[D * Points + I] >> 24] = true;
    EXPECT_EQ(std::count(Has.begin(), Has.end(), true), Points) << D;
  }
  G->reset(2, 0);
  uint32_t Parts[4], Whole[2];
  G->bits(Parts, 4);
  G->bits(Parts, 4);
  G->reset(2, 3);
  G->bits(Whole, 2);
  EXPECT_EQ(Parts[1], Whole[0]);
}

TEST(RandomGenerators, SobolNormalsAreQuantiles) {
  auto G = makeSobol32();
  G->reset(1, 1);
  double Normal[3];
  G->normal(Normal, 3, 0.0, 1.0); // of 1/2, 3/4, 1/4 and half a unit of 2^-32
  EXPECT_NEAR(Normal[0], 0, 1e-9);
  EXPECT_NEAR(Normal[1], 0.6744897502, 1e-9);
  EXPECT_NEAR(Normal[2], -0.6744897502, 2e-9);
}

TEST(RandomGenerators, PoissonsQuantiles) {
  PoissonQuantiles Small(1);
  EXPECT_EQ(Small(0.36), 0u); // exp(-1) = 0.3679
  EXPECT_EQ(Small(0.37), 1u);
  EXPECT_EQ(Small(0.92), 3u); // 2.5 exp(-1) = 0.9197
  PoissonQuantiles Large(3000);
  EXPECT_NEAR(Large(0.5), 3000, 1);
  EXPECT_NEAR(Large(0.8413), 3000 + std::sqrt(3000), 2);
}

} // namespace
