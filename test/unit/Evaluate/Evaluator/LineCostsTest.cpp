/// \file
/// The predicted time by source line: what each component is charged to.
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "helpers/EvaluateKernels.h"
#include "helpers/EvaluateRandom.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

Prediction predictLines(const OpKernel &K, const Launch &L,
                        const GpuModel &Gpu = plainGpu()) {
  EvaluateOptions Options;
  Options.Wanted.Lines = true;
  return llvm::cantFail(evaluate(K.Model, Gpu, L, {}, Options));
}

double fraction(llvm::ArrayRef<std::pair<std::string, double>> Parts,
                llvm::StringRef Component) {
  for (const auto &[Name, Fraction] : Parts)
    if (Name == Component)
      return Fraction;
  return 0;
}

/// Share of one component that line Number gets.
double ofLine(const Prediction &P, unsigned Number, llvm::StringRef Component) {
  double Part = 0;
  for (const LineCost &Line : P.Lines)
    if (Line.Where.Line == Number)
      Part += fraction(Line.Parts, Component);
  double All = fraction(P.Breakdown, Component);
  return All > 0 ? Part / All : 0;
}

double total(const Prediction &P) {
  double Sum = 0;
  for (const LineCost &Line : P.Lines)
    Sum += Line.Share;
  for (const auto &[Component, Fraction] : P.OffLine)
    Sum += Fraction;
  return Sum;
}

void setLines(OpKernel &K) {
  for (unsigned I = 0; I < K.Model.Operations.size(); ++I)
    K.Model.Operations[I].Location = {"f.cu", I + 1, 0};
}

TEST(Lines, AreFoundOnlyWhereTheyAreAskedFor) {
  OpKernel K;
  K.block(-1);
  K.store("c", {{K.load("a"), false}});
  setLines(K);
  Prediction P = llvm::cantFail(
      evaluate(K.Model, plainGpu(), launch({1000, 1, 1}, {256, 1, 1}), {}, {}));
  EXPECT_TRUE(P.Lines.empty());
  EXPECT_TRUE(P.OffLine.empty());
}

TEST(Lines, DramIsChargedByBytes) {
  // Line 1 reads twice the bytes of line 2; nobody's DRAM is line 3's.
  OpKernel K;
  K.block(-1);
  unsigned A = K.load("a", {}, K.id() * 8), B = K.load("b");
  K.op(OpClass::Fp32Add, {{A, false}, {B, false}});
  K.Model.Accesses[0].BytesPerThread = 8;
  setLines(K);
  Prediction P = predictLines(K, launch({100000, 1, 1}, {256, 1, 1}));
  ASSERT_GT(fraction(P.Breakdown, "dram"), 0.1);
  EXPECT_NEAR(ofLine(P, 1, "dram"), 2 / 3., 1e-6);
  EXPECT_NEAR(ofLine(P, 2, "dram"), 1 / 3., 1e-6);
  EXPECT_EQ(ofLine(P, 3, "dram"), 0);
  EXPECT_NEAR(ofLine(P, 1, "issue"), 1 / 3., 1e-6);
}

TEST(Lines, PipesAreThoseOfTheBusiestOne) {
  // fp64 takes four cycles, fp32 one: two fp32 lines do not bind.
  OpKernel K;
  int L = K.loop(-1, K.number(1000));
  K.block(L);
  K.op(OpClass::Fp64Fma);
  K.op(OpClass::Fp32Fma);
  K.op(OpClass::Fp32Fma);
  setLines(K);
  Prediction P = predictLines(K, launch({1000, 1, 1}, {256, 1, 1}));
  ASSERT_GT(fraction(P.Breakdown, "pipes"), 0.1);
  EXPECT_NEAR(ofLine(P, 1, "pipes"), 1, 1e-6);
}

TEST(Lines, DependencyIsChargedToWhatIsWaitedFor) {
  // One warp; line 2 needs line 1, whose result takes four cycles.
  OpKernel K;
  int L = K.loop(-1, K.number(1000));
  K.block(L);
  unsigned First = K.op(OpClass::Fp32Fma);
  K.op(OpClass::Fp32Fma, {{First, false}});
  setLines(K);
  Prediction P = predictLines(K, launch({1, 1, 1}, {32, 1, 1}));
  ASSERT_GT(fraction(P.Breakdown, "dependency"), 0.1);
  EXPECT_NEAR(ofLine(P, 1, "dependency"), 1, 1e-6);
}

TEST(Lines, WhatHasNoLineIsNamed) {
  OpKernel K;
  K.block(-1);
  K.store("c", {{K.load("a"), false}});
  setLines(K);
  K.Model.Operations[1].Location = {};
  Prediction P = predictLines(K, launch({1000, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(total(P), 1, 1e-9);
  EXPECT_EQ(P.Lines.size(), 1u);
  EXPECT_DOUBLE_EQ(fraction(P.OffLine, "launch"),
                   fraction(P.Breakdown, "launch"));
  // The store's half of the issue slots has no place.
  EXPECT_NEAR(fraction(P.OffLine, "issue"), fraction(P.Breakdown, "issue") / 2,
              1e-9);
}

TEST(Lines, EveryModelsSumToOne) {
  for (unsigned Seed = 0; Seed < 40; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Random R(Seed);
    OpKernel K = randomKernel(R);
    setLines(K);
    GpuModel G = randomGpu(R);
    Launch L = randomLaunch(R);
    EvaluateOptions Options;
    Options.Wanted.Lines = true;
    for (const ModelInfo &Model : modelTable()) {
      Options.Model = Model.Name.str();
      llvm::Expected<Prediction> P =
          evaluate(K.Model, G, L, {{"n", 17.0}}, Options);
      if (!P) { // a model that refuses
        llvm::consumeError(P.takeError());
        continue;
      }
      EXPECT_NEAR(total(*P), 1, 1e-6) << Model.Name.str();
      for (size_t I = 1; I < P->Lines.size(); ++I)
        EXPECT_GE(P->Lines[I - 1].Share, P->Lines[I].Share);
    }
  }
}

} // namespace
