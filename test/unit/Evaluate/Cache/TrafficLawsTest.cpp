/// \file
/// What holds for the traffic of every kernel.
#include "helpers/TrafficKernels.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

struct Case {
  const char *Name;
  TestKernel K;
  Launch L;
  Bindings V;
  unsigned BlocksPerSm;
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
  C.push_back({"matmul 64", matmul(), square(64, 16, 16), {{"n", 64}}, 2});
  C.push_back({"matmul 128", matmul(), square(128, 16, 16), {{"n", 128}}, 2});
  C.push_back(
      {"matmul 128, small L2", matmul(), square(128, 16, 16), {{"n", 128}}, 2});
  C.push_back({"transpose", transpose(), square(128, 16, 16), {{"n", 128}}, 4});
  C.push_back({"transpose, small L2",
               transpose(),
               square(256, 32, 8),
               {{"n", 256}},
               4});
  C.push_back({"stencil", stencil(false), square(256, 32, 8), {{"n", 258}}, 4});
  C.push_back({"stencil by rows",
               stencil(false),
               square(254, 256, 1),
               {{"n", 256}},
               4});
  C.push_back({"stencil 3d",
               stencil(true),
               square(64, 32, 8),
               {{"n", 66}, {"nz", 34}},
               2});
  C.push_back({"stream", stream(), line(100, 256), {{"n", 25500}}, 6});
  C.push_back({"strided 2", stream(2), line(100, 256), {{"n", 25500}}, 6});
  C.push_back({"strided 33", stream(33), line(100, 256), {{"n", 25500}}, 6});
  C.push_back({"rows in L1", rows(), line(32, 128), {{"m", 40}}, 2});
  // As many sectors as before, but every line of them takes its room.
  C.push_back({"lines beyond L1", rows(), line(32, 128), {{"m", 40}}, 2});
  C.push_back({"rows beyond L1", rows(), line(32, 128), {{"m", 40}}, 4});
  C.push_back({"broadcast in L1", nbody(), line(16, 128), {{"n", 500}}, 2});
  C.push_back(
      {"broadcast beyond L1", nbody(), line(16, 128), {{"n", 4000}}, 2});
  C.push_back(
      {"broadcast beyond L2", nbody(), line(16, 128), {{"n", 4000}}, 2});
  C.push_back({"two passes in L1", twoPasses(), line(32, 128), {{"m", 8}}, 2});
  C.push_back({"two passes in L2", twoPasses(), line(32, 128), {{"m", 40}}, 2});
  C.push_back(
      {"two passes in none", twoPasses(), line(32, 128), {{"m", 80}}, 2});
  C.push_back({"grid stride", gridStride(), line(16, 256), {{"n", 50000}}, 2});
  return C;
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

/// Largest relative change of a quantity per element from one size to the next.
double largestStep(llvm::ArrayRef<double> PerElement) {
  double Largest = 0;
  for (size_t I = 1; I < PerElement.size(); ++I)
    if (PerElement[I - 1] > 0)
      Largest =
          std::max(Largest, std::abs(PerElement[I] / PerElement[I - 1] - 1));
  return Largest;
}

/// Largest change of the step, relative to the quantity.
double largestBend(llvm::ArrayRef<double> PerElement) {
  double Largest = 0;
  for (size_t I = 2; I < PerElement.size(); ++I)
    Largest = std::max(
        Largest,
        std::abs((PerElement[I] - 2 * PerElement[I - 1] + PerElement[I - 2]) /
                 PerElement[I - 1]));
  return Largest;
}

// From launches that are enumerated (64 warps, or some thousands of cheap ones)
// to sampled ones (256 warps and more), and from loops whose iterations are all
// looked at to sampled ones. The caches hold everything; blocks run in waves on
// 4 multiprocessors.
TEST(Traffic, BytesPerElementHaveNoJumpAtTheLimitsOfSampling) {
  GpuModel Roomy = testGpu();
  Roomy.L1.Size = Roomy.L2.Size = Bytes(1 << 28);
  auto scan = [](auto Sizes, auto Predict) {
    std::vector<double> ToL2, Read;
    for (double N : Sizes) {
      auto [T, Elements] = Predict(N);
      ToL2.push_back((T.L2ReadBytes + T.L2WriteBytes) / Elements);
      Read.push_back(T.DramReadBytes / Elements);
    }
    return std::pair(largestStep(ToL2), largestStep(Read));
  };
  auto range = [](double First, double Last, double Step) {
    std::vector<double> Out;
    for (double N = First; N <= Last; N += Step)
      Out.push_back(N);
    return Out;
  };
  TestKernel Stream = stream(), Rows = rows(), Grid = stencil(false),
             Product = matmul(), Turned = transpose(), Gather = gather();
  auto lines = [&](const TestKernel &K, double N, Bindings V) {
    return estimate(K, Roomy,
                    launch({uint64_t(std::ceil(N / 256)), 1, 1}, {256, 1, 1}),
                    V, Cold);
  };
  auto squares = [&](const TestKernel &K, double N, double Size) {
    uint64_t Blocks = std::ceil(N / 16);
    return estimate(K, Roomy, launch({Blocks, Blocks, 1}, {16, 16, 1}),
                    {{"n", Size}}, Cold);
  };

  // 64 warps are 2048 elements, 256 warps 8192.
  auto [A, B] = scan(range(1024, 20000, 256), [&](double N) {
    return std::pair(lines(Stream, N, {{"n", N}}), N);
  });
  EXPECT_LT(A, 0.01) << "stream, to L2";
  EXPECT_LT(B, 0.01) << "stream, from DRAM";
  // 2^18 lane evaluations are 150000 elements.
  auto [K, L] = scan(range(100000, 250000, 1280), [&](double N) {
    return std::pair(lines(Stream, N, {{"n", N}}), N);
  });
  EXPECT_LT(K, 1e-3) << "long stream, to L2";
  EXPECT_LT(L, 1e-3) << "long stream, from DRAM";
  // What draws share falls with their number: the slope has no jump either.
  std::vector<double> Drawn;
  for (double N : range(20000, 150000, 1111))
    Drawn.push_back(lines(Gather, N, {{"n", N}, {"x", 30000}}).L2ReadBytes / N);
  EXPECT_LT(largestBend(Drawn), 4e-3) << "gather, to L2";
  // Iterations: rows of one line and more, so that alignment does not move.
  auto [C, D] = scan(range(32, 2048, 32), [&](double M) {
    return std::pair(lines(Rows, 512, {{"m", M}}), 512 * M);
  });
  EXPECT_LT(C, 0.02) << "rows, to L2";
  EXPECT_LT(D, 0.02) << "rows, from DRAM";
  // 64 warps are 45 x 45 elements. The halo's share falls with n.
  auto [E, F] = scan(range(32, 512, 16), [&](double N) {
    return std::pair(squares(Grid, N, N + 2), N * N);
  });
  EXPECT_LT(E, 0.15) << "stencil, to L2";
  EXPECT_LT(F, 0.15) << "stencil, from DRAM";
  auto [G, H] = scan(range(32, 512, 16), [&](double N) {
    return std::pair(squares(Turned, N, N), N * N);
  });
  EXPECT_LT(G, 0.01) << "transpose, to L2";
  EXPECT_LT(H, 0.01) << "transpose, from DRAM";
  auto [I, J] = scan(range(64, 512, 16), [&](double N) {
    return std::pair(squares(Product, N, N), N * N);
  });
  // A multiprocessor gets a whole row of tiles more or less.
  EXPECT_LT(I, 0.6) << "product, to L2";
  EXPECT_LT(J, 0.05) << "product, from DRAM";
}

} // namespace
