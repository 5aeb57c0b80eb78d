/// \file
/// Generators against published values, jumps against single steps.
#include "Runtime/RandomGenerators.h"
#include "gtest/gtest.h"
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
  for (auto *Make : {makeXorwow, makeMrg32k3a}) {
    auto G = Make();
    momentsAreRight<float>(*G);
    momentsAreRight<double>(*G);
  }
}

} // namespace
