/// \file
/// Which assumptions are varied.
#include "Evaluate/Uncertainty/AssumptionEffects.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

struct Stated {
  explicit Stated(unsigned Count) {
    for (unsigned I = 0; I < Count; ++I) {
      std::string Name = "n" + std::to_string(I);
      Assumption A;
      A.What = Name;
      A.Why = "unknown";
      A.Value = A.Low = 100;
      A.High = 200;
      Assumptions.push_back(A);
      Bound.Parameters.push_back(Name);
      Bound.All[Name] = 100;
    }
  }
  /// The time is the sum of all values; parameter nK reaches K of the kernel.
  void fill() {
    varyAssumptions(
        Assumptions, Bound, MaxWork,
        [&](const Bindings &All) {
          ++Evaluations;
          spendWork(WorkOfEach);
          double Sum = 0;
          for (const auto &Entry : All)
            Sum += Entry.second;
          return Seconds(Sum);
        },
        [](llvm::StringRef Name) {
          double Number = 0;
          Name.drop_front().getAsDouble(Number);
          return Number;
        });
  }
  std::vector<Assumption> Assumptions;
  BoundParameters Bound;
  unsigned Evaluations = 0;
  uint64_t WorkOfEach = 1, MaxWork = 1'000'000;
};

TEST(AssumptionEffects, OfAnEarlierLaunchAreTakenForTheSameAssumptions) {
  Stated Earlier(3), Now(4);
  Earlier.fill();
  Now.Assumptions[1].Value = 130; // the launch's own
  takeEffects(Now.Assumptions, Now.Bound, Earlier.Assumptions);
  for (unsigned I = 0; I < 3; ++I) {
    EXPECT_EQ(Now.Assumptions[I].Sensitivity,
              Earlier.Assumptions[I].Sensitivity);
    EXPECT_EQ(Now.Assumptions[I].Effect.High,
              Earlier.Assumptions[I].Effect.High);
    EXPECT_EQ(Now.Assumptions[I].Variation, int(I));
    EXPECT_FALSE(Now.Assumptions[I].NotVaried);
  }
  EXPECT_TRUE(Now.Assumptions[3].NotVaried);
  EXPECT_EQ(Now.Evaluations, 0u);
}

TEST(AssumptionEffects, AreAllComputedWhereTheyAreFew) {
  Stated S(MaxVaried);
  S.fill();
  EXPECT_EQ(S.Evaluations, 2 * MaxVaried + 1);
  for (const Assumption &A : S.Assumptions) {
    EXPECT_NEAR(A.Sensitivity, 1.0 / MaxVaried, 1e-3);
    EXPECT_DOUBLE_EQ(A.Effect.Low, 1);
    EXPECT_NEAR(A.Effect.High, 1 + 1.0 / MaxVaried,
                1e-12); // 200 in place of 100
    EXPECT_EQ(A.Why, "unknown");
  }
}

TEST(AssumptionEffects, OfManyThoseThatReachMost) {
  Stated S(MaxVaried + 10);
  S.fill();
  EXPECT_EQ(S.Evaluations, 2 * MaxVaried + 1);
  for (const Assumption &A : S.Assumptions) {
    double Number = 0;
    llvm::StringRef(A.What).drop_front().getAsDouble(Number);
    bool Varied = Number >= 10;
    EXPECT_EQ(A.Sensitivity > 0, Varied) << A.What;
    EXPECT_EQ(A.Why.find("not computed") == std::string::npos, Varied);
    EXPECT_EQ(A.NotVaried, !Varied);
  }
}

TEST(AssumptionEffects, OfALargeKernelThoseThatReachMost) {
  Stated S(20);
  S.WorkOfEach = S.MaxWork / 5;
  S.fill();
  // Two of a value; until more than MaxWork is spent.
  EXPECT_EQ(S.Evaluations, 1 + 3 * 2u);
  for (const Assumption &A : S.Assumptions) {
    double Number = 0;
    llvm::StringRef(A.What).drop_front().getAsDouble(Number);
    bool Varied = Number >= 17;
    EXPECT_EQ(A.Sensitivity > 0, Varied) << A.What;
    EXPECT_EQ(A.Why.find("3 other assumptions") == std::string::npos, Varied);
  }
}

TEST(AssumptionEffects, ReachCountsWhatDependsOnAParameter) {
  OpKernel K;
  K.block(-1);
  K.op(OpClass::IntAdd);
  K.block(-1, K.parameter("p(branch)"));
  K.op(OpClass::IntAdd);
  K.op(OpClass::IntAdd);
  int Loop = K.loop(-1, K.parameter("trips"));
  K.block(Loop);
  K.op(OpClass::IntAdd);
  K.load("a", {}, 4 * (K.id() + K.parameter("offset")));
  LaunchSample Sample;
  Sample.BlockWarps = {10, 5, 100};
  llvm::StringMap<double> Reach = reachOfParameters(K.Model, Sample);
  EXPECT_EQ(Reach.lookup("p(branch)"), 2 * 5);
  EXPECT_EQ(Reach.lookup("trips"), 2 * 100);
  EXPECT_EQ(Reach.lookup("offset"), 2 * 100);
  EXPECT_EQ(Reach.lookup("nothing"), 0);
}

} // namespace
