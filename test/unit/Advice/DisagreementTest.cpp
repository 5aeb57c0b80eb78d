/// \file
/// Where models disagree, and the names of the parts of their times.
#include "gpu-estimate/Advice/Disagreement.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

ModelEstimate estimate(const char *Model, double Ms,
                       std::vector<std::pair<std::string, double>> Breakdown) {
  ModelEstimate M;
  M.Model = Model;
  M.Estimate.emplace();
  M.Estimate->Time = Seconds(Ms * 1e-3);
  M.Estimate->Breakdown = std::move(Breakdown);
  return M;
}

TEST(Comparison, NamesTheTermThatSetsModelsApart) {
  ModelComparison C;
  C.Models = {estimate("first", 10, {{"dram", 0.6}, {"issue", 0.4}}),
              estimate("near", 12, {{"dram", 0.5}, {"issue", 0.5}}),
              estimate("far", 2, {{"dram-queue", 0.5}, {"issue", 0.5}})};
  C.Models.push_back({"none", std::nullopt, "it does not know"});
  auto Near = disagreement(C, C.Models[1]);
  ASSERT_TRUE(Near.has_value());
  EXPECT_DOUBLE_EQ(Near->Ratio, 1.2);
  EXPECT_EQ(Near->Component, "issue"); // 6 instead of 4 ms
  EXPECT_NEAR(Near->Difference.value(), 2e-3, 1e-12);
  EXPECT_FALSE(disagreement(C, C.Models[3]).has_value());
  auto Far = largestDisagreement(C);
  ASSERT_TRUE(Far.has_value());
  EXPECT_EQ(Far->Model, "far");
  // The queue of DRAM is part of what the first model calls dram: 1, not 6 ms.
  EXPECT_EQ(Far->Component, "dram");
  EXPECT_NEAR(Far->Difference.value(), -5e-3, 1e-12);
}

TEST(Comparison, NothingWithoutTheFirst) {
  ModelComparison C;
  C.Models.push_back({"first", std::nullopt, "it does not know"});
  C.Models.push_back(estimate("other", 1, {{"issue", 1}}));
  EXPECT_FALSE(largestDisagreement(C).has_value());
}

/// Whatever a model calls a part of its time, the table explains it.
TEST(CpiStack, EveryComponentIsInTheTable) {
  auto IsKnown = [](llvm::StringRef Name) {
    return llvm::any_of(componentTable(),
                        [&](const ComponentInfo &C) { return C.Name == Name; });
  };
  for (const TermInfo &T : termTable())
    EXPECT_TRUE(IsKnown(T.Name)) << T.Name.str();
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1);
  unsigned A = K.load("a");
  unsigned S = K.storeShared("s", {{A, false}});
  K.op(OpClass::Barrier);
  unsigned L = K.loadShared("s");
  K.op(OpClass::Fp32Fma, {{L, false}, {S, false}});
  K.store("c", {{L, false}});
  GpuModel G = plainGpu();
  G.MaxBytesInFlightPerSm = Bytes(4096);
  std::vector<std::string> Models;
  for (const ModelInfo &M : modelTable())
    Models.push_back(M.Name.str());
  unsigned Taken = 0;
  llvm::cantFail(evaluateModels(
      K.Model, G, launch({1 << 14, 1, 1}, {256, 1, 1}), {}, {}, Models,
      [&](llvm::StringRef Model, llvm::Expected<Prediction> P) {
        ASSERT_TRUE(bool(P)) << Model.str() << llvm::toString(P.takeError());
        EXPECT_EQ(P->Model, Models[Taken++]);
        EXPECT_EQ(checkConsistency(*P), "");
        double Sum = 0;
        for (const auto &[Component, Cpi] : cpiStack(*P)) {
          EXPECT_TRUE(IsKnown(Component)) << Component;
          Sum += Cpi;
        }
        EXPECT_NEAR(Sum, P->WarpCyclesPerInstruction, 1e-9 * Sum);
      }));
  EXPECT_EQ(Taken, Models.size());
}

/// 1000 cycles, 4 warps on each of 2 multiprocessors, 400 instructions: each
/// warp spends 20 cycles for one.
TEST(CpiStack, IsWarpCyclesForAnInstruction) {
  Prediction P;
  P.Breakdown = {{"dram", 0.75}, {"issue", 0.25}};
  EXPECT_TRUE(cpiStack(P).empty());
  P.WarpCyclesPerInstruction = 1000.0 * 2 * 4 / 400;
  auto Stack = cpiStack(P);
  ASSERT_EQ(Stack.size(), 2u);
  EXPECT_DOUBLE_EQ(Stack[0].second, 15);
  EXPECT_DOUBLE_EQ(Stack[1].second, 5);
}

/// The same numbers alone and together with other models.
TEST(Comparison, ModelsDoNotDisturbEachOther) {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1);
  unsigned A = K.load("a");
  K.op(OpClass::Fp32Fma, {{A, false}});
  GpuModel G = plainGpu();
  G.MaxBytesInFlightPerSm = Bytes(32768);
  Launch L = launch({1 << 14, 1, 1}, {256, 1, 1});
  std::vector<std::string> Models;
  for (const ModelInfo &M : modelTable())
    Models.insert(Models.begin(), M.Name.str()); // in another order
  llvm::cantFail(evaluateModels(
      K.Model, G, L, {}, {}, Models,
      [&](llvm::StringRef Model, llvm::Expected<Prediction> P) {
        EvaluateOptions Alone;
        Alone.Model = Model.str();
        EXPECT_EQ(llvm::cantFail(std::move(P)).Time,
                  llvm::cantFail(evaluate(K.Model, G, L, {}, Alone)).Time)
            << Model.str();
      }));
}

} // namespace
