/// \file
/// Expressions in split form have the values of the original expressions.
#include "Evaluate/Access/SplitValues.h"
#include "gpu-estimate/Evaluate/Sampling/RequestCostTables.h"
#include "helpers/TestKernel.h"
#include "gtest/gtest.h"
#include <cmath>
#include <tuple>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Evaluated by the reference for every lane of a launch of 3 x 2 blocks.
struct Split : testing::Test {
  static constexpr unsigned Lanes = 32, Warps = 3;
  const std::vector<std::string> Names = {
      "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x",
      "blockIdx.y",  "blockIdx.z",  "i",           "drawn"};

  Split() { Drawn.insert("drawn"); }
  Expr p(llvm::StringRef Name) { return C.parameter(Name); }
  Expr tx() { return p("threadIdx.x"); }
  Expr bx() { return p("blockIdx.x"); }

  /// Calls Check with the values of Sums, and with the bindings of one lane.
  void forEachLane(UniformSplitter &Sums,
                   llvm::function_ref<void(const SplitValues &Values,
                                           const Bindings &At, unsigned Lane)>
                       Check) {
    Sums.compile();
    SplitValues Values(Sums);
    for (double Block : {0.0, 1.0, 2.0})
      for (double Counter : {0.0, 5.0}) {
        std::vector<double> Shared = {0, 0, 0, Block, 1, 0, Counter, 0};
        Values.enterScope(0, Shared);
        for (unsigned Warp = 0; Warp < Warps; ++Warp) {
          std::vector<double> Threads(3 * Lanes);
          for (unsigned L = 0; L < Lanes; ++L) {
            Threads[L] = (Warp * Lanes + L) % 24;
            Threads[Lanes + L] = (Warp * Lanes + L) / 24;
          }
          Values.enterWarp(Warp, Threads);
          for (unsigned L = 0; L < Lanes; ++L) {
            Bindings At;
            for (unsigned K = 0; K < Names.size(); ++K)
              At[Names[K]] = K < 3 ? Threads[K * Lanes + L] : Shared[K];
            Check(Values, At, L);
          }
        }
      }
  }

  ExprContext C;
  ParameterSet Drawn;
};

TEST_F(Split, SumsEqualTheExpression) {
  Expr Row = p("threadIdx.y") + 4 * p("blockIdx.y");
  for (Expr E :
       {tx() + 24 * bx(), 4 * (tx() + 1000 * Row + p("i")) - 8,
        C.mod(tx(), C.constant(7)) * 4 + C.floorDiv(bx(), C.constant(2)),
        4 * p("i") + 12, tx() * p("threadIdx.y"), C.constant(3)}) {
    SCOPED_TRACE(E.str());
    UniformSplitter Sums(C, Names, Drawn, Lanes, 1);
    std::optional<UniformSplit> S = Sums.split(E, 0);
    ASSERT_TRUE(S.has_value());
    forEachLane(Sums, [&](const SplitValues &Values, const Bindings &At,
                          unsigned Lane) {
      EXPECT_EQ(Values.threadPart(S->Thread)[Lane] + Values.uniformValue(*S, 0),
                *evaluate(E, At));
    });
  }
}

TEST_F(Split, ConditionsEqualTheExpression) {
  Expr Id = tx() + 24 * bx(), Low = C.lessEqual(p("threadIdx.y"), bx());
  for (Expr E :
       {C.less(Id, C.constant(40)), C.lessEqual(C.constant(30), Id),
        C.less(Id, C.constant(60)) * C.less(p("threadIdx.y"), p("i")),
        C.equal(tx(), 3 * bx()), C.notEqual(tx(), p("i")),
        C.less(Id, C.constant(1000)), C.less(Id, C.constant(0)),
        // Either, neither, both, one of two that exclude each other.
        C.select(C.less(Id, C.constant(40)), C.constant(1), Low),
        1 - C.select(C.less(Id, C.constant(40)), C.constant(1), Low),
        C.select(C.less(Id, C.constant(40)), Low, C.constant(0)),
        C.equal(tx(), C.constant(3)) + C.equal(tx(), C.constant(7)),
        (1 - C.less(Id, C.constant(40)) * Low) * C.notEqual(tx(), p("i")),
        1 - C.equal(tx(), p("i")) * Low}) {
    SCOPED_TRACE(E.str());
    if (E.asConstant()) // decided without any lane
      continue;
    UniformSplitter Sums(C, Names, Drawn, Lanes, 1);
    std::optional<SplitCondition> T = Sums.splitTest(E, 0);
    ASSERT_TRUE(T.has_value());
    forEachLane(Sums, [&](const SplitValues &Values, const Bindings &At,
                          unsigned Lane) {
      EXPECT_EQ(Values.holds(*T, 0) >> Lane & 1, *evaluate(E, At) != 0);
    });
  }
}

TEST_F(Split, UnknownComparisonsHold) {
  UniformSplitter Sums(C, Names, Drawn, Lanes, 1);
  std::optional<SplitCondition> T = Sums.splitTest(
      C.less(tx(), p("nobody knows")) * C.less(tx(), C.constant(5)), 0);
  ASSERT_TRUE(T.has_value());
  forEachLane(Sums, [&](const SplitValues &Values, const Bindings &At,
                        unsigned Lane) {
    EXPECT_EQ(Values.holds(*T, 0) >> Lane & 1, At.lookup("threadIdx.x") < 5);
  });
}

// Not (5 <= x and x < ?) is x < 5 or ?.
TEST_F(Split, NegatedUnknownComparisonsHold) {
  UniformSplitter Sums(C, Names, Drawn, Lanes, 1);
  std::optional<SplitCondition> T = Sums.splitTest(
      1 - C.lessEqual(C.constant(5), tx()) * C.less(tx(), p("nobody knows")),
      0);
  ASSERT_TRUE(T.has_value());
  forEachLane(Sums,
              [&](const SplitValues &Values, const Bindings &, unsigned Lane) {
                EXPECT_EQ(Values.holds(*T, 0) >> Lane & 1, 1u);
              });
}

TEST_F(Split, MixedTermsAreNotSplit) {
  UniformSplitter Sums(C, Names, Drawn, Lanes, 1);
  // One quotient of both kinds, a product of both, an indirect index, a real
  // number.
  Expr Id = tx() + 24 * bx();
  EXPECT_FALSE(Sums.split(C.floorDiv(Id, C.constant(7)), 0));
  EXPECT_FALSE(Sums.split(tx() * bx(), 0));
  EXPECT_FALSE(Sums.split(4 * p("drawn") + tx(), 0));
  EXPECT_FALSE(Sums.split(C.parameter("p(branch)") + tx(), 0));
  EXPECT_FALSE(Sums.splitTest(C.parameter("p(branch)"), 0));
  // A share is no truth, nor is the difference of two.
  Expr First = C.less(Id, C.constant(4)), Other = C.less(tx(), p("i"));
  EXPECT_FALSE(Sums.splitTest(0.5 * First, 0));
  EXPECT_FALSE(Sums.splitTest(First - Other, 0));
}

TEST(RequestCostTables, ShapesDifferByDistancesAndActiveLanes) {
  GpuModel Gpu = testGpu();
  RequestCostTables Shapes(Gpu);
  std::vector<double> Line, Shifted, Strided;
  for (unsigned L = 0; L < 32; ++L) {
    Line.push_back(4 * L);
    Shifted.push_back(4 * L + 1024);
    Strided.push_back(8 * L);
  }
  uint64_t All = 0xffffffff;
  EXPECT_EQ(Shapes.shapeOf(Line, All), Shapes.shapeOf(Shifted, All));
  EXPECT_NE(Shapes.shapeOf(Line, All), Shapes.shapeOf(Strided, All));
  EXPECT_NE(Shapes.shapeOf(Line, All), Shapes.shapeOf(Line, All >> 1));
  Line[7] = NAN;
  EXPECT_FALSE(Shapes.shapeOf(Line, All));
  EXPECT_TRUE(Shapes.shapeOf(Line, All & ~(1u << 7)));
}

TEST(RequestCostTables, AccessesOfOneCostClassShareTables) {
  GpuModel Gpu = testGpu();
  RequestCostTables Shapes(Gpu);
  auto kind = [&](const MemoryAccess &A) {
    return Shapes.costClass(A, RequestCostModel(A, Gpu));
  };
  MemoryAccess Load, Wide, Store, Local;
  Wide.BytesPerThread = 16;
  Store.Kind = AccessKind::Store;
  Local.Space = MemorySpace::Local;
  ASSERT_TRUE(kind(Load));
  EXPECT_EQ(kind(Load), kind(MemoryAccess()));
  EXPECT_NE(kind(Load), kind(Wide));
  EXPECT_NE(kind(Load), kind(Store));
  EXPECT_NE(kind(Load), kind(Local));
  Gpu.WarpSize = 24;
  EXPECT_FALSE(kind(Local)) << "its rows are no whole lines";
}

TEST(RequestCostTables, LocalMemoryCostsRepeatEveryWord) {
  GpuModel Gpu = testGpu();
  for (unsigned Width : {1u, 2u, 4u, 8u, 16u}) {
    MemoryAccess A;
    A.Space = MemorySpace::Local;
    A.BytesPerThread = Width;
    unsigned Period = RequestCostModel(A, Gpu).period();
    ASSERT_EQ(Period, 4u);
    for (unsigned Stride : {0u, 4u, 12u, 32u})
      for (unsigned First = 0; First < 12; ++First) {
        auto counts = [&](unsigned At) {
          std::vector<double> Lanes;
          for (unsigned L = 0; L < 32; ++L)
            Lanes.push_back(L % 5 == 3 ? NAN : At + double(L % 7) * Stride);
          RequestCost C = RequestCostModel(A, Gpu).computeCost(Lanes);
          return std::tuple(C.Sectors, C.FullSectors, C.Wavefronts);
        };
        EXPECT_EQ(counts(First), counts(First + Period));
        EXPECT_EQ(counts(First), counts(First + 250 * Period));
      }
  }
}

} // namespace
