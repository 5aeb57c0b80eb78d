/// \file
/// Single simplifications, and the conditions without which they would be
/// wrong.
#include "gpu-estimate/Symbolic/RealParameters.h"
#include "helpers/SymbolicFixture.h"

using namespace gpuestimate;

namespace {

using SymbolicRules = test::SymbolicFixture;

TEST_F(SymbolicRules, LikeTermsAndZero) {
  EXPECT_EQ(3 * N + 4 * N, 7 * N);
  EXPECT_TRUE((N - N).isConstant(0));
  EXPECT_TRUE((0 * C.div(N, M)).isConstant(0));
  EXPECT_EQ(N * (2 * M + 2), 2 * N * (M + 1));
  EXPECT_EQ(49 * N * (49 * M + 98), 2401 * N * (M + 2));
}

TEST_F(SymbolicRules, ProductsThatShareAFactorJoin) {
  EXPECT_EQ(N * (I + 1) - N * I, N);
  EXPECT_EQ((M + N) * (I + 4) - (M + N) * (I + 3), M + N);
  EXPECT_EQ(N * (I + 1) + N, N * (I + 2));
}

TEST_F(SymbolicRules, BlocksForElements) {
  Expr Blocks = C.ceilDiv(N, k(256));
  EXPECT_EQ(C.floorDiv(N + 255, k(256)), Blocks);
  EXPECT_EQ(C.floorDiv(N - 1, k(256)) + 1, Blocks);
  EXPECT_EQ(C.ceilDiv(N + 512, k(256)), Blocks + 2);
  EXPECT_EQ(C.floorDiv(N + NTidX - 1, NTidX), C.ceilDiv(N, NTidX));
  // Of a divisor that may be negative this would be wrong: (5 - 3 - 1)/-3
  // rounds down to -1, 5/-3 rounds up to -1, but (4 - 3 - 1)/-3 is 0, not -1.
  EXPECT_NE(C.floorDiv(N + M - 1, M), C.ceilDiv(N, M));
  // Nor is it true of reals: floor((0.5 + 255)/256) is 0, ceil(0.5/256) is 1.
  Expr Real = p("lat.global");
  EXPECT_NE(C.floorDiv(Real + 255, k(256)), C.ceilDiv(Real, k(256)));
}

TEST_F(SymbolicRules, NestedDivisions) {
  EXPECT_EQ(C.floorDiv(C.floorDiv(N, k(4)), k(8)), C.floorDiv(N, k(32)));
  EXPECT_EQ(C.ceilDiv(C.ceilDiv(N, k(16)), k(16)), C.ceilDiv(N, k(256)));
  EXPECT_EQ(C.floorDiv(C.floorDiv(N, M), k(8)).str(),
            "floor(floor(n/m)/8)"); // m may be negative
}

TEST_F(SymbolicRules, RulesForIntegersLeaveRealsAlone) {
  Expr Real = p("lat.global");
  Bindings Values;
  Values["lat.global"] = 0.5;
  // floor((ceil(0.5/4) + 7)/8) is 1; as floor((x + 31)/32) it would be 0.
  Expr Nested = C.floorDiv(C.ceilDiv(Real, k(4)) + 7, k(8));
  EXPECT_EQ(evaluate(Nested, Values), 1) << Nested.str();
  // Bit operations are of the floor: 0.5 & 31 is 0, 0.5 mod 32 is 0.5.
  EXPECT_EQ(evaluate(C.bitAnd(Real, k(31)), Values), 0);
  EXPECT_EQ(evaluate(C.bitAnd(Real, Real), Values), 0);
  EXPECT_EQ(evaluate(C.bitOr(Real, k(0)), Values), 0);
  EXPECT_EQ(evaluate(C.bitXor(Real, k(-1)), Values), -1);
  EXPECT_TRUE(p("n").isInteger());
  EXPECT_FALSE(Real.isInteger());
  EXPECT_FALSE(p("p(guard)").isInteger());
}

TEST_F(SymbolicRules, AParameterIsRealWhereItsContextSaysSo) {
  assumeReal(C, "scale");
  Expr Real = p("scale");
  EXPECT_FALSE(Real.isInteger());
  Expr Index = C.floorDiv(N * Real, k(1));
  EXPECT_EQ(Index.str(), "floor(n*scale)");
  EXPECT_TRUE(Index.isInteger());
  Bindings Values;
  Values["n"] = 7;
  Values["scale"] = 0.4;
  EXPECT_EQ(evaluate(Index, Values), 2);
  // Another context knows it, too, and binding only one of them keeps it.
  ExprContext Other;
  EXPECT_EQ(Other.import(Index).str(), "floor(n*scale)");
  Bindings OnlyN;
  OnlyN["n"] = 7;
  EXPECT_EQ(evaluate(C.bind(Index, OnlyN), Values), 2);
}

TEST_F(SymbolicRules, ExpandingASharedTermEnds) {
  Expr E = N;
  for (unsigned Level = 0; Level < 40; ++Level) // degree 2^40 if spelt out
    E = (E + 1) * (E + M);
  EXPECT_TRUE(C.expand(E).dependsOn("n"));
}

TEST_F(SymbolicRules, WhatLiesBelowTheDivisorVanishes) {
  Expr TidY = ranged("tid.y", 0, 15), Row = 16 * p("ctaid.y") + TidY;
  EXPECT_EQ(C.floorDiv(Row, k(16)), p("ctaid.y"));
  EXPECT_EQ(C.mod(Row, k(16)), TidY);
  EXPECT_EQ(C.floorDiv(Row, k(32)), C.floorDiv(p("ctaid.y"), k(2)));
  EXPECT_EQ(C.mod(Row, k(32)), 16 * C.mod(p("ctaid.y"), k(2)) + TidY);
  // Without a range nothing is below anything.
  EXPECT_EQ(C.floorDiv(16 * M + N, k(16)).str(), "m + floor(n/16)");
}

TEST_F(SymbolicRules, RowAndColumnMakeTheIndexAgain) {
  EXPECT_EQ(C.mod(N, M) + M * C.floorDiv(N, M), N);
  Expr X = N + 3 * M + 31;
  EXPECT_EQ(32 * C.floorDiv(X, k(32)) + C.mod(X, k(32)), X);
  EXPECT_EQ(128 * C.floorDiv(N, k(32)) + 4 * C.mod(N, k(32)) + 1, 4 * N + 1);
}

TEST_F(SymbolicRules, Mod) {
  EXPECT_TRUE(C.mod(64 * N, k(32)).isConstant(0));
  EXPECT_EQ(C.mod(33 * N, k(32)), C.mod(N, k(32)));
  EXPECT_EQ(C.mod(C.mod(N, k(64)) + 1, k(32)), C.mod(N + 1, k(32)));
  EXPECT_EQ(C.mod(4 * N, k(32)), 4 * C.mod(N, k(8)));
  EXPECT_EQ(C.mod(N + M * I, M), C.mod(N, M));
}

TEST_F(SymbolicRules, MinMax) {
  EXPECT_EQ(C.min({N, N + 1, M, k(7), k(5), N}), C.min({M, N, k(5)}));
  EXPECT_EQ(C.max({TidX, k(0)}), TidX);
  EXPECT_TRUE(C.min({TidX, k(-1)}).isConstant(-1));
  EXPECT_EQ(C.min({N, C.max({N, M})}), N);
}

TEST_F(SymbolicRules, Conditions) {
  EXPECT_TRUE(C.less(N, N).isConstant(0));
  EXPECT_TRUE(C.lessEqual(N, N + 1).isConstant(1));
  EXPECT_TRUE(C.less(TidX, k(1024)).isConstant(1));
  EXPECT_EQ(C.less(N + M + 1, M + 7), C.less(N, k(6)));
  EXPECT_EQ(1 - C.less(N, M), C.lessEqual(M, N));
  EXPECT_EQ(C.equal(C.less(N, M), k(0)), C.lessEqual(M, N));
  EXPECT_EQ(C.less(N, M) * C.less(N, M), C.less(N, M));
  EXPECT_EQ(C.select(C.less(N, M), k(1), k(0)), C.less(N, M));
  EXPECT_EQ(C.select(1 - C.less(N, M), N, M),
            C.select(C.lessEqual(M, N), N, M));
  EXPECT_EQ(C.select(N, M, M), M);
  EXPECT_EQ(C.select(k(2), N, M), N);
}

TEST_F(SymbolicRules, BitsAsArithmetic) {
  EXPECT_EQ(C.bitAnd(N, k(31)), C.mod(N, k(32)));
  EXPECT_EQ(C.bitAnd(N, k(-32)), 32 * C.floorDiv(N, k(32)));
  EXPECT_EQ(C.bitAnd(N, k(0xF0)), 16 * C.mod(C.floorDiv(N, k(16)), k(16)));
  EXPECT_EQ(C.bitOr(4 * N, k(3)), 4 * N + 3);
  EXPECT_EQ(C.bitXor(N, k(-1)), -1 - N);
  EXPECT_EQ(C.shiftLeft(N, k(3)), 8 * N);
  EXPECT_EQ(C.bitOr(6 * N, k(1)), 6 * N + 1);
  EXPECT_EQ(C.bitOr(N, k(1)).kind(), ExprKind::BitOr);
}

TEST_F(SymbolicRules, PolynomialInAParameter) {
  auto P = C.polynomial(N * (I + M) * (I + 1), "i", 3);
  ASSERT_TRUE(P.has_value());
  ASSERT_EQ(P->size(), 3u);
  EXPECT_EQ((*P)[0], M * N);
  EXPECT_EQ(C.expand((*P)[1]), C.expand(M * N + N));
  EXPECT_EQ((*P)[2], N);
  EXPECT_FALSE(C.polynomial(C.floorDiv(I, k(2)), "i", 3).has_value());
  EXPECT_FALSE(C.polynomial(I * I, "i", 1).has_value());
}

TEST_F(SymbolicRules, SubstitutionDoesNotCapture) {
  Expr S = C.sum("i", M, C.floorDiv(N + I, k(3)));
  llvm::StringMap<Expr> Map;
  Map["n"] = 10 * I; // the free i, not the one that the sum binds
  Expr Result = C.substitute(S, Map);
  EXPECT_TRUE(Result.dependsOn("i"));
  // floor(20/3) + floor(21/3) + floor(22/3) + floor(23/3) with i = 2
  Bindings Values;
  Values["i"] = 2;
  Values["m"] = 4;
  EXPECT_EQ(evaluate(Result, Values), 6 + 7 + 7 + 7);
  EXPECT_EQ(S.parameters(), (std::vector<std::string>{"m", "n"}));
  EXPECT_FALSE(S.dependsOn("i"));
}

TEST_F(SymbolicRules, UndefinedAndUnknown) {
  Bindings Values;
  Values["n"] = 0;
  EXPECT_EQ(evaluate(C.div(M, N), Values), std::nullopt);
  EXPECT_EQ(evaluate(M + 1, Values), std::nullopt);
  EXPECT_EQ(evaluate(N * M, Values), 0) << "0 * unknown";
  EXPECT_EQ(evaluate(C.select(N, M, k(4)), Values), 4) << "arm not taken";
  EXPECT_EQ(evaluate(C.select(M, N, k(4)), Values), std::nullopt);
  EXPECT_EQ(evaluate(C.max({N, M}), Values), std::nullopt);
  EXPECT_EQ(evaluate(C.less(N, M), Values), std::nullopt);
  EXPECT_EQ(C.div(k(1), k(0)).asConstant(), std::nullopt);
}

} // namespace
