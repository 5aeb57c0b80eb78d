/// \file
/// Compiled programs: unknown values, sharing, sums.
#include "helpers/SymbolicFixture.h"

#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include <cmath>

using namespace gpuestimate;

namespace {

using SymbolicCompiled = test::SymbolicFixture;

TEST_F(SymbolicCompiled, UnknownPropagatesExceptThroughZeroAndSelect) {
  Expr X = p("unbound");
  CompiledExprs P({X + N, X * N, C.select(N, X, k(4)), C.select(X, k(1), k(2)),
                   C.min({X, N}), C.less(X, N), C.div(k(3), N),
                   C.sum("i", N, C.floorDiv(X + I, k(2))), C.mod(N, N * M)},
                  {"n", "m"});
  std::vector<double> Out(9);
  P.evaluate({0, 5}, Out);
  for (unsigned K : {0u, 3u, 4u, 5u, 6u, 8u})
    EXPECT_TRUE(std::isnan(Out[K])) << "output " << K;
  EXPECT_EQ(Out[1], 0) << "0 * unknown";
  EXPECT_EQ(Out[2], 4) << "the arm that is taken is known";
  EXPECT_EQ(Out[7], 0) << "an empty sum asks nothing of its body";
  P.evaluate({2, 5}, Out);
  for (unsigned K : {0u, 1u, 2u, 3u, 4u, 5u, 7u})
    EXPECT_TRUE(std::isnan(Out[K])) << "output " << K;
  EXPECT_EQ(Out[6], 1.5);
  EXPECT_EQ(Out[8], 2);
}

TEST_F(SymbolicCompiled, OneProgramForWidthsAroundTheChunk) {
  CompiledExprs P({C.floorDiv(N + 7 * M, k(3)), M}, {"n", "m"});
  for (unsigned Width : {0u, 1u, 31u, 32u, 33u, 64u, 100u}) {
    std::vector<double> In(2 * Width), Out(2 * Width);
    for (unsigned L = 0; L < Width; ++L) {
      In[L] = L;
      In[Width + L] = 2.0 * L;
    }
    P.evaluateMany(In, Out, Width);
    for (unsigned L = 0; L < Width; ++L) {
      ASSERT_EQ(Out[L], 5 * L) << "width " << Width;
      ASSERT_EQ(Out[Width + L], 2 * L);
    }
  }
}

TEST_F(SymbolicCompiled, SumsWithADifferentCountPerLane) {
  Expr S = C.sum("i", N, C.mod(I * M, k(7)));
  Expr Nest = C.sum("j", M, S + C.mod(p("j"), k(2)));
  CompiledExprs P({S, Nest}, {"n", "m"});
  constexpr unsigned Width = 40;
  std::vector<double> In(2 * Width), Out(2 * Width);
  for (unsigned L = 0; L < Width; ++L) {
    In[L] = L * 3.0 - 5; // negative, zero, below and above MaxSumTerms
    In[Width + L] = L % 6;
  }
  P.evaluateMany(In, Out, Width);
  for (unsigned L = 0; L < Width; ++L) {
    Bindings Values;
    Values["n"] = In[L];
    Values["m"] = In[Width + L];
    EXPECT_EQ(Out[L], evaluate(S, Values)) << "n = " << In[L];
    EXPECT_EQ(Out[Width + L], evaluate(Nest, Values)) << "n = " << In[L];
  }
}

TEST_F(SymbolicCompiled, OrderOfInputsIsTheCallers) {
  CompiledExprs P({N - M}, {"m", "unused", "n"});
  double Out[1];
  P.evaluate({1, 2, 30}, Out);
  EXPECT_EQ(Out[0], 29);
}

} // namespace
