/// \file
/// The layer conditions against a simulation of every request.
#include "gpu-estimate/Evaluate/TrafficLevels.h"
#include "helpers/CacheSimulator.h"
#include "helpers/TrafficKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

struct Case {
  const char *Name;
  TestKernel K;
  Launch L;
  Bindings V;
  double L1KiB, L2KiB;
  unsigned BlocksPerSm;
  double Tolerance;
};

/// The layer model with the abrupt capacity of the simulated caches.
struct Abrupt {
  double ToL2 = 0, Read = 0;
  Abrupt(const Case &C, const GpuModel &G) {
    LaunchSample S = sampleLaunch(C.K.Model, G, C.L, C.V);
    BoundKernel Bound(C.K.Model, G, C.L, C.V);
    Residency R = residency(G, C.L, C.BlocksPerSm);
    std::vector<AccessGroup> Groups =
        groupAccesses(C.K.Model, S, findPatterns(Bound, G, C.L, C.V, S, R), R);
    std::vector<const AccessGroup *> Loads, All;
    std::vector<double> Asked, Passing;
    for (const AccessGroup &Group : Groups) {
      double Bytes = 0;
      for (unsigned A : Group.Members)
        Bytes += S.Accesses[A].Sectors * 32;
      All.push_back(&Group);
      Passing.push_back(Bytes);
      if (Group.Pattern.Role == CacheRole::CachedLoad) {
        Loads.push_back(&Group);
        Asked.push_back(Bytes);
      }
    }
    auto abrupt = [](CacheView V, double Bytes) {
      V.Full = 0.98 * Bytes;
      V.Gone = 1.02 * Bytes;
      return V;
    };
    std::vector<double> Missed =
        LayerModel(Loads, abrupt(l1View(G, R, 0), C.L1KiB * 1024))
            .fetched(Asked);
    for (unsigned I = 0, L = 0; I < All.size(); ++I) {
      if (All[I]->Pattern.Role == CacheRole::CachedLoad)
        Passing[I] = Missed[L++];
      ToL2 += Passing[I];
    }
    std::vector<double> FromDram =
        LayerModel(All, abrupt(l2View(G, R), C.L2KiB * 1024)).fetched(Passing);
    for (unsigned I = 0; I < All.size(); ++I)
      if (All[I]->Pattern.Role == CacheRole::CachedLoad)
        Read += FromDram[I];
  }
};

std::vector<Case> cases() {
  auto square = [](uint64_t N, uint64_t X, uint64_t Y) {
    return launch({(N + X - 1) / X, (N + Y - 1) / Y, 1}, {X, Y, 1});
  };
  auto line = [](uint64_t Blocks, uint64_t Threads) {
    return launch({Blocks, 1, 1}, {Threads, 1, 1});
  };
  std::vector<Case> C;
  // Everything fits L2; one row and one column of blocks in L1; sectors only.
  C.push_back({"matmul 64",
               matmul(),
               square(64, 16, 16),
               {{"n", 64}},
               64,
               1024,
               2,
               0.05});
  C.push_back({"matmul 128",
               matmul(),
               square(128, 16, 16),
               {{"n", 128}},
               8,
               1024,
               2,
               0.05});
  C.push_back({"matmul 128, small L2",
               matmul(),
               square(128, 16, 16),
               {{"n", 128}},
               16,
               48,
               2,
               0.15});
  C.push_back({"transpose",
               transpose(),
               square(128, 16, 16),
               {{"n", 128}},
               16,
               1024,
               4,
               0.02});
  C.push_back({"transpose, small L2",
               transpose(),
               square(256, 32, 8),
               {{"n", 256}},
               16,
               128,
               4,
               0.02});
  C.push_back({"stencil",
               stencil(false),
               square(256, 32, 8),
               {{"n", 258}},
               16,
               256,
               4,
               0.10});
  C.push_back({"stencil by rows",
               stencil(false),
               square(254, 256, 1),
               {{"n", 256}},
               16,
               256,
               4,
               0.12});
  C.push_back({"stencil 3d",
               stencil(true),
               square(64, 32, 8),
               {{"n", 66}, {"nz", 34}},
               16,
               256,
               2,
               0.12});
  C.push_back(
      {"stream", stream(), line(100, 256), {{"n", 25500}}, 16, 64, 6, 0.01});
  C.push_back({"strided 2",
               stream(2),
               line(100, 256),
               {{"n", 25500}},
               16,
               64,
               6,
               0.01});
  C.push_back({"strided 33",
               stream(33),
               line(100, 256),
               {{"n", 25500}},
               16,
               64,
               6,
               0.01});
  C.push_back(
      {"rows in L1", rows(), line(32, 128), {{"m", 40}}, 64, 512, 2, 0.03});
  // As many sectors as before, but every line of them takes its room.
  C.push_back({"lines beyond L1",
               rows(),
               line(32, 128),
               {{"m", 40}},
               16,
               512,
               2,
               0.03});
  C.push_back(
      {"rows beyond L1", rows(), line(32, 128), {{"m", 40}}, 4, 512, 4, 0.03});
  C.push_back({"broadcast in L1",
               nbody(),
               line(16, 128),
               {{"n", 500}},
               16,
               512,
               2,
               0.03});
  C.push_back({"broadcast beyond L1",
               nbody(),
               line(16, 128),
               {{"n", 4000}},
               16,
               512,
               2,
               0.03});
  C.push_back({"broadcast beyond L2",
               nbody(),
               line(16, 128),
               {{"n", 4000}},
               16,
               32,
               2,
               0.03});
  C.push_back({"two passes in L1",
               twoPasses(),
               line(32, 128),
               {{"m", 8}},
               16,
               512,
               2,
               0.03});
  C.push_back({"two passes in L2",
               twoPasses(),
               line(32, 128),
               {{"m", 40}},
               8,
               512,
               2,
               0.03});
  C.push_back({"two passes in none",
               twoPasses(),
               line(32, 128),
               {{"m", 80}},
               8,
               64,
               2,
               0.03});
  C.push_back({"grid stride",
               gridStride(),
               line(16, 256),
               {{"n", 50000}},
               8,
               64,
               2,
               0.02});
  return C;
}

TEST(Traffic, AgreesWithALruSimulation) {
  for (const Case &C : cases()) {
    GpuModel G = testGpu();
    G.L1.Size = Bytes(C.L1KiB * 1024);
    G.L2.Size = Bytes(C.L2KiB * 1024);
    SimulatedTraffic Want =
        simulate(C.K, G, C.L, C.V, C.BlocksPerSm, C.L1KiB * 1024, 1);
    Abrupt Got(C, G);
    EXPECT_NEAR(Got.ToL2, Want.toL2() * 32, C.Tolerance * Want.toL2() * 32)
        << C.Name;
    EXPECT_NEAR(Got.Read, Want.read() * 32, C.Tolerance * Want.read() * 32)
        << C.Name;
  }
}

TEST(Traffic, MoreCacheNeverFetchesMore) {
  for (const Case &C : cases()) {
    GpuModel G = testGpu();
    G.L1UnifiedWithShared = false;
    LaunchSample S = sampleLaunch(C.K.Model, G, C.L, C.V);
    double L1Before = INFINITY, L2Before = INFINITY;
    for (double KiB = 4; KiB <= 4096; KiB *= 1.5) {
      G.L1.Size = Bytes(KiB * 1024);
      G.L2.Size = Bytes(4096 * 1024);
      double ToL2 =
          estimateTraffic(C.K.Model, G, C.L, C.V, S, C.BlocksPerSm, Cold)
              .L2ReadBytes;
      EXPECT_LE(ToL2, L1Before * (1 + 1e-9)) << C.Name << " " << KiB;
      L1Before = ToL2;
      G.L1.Size = Bytes(16384);
      G.L2.Size = Bytes(KiB * 1024);
      double Read =
          estimateTraffic(C.K.Model, G, C.L, C.V, S, C.BlocksPerSm, Cold)
              .DramReadBytes;
      EXPECT_LE(Read, L2Before * (1 + 1e-9)) << C.Name << " " << KiB;
      L2Before = Read;
    }
  }
}

TEST(Traffic, PartsAreConsistent) {
  for (const Case &C : cases())
    for (const EvaluateOptions &O : {Cold, Warm}) {
      Traffic T = estimate(C.K, testGpu(), C.L, C.V, O, C.BlocksPerSm);
      double L2 = 0, Read = 0, Written = 0;
      for (const AccessTraffic &A : T.Accesses) {
        for (double Fraction : {A.L1Hit, A.L2Hit}) {
          EXPECT_GE(Fraction, 0);
          EXPECT_LE(Fraction, 1);
        }
        L2 += A.L2Bytes;
        Read += A.DramReadBytes;
        Written += A.DramWriteBytes;
      }
      EXPECT_NEAR(L2, T.L2ReadBytes + T.L2WriteBytes, 1e-6 * L2);
      EXPECT_NEAR(Read, T.DramReadBytes, 1e-6 * Read + 1e-9);
      EXPECT_NEAR(Written, T.DramWriteBytes, 1e-6 * Written + 1e-9);
    }
}

} // namespace
