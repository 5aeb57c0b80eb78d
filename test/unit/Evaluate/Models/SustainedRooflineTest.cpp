/// \file
/// sustained-roofline: each roof against demand / rate by hand, and a kernel.
#include "Evaluate/Models/SustainedRoofline.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// Cycles of each roof; plainGpu has 4 multiprocessors and 1 GHz, so that a
/// nanosecond is a cycle.
double roof(const Workload &Work, llvm::StringRef Name, double Blocks = 1) {
  for (const Bound &B : sustainedRoofs(Work, plainGpu(), Blocks))
    if (B.Name == Name)
      return B.Time.value();
  ADD_FAILURE() << "no roof is called " << Name.str();
  return 0;
}

TEST(SustainedRoofline, RoofsAreDemandOverSustainedRate) {
  Workload Work;
  Work.DramReadBytes = 6e9; // at 60 GB/s, where the pins have 64
  EXPECT_DOUBLE_EQ(roof(Work, "dram-bandwidth"), 0.1e9);
  Work.DramReadBytes = Work.DramWriteBytes = 1e9; // a copy: 50 GB/s
  EXPECT_DOUBLE_EQ(roof(Work, "dram-bandwidth"), 0.04e9);
  Work.L2ReadBytes = 1.28e9;  // at 128 GB/s
  Work.L2WriteBytes = 0.96e9; // at 96 GB/s
  EXPECT_DOUBLE_EQ(roof(Work, "l2-bandwidth"), 0.02e9);
}

TEST(SustainedRoofline, InstructionsHaveAllMultiprocessors) {
  Workload Work;
  Work.IssueCycles = 8e6;
  Work.PipeCycles[static_cast<unsigned>(Pipe::Fp64)] = 4e6;
  // One block would keep one of the four busy; a roof does not know.
  for (double Blocks : {1.0, 1000.0}) {
    EXPECT_DOUBLE_EQ(roof(Work, "issue", Blocks), 2e6);
    EXPECT_DOUBLE_EQ(roof(Work, "fp64", Blocks), 1e6);
    EXPECT_DOUBLE_EQ(roof(Work, "fp32", Blocks), 0);
  }
}

TEST(SustainedRoofline, WhatDependsOnWarpsIsNoRoof) {
  Workload Work;
  Work.SharedCycles = Work.L1Cycles = Work.RegisterCycles = 1e9;
  Work.SharedAtomicCycles = Work.GlobalAtomicCycles = 1e9;
  Work.PipeCycles[static_cast<unsigned>(Pipe::LoadStore)] = 1e9;
  for (const Bound &B : sustainedRoofs(Work, plainGpu(), 64))
    EXPECT_EQ(B.Time.value(), 0) << B.Name;
}

/// c[i] = a[i] + b[i]
Prediction vectorAdd(uint64_t Blocks, const EvaluateOptions &Options) {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1);
  unsigned A = K.load("a"), B = K.load("b");
  unsigned S = K.op(OpClass::Fp32Add, {{A, false}, {B, false}});
  K.store("c", {{S, false}});
  llvm::Expected<Prediction> P = evaluate(
      K.Model, plainGpu(), launch({Blocks, 1, 1}, {256, 1, 1}), {}, Options);
  if (P)
    return *P;
  ADD_FAILURE() << llvm::toString(P.takeError());
  return {};
}

TEST(SustainedRoofline, TimeIsLaunchAndTheHighestRoof) {
  EvaluateOptions Options;
  Options.Model = "sustained-roofline";
  Options.Caches = CacheState::Cold;
  Prediction P = vectorAdd(1 << 16, Options);
  EXPECT_EQ(checkConsistency(P), "");
  EXPECT_EQ(P.Bottleneck, "dram-bandwidth");
  EXPECT_EQ(P.LaunchOverhead, plainGpu().LaunchLatency);
  double Rate =
      dramBandwidth(plainGpu(), P.Count.DramWriteBytes / P.Count.DramBytes)
          .value();
  EXPECT_DOUBLE_EQ(P.Execution.value(), P.Count.DramBytes / Rate);
  EXPECT_EQ(P.Breakdown.front().first, "dram");
  EXPECT_EQ(P.Breakdown.size(), 2u);
}

TEST(SustainedRoofline, OneBlockIsALaunch) {
  EvaluateOptions Options;
  Options.Model = "sustained-roofline";
  Options.Timing = LaunchTiming::BackToBack;
  Prediction P = vectorAdd(1, Options);
  EXPECT_EQ(checkConsistency(P), "");
  EXPECT_EQ(P.Bottleneck, "launch");
  EXPECT_EQ(P.LaunchOverhead, plainGpu().LaunchInterval);
  EXPECT_GT(P.Time, P.LaunchOverhead);
}

} // namespace
