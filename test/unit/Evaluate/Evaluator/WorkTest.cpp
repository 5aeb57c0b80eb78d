/// \file
/// The work of an evaluation grows in proportion to the kernel, and an
/// evaluation that runs out of work ends at once. Work is counted in units
/// (Support/WorkBudget.h), so these tests do not depend on the machine's load.
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "helpers/EvaluateBruteForce.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

template <typename F> uint64_t workOf(F Run) {
  WorkBudget Budget({});
  WorkScope Scope(Budget);
  Run();
  return Budget.spent();
}

/// Doubles Size three times and expects at most MaxFactor times the work for
/// each doubling.
template <typename F>
void expectGrowth(unsigned Size, F Work, double MaxFactor = 2.5) {
  uint64_t Before = Work(Size);
  EXPECT_GT(Before, 0u);
  for (unsigned Step = 0; Step < 3; ++Step) {
    Size *= 2;
    uint64_t After = Work(Size);
    EXPECT_LE(double(After), MaxFactor * double(Before)) << "size " << Size;
    Before = After;
  }
}

/// Loops inside each other, each with a load and a use of it before the next.
OpKernel nest(unsigned Depth, double Trips) {
  OpKernel K;
  int L = -1;
  for (unsigned I = 0; I < Depth; ++I) {
    L = K.loop(L, K.number(Trips));
    K.block(L);
    unsigned V = K.load("a", {}, (K.tid() + K.counter(L) * 64) * 4);
    unsigned Sum = K.op(OpClass::Fp32Fma, {{V, false}});
    K.op(OpClass::Fp32Add, {{Sum, false}, {Sum + 1, true}});
  }
  EXPECT_EQ(checkConsistency(K.Model), "");
  return K;
}

uint64_t workOfWalk(const OpKernel &K) {
  WalkUnderTest W(K.Model, plainGpu(), 1, {},
                  std::vector<AccessFacts>(K.Model.Accesses.size()));
  return workOf([&] { W.run(); });
}

uint64_t workOfEvaluation(const OpKernel &K, const EvaluateOptions &Options) {
  return workOf([&] {
    auto P = evaluate(K.Model, plainGpu(), launch({64, 1, 1}, {128, 1, 1}),
                      {{"n", 100}}, Options);
    EXPECT_TRUE(bool(P));
    if (!P)
      llvm::consumeError(P.takeError());
  });
}

uint64_t workOfEvaluation(const OpKernel &K) {
  EvaluateOptions Options;
  Options.Wanted.Formulas = Options.Wanted.Latencies = Options.Wanted.Lines =
      true;
  return workOfEvaluation(K, Options);
}

/// Guarded blocks one after the other, each with a load.
OpKernel manyBlocks(unsigned Blocks) {
  OpKernel K;
  for (unsigned I = 0; I < Blocks; ++I) {
    K.block(-1, K.context().less(K.id(), K.parameter("n") + double(I)));
    unsigned V = K.load("a", {}, (K.id() + double(I * I)) * 4);
    K.op(OpClass::Fp32Fma, {{V, false}});
  }
  return K;
}

OpKernel straightLine(unsigned Operations) {
  OpKernel K;
  K.block(-1);
  unsigned V = K.load("a");
  for (unsigned I = 0; I < Operations; ++I)
    V = K.op(OpClass::Fp32Fma, {{V, false}});
  K.store("a", {{V, false}});
  return K;
}

OpKernel manyAccesses(unsigned Accesses) {
  OpKernel K;
  K.block(-1);
  for (unsigned I = 0; I < Accesses; ++I)
    K.load("a" + std::to_string(I), {}, K.id() * (4.0 * (1 + I)));
  return K;
}

/// Loops inside each other whose trip counts differ from lane to lane.
OpKernel unevenNest(unsigned Depth) {
  OpKernel K;
  int L = -1;
  for (unsigned I = 0; I < Depth; ++I)
    L = K.loop(L, K.context().mod(K.tid(), K.number(3)) + double(1 + I % 2));
  K.block(L);
  K.load("a", {}, (K.id() + K.counter(L)) * 4);
  return K;
}

TEST(Work, OfAWalkGrowsWithTheDepthOfANest) {
  for (double Trips : {3.5, 10.0, 100.0}) {
    SCOPED_TRACE("trips " + std::to_string(Trips));
    expectGrowth(
        4, [&](unsigned Depth) { return workOfWalk(nest(Depth, Trips)); });
  }
  // No operation of an outer loop is simulated more often than the nest is
  // deep; the three innermost levels make a few rounds each.
  for (unsigned Depth : {8, 16, 32}) {
    OpKernel K = nest(Depth, 2);
    EXPECT_LE(workOfWalk(K), 3 * Depth * K.Model.Operations.size());
  }
}

// A simulated operation takes a tenth of the time of other units of work.
TEST(Work, OfAWalkIsAUnitForSeveralOperations) {
  OpKernel K = straightLine(1024);
  uint64_t Units = workOfWalk(K);
  EXPECT_GT(Units, 0u);
  EXPECT_LE(Units, K.Model.Operations.size() / 3);
}

TEST(Work, OfSamplingUnevenNestsIsBounded) {
  expectGrowth(16, [&](unsigned Depth) {
    OpKernel K = unevenNest(Depth);
    return workOf([&] {
      sampleLaunch(K.Model, plainGpu(), launch({64, 1, 1}, {128, 1, 1}), {});
    });
  });
}

TEST(Work, OfAnEvaluationGrowsWithTheBlocks) {
  expectGrowth(
      32, [](unsigned Size) { return workOfEvaluation(manyBlocks(Size)); });
}

TEST(Work, OfAnEvaluationGrowsWithTheStraightLine) {
  expectGrowth(
      64, [](unsigned Size) { return workOfEvaluation(straightLine(Size)); });
}

TEST(Work, OfAnEvaluationGrowsWithTheAccesses) {
  expectGrowth(
      16, [](unsigned Size) { return workOfEvaluation(manyAccesses(Size)); });
}

/// The outer loops of a deep nest are simulated for two rounds; that changes
/// little.
TEST(Work, DeepNestsTakeTheTimeOfEveryIteration) {
  for (unsigned Depth : {4, 5, 6, 7})
    for (double Trips : {2.0, 3.0}) {
      SCOPED_TRACE(std::to_string(Depth) + " loops");
      OpKernel K = nest(Depth, Trips);
      WalkUnderTest W(K.Model, plainGpu(), 1, {},
                      std::vector<AccessFacts>(K.Model.Accesses.size()));
      double Every = BruteForceWalk(K.Model, W.Costs, W.Schedule, 1)
                         .run(W.Uniform.Sample.Paths.front());
      EXPECT_NEAR(W.cycles(), Every, Depth > 4 ? 0.01 * Every : 1e-6 * Every);
    }
}

TEST(Work, AnExhaustedBudgetEndsAnEvaluation) {
  std::vector<OpKernel> Kernels;
  Kernels.push_back(nest(6, 10));
  Kernels.push_back(manyBlocks(40));
  Kernels.push_back(straightLine(400));
  Kernels.push_back(manyAccesses(40));
  Kernels.push_back(unevenNest(12));
  EvaluateOptions Options;
  Options.Wanted.Formulas = Options.Wanted.Latencies = Options.Wanted.Lines =
      true;
  for (auto [Index, K] : llvm::enumerate(Kernels)) {
    // The first one also builds the terms that the next ones find.
    workOfEvaluation(K, Options);
    uint64_t All = workOfEvaluation(K, Options);
    for (uint64_t Units = 1; Units < All; Units += 1 + All / 40) {
      SCOPED_TRACE("kernel " + std::to_string(Index) + ", " +
                   std::to_string(Units) + " of " + std::to_string(All));
      WorkBudget Budget({.Units = Units});
      WorkScope Scope(Budget);
      auto P = evaluate(K.Model, plainGpu(), launch({64, 1, 1}, {128, 1, 1}),
                        {{"n", 100}}, Options);
      EXPECT_TRUE(Budget.exhausted());
      // What was begun is ended in a fraction of the whole work.
      EXPECT_LE(Budget.spent(), Units + All / 8 + 4096);
      std::string Why = P ? "" : llvm::toString(P.takeError());
      EXPECT_EQ(Why, "the evaluation ended early");
    }
  }
}

} // namespace
