/// \file
/// How terms read. Each expected text is what a person would write.
#include "helpers/SymbolicFixture.h"

#include <limits>

using namespace gpuestimate;

namespace {

using SymbolicPrint = test::SymbolicFixture;

TEST_F(SymbolicPrint, Numbers) {
  EXPECT_EQ(k(3).str(), "3");
  EXPECT_EQ(k(-3).str(), "-3");
  EXPECT_EQ(k(0.1).str(), "0.1");
  EXPECT_EQ(k(-0.0).str(), "0");
  EXPECT_EQ(k(1e15).str(), "1000000000000000");
  EXPECT_EQ(k(1e300).str(), "1e+300");
  EXPECT_EQ(k(std::numeric_limits<double>::quiet_NaN()).str(), "unknown");
}

TEST_F(SymbolicPrint, SumsByDegreeThenNameConstantsLast) {
  EXPECT_EQ((3 + N + M * N + 2 * M).str(), "m*n + 2*m + n + 3");
  EXPECT_EQ((N - 2 * M).str(), "n - 2*m");
  EXPECT_EQ((1 - p("p(branch@f.cu:3)")).str(), "1 - p(branch@f.cu:3)");
  EXPECT_EQ((k(-1) - N).str(), "-n - 1");
  EXPECT_EQ((p("x10") + p("x9")).str(), "x9 + x10");
}

TEST_F(SymbolicPrint, ProductsWithPowersAndHalves) {
  EXPECT_EQ((N * N * M).str(), "m*n^2");
  EXPECT_EQ(((N + 1) * (N + 1)).str(), "(n + 1)^2");
  EXPECT_EQ((0.5 * N * (N - 1)).str(), "n*(n - 1)/2");
  EXPECT_EQ((-0.25 * N).str(), "-n/4");
  EXPECT_EQ((M * (N + 1) * 4).str(), "4*m*(n + 1)");
  EXPECT_EQ((N * C.mod(M, k(8))).str(), "n*(m mod 8)");
}

TEST_F(SymbolicPrint, Quotients) {
  EXPECT_EQ(C.div(N, M).str(), "n/m");
  EXPECT_EQ(C.div(N, 2 * M).str(), "n/(2*m)");
  EXPECT_EQ(C.div(N + 1, k(3)).str(), "(n + 1)/3");
  EXPECT_EQ((2 * C.div(N, M)).str(), "2*(n/m)");
  EXPECT_EQ(C.floorDiv(N, k(2)).str(), "floor(n/2)");
  EXPECT_EQ(C.ceilDiv(N, k(256)).str(), "ceil(n/256)");
  EXPECT_EQ(C.floorDiv(3 * N, M).str(), "floor(3*n/m)");
  EXPECT_EQ(C.floorDiv(0.5 * N, M).str(), "floor((n/2)/m)");
  EXPECT_EQ(C.floorDiv(p("lat.l1"), k(1)).str(), "floor(lat.l1)");
  EXPECT_EQ((C.mod(N, k(32)) + 1).str(), "n mod 32 + 1");
  EXPECT_EQ(C.mod(N + 1, k(32)).str(), "(n + 1) mod 32");
}

TEST_F(SymbolicPrint, ConditionsBitsAndSums) {
  Expr Guard = C.less(p("ctaid.x") * NTidX + TidX, N);
  EXPECT_EQ(Guard.str(), "ctaid.x*ntid.x + tid.x < n");
  EXPECT_EQ(C.select(Guard, k(5), k(3)).str(),
            "(ctaid.x*ntid.x + tid.x < n ? 5 : 3)");
  EXPECT_EQ((7 * C.lessEqual(N, M)).str(), "7*(n <= m)");
  EXPECT_EQ(C.equal(N, k(0)).str(), "n == 0");
  EXPECT_EQ(C.bitXor(N, C.bitAnd(M, I)).str(), "n xor (i & m)");
  EXPECT_EQ(C.shiftLeft(N + 1, M).str(), "(n + 1) << m");
  EXPECT_EQ(C.floorLog2(N).str(), "floor(log2(n))");
  EXPECT_EQ(C.floorDiv(C.squareRoot(N), k(1)).str(), "floor(sqrt(n))");
  EXPECT_EQ(C.sum("i", N, C.floorDiv(I, k(2))).str(), "sum(i < n: floor(i/2))");
  EXPECT_EQ(C.max({M, N, k(4)}).str(), "max(m, n, 4)");
}

TEST_F(SymbolicPrint, AHugeSharedTermIsCutOff) {
  Expr E = N;
  for (unsigned Level = 0; Level < 60; ++Level) // 2^60 leaves if spelt out
    E = C.div(E + 1, E + M);
  EXPECT_LT(E.str().size(), size_t(1) << 20);
  EXPECT_NE(E.str().find("... (cut off at "), std::string::npos);
}

} // namespace
