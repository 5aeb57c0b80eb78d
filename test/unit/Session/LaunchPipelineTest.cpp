/// \file
/// What bind() and predict() add to an evaluation, and what is taken back when
/// the work ends.
#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"
#include "gpu-estimate/Model/Result/LaunchTotal.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "helpers/EvaluateKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// c[i] = a[i] + b[i], launched with 16384 blocks of 256.
struct AddedArrays {
  OpKernel Add;
  GpuModel Gpu = plainGpu();
  LaunchPlan Plan;

  AddedArrays() {
    Add.block(-1);
    unsigned A = Add.load("a"), B = Add.load("b");
    Add.op(OpClass::Fp32Fma, {{A}, {B}});
    Add.store("c");
    for (const char *Name : {"a", "b", "c"}) {
      KernelArgument Pointer;
      Pointer.Name = Name;
      Pointer.Kind = KernelArgument::Pointer;
      Pointer.ElementBytes = 4;
      Add.Model.Arguments.push_back(Pointer);
    }
    Plan.Used = launch({16384, 1, 1}, {256, 1, 1});
    for (const char *Name : {"a", "b", "c"})
      Plan.Values[Name] = 1 << 22;
  }

  Prediction predicted(llvm::ArrayRef<std::string> Overrides = {},
                       const EvaluateOptions &Options = {}) {
    KernelCopies Copies(Add.Model);
    BoundLaunch L = llvm::cantFail(bind(Plan, Gpu, Copies));
    LaunchEvaluators On(Gpu, Options, Overrides);
    return llvm::cantFail(predict(L, On));
  }
};

Assumption assumed(const char *What, double Low = 1, double High = 1) {
  Assumption A;
  A.What = What;
  A.Value = 1;
  A.Low = Low;
  A.High = High;
  return A;
}

} // namespace

TEST(LaunchPipeline, PredictAddsWhatThePlanTells) {
  AddedArrays S;
  S.Add.Model.Premises = {"of the kernel"};
  S.Add.Model.Nest = {"host"};
  S.Plan.Premises = {"of the plan"};
  S.Plan.Repeats = 3;
  Prediction P = S.predicted({"sm.count=4"});
  EXPECT_EQ(P.WhatIf, std::vector<std::string>{"sm.count=4"});
  ASSERT_GE(P.Premises.size(), 2u);
  EXPECT_EQ(*std::prev(P.Premises.end(), 2), "of the kernel");
  EXPECT_EQ(P.Premises.back(), "of the plan");
  EXPECT_EQ(P.HostFunction, "host");
  EXPECT_EQ(P.Repeats, 3);
}

TEST(LaunchPipeline, AnUnknownNumberOfLaunchesIsOneByAssumption) {
  AddedArrays S;
  S.Add.Model.Nest = {"host"};
  S.Plan.Repeats = 0;
  Prediction P = S.predicted();
  EXPECT_EQ(P.Repeats, 1);
  EXPECT_NE(P.Premises.back().find("one launch is assumed"), std::string::npos);
}

TEST(LaunchPipeline, PointersIntoOneBufferRunACopyOfTheKernel) {
  AddedArrays S;
  KernelCopies Copies(S.Add.Model);
  BoundLaunch Apart = llvm::cantFail(bind(S.Plan, S.Gpu, Copies));
  EXPECT_EQ(Apart.Kernel.get(), &S.Add.Model);
  S.Plan.Parts = {{"b", "a", 0, "host-code"}};
  BoundLaunch Shared = llvm::cantFail(bind(S.Plan, S.Gpu, Copies));
  BoundLaunch Again = llvm::cantFail(bind(S.Plan, S.Gpu, Copies));
  EXPECT_NE(Shared.Kernel.get(), &S.Add.Model);
  EXPECT_EQ(Shared.Kernel, Again.Kernel) << "and an evaluator";
  LaunchEvaluators On(S.Gpu, EvaluateOptions());
  EXPECT_EQ(&On.of(Shared), &On.of(Again));
  Prediction Two = llvm::cantFail(predict(Apart, On));
  Prediction One = llvm::cantFail(predict(Shared, On));
  EXPECT_LT(One.Count.DramBytes, 0.75 * Two.Count.DramBytes);
  ASSERT_EQ(One.SharedBuffers.size(), 1u);
  EXPECT_EQ(One.SharedBuffers[0].Pointers.size(), 2u);
}

/// A rule that host code fills a buffer with serves every launch; the mean over
/// random values is one over the threads of a launch.
TEST(LaunchPipeline, LaunchesShareACopyUnlessItFollowsThem) {
  AddedArrays S;
  Unknown Taken;
  Taken.Kind = Unknown::BranchProbability;
  Taken.Name = "p";
  Taken.What = "share";
  Taken.Default = 0.5;
  Taken.Form = S.Add.context().less(S.Add.parameter("load"), S.Add.number(4));
  Taken.Loads = {{"load", "a", S.Add.id() * 4, 4}};
  S.Add.Model.Unknowns.push_back(Taken);
  S.Add.Model.Blocks.front().Active = S.Add.parameter("p");
  ExprContext Host;
  BufferContents Rule, Random;
  Rule.Element = Host.parameter(BufferContents::Number);
  Rule.Bytes = Random.Bytes = 4;
  Random.Element = Host.parameter("draw");
  Random.Draws = {{"draw", 7, {}}};
  LaunchPlan Other = S.Plan;
  Other.Used.Grid[0] = 64;
  auto kernelOf = [&](KernelCopies &Copies, LaunchPlan Plan,
                      const BufferContents &Contents) {
    Plan.Contents["a"] = Contents;
    return llvm::cantFail(bind(Plan, S.Gpu, Copies)).Kernel;
  };
  KernelCopies Copies(S.Add.Model);
  auto Filled = kernelOf(Copies, S.Plan, Rule);
  EXPECT_TRUE(Filled->Unknowns.empty());
  EXPECT_EQ(Filled->Premises.size(), 1u);
  EXPECT_EQ(Filled, kernelOf(Copies, Other, Rule));
  auto Drawn = kernelOf(Copies, S.Plan, Random);
  ASSERT_EQ(Drawn->Unknowns.size(), 1u);
  EXPECT_NEAR(Drawn->Unknowns[0].Default, 0.5, 0.1) << "0 to 3 of 0 to 7";
  EXPECT_EQ(Drawn, kernelOf(Copies, S.Plan, Random));
  EXPECT_NE(Drawn, kernelOf(Copies, Other, Random));
  // A value that the user states is another copy.
  LaunchPlan Stated = S.Plan;
  Stated.Values["p"] = 0.25;
  EXPECT_EQ(kernelOf(Copies, Stated, Rule)->Unknowns.size(), 1u);
}

/// A guess is varied with the other assumptions, and moves the interval;
/// without variations the interval is not known.
TEST(LaunchPipeline, GuessesBelongToTheInterval) {
  AddedArrays S;
  Prediction Sure = S.predicted();
  Assumption Grid = assumed("gridDim.x", 512, 2048);
  Grid.Value = 1024;
  S.Plan.Guesses.push_back({"gridDim.x", Grid});
  Prediction Unsure = S.predicted();
  ASSERT_TRUE(Sure.Interval && Unsure.Interval);
  EXPECT_EQ(Sure.Time, Unsure.Time);
  EXPECT_GT(Unsure.Interval->ratio(), 1.5 * Sure.Interval->ratio());
  ASSERT_EQ(Unsure.Assumptions.size(), Sure.Assumptions.size() + 1);
  EXPECT_GT(Unsure.Assumptions.front().Share, 0.9);
  EvaluateOptions Plain;
  Plain.Wanted.Sensitivities = false;
  EXPECT_FALSE(S.predicted({}, Plain).Interval);
}

/// The launch rests on its guesses even if their effect is not known.
TEST(LaunchPipeline, GuessesStayStatedWhenTheWorkEndsEarly) {
  AddedArrays S;
  S.Plan.Guesses.push_back({"gridDim.x", assumed("gridDim.x", 512, 2048)});
  ExplainedPrediction E;
  E.Estimate = S.predicted();
  E.Findings.emplace_back();
  withdrawWhatIfs(E, S.Plan);
  withdrawWhatIfs(E, S.Plan);
  EXPECT_TRUE(E.Findings.empty());
  EXPECT_FALSE(E.Estimate.Interval);
  EXPECT_EQ(E.Estimate.Assumptions.back().What, "gridDim.x");
  EXPECT_TRUE(E.Estimate.Assumptions.back().NotVaried);
  EXPECT_EQ(llvm::count_if(E.Estimate.Premises,
                           [](const std::string &Text) {
                             return Text.find("are missing") !=
                                    std::string::npos;
                           }),
            1);
}

TEST(LaunchTotal, IsBoundAsItsLongestLaunch) {
  Prediction Long, Short;
  Long.Time = Seconds(2e-3);
  Long.Bottleneck = "dram";
  Long.Premises = {"a"};
  Long.Interval = TimeInterval{0.8, {0.5, 2}, {}};
  Short.Time = Seconds(1e-3);
  Short.Bottleneck = "issue";
  Short.Premises = {"a", "b"};
  Short.Interval = TimeInterval{0.8, {0.5, 2}, {}};
  LaunchTotal Total;
  Total.add(Short);
  Total.add(Long);
  EXPECT_DOUBLE_EQ(Total.Time.value(), 3e-3);
  EXPECT_EQ(Total.Bottleneck, "dram");
  EXPECT_EQ(Total.Premises, (std::vector<std::string>{"a", "b"}));
  ASSERT_TRUE(Total.IntervalMs);
  EXPECT_DOUBLE_EQ(Total.IntervalMs->first, 1.5);
  EXPECT_DOUBLE_EQ(Total.IntervalMs->second, 6);
  Short.Interval.reset();
  Total.add(Short);
  EXPECT_FALSE(Total.IntervalMs);
}
