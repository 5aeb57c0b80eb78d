/// \file
/// Loop nests as FPGA pipelines: the algebra of initiation intervals against
/// brute force, designs of hand-made kernels against hand calculations.
#include "gpu-estimate/Targets/Fpga/FpgaTime.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Largest ratio over all simple circuits, by walking every path.
struct AllCircuits {
  llvm::ArrayRef<DependenceEdge> Edges;
  std::vector<bool> OnPath;
  double Largest = 1;

  void walk(unsigned From, unsigned At, double Latency, double Distance) {
    for (const DependenceEdge &E : Edges) {
      if (E.From != At)
        continue;
      if (E.To == From)
        Largest = std::max(Largest, std::ceil((Latency + E.Latency) /
                                              (Distance + E.Distance)));
      else if (!OnPath[E.To]) {
        OnPath[E.To] = true;
        walk(From, E.To, Latency + E.Latency, Distance + E.Distance);
        OnPath[E.To] = false;
      }
    }
  }
};

double bruteForce(unsigned Nodes, llvm::ArrayRef<DependenceEdge> Edges) {
  AllCircuits All{Edges, std::vector<bool>(Nodes)};
  for (unsigned N = 0; N < Nodes; ++N) {
    All.OnPath.assign(Nodes, false);
    All.OnPath[N] = true;
    All.walk(N, N, 0, 0);
  }
  return All.Largest;
}

TEST(RecurrenceInterval, OfASumIsItsAdder) {
  EXPECT_EQ(recurrenceInterval(1, {{0, 0, 5, 1}}), 5);
}

TEST(RecurrenceInterval, AnOlderValueHalvesIt) {
  // y[i] = b1 * y[i-1] + b2 * y[i-2]: a product (4) and a sum (5).
  EXPECT_EQ(recurrenceInterval(2, {{0, 1, 4, 0}, {1, 0, 5, 2}}), 5);
  EXPECT_EQ(recurrenceInterval(2, {{0, 1, 4, 0}, {1, 0, 5, 1}}), 9);
}

TEST(RecurrenceInterval, WithoutACircuitIsOne) {
  EXPECT_EQ(recurrenceInterval(3, {{0, 1, 9, 0}, {1, 2, 9, 0}}), 1);
}

TEST(RecurrenceInterval, EqualsBruteForceOnRandomGraphs) {
  std::mt19937 Random(7);
  for (int Case = 0; Case < 300; ++Case) {
    unsigned Nodes = 2 + Random() % 5;
    std::vector<DependenceEdge> Edges;
    for (unsigned E = 0; E < 2 * Nodes; ++E) {
      unsigned From = Random() % Nodes, To = Random() % Nodes;
      // Backwards and to itself only over iterations.
      double Distance = From < To ? Random() % 2 : 1 + Random() % 3;
      Edges.push_back({From, To, double(Random() % 9), Distance});
    }
    EXPECT_EQ(recurrenceInterval(Nodes, Edges), bruteForce(Nodes, Edges))
        << "case " << Case;
  }
}

/// Round numbers; memory and ports are ample unless a test says otherwise.
FpgaModel plainFpga() {
  FpgaModel F;
  F.Clock = Hertz(100e6);
  F.DspSlices = 100;
  F.BramBlocks = 1000;
  F.BramBlock = Bytes(1 << 20);
  F.BramPorts = 2;
  F.AxiPorts = 1000;
  F.AxiWidth = Bytes(8);
  F.DramBandwidth = BytesPerSecond(1e15);
  F.Fp32Add = {Cycles(5), 2};
  F.Fp32Mul = {Cycles(4), 3};
  F.Logic = Cycles(1);
  F.Load = Cycles(2);
  F.Store = Cycles(1);
  return F;
}

/// Threads x (sum over k of a[k] * b): one store each.
struct Dot : OpKernel {
  int K;
  explicit Dot(double Trips, OpClass Round = OpClass::Fp32Add) {
    K = loop(-1, number(Trips));
    block(K);
    unsigned A = load("a", {}, counter(K) * 4);
    unsigned Product = op(OpClass::Fp32Mul, {{A, false}});
    unsigned Self = Model.Operations.size();
    unsigned Sum = op(Round, {{Product, false}, {Self, true}});
    block(-1);
    store("c", {{Sum, false}});
    Model.Nest = {"f"};
  }
  FpgaTime time(const FpgaModel &F, Launch L = Launch()) {
    return timeOnFpga(Model, numberNest(Model, L, {}), F);
  }
};

TEST(FpgaTime, SumsAreGatheredInATree) {
  FpgaTime T = Dot(1024).time(plainFpga());
  ASSERT_EQ(T.Pipelines.size(), 1u);
  const FpgaPipeline &P = T.Pipelines[0];
  EXPECT_GT(P.UnrollInner, 1u);
  // Shared operators: copies x 5 slices over 100, but never below the adder.
  EXPECT_EQ(P.Interval, std::max(5.0, std::ceil(P.UnrollInner * 5 / 100.0)));
  EXPECT_LE(P.Dsp, 100);
  double Shared = std::max(1.0, std::ceil(P.UnrollInner * 5 / 100.0));
  double Depth = 2 + 4 + 5 + std::log2(P.UnrollInner) * 5 + Shared - 1;
  EXPECT_DOUBLE_EQ(P.Depth, Depth);
  EXPECT_DOUBLE_EQ(P.Cycles, P.Interval * (1024 / P.UnrollInner - 1) + P.Depth);
  // and the store behind it, in cycles of 10 ns
  EXPECT_NEAR(T.Pipeline.value(), (P.Cycles + 1) * 1e-8, 1e-15);
}

TEST(FpgaTime, WhatIsNoSumIsNotUnrolled) {
  // s = s * x
  FpgaTime T = Dot(1024, OpClass::Fp32Mul).time(plainFpga());
  EXPECT_EQ(T.Pipelines[0].UnrollInner, 1u);
  EXPECT_EQ(T.Pipelines[0].Interval, 4);
  EXPECT_EQ(T.Pipelines[0].Limit, "recurrence");
  EXPECT_EQ(T.Bottleneck, "recurrence");
  EXPECT_DOUBLE_EQ(T.Pipelines[0].Cycles, 4 * 1023 + 2 + 4 + 4);
}

TEST(FpgaTime, IndependentIterationsShareThePipeline) {
  Launch L;
  L.Grid = {2, 1, 1};
  L.Block = {32, 1, 1};
  FpgaTime T = Dot(1024, OpClass::Fp32Mul).time(plainFpga(), L);
  EXPECT_GT(T.Pipelines[0].UnrollSpread, 1u);
  FpgaTime Alone = Dot(1024, OpClass::Fp32Mul).time(plainFpga());
  EXPECT_LT(T.Pipeline.value(), 64 * Alone.Pipeline.value());
}

TEST(FpgaTime, ASumInMemoryGoesRoundThroughIt) {
  OpKernel K;
  int Loop = K.loop(-1, K.number(100));
  K.block(Loop);
  unsigned Old = K.load("s", {}, K.number(0));
  unsigned New = K.op(OpClass::Fp32Add, {{Old, false}});
  K.store("s", {{New, false}}, K.number(0));
  FpgaModel F = plainFpga();
  FpgaTime T = timeOnFpga(K.Model, numberNest(K.Model, Launch(), {}), F);
  EXPECT_EQ(T.Pipelines[0].Interval, 2 + 5 + 1);
}

TEST(FpgaTime, AScanKeepsItsOrder) {
  OpKernel K;
  int Loop = K.loop(-1, K.number(100));
  K.block(Loop);
  unsigned Old = K.load("s", {}, K.counter(Loop) * 4);
  unsigned New = K.op(OpClass::Fp32Add, {{Old, false}});
  K.store("s", {{New, false}}, K.counter(Loop) * 4 + 8); // two further
  FpgaTime T =
      timeOnFpga(K.Model, numberNest(K.Model, Launch(), {}), plainFpga());
  EXPECT_EQ(T.Pipelines[0].Interval, 4); // (2 + 5 + 1) / 2
  EXPECT_EQ(T.Pipelines[0].UnrollInner, 1u);
}

TEST(FpgaTime, DramLimitsWhatDoesNotFit) {
  FpgaModel F = plainFpga();
  F.BramBlocks = 1;
  F.BramBlock = Bytes(16);
  F.DramBandwidth = BytesPerSecond(1e6);
  F.DramEfficiency = 0.5;
  FpgaTime T = Dot(1024).time(F);
  // a once, c once (a piece of 8 bytes)
  EXPECT_NEAR(T.DramBytes.value(), 4096 + 8, 8);
  EXPECT_NEAR(T.Dram.value(), T.DramBytes.value() / 0.5e6, 1e-12);
  EXPECT_EQ(T.Bottleneck, "dram");
  EXPECT_EQ(T.Time, T.Dram);
}

TEST(FpgaTime, IndicesNeedNoMultipliers) {
  Dot K(64);
  FpgaTime Plain = K.time(plainFpga());
  K.block(K.K);
  K.op(OpClass::IntMul);
  FpgaModel F = plainFpga();
  F.IntMul = {Cycles(6), 3};
  EXPECT_EQ(K.time(F).Pipelines[0].Dsp, Plain.Pipelines[0].Dsp);
}

} // namespace
