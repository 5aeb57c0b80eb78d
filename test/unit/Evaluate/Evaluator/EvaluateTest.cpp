/// \file
/// The whole evaluation, from a kernel model to a prediction.
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "Evaluate/Models/Roofline.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Evaluate/Models/Models.h"
#include "helpers/EvaluateRandom.h"
#include "helpers/WorkOf.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

Prediction predict(const OpKernel &K, const GpuModel &G, const Launch &L,
                   const Bindings &Values = {},
                   const EvaluateOptions &Options = {}) {
  llvm::Expected<Prediction> P = evaluate(K.Model, G, L, Values, Options);
  if (P)
    return *P;
  ADD_FAILURE() << llvm::toString(P.takeError());
  return {};
}

/// if (i < n) c[i] = a[i] + b[i]
OpKernel vectorAdd() {
  OpKernel K;
  KernelArgument N;
  N.Name = "n";
  K.Model.Arguments.push_back(N);
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1, K.context().less(K.id(), K.parameter("n")));
  unsigned A = K.load("a"), B = K.load("b");
  unsigned S = K.op(OpClass::Fp32Add, {{A, false}, {B, false}});
  K.last().FlopFp32 = 1;
  K.store("c", {{S, false}});
  return K;
}

TEST(Evaluate, VectorAddIsBoundByDram) {
  const double N = 1 << 24;
  EvaluateOptions Cold;
  Cold.Caches = CacheState::Cold;
  Prediction P =
      predict(vectorAdd(), plainGpu(), launch({1 << 16, 1, 1}, {256, 1, 1}),
              {{"n", N}}, Cold);
  EXPECT_EQ(checkConsistency(P), "");
  EXPECT_EQ(P.Bottleneck, "dram-bandwidth");
  EXPECT_EQ(P.Breakdown.front().first, "dram");
  EXPECT_DOUBLE_EQ(P.Count.FlopFp32, N);
  EXPECT_DOUBLE_EQ(P.Count.GlobalLoadSectors, 2 * N / 8);
  EXPECT_DOUBLE_EQ(P.Count.GlobalStoreSectors, N / 8);
  // Three arrays, once each; nothing fits in L2.
  EXPECT_NEAR(P.Count.DramBytes, 12 * N, 0.05 * 12 * N);
  EXPECT_NEAR(P.Execution.value(), 12 * N / 55e9, 0.15 * 12 * N / 55e9);
  EXPECT_TRUE(P.Assumptions.empty());
}

/// for (stride = (1 << log2n) / 4; stride > 0; stride /= 4) a[tid + stride]++
OpKernel strides() {
  OpKernel K;
  KernelArgument N;
  N.Name = "log2n";
  K.Model.Arguments.push_back(N);
  K.Model.Res.RegistersPerThread = 16;
  ExprContext &C = K.context();
  Expr Size = C.shiftLeft(C.constant(1), K.parameter("log2n"));
  int Loop = K.loop(-1, Size * 0.25);
  K.block(Loop);
  unsigned A = K.load("a", {}, 4 * (K.tid() + K.counter(Loop)));
  K.op(OpClass::Fp32Add, {{A, false}});
  return K;
}

TEST(Evaluate, AShiftByAnArgumentThatNobodyGave) {
  Prediction P =
      predict(strides(), plainGpu(), launch({16, 1, 1}, {256, 1, 1}));
  // 2^12 in place of 2^4096.
  EXPECT_TRUE(std::isfinite(P.Time.value()));
  EXPECT_DOUBLE_EQ(P.Count.GlobalLoadRequests, 16 * 256 * 1024 / 32.);
}

TEST(Evaluate, ACountWithoutAValueIsNoInternalError) {
  llvm::Expected<Prediction> P =
      evaluate(strides().Model, plainGpu(), launch({16, 1, 1}, {256, 1, 1}),
               {{"log2n", 5000}}, {});
  ASSERT_FALSE(P);
  std::string Why = llvm::toString(P.takeError());
  EXPECT_EQ(Why.find("internal"), std::string::npos) << Why;
  EXPECT_NE(Why.find("not finite"), std::string::npos) << Why;
}

TEST(Evaluate, RooflineIsBytesOrFlopAtPeak) {
  const double N = 1 << 24;
  EvaluateOptions Options;
  Options.Model = "roofline";
  GpuModel G = plainGpu();
  Launch L = launch({1 << 16, 1, 1}, {256, 1, 1});
  Prediction P = predict(vectorAdd(), G, L, {{"n", N}}, Options);
  EXPECT_EQ(checkConsistency(P), "");
  EXPECT_EQ(P.Model, "roofline");
  EXPECT_EQ(P.Bottleneck, "dram-bandwidth");
  EXPECT_EQ(P.LaunchOverhead.value(), 0);
  EXPECT_DOUBLE_EQ(P.Time.value(),
                   P.Count.DramBytes / G.DramPeakBandwidth.value());

  Counts Work;
  Work.FlopFp32 = 1e9;
  for (const Bound &B : rooflineBounds(Work, G))
    EXPECT_DOUBLE_EQ(
        B.Time.value(),
        B.Name == "fp32"
            ? 1e9 / (2 * G.cost(OpClass::Fp32Fma).Throughput * G.SmCount)
            : 0)
        << B.Name;
  Options.Model = "rooflines";
  auto Wrong = evaluate(vectorAdd().Model, G, L, {{"n", N}}, Options);
  ASSERT_FALSE(bool(Wrong));
  EXPECT_EQ(llvm::toString(Wrong.takeError()),
            "no model is called 'rooflines'; there are: " + modelNames());
}

/// What is in L2 and how launches follow each other are two questions.
TEST(Evaluate, TimingIsIndependentOfCaches) {
  GpuModel G = plainGpu();
  auto Overhead = [&](CacheState Caches, std::optional<LaunchTiming> Timing) {
    EvaluateOptions Options;
    Options.Caches = Caches;
    Options.Timing = Timing;
    return predict(vectorAdd(), G, launch({64, 1, 1}, {256, 1, 1}),
                   {{"n", 1 << 14}}, Options)
        .LaunchOverhead;
  };
  EXPECT_EQ(Overhead(CacheState::Warm, std::nullopt), G.LaunchInterval);
  EXPECT_EQ(Overhead(CacheState::Cold, std::nullopt), G.LaunchLatency);
  for (CacheState Caches : {CacheState::Warm, CacheState::Cold}) {
    EXPECT_EQ(Overhead(Caches, LaunchTiming::BackToBack), G.LaunchInterval);
    EXPECT_EQ(Overhead(Caches, LaunchTiming::Single), G.LaunchLatency);
    EXPECT_EQ(Overhead(Caches, LaunchTiming::Graph), G.LaunchLatency);
  }
}

TEST(Evaluate, EmptyKernelIsALaunch) {
  OpKernel K;
  K.block(-1);
  Prediction P = predict(K, plainGpu(), launch({1, 1, 1}, {32, 1, 1}));
  EXPECT_EQ(checkConsistency(P), "");
  EXPECT_EQ(P.Bottleneck, "launch");
  EXPECT_EQ(P.Breakdown.front().first, "launch");
}

TEST(Evaluate, NothingAtAllIsStillConsistent) {
  OpKernel K;
  GpuModel G = plainGpu();
  G.LaunchLatency = G.LaunchInterval = Seconds(0);
  EvaluateOptions Options;
  Options.Without.insert("dispatch");
  Prediction P = predict(K, G, launch({1, 1, 1}, {32, 1, 1}), {}, Options);
  EXPECT_EQ(P.Time.value(), 0);
  EXPECT_EQ(checkConsistency(P), "");
}

TEST(Evaluate, ImpossibleLaunchIsAnError) {
  llvm::Expected<Prediction> P = evaluate(
      vectorAdd().Model, plainGpu(), launch({1, 1, 1}, {2048, 1, 1}), {}, {});
  ASSERT_FALSE(bool(P));
  EXPECT_EQ(llvm::toString(P.takeError()),
            "block dimension x is 2048, but plain allows at most 1024");
}

/// Data-dependent trip count under a probability.
OpKernel dataDependent() {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  for (auto [Kind, Name, Default] :
       {std::tuple{Unknown::TripCount, "trip@f.cu:3", 100.},
        {Unknown::BranchProbability, "p(branch@f.cu:4)", 0.5}}) {
    Unknown U;
    U.Kind = Kind;
    U.Name = U.What = Name;
    U.Why = "data";
    U.Default = Default;
    U.LaneVarying = false;
    K.Model.Unknowns.push_back(U);
  }
  int L = K.loop(-1, K.parameter("trip@f.cu:3"));
  K.block(L);
  K.op(OpClass::Fp32Fma, {{0, true}});
  K.block(L, K.parameter("p(branch@f.cu:4)"));
  K.Model.Blocks.back().WarpUniform = true;
  K.op(OpClass::Fp32Fma);
  K.last().Count = K.last().Chain = 3;
  K.op(OpClass::Fp32Fma, {{1, false}});
  return K;
}

TEST(Evaluate, SensitivityOfAssumptions) {
  Prediction P =
      predict(dataDependent(), plainGpu(), launch({4, 1, 1}, {32, 1, 1}));
  ASSERT_EQ(P.Assumptions.size(), 2u);
  // Most of the execution is the loop: nearly proportional to its trip count.
  EXPECT_EQ(P.Assumptions[0].What, "trip@f.cu:3");
  double Share = P.Execution / P.Time;
  EXPECT_NEAR(P.Assumptions[0].Sensitivity, Share, 0.2 * Share);
  EXPECT_GT(P.Assumptions[1].Sensitivity, 0);
  EXPECT_LT(P.Assumptions[1].Sensitivity, P.Assumptions[0].Sensitivity);

  EvaluateOptions Off;
  Off.Wanted.Sensitivities = false;
  P = predict(dataDependent(), plainGpu(), launch({4, 1, 1}, {32, 1, 1}), {},
              Off);
  for (const Assumption &A : P.Assumptions)
    EXPECT_EQ(A.Sensitivity, 0);
}

/// ptxas's count lets no block of the launch fit, so that the registers are an
/// assumption of their own, which no parameter stands for.
TEST(Evaluate, AssumedRegistersStandBesideAssumptionsThatAreVaried) {
  OpKernel K = dataDependent();
  K.Model.Res.RegistersSource = "ptxas";
  K.Model.Res.RegistersPerThread = 128; // 1024 threads have 64 at most
  K.Model.Res.RegistersAtLeast = 32;
  Prediction P = predict(K, plainGpu(), launch({4, 1, 1}, {1024, 1, 1}));
  ASSERT_EQ(P.Assumptions.size(), 3u);
  EXPECT_GT(P.Assumptions[0].Sensitivity, 0);
  EXPECT_EQ(P.Assumptions[2].Settle, "--registers N");
  EXPECT_EQ(P.Assumptions[2].Sensitivity, 0);
  EXPECT_FALSE(P.Assumptions[2].NotVaried);
}

TEST(Evaluate, TermsSwitchedOffLeaveTheBreakdown) {
  for (const TermInfo &T : termTable()) {
    EvaluateOptions Options;
    Options.Without.insert(T.Name);
    Prediction P = predict(vectorAdd(), plainGpu(),
                           launch({1000, 1, 1}, {256, 1, 1}), {}, Options);
    for (const auto &[Name, Part] : P.Breakdown)
      EXPECT_NE(Name, T.Name);
  }
}

TEST(Evaluate, ATermActsOrItsModelRefusesIt) {
  auto Refused = [](llvm::StringRef Model, llvm::StringRef Term) {
    EvaluateOptions Options;
    Options.Model = Model.str();
    Options.Without.insert(Term);
    auto P = evaluate(vectorAdd().Model, plainGpu(),
                      launch({1000, 1, 1}, {256, 1, 1}), {}, Options);
    EXPECT_FALSE(bool(P)) << Model.str();
    return P ? std::string() : llvm::toString(P.takeError());
  };
  EXPECT_NE(Refused(DefaultModel, "gravity")
                .find("has no term 'gravity'; it "
                      "has: issue, "),
            std::string::npos);
  for (const ModelInfo &M : modelTable())
    for (const TermInfo &T : termTable())
      if (!M.HasTerm(T.Id)) {
        EXPECT_EQ(Refused(M.Name, T.Name),
                  "--without: model " + M.Name.str() + " has no term '" +
                      T.Name.str() + "'; " +
                      (M.Name == "interval"
                           ? "it has: outstanding, dram-queue"
                           : "none of its terms can be switched off"));
      }
}

TEST(Evaluate, RandomKernelsAreConsistentAndDeterministic) {
  for (unsigned Seed = 0; Seed < 100; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Random R(Seed);
    OpKernel K = randomKernel(R);
    GpuModel G = randomGpu(R);
    Launch L = randomLaunch(R);
    Bindings Values{{"n", double(R.between(0, 50))}};
    EvaluateOptions Options;
    Options.Wanted.Formulas = true;
    Prediction P = predict(K, G, L, Values, Options),
               Again = predict(K, G, L, Values, Options);
    ASSERT_EQ(P.Formulas.Tuple.size(), Again.Formulas.Tuple.size());
    EXPECT_EQ(checkConsistency(P), "");
    EXPECT_EQ(P.Time, Again.Time);
    EXPECT_FALSE(P.Formulas.Tuple.empty());
    for (unsigned F = 0; F < P.Formulas.Tuple.size(); ++F)
      EXPECT_EQ(P.Formulas.Tuple[F].Value.str(),
                Again.Formulas.Tuple[F].Value.str());
    double Seconds = P.Execution.value() * (1 + 1e-6);
    EXPECT_GE(Seconds, P.Count.DramBytes / G.DramPeakBandwidth.value());
    EXPECT_GE(Seconds * G.CoreClock.value(),
              P.Count.WarpInstructions /
                  (G.SmCount * G.SchedulersPerSm * G.IssueRate));
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(Evaluate, ABetterMachineIsNeverSlower) {
  auto Faster = [](GpuModel G, unsigned What) {
    switch (What) {
    case 0:
      G.DramReadBandwidth *= 2;
      G.DramWriteBandwidth *= 2;
      G.DramCopyBandwidth *= 2;
      break;
    case 1:
      G.L2Bandwidth *= 2;
      G.L2WriteBandwidth *= 2;
      break;
    case 2:
      G.DramLatency *= 0.7;
      break;
    case 3:
      G.L1.Latency *= 0.5;
      G.SharedLatency *= 0.5;
      break;
    case 4:
      for (OpCost &C : G.Ops)
        C.Throughput *= 2;
      break;
    }
    return G;
  };
  for (unsigned Seed = 0; Seed < 30; ++Seed) {
    Random R(Seed);
    OpKernel K = randomKernel(R);
    GpuModel G = randomGpu(R);
    Launch L = randomLaunch(R);
    Bindings Values{{"n", double(R.between(0, 50))}};
    double Before = predict(K, G, L, Values).Time.value() * (1 + 1e-6);
    for (unsigned What = 0; What < 5; ++What)
      EXPECT_LE(predict(K, Faster(G, What), L, Values).Time.value(), Before)
          << "seed " << Seed << " improvement " << What;
  }
}

TEST(Evaluate, AHugeGridTakesNoLongerToAnalyse) {
  for (const OpKernel &K : {vectorAdd(), dataDependent()}) {
    auto Work = [&](uint64_t Blocks) {
      return workOf([&] {
        predict(K, plainGpu(), launch({Blocks, 1, 1}, {256, 1, 1}),
                {{"n", double(Blocks) * 256}});
      });
    };
    // 10 blocks are enumerated, more are sampled: a factor, but no growth.
    double Sampled = Work(10000);
    EXPECT_LT(Work(1000000000), 3 * Sampled + 1);
    EXPECT_LT(Sampled, 20 * Work(10) + 1);
  }
}

TEST(Evaluate, LongTripCountsTakeNoLongerToAnalyse) {
  OpKernel K = dataDependent();
  auto Work = [&](double Trips) {
    return workOf([&] {
      predict(K, plainGpu(), launch({1000, 1, 1}, {256, 1, 1}),
              {{"trip@f.cu:3", Trips}});
    });
  };
  EXPECT_LT(Work(1e9), 3 * Work(1e3) + 1);
}

} // namespace
