/// \file
/// Registers that do not fit, and what else the whole time must do: grow with
/// the work without jumps.
#include "gpu-estimate/Evaluate/Launch/Spills.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

Prediction predict(const OpKernel &K, const GpuModel &G, const Launch &L,
                   const Bindings &Values) {
  EvaluateOptions Cold;
  Cold.Caches = CacheState::Cold;
  llvm::Expected<Prediction> P = evaluate(K.Model, G, L, Values, Cold);
  if (P)
    return *P;
  ADD_FAILURE() << llvm::toString(P.takeError());
  return {};
}

/// Rounds of a multiply-add on what every thread loads, if (i < n).
OpKernel rounds() {
  OpKernel K;
  KernelArgument N;
  N.Name = "n";
  K.Model.Arguments.push_back(N);
  K.Model.Res.RegistersPerThread = 32;
  K.block(-1, K.context().less(K.id(), K.parameter("n")));
  unsigned A = K.load("a");
  K.store("b", {{K.op(OpClass::Fp32Fma, {{A, false}}), false}});
  return K;
}

TEST(Spills, NeededBeyondWhatIsAllowed) {
  GpuModel G = plainGpu();
  G.MaxRegistersPerThread = 255;
  Resources R;
  R.RegistersPerThread = 255;
  EXPECT_FALSE(spilledRegisters(G, R));
  R.RegistersPerThread = 270; // an estimate is no better than a tenth
  EXPECT_FALSE(spilledRegisters(G, R));
  R.RegistersPerThread = 300;
  EXPECT_EQ(spilledRegisters(G, R).Slots, 45u);
  R.RegistersSource = "ptxas";
  R.RegistersPerThread = 255;
  R.Spills = {6, 6, 8};
  EXPECT_EQ(spilledRegisters(G, R).Slots, 6u);
  EXPECT_EQ(spilledRegisters(G, R).Loads, 8u);
}

TEST(Spills, AreStoredAndLoadedOnceByEachThread) {
  GpuModel G = plainGpu();
  G.MaxRegistersPerThread = 64;
  Launch L = launch({4096, 1, 1}, {256, 1, 1});
  OpKernel Fits = rounds(), Spills = rounds();
  Fits.Model.Res.RegistersPerThread = 64;
  Spills.Model.Res.RegistersPerThread = 164;
  Bindings All;
  All["n"] = 4096 * 256;
  Prediction Without = predict(Fits, G, L, All),
             With = predict(Spills, G, L, All);
  EXPECT_EQ(With.Occ.BlocksPerSm, Without.Occ.BlocksPerSm);
  EXPECT_GT(With.Time.value(), 2 * Without.Time.value());
  ASSERT_EQ(With.Accesses.size(), Without.Accesses.size() + 2);
  double Warps = 4096 * 8;
  EXPECT_DOUBLE_EQ(With.Accesses[2].Requests, 100 * Warps);
  EXPECT_DOUBLE_EQ(With.Accesses[3].Requests, 100 * Warps);
  EXPECT_DOUBLE_EQ(With.Accesses[2].SectorsPerRequest, 4);
  ASSERT_EQ(With.Assumptions.size(), 1u);
  EXPECT_EQ(With.Assumptions[0].Value, 100);
  EXPECT_TRUE(Without.Assumptions.empty());
}

// Code that loads its spilled values again and again goes round its slots.
TEST(Spills, OfCompiledCodeHaveItsStoresAndLoads) {
  OpKernel Spills = rounds();
  Resources &Res = Spills.Model.Res;
  Res.RegistersSource = "amdgpu";
  Res.Spills = {6, 6, 14};
  Bindings All;
  All["n"] = 4096 * 256;
  Prediction P =
      predict(Spills, plainGpu(), launch({4096, 1, 1}, {256, 1, 1}), All);
  double Warps = 4096 * 8;
  ASSERT_EQ(P.Accesses.size(), 5u);
  EXPECT_DOUBLE_EQ(P.Accesses[2].Requests, 6 * Warps);
  EXPECT_DOUBLE_EQ(P.Accesses[3].Requests, 2 * 6 * Warps);
  EXPECT_DOUBLE_EQ(P.Accesses[4].Requests, 2 * Warps);
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Assumptions[0].Value, 6);
}

// 14 loads that are needed two at a time: in pairs, of which each is there
// before the next is asked for.
// A transformation makes other code, and says so by its registers.
TEST(MachineCode, IsThatOfTheKernelAsCompiled) {
  OpKernel K = rounds();
  K.Model.Res.RegistersSource = "ptxas";
  K.Model.Res.Code.emplace().CodeBytes = 512;
  Bindings All;
  All["n"] = 1e6;
  const Launch L = launch({4096, 1, 1}, {256, 1, 1});
  Prediction Compiled = predict(K, plainGpu(), L, All);
  ASSERT_TRUE(Compiled.Code);
  EXPECT_EQ(Compiled.Code->CodeBytes, 512u);
  K.Model.Res.RegistersSource = "estimate";
  EXPECT_FALSE(predict(K, plainGpu(), L, All).Code);
}

TEST(Spills, AreWaitedForAsOftenAsTheCodeDoes) {
  OpKernel Spills = rounds();
  Resources &Res = Spills.Model.Res;
  Res.RegistersSource = "amdgpu";
  Bindings All;
  All["n"] = 32;
  auto predictWith = [&](RegisterSpills Spilled) {
    Res.Spills = Spilled;
    return predict(Spills, plainGpu(), launch({1, 1, 1}, {32, 1, 1}), All);
  };
  Prediction P = predictWith({6, 6, 14, 7});
  ASSERT_EQ(P.Accesses.size(), 7u);
  EXPECT_DOUBLE_EQ(P.Accesses[2].Requests, 6);
  EXPECT_DOUBLE_EQ(P.Accesses[3].Requests, 2 * 3);
  EXPECT_DOUBLE_EQ(P.Accesses[4].Requests, 2 * 3);
  EXPECT_DOUBLE_EQ(P.Accesses[5].Requests, 1);
  EXPECT_DOUBLE_EQ(P.Accesses[6].Requests, 1);
  double Never = predictWith({6, 6, 14, 0}).Execution.value(),
         Seldom = predictWith({6, 6, 14, 2}).Execution.value(),
         Pairs = P.Execution.value();
  EXPECT_GT(Seldom, Never);
  EXPECT_GT(Pairs, Seldom);
}

/// Largest relative step of the time per unit of work.
double largestStep(llvm::ArrayRef<std::pair<double, double>> TimeOfWork) {
  double Largest = 0;
  for (size_t I = 1; I < TimeOfWork.size(); ++I) {
    auto [Work, Time] = TimeOfWork[I];
    auto [WorkBefore, TimeBefore] = TimeOfWork[I - 1];
    Largest = std::max(
        Largest, std::abs(std::log(Time / Work * WorkBefore / TimeBefore)));
  }
  return Largest;
}

// A hundred waves and more, so that one block more or less is no step. From
// launches that fit L2 to those that do not: a stream uses nothing twice.
TEST(Smooth, AStreamInItsLength) {
  std::vector<std::pair<double, double>> Points;
  for (double N = 1e6; N < 1e8; N *= 1.013) {
    double Elements = std::floor(N);
    Bindings All;
    All["n"] = Elements;
    Prediction P = predict(
        rounds(), plainGpu(),
        launch({uint64_t(std::ceil(Elements / 256)), 1, 1}, {256, 1, 1}), All);
    Points.push_back({Elements, P.Execution.value()});
  }
  EXPECT_LT(largestStep(Points), 0.03);
}

// Trip counts from those that are looked at one by one to sampled ones; the
// loads of all iterations fit the caches.
TEST(Smooth, ALoopInItsTripCount) {
  OpKernel K;
  KernelArgument N;
  N.Name = "n";
  K.Model.Arguments.push_back(N);
  K.Model.Res.RegistersPerThread = 32;
  int Loop = K.loop(-1, K.parameter("n"));
  K.block(Loop);
  unsigned A = K.load("a", {}, K.counter(Loop) * 4);
  K.op(OpClass::Fp32Fma, {{A, false}});
  K.block(-1);
  K.store("b");
  std::vector<std::pair<double, double>> Points;
  for (double Trips = 100; Trips < 1e5; Trips = std::ceil(Trips * 1.02)) {
    Bindings All;
    All["n"] = Trips;
    Prediction P =
        predict(K, plainGpu(), launch({512, 1, 1}, {256, 1, 1}), All);
    Points.push_back({Trips, P.Execution.value()});
  }
  EXPECT_LT(largestStep(Points), 0.03);
}

} // namespace
