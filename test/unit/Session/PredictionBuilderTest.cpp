/// \file
/// What the session adds to a prediction, and takes back when the work ends.
#include "Session/Pipeline/PredictionBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

Assumption assumed(const char *What) {
  Assumption A;
  A.What = What;
  return A;
}

Prediction evaluated() {
  Prediction P;
  P.Assumptions = {assumed("trip count")};
  P.Premises = {"of the model"};
  return P;
}

LaunchPlan planWithGuess() {
  LaunchPlan Plan;
  Plan.Repeats = 3;
  Plan.Premises = {"of the plan"};
  Plan.Parts = {{"b", "a", 64, "host-code"}};
  Plan.Guesses.push_back({"m", assumed("m")});
  return Plan;
}

TEST(PredictionBuilder, AddsWhatTheLaunchTells) {
  KernelModel Kernel;
  Kernel.HostFunction = "host";
  Kernel.Assumed = {"of the kernel"};
  LaunchPlan Plan = planWithGuess();
  PredictionBuilder Builder(evaluated(), Kernel, Plan, {"sm.count=4"});
  Prediction P = std::move(Builder).finish();
  EXPECT_EQ(P.WhatIf, std::vector<std::string>{"sm.count=4"});
  EXPECT_EQ(P.Premises, (std::vector<std::string>{
                            "of the model", "of the kernel", "of the plan"}));
  ASSERT_EQ(P.SharedBuffers.size(), 1u);
  EXPECT_EQ(P.SharedBuffers[0].Pointers.size(), 2u);
  EXPECT_EQ(P.HostFunction, "host");
  EXPECT_EQ(P.Repeats, 3);
}

TEST(PredictionBuilder, AnUnknownNumberOfLaunchesIsOneByAssumption) {
  KernelModel Kernel;
  Kernel.HostFunction = "host";
  LaunchPlan Plan;
  Plan.Repeats = 0;
  PredictionBuilder Builder(evaluated(), Kernel, Plan, {});
  EXPECT_EQ(Builder.record().Repeats, 1);
  EXPECT_EQ(Builder.record().Premises.size(), 2u);
}

/// The launch rests on its guesses even if their effect is not known.
TEST(PredictionBuilder, GuessesStayStatedWhenTheWorkEndsEarly) {
  KernelModel Kernel;
  LaunchPlan Plan = planWithGuess();
  PredictionBuilder Builder(evaluated(), Kernel, Plan, {});
  Builder.withdrawWhatIfs("the limit is passed");
  Prediction P = std::move(Builder).finish();
  ASSERT_EQ(P.Assumptions.size(), 2u);
  EXPECT_EQ(P.Assumptions[1].What, "m");
  EXPECT_TRUE(P.Assumptions[1].NotVaried);
  EXPECT_NE(P.Premises.back().find("the limit is passed"), std::string::npos);
}

} // namespace
