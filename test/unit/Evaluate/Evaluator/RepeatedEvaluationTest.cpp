/// \file
/// Many launches by one evaluator: each as if it were the only one.
#include "gpu-estimate/Evaluate/Evaluator/EvaluationCache.h"
#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Guarded, with a loop over rows, a tile, a gather and a branch of unknown
/// probability: something that each kind of parameter decides.
OpKernel mixedKernel() {
  OpKernel K;
  K.Model.Arguments.resize(3);
  K.Model.Arguments[0].Name = "n";
  K.Model.Arguments[1].Name = "rows";
  K.Model.Arguments[2].Name = "a";
  K.Model.Arguments[2].Kind = KernelArgument::Pointer;
  K.Model.Arguments[2].ElementBytes = 4;
  Unknown Chance;
  Chance.Kind = Unknown::BranchProbability;
  Chance.Name = "p(branch@f.cu:7)";
  Chance.Default = 0.5;
  K.Model.Unknowns.push_back(Chance);
  Unknown Index;
  Index.Kind = Unknown::LoadedValue;
  Index.Name = "value@f.cu:5";
  Index.Location = {"f.cu", 5, 0};
  K.Model.Unknowns.push_back(Index);
  K.Model.Res.RegistersPerThread = 32;

  ExprContext &C = *K.Model.Context;
  Expr N = K.parameter("n"), Guard = C.less(K.id(), N);
  K.block(-1, Guard);
  K.load("index");
  K.Model.Accesses.back().Location = {"f.cu", 5, 0};
  int Loop = K.loop(-1, K.parameter("rows"), Guard);
  K.block(Loop);
  K.load("a", {}, 4 * (K.counter(Loop) * N + K.id()));
  K.Model.Accesses.back().BaseArgument = 2;
  K.storeShared("tile", {}, 4 * (K.tid() + K.counter(Loop)));
  K.op(OpClass::Barrier);
  K.loadShared("tile", {}, 4 * (K.tid() * K.dim() + K.counter(Loop)));
  K.block(-1, Guard * K.parameter("p(branch@f.cu:7)"));
  unsigned Gathered = K.load("b", {}, 4 * K.parameter("value@f.cu:5"));
  K.Model.Accesses.back().DataDependent = true;
  K.store("c", {{Gathered, false}});
  return K;
}

struct Configuration {
  Launch L;
  Bindings Values;
};

std::vector<Configuration> configurations() {
  std::vector<Configuration> Out;
  for (double N : {1000.0, 4096.0})
    for (double Rows : {0.0, 3.0, 100.0})
      for (uint64_t Block : {32, 100, 256, 1024})
        for (bool Given : {false, true}) {
          Configuration &C = Out.emplace_back();
          C.L = launch({uint64_t(N) / Block + 1, 1, 1}, {Block, 1, 1});
          C.Values["n"] = N;
          C.Values["rows"] = Rows;
          if (Given) {
            C.Values["a"] = N * 100;
            C.Values["p(branch@f.cu:7)"] = 0.25;
          }
        }
  return Out;
}

void expectSame(const Prediction &A, const Prediction &B) {
  EXPECT_EQ(A.Time.value(), B.Time.value());
  EXPECT_EQ(A.Count.WarpInstructions, B.Count.WarpInstructions);
  EXPECT_EQ(A.Count.DramBytes, B.Count.DramBytes);
  EXPECT_EQ(A.Breakdown, B.Breakdown);
  ASSERT_EQ(A.Formulas.Tuple.size(), B.Formulas.Tuple.size());
  for (unsigned I = 0; I < A.Formulas.Tuple.size(); ++I)
    EXPECT_EQ(A.Formulas.Tuple[I].Value.str(), B.Formulas.Tuple[I].Value.str());
  ASSERT_EQ(A.Accesses.size(), B.Accesses.size());
  for (unsigned I = 0; I < A.Accesses.size(); ++I)
    EXPECT_EQ(A.Accesses[I].SectorsPerRequest, B.Accesses[I].SectorsPerRequest);
  ASSERT_EQ(A.Assumptions.size(), B.Assumptions.size());
  for (unsigned I = 0; I < A.Assumptions.size(); ++I) {
    EXPECT_EQ(A.Assumptions[I].Value, B.Assumptions[I].Value);
    EXPECT_EQ(A.Assumptions[I].Sensitivity, B.Assumptions[I].Sensitivity);
  }
}

TEST(Many, EachLaunchIsAsTheOnlyOne) {
  OpKernel K = mixedKernel();
  GpuModel Gpu = plainGpu();
  EvaluateOptions Options;
  Options.Wanted.Formulas = true;
  KernelEvaluator Evaluator(K.Model, Gpu, Options);
  double Least = INFINITY, Longest = 0;
  for (const Configuration &C : configurations()) {
    Prediction Alone =
        llvm::cantFail(evaluate(K.Model, Gpu, C.L, C.Values, Options));
    expectSame(llvm::cantFail(Evaluator.evaluate(C.L, C.Values)), Alone);
    EXPECT_EQ(llvm::cantFail(Evaluator.time(C.L, C.Values)).value(),
              Alone.Time.value());
    Least = std::min(Least, Alone.Time.value());
    Longest = std::max(Longest, Alone.Time.value());
  }
  EXPECT_GT(Longest, 1.5 * Least) << "the configurations should differ";
}

TEST(Many, WhatIsNotWorthItIsGivenUp) {
  OpKernel K = mixedKernel();
  GpuModel Gpu = plainGpu();
  KernelEvaluator Evaluator(K.Model, Gpu);
  const Configuration C = configurations().front();
  Prediction Alone = llvm::cantFail(evaluate(K.Model, Gpu, C.L, C.Values, {}));
  double Asked = 0;
  auto Worth = [&](bool Answer) {
    return [&Asked, Answer](const LaunchSample &Sample) {
      Asked = Sample.Accesses[0].Requests;
      return Answer;
    };
  };
  expectSame(llvm::cantFail(Evaluator.evaluate(C.L, C.Values, Worth(true))),
             Alone);
  EXPECT_EQ(Asked, Alone.Accesses[0].Requests);
  llvm::Expected<Prediction> None =
      Evaluator.evaluate(C.L, C.Values, Worth(false));
  EXPECT_FALSE(bool(None));
  llvm::consumeError(None.takeError());
}

/// What a finding would try: an access moved, another made wider, one gone to
/// shared memory.
std::vector<KernelModel> changedCopies(const OpKernel &K) {
  ExprContext &C = *K.Model.Context;
  std::vector<KernelModel> Out(4, K.Model);
  Expr &Moved = Out[0].Accesses[1].Address;
  Moved = Moved + 4 * C.parameter("threadIdx.x");
  Out[1].Accesses[1].BytesPerThread = 16;
  Out[2].Accesses[1].Space = MemorySpace::Shared;
  Out[3].Accesses[1].Space = MemorySpace::Local;
  return Out;
}

TEST(Many, ChangedCopiesWithOneMemoryAreAsWithoutIt) {
  OpKernel K = mixedKernel();
  GpuModel Gpu = plainGpu(), Other = plainGpu();
  Other.L1.Sector = Bytes(64);
  EvaluationCache Memory(Gpu);
  EvaluateOptions Sharing;
  Sharing.Cache = &Memory;
  std::vector<KernelModel> Copies = changedCopies(K);
  Copies.push_back(K.Model);
  std::set<double> Times;
  for (const Configuration &C : configurations())
    for (const KernelModel &Model : Copies)
      for (const GpuModel *On : {&Gpu, &Other}) {
        Prediction Alone =
            llvm::cantFail(evaluate(Model, *On, C.L, C.Values, {}));
        expectSame(llvm::cantFail(evaluate(Model, *On, C.L, C.Values, Sharing)),
                   Alone);
        Times.insert(Alone.Time.value());
      }
  EXPECT_GT(Times.size(), Copies.size()) << "the copies should differ";
}

TEST(Many, TheTimeOfEveryModelIsThatOfItsPrediction) {
  OpKernel K = mixedKernel();
  GpuModel Gpu = plainGpu();
  Configuration C = configurations().back();
  for (const ModelInfo &Model : modelTable()) {
    EvaluateOptions Options;
    Options.Model = Model.Name.str();
    KernelEvaluator Evaluator(K.Model, Gpu, Options);
    auto P = Evaluator.evaluate(C.L, C.Values);
    auto Time = Evaluator.time(C.L, C.Values);
    ASSERT_EQ(bool(P), bool(Time)) << Options.Model;
    if (P)
      EXPECT_EQ(P->Time.value(), Time->value()) << Options.Model;
    else
      EXPECT_EQ(llvm::toString(P.takeError()),
                llvm::toString(Time.takeError()));
  }
}

TEST(Many, WhatIfTimesAreRememberedByWhatTheKernelReads) {
  OpKernel K = mixedKernel();
  GpuModel Gpu = plainGpu();
  EvaluateOptions Fewer;
  Fewer.SampleEffort = WhatIfEffort;
  KernelEvaluator Evaluator(K.Model, Gpu);
  std::set<double> Times;
  for (unsigned Round = 0; Round < 2; ++Round)
    for (Configuration C : configurations()) {
      if (Round > 0)
        C.Values["unread"] = 7;
      KernelEvaluator Alone(K.Model, Gpu, Fewer);
      double Time = Evaluator.whatIfTime(C.L, C.Values)->value();
      EXPECT_EQ(Time, llvm::cantFail(Alone.time(C.L, C.Values)).value());
      Times.insert(Time);
    }
  EXPECT_GT(Times.size(), configurations().size() / 2);
  EXPECT_FALSE(Evaluator.whatIfTime(launch({1, 1, 1}, {4096, 1, 1}), {}));
}

TEST(Many, AnImpossibleLaunchLeavesTheNextAlone) {
  OpKernel K = mixedKernel();
  GpuModel Gpu = plainGpu();
  KernelEvaluator Evaluator(K.Model, Gpu);
  Configuration C = configurations().front();
  double Before = llvm::cantFail(Evaluator.time(C.L, C.Values)).value();
  auto Impossible = Evaluator.time(launch({1, 1, 1}, {4096, 1, 1}), C.Values);
  ASSERT_FALSE(bool(Impossible));
  llvm::consumeError(Impossible.takeError());
  EXPECT_EQ(llvm::cantFail(Evaluator.time(C.L, C.Values)).value(), Before);
}

TEST(Many, AnUnknownModelIsNamed) {
  OpKernel K = mixedKernel();
  GpuModel Gpu = plainGpu();
  EvaluateOptions Options;
  Options.Model = "no-such-model";
  auto Time = KernelEvaluator(K.Model, Gpu, Options)
                  .time(launch({1, 1, 1}, {32, 1, 1}), {});
  ASSERT_FALSE(bool(Time));
  EXPECT_NE(llvm::toString(Time.takeError()).find("no-such-model"),
            std::string::npos);
}

} // namespace
