/// \file
/// Physical laws of the model, over random kernels, GPUs and launches whose
/// traffic is stated: a machine that is better in one thing is never slower,
/// more work is never faster, and nothing beats its bounds.
#include "Evaluate/Evaluator/PhysicalLaws.h"
#include "helpers/EvaluateRandom.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

constexpr unsigned Cases = 400;
/// Rounding, and the tolerance at which a loop counts as steady.
constexpr double Slack = 1 + 1e-6;

struct Case {
  explicit Case(unsigned Seed) : R(Seed) {
    K = randomKernel(R);
    Gpu = randomGpu(R);
    L = randomLaunch(R);
    Facts = randomFacts(R, K.Model);
    N = R.chance(0.5) ? R.between(0, 200) : R.real(0, 20);
  }
  double seconds(const GpuModel &G, const Launch &L, double N,
                 TermSet Without = {}) {
    return ModelUnderTest(K.Model, G, L, {{"n", N}}, Facts).cycles(Without) /
           G.CoreClock.value();
  }
  double seconds() { return seconds(Gpu, L, N); }

  Random R;
  OpKernel K;
  GpuModel Gpu;
  Launch L;
  std::vector<AccessFacts> Facts;
  double N = 0;
};

void forEachCase(llvm::function_ref<void(Case &)> Check) {
  for (unsigned Seed = 0; Seed < Cases; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Case C(Seed);
    Check(C);
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(Laws, TimeIsANumberAndPositive) {
  forEachCase([](Case &C) {
    double T = C.seconds();
    EXPECT_TRUE(std::isfinite(T));
    EXPECT_GT(T, 0);
    EXPECT_EQ(T, C.seconds()) << "equal inputs give equal times";
  });
}

/// 268 MB in 25.6 us on a card of 4.8 TB/s.
TEST(Laws, APredictionBeyondThePinsIsAViolation) {
  GpuModel G = testGpu();
  G.DramPeakBandwidth = BytesPerSecond(4.8e12);
  G.L2Bandwidth = G.L2WriteBandwidth = BytesPerSecond(20e12);
  Prediction P;
  P.Execution = Seconds(64.9e-6);
  P.Count.DramBytes = P.Count.DramReadBytes = P.Count.L2Bytes = 268e6;
  EXPECT_EQ(checkPhysicalLaws(P, G), "");
  P.Execution = Seconds(25.6e-6);
  EXPECT_EQ(checkPhysicalLaws(P, G).rfind("DRAM bytes is 268", 0), 0u)
      << checkPhysicalLaws(P, G);
  P.Count = {};
  P.Count.WarpInstructions = 1e12;
  EXPECT_EQ(checkPhysicalLaws(P, G).rfind("warp instructions", 0), 0u);
  P.Count = {};
  P.Count.GlobalLoadRequests = P.Count.DramReadBytes = 1;
  P.Execution = Seconds(1e-9);
  EXPECT_EQ(checkPhysicalLaws(P, G).rfind("one DRAM latency", 0), 0u);
}

TEST(Laws, NoFasterThanWhatMustMove) {
  forEachCase([](Case &C) {
    ModelUnderTest M(C.K.Model, C.Gpu, C.L, {{"n", C.N}}, C.Facts);
    double T = M.cycles() / C.Gpu.CoreClock.value() * Slack;
    const Traffic &F = M.Uniform.Flow;
    EXPECT_GE(T, (F.DramReadBytes + F.DramWriteBytes) /
                     C.Gpu.DramPeakBandwidth.value());
    EXPECT_GE(T, F.L2ReadBytes / C.Gpu.L2Bandwidth.value());
    EXPECT_GE(T, F.L2WriteBytes / C.Gpu.L2WriteBandwidth.value());
    double Moved = 0, Passes = 0;
    for (unsigned I = 0; I < C.K.Model.Accesses.size(); ++I) {
      const MemoryAccess &A = C.K.Model.Accesses[I];
      const AccessTotals &T = M.Uniform.Sample.Accesses[I];
      if (A.Space == MemorySpace::Shared)
        Passes += T.Wavefronts;
      else
        Moved += std::min(T.Sectors * 32, T.Threads * A.BytesPerThread);
    }
    double PerSm = T * C.Gpu.CoreClock.value() * C.Gpu.SmCount;
    EXPECT_GE(PerSm, Moved / C.Gpu.L1Bandwidth.value());
    EXPECT_GE(PerSm, Passes * 128 / C.Gpu.SharedBandwidth.value());
  });
}

TEST(Laws, NoFasterThanItsOperations) {
  forEachCase([](Case &C) {
    ModelUnderTest M(C.K.Model, C.Gpu, C.L, {{"n", C.N}}, C.Facts);
    double Cycles = M.cycles() * Slack * C.Gpu.SmCount;
    const Counts &Count = M.Work.Count;
    EXPECT_GE(Cycles, Count.WarpInstructions /
                          (C.Gpu.SchedulersPerSm * C.Gpu.IssueRate));
    for (const OpClassInfo &I : opClassTable())
      EXPECT_GE(Cycles, Count.ByClass[static_cast<unsigned>(I.Class)] * 32 /
                            C.Gpu.cost(I.Class).Throughput)
          << I.Name.str();
  });
}

TEST(Laws, NoFasterThanOneWarpAlone) {
  forEachCase([](Case &C) {
    unsigned Warps = (C.L.threadsPerBlock() + 31) / 32;
    WalkUnderTest Alone(C.K.Model, C.Gpu, Warps, {{"n", C.N}}, C.Facts);
    EXPECT_GE(C.seconds() * C.Gpu.CoreClock.value() * Slack, Alone.cycles());
  });
}

TEST(Laws, EveryBoundHolds) {
  forEachCase([](Case &C) {
    ModelUnderTest M(C.K.Model, C.Gpu, C.L, {{"n", C.N}}, C.Facts);
    double T = M.cycles() * Slack;
    for (const Bound &B : M.Model.bounds({})) {
      EXPECT_GE(B.Time.value(), 0) << B.Name;
      EXPECT_LE(B.Time.value(), T) << B.Name;
    }
  });
}

struct Improvement {
  const char *Name;
  void (*Apply)(GpuModel &, double Factor);
};

template <auto Member> void raise(GpuModel &G, double F) {
  G.*Member = G.*Member * F;
}
template <auto Member> void lower(GpuModel &G, double F) {
  G.*Member = G.*Member * (1 / F);
}

const Improvement Improvements[] = {
    {"DRAM bandwidth",
     [](GpuModel &G, double F) {
       G.DramPeakBandwidth *= F;
       G.DramReadBandwidth *= F;
       G.DramWriteBandwidth *= F;
       G.DramCopyBandwidth *= F;
     }},
    {"DRAM write bandwidth", raise<&GpuModel::DramWriteBandwidth>},
    {"L2 bandwidth", raise<&GpuModel::L2Bandwidth>},
    {"L2 write bandwidth", raise<&GpuModel::L2WriteBandwidth>},
    {"L1 bandwidth", raise<&GpuModel::L1Bandwidth>},
    {"shared bandwidth", raise<&GpuModel::SharedBandwidth>},
    {"dispatch rate", raise<&GpuModel::BlockDispatchRate>},
    {"atomic rate", raise<&GpuModel::GlobalAtomicRate>},
    {"same-address atomic rate", raise<&GpuModel::GlobalAtomicSameAddressRate>},
    {"shared atomic rate", raise<&GpuModel::SharedAtomicSameAddressRate>},
    {"block start", lower<&GpuModel::BlockStart>},
    {"block start per warp", lower<&GpuModel::BlockStartPerWarp>},
    {"clock", raise<&GpuModel::CoreClock>},
    {"multiprocessors",
     [](GpuModel &G, double F) { G.SmCount = std::ceil(G.SmCount * F); }},
    // List scheduling has anomalies (Graham 1969): another draw of random GPUs
    // holds one case that 5 % more issue rate makes 0.3 % slower.
    {"issue rate", raise<&GpuModel::IssueRate>},
    {"all throughputs",
     [](GpuModel &G, double F) {
       for (OpCost &C : G.Ops)
         C.Throughput *= F;
     }},
    {"fp32 throughput",
     [](GpuModel &G, double F) {
       G.Ops[unsigned(OpClass::Fp32Fma)].Throughput *= F;
     }},
    {"all latencies of operations",
     [](GpuModel &G, double F) {
       for (OpCost &C : G.Ops)
         C.Latency *= 1 / F;
     }},
    {"fp32 latency",
     [](GpuModel &G, double F) {
       G.Ops[unsigned(OpClass::Fp32Fma)].Latency *= 1 / F;
     }},
    {"int latency",
     [](GpuModel &G, double F) {
       G.Ops[unsigned(OpClass::IntAdd)].Latency *= 1 / F;
     }},
    {"L1 latency", [](GpuModel &G, double F) { G.L1.Latency *= 1 / F; }},
    {"L2 latency", [](GpuModel &G, double F) { G.L2.Latency *= 1 / F; }},
    {"DRAM latency", lower<&GpuModel::DramLatency>},
    {"shared latency", lower<&GpuModel::SharedLatency>},
    {"latency of L2's far part",
     [](GpuModel &G, double F) {
       if (G.L2FarLatency)
         *G.L2FarLatency *= 1 / F;
     }},
    {"shared atomic latency", lower<&GpuModel::SharedAtomicLatency>},
    {"atomic latency", lower<&GpuModel::GlobalAtomicLatency>},
    {"barrier latency", lower<&GpuModel::BarrierLatency>},
    {"barrier per warp", lower<&GpuModel::BarrierPerWarp>},
};

TEST(Laws, ABetterMachineIsNeverSlower) {
  forEachCase([](Case &C) {
    double Before = C.seconds();
    for (const Improvement &I : Improvements)
      for (double Factor : {1.05, 1.6, 8.0}) {
        GpuModel Better = C.Gpu;
        I.Apply(Better, Factor);
        EXPECT_LE(C.seconds(Better, C.L, C.N), Before * Slack)
            << I.Name << " * " << Factor;
      }
  });
}

/// The same with the register file's read ports, which the random GPUs leave
/// out. Faster pipes are excepted: they stop hiding that operands are read.
TEST(Laws, ReadPortsOrNotABetterMemoryIsNeverSlower) {
  forEachCase([](Case &C) {
    C.Gpu.ComputeCapability = "8.0";
    double Before = C.seconds();
    for (const Improvement &I : Improvements) {
      llvm::StringRef Name = I.Name;
      if (Name == "issue rate" || Name.ends_with(" throughput") ||
          Name.ends_with(" throughputs"))
        continue;
      GpuModel Better = C.Gpu;
      I.Apply(Better, 1.6);
      EXPECT_LE(C.seconds(Better, C.L, C.N), Before * Slack) << I.Name;
    }
    EXPECT_LE(C.seconds(C.Gpu, C.L, C.N, {Term::Registers}), Before * Slack);
    EXPECT_GE(C.seconds(C.Gpu, C.L, C.N + 3) * Slack, Before);
  });
}

TEST(Laws, ATermSwitchedOffIsNeverSlower) {
  forEachCase([](Case &C) {
    double All = C.seconds();
    for (const TermInfo &T : termTable())
      EXPECT_LE(C.seconds(C.Gpu, C.L, C.N, {T.Id}), All * Slack)
          << T.Name.str();
  });
}

TEST(Laws, MoreIterationsAreNeverFaster) {
  forEachCase([](Case &C) {
    double Before = C.seconds();
    for (double More : {0.1, 1.0, 3.0, 50.0})
      EXPECT_GE(C.seconds(C.Gpu, C.L, C.N + More) * Slack, Before)
          << C.N << " + " << More;
  });
}

TEST(Laws, ALargerGridIsNeverFaster) {
  forEachCase([](Case &C) {
    double Before = C.seconds();
    for (uint64_t More : {1, 2, 17, 1000}) {
      Launch Larger = C.L;
      Larger.Grid[0] += More;
      EXPECT_GE(C.seconds(C.Gpu, Larger, C.N) * Slack, Before)
          << C.L.Grid[0] << " + " << More;
    }
  });
}

/// Figures 4 and 5 of the paper: the waves at the latencies that the bandwidth
/// loops end with take what the closed form says, also where no latency carries
/// the bytes.
TEST(PhysicalLaws, BandwidthLoopsEndAtTheClosedForm) {
  const TermSet NoMemoryLevel = {Term::Cold, Term::Link, Term::Atomics,
                                 Term::Dispatch};
  unsigned Raised = 0, NotConverged = 0;
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    Random R(Seed);
    RandomKernelOptions Options;
    Options.Barriers = false;
    OpKernel K = randomKernel(R, Options);
    GpuModel G = randomGpu(R);
    // L2 and DRAM that many of the kernels saturate.
    double Narrow = R.real(0.01, 1);
    for (BytesPerSecond *B :
         {&G.L2Bandwidth, &G.L2WriteBandwidth, &G.DramReadBandwidth,
          &G.DramWriteBandwidth, &G.DramCopyBandwidth})
      *B = BytesPerSecond(B->value() * Narrow);
    ModelUnderTest M(K.Model, G, randomLaunch(R), {{"n", R.real(0, 50)}},
                     randomFacts(R, K.Model));
    LoadedLatencies Loaded = M.Model.loadedLatencies(NoMemoryLevel);
    double Closed = M.cycles(NoMemoryLevel);
    EXPECT_NEAR(Loaded.Cycles, Closed, 1e-4 * Closed) << "seed " << Seed;
    for (MemoryLevel Level : {MemoryLevel::L2, MemoryLevel::Dram}) {
      Raised += Loaded.Converged[Level] && Loaded.Iterations[Level] > 0;
      NotConverged += !Loaded.Converged[Level];
      EXPECT_LE(Loaded.Iterations[Level], 24u);
    }
  }
  EXPECT_GT(Raised, 50u);
  EXPECT_GT(NotConverged, 5u);
}

} // namespace
