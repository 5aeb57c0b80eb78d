/// \file
/// Terms that are large or deep: what they cost, and where they end.
#include "helpers/SymbolicFixture.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/Binder.h"
#include "gpu-estimate/Symbolic/ParameterSet.h"
#include "gpu-estimate/Symbolic/TermDepth.h"
#include <cmath>

using namespace gpuestimate;

namespace {

class SymbolicSize : public test::SymbolicFixture {
protected:
  Expr share(unsigned I) {
    return ranged("p(" + std::to_string(I) + ")", 0, 1);
  }
  /// The conditions under which each branch of a chain is reached.
  std::vector<Expr> chain(unsigned Length) {
    std::vector<Expr> Reached{k(1)};
    for (unsigned I = 0; I < Length; ++I)
      Reached.push_back(Reached.back() * (1.0 - share(I)));
    return Reached;
  }
};

TEST_F(SymbolicSize, LongProductsHaveTheirValue) {
  Bindings Values;
  double Product = 1;
  std::vector<Expr> Reached = chain(500);
  for (unsigned I = 0; I < 500; ++I) {
    double Value = 1.0 / (I + 100);
    Values["p(" + std::to_string(I) + ")"] = Value;
    Product *= 1 - Value;
    auto Found = evaluate(Reached[I + 1], Values);
    ASSERT_TRUE(Found);
    ASSERT_NEAR(*Found, Product, 1e-12 * Product);
    Expr Bound = C.bind(-3.0 * Reached[I + 1], Values);
    ASSERT_TRUE(Bound.asConstant());
    ASSERT_NEAR(*Bound.asConstant(), -3 * Product, 1e-12);
  }
  EXPECT_EQ(chain(500).back(), Reached.back()); // still one term
  EXPECT_EQ((2.0 * Reached.back()) * 3.0, 6.0 * Reached.back());
  EXPECT_EQ(2.0 * Reached.back() - 2.0 * Reached.back(), k(0));
}

TEST_F(SymbolicSize, AChainOfConditionsIsLinear) {
  auto Work = [](unsigned Length) {
    WorkBudget Budget({});
    WorkScope Scope(Budget);
    ExprContext Own;
    Expr E = Own.constant(1);
    for (unsigned I = 0; I < Length; ++I)
      E = E * (1.0 - Own.parameter("p(" + std::to_string(I) + ")"));
    return static_cast<double>(Budget.spent());
  };
  EXPECT_GT(Work(200), 200);
  EXPECT_LE(Work(800), 2.5 * Work(400));
  EXPECT_LE(Work(1600), 2.5 * Work(800));
}

TEST_F(SymbolicSize, TermsThatAreTooDeepAreRefused) {
  Expr Deep = N;
  for (unsigned I = 0; I < 50'000; ++I)
    Deep = C.bitXor(Deep, p("m" + std::to_string(I % 7)) * double(I));
  EXPECT_TRUE(refusedDeepTerms(C));
  EXPECT_FALSE(evaluate(Deep, {{"n", 1}}).has_value());
  EXPECT_LE(Deep.str().size(), size_t(1) << 17); // can be walked
}

TEST_F(SymbolicSize, AsDeepAsTheyMayBeTheyCanBeWalked) {
  Expr E = N;
  for (unsigned I = 0; I < MaxTermDepth / 2; ++I)
    E = C.mod(E * M, p("d") + double(I));
  EXPECT_FALSE(refusedDeepTerms(C));
  EXPECT_EQ(E.parameters(), (std::vector<std::string>{"d", "m", "n"}));
  EXPECT_FALSE(E.str().empty());
  Bindings Values{{"n", 3}, {"m", 1}, {"d", 8}};
  EXPECT_EQ(evaluate(E, Values), 3);
  EXPECT_TRUE(C.bind(E, Values).isConstant(3));
  ExprContext Other;
  EXPECT_EQ(Other.import(E).str(), E.str());
  EXPECT_EQ(bound(E, {}).High, INFINITY);
}

TEST_F(SymbolicSize, ABinderSubstitutesTermsInMany) {
  Binder Replace(C, llvm::StringMap<Expr>{{"n", M + 1}, {"m", N}});
  EXPECT_EQ(Replace(N * M), (M + 1) * N);
  EXPECT_EQ(Replace(N + M), M + 1 + N);
  EXPECT_EQ(Replace(I), I);
}

TEST_F(SymbolicSize, NumbersOfBitsAreKnownByTheirUse) {
  Expr E = C.select(C.less(I, C.shiftLeft(k(3), N + 1)),
                    C.floorDiv(I, C.shiftLeft(k(1), 2 * M)),
                    C.shiftLeft(I, C.mod(p("w"), p("x"))));
  EXPECT_EQ(shiftAmountsOf({E, I}), (std::vector<std::string>{"m", "n"}));
  EXPECT_TRUE(shiftAmountsOf({I + N}).empty());
}

TEST_F(SymbolicSize, SharedPolynomialsAreReadOnce) {
  Expr E = I;
  for (unsigned Level = 0; Level < 60; ++Level) // 2^60 paths
    E = C.div(E + 1, N) + C.div(E + 2, M);
  auto P = C.polynomial(E, "i", 1);
  ASSERT_TRUE(P);
  EXPECT_EQ(P->size(), 2u);
}

} // namespace
