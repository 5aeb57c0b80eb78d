/// \file
/// Sums: closed forms against adding up, and what is sampled.
#include "helpers/SymbolicFixture.h"

#include <cmath>
#include <random>

using namespace gpuestimate;

namespace {

using SymbolicSum = test::SymbolicFixture;

TEST_F(SymbolicSum, KnownClosedForms) {
  Expr T = NTidX; // a count that is never negative
  EXPECT_EQ(C.sum("i", T, k(3)).str(), "3*ntid.x");
  EXPECT_EQ(C.sum("i", T, I).str(), "ntid.x*(ntid.x - 1)/2");
  EXPECT_EQ(C.sum("i", T, I + 1).str(), "ntid.x*(ntid.x + 1)/2");
  EXPECT_EQ(C.sum("i", T, I * I).str(), "ntid.x*(ntid.x - 1)*(2*ntid.x - 1)/6");
  EXPECT_EQ(C.sum("i", N, k(3)).str(), "3*max(n, 0)");
  EXPECT_TRUE(C.sum("i", 0 * N - 2, I).isConstant(0));
}

TEST_F(SymbolicSum, CubicsEqualBruteForce) {
  std::mt19937 Engine(11);
  auto Draw = [&](int Low, int High) {
    return std::uniform_int_distribution<int>(Low, High)(Engine);
  };
  for (unsigned Case = 0; Case < 500; ++Case) {
    double A[4], Offset = Draw(-3, 3);
    Expr Body = k(0);
    for (unsigned D = 0; D < 4; ++D) {
      A[D] = Draw(-5, 5);
      Expr Term = A[D] * (D % 2 ? M : k(1));
      for (unsigned F = 0; F < D; ++F)
        Term = Term * (I + Offset);
      Body = Body + Term;
    }
    Expr S = C.sum("i", 2 * N - 3, Body);
    ASSERT_FALSE(S.dependsOn("i"));
    ASSERT_EQ(S.str().find("sum("), std::string::npos) << S.str();
    Bindings Values;
    double ValueM = Values["m"] = Draw(-4, 4);
    double ValueN = Values["n"] = Draw(-5, 300);
    double Wanted = 0;
    for (int X = 0; X < 2 * ValueN - 3; ++X)
      for (unsigned D = 0; D < 4; ++D)
        Wanted += A[D] * (D % 2 ? ValueM : 1) * std::pow(X + Offset, D);
    ASSERT_EQ(evaluate(S, Values), Wanted) << Body.str() << " => " << S.str();
  }
}

TEST_F(SymbolicSum, WhatIsNoPolynomialStaysAndTheRestMovesOut) {
  Expr S = C.sum("i", NTidX, N * C.floorDiv(I, k(2)) + M);
  EXPECT_EQ(S.str(), "m*ntid.x + n*sum(i < ntid.x: floor(i/2))");
  EXPECT_TRUE(C.sum("i", k(9), C.floorDiv(I, k(2))).isConstant(16));
}

TEST_F(SymbolicSum, ACountWithAFractionAddsItsShare) {
  Expr Count = p("lat.mean"); // a name for reals
  Bindings Values;
  Values["lat.mean"] = 2.5;
  // 0 + 1 + half of 2
  EXPECT_EQ(evaluate(C.sum("i", Count, I), Values), 2.0);
  EXPECT_EQ(evaluate(C.sum("i", Count, k(4)), Values), 10.0);
}

TEST_F(SymbolicSum, SamplesDoNotBeatWithPeriodsOfTheBody) {
  // Strata of 16 or 64 terms against periods that divide them: points at a
  // fixed offset would see a single residue and be wrong by up to a factor of
  // two. 64 independent points have a standard error of up to an eighth.
  for (double Count : {1024.0, 4096.0, 1000000.0})
    for (double Period : {2.0, 8.0, 16.0, 32.0}) {
      Bindings Values;
      Values["n"] = Count;
      Expr S = C.sum("i", N, C.mod(I, k(Period)));
      double Mean = *evaluate(S, Values) / Count;
      EXPECT_NEAR(Mean / ((Period - 1) / 2), 1.0, 0.2)
          << Count << " terms, period " << Period;
    }
}

TEST_F(SymbolicSum, Nested) {
  // Triangular: sum over i < n of sum over j < i of 1; i is not known to be
  // non-negative outside its own sum, so the inner count is clamped.
  Expr S = C.sum("i", N, C.sum("j", I, k(1)));
  Bindings Values;
  for (double Count : {0.0, 1.0, 7.0, 40.0}) {
    Values["n"] = Count;
    EXPECT_EQ(evaluate(S, Values), Count * (Count - 1) / 2) << S.str();
  }
  // The inner variable hides the outer one of the same name.
  Expr Hidden = C.sum("i", k(3), C.sum("i", k(5), C.mod(I, k(4))));
  EXPECT_TRUE(Hidden.isConstant(3 * (0 + 1 + 2 + 3 + 0))) << Hidden.str();
}

} // namespace
