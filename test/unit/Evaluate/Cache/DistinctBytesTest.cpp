/// \file
/// A cold launch reads from DRAM at least what its threads read for the first
/// time: a law for every kernel, here for random walks of thread blocks through
/// one buffer, whose distinct sectors are counted one by one.
#include "helpers/EvaluateRandom.h"
#include "helpers/TrafficKernels.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// A load, in a loop if Trips is not 0: byte
/// Start + Block * blockIdx.x + Width * threadIdx.x + Step * iteration.
struct Walk {
  double Start, Block, Step;
  unsigned Width, Trips;
};

struct WalkingKernel {
  unsigned Blocks, Threads;
  std::vector<Walk> Walks;

  TestKernel kernel() const {
    TestKernel K;
    for (const Walk &W : Walks) {
      int Loop = W.Trips ? K.loop(-1, K.number(W.Trips)) : -1;
      Expr Address = W.Start + W.Block * K.bid() + double(W.Width) * K.tid();
      if (W.Trips)
        Address = Address + W.Step * K.counter(Loop);
      K.access(K.block(Loop), "a", Address, AccessKind::Load, W.Width);
    }
    return K;
  }

  double distinctBytes() const {
    constexpr uint64_t Sector = 32;
    std::set<uint64_t> Sectors;
    for (const Walk &W : Walks)
      for (unsigned B = 0; B < Blocks; ++B)
        for (unsigned I = 0; I < std::max(1u, W.Trips); ++I) {
          uint64_t First(W.Start + W.Block * B + W.Step * I);
          for (uint64_t S = First / Sector;
               S * Sector < First + uint64_t(W.Width) * Threads; ++S)
            Sectors.insert(S);
        }
    return double(Sectors.size() * Sector);
  }

  std::string text() const {
    std::string Text = std::to_string(Blocks) + " blocks of " +
                       std::to_string(Threads) + " threads";
    for (const Walk &W : Walks)
      Text += "\n  " + std::to_string(W.Start) + " + " +
              std::to_string(W.Block) + " b + " + std::to_string(W.Width) +
              " t + " + std::to_string(W.Step) + " i, i < " +
              std::to_string(W.Trips);
    return Text;
  }
};

/// Tiles of a block's threads that follow each other in the order of blocks, or
/// of iterations, or that all blocks share; several walks begin where the one
/// before ends, or somewhere else.
WalkingKernel randomWalks(Random &R) {
  WalkingKernel K;
  K.Blocks = R.between(1, 200);
  K.Threads = 32 * R.between(1, 8);
  double Next = 0;
  for (unsigned N = R.between(1, 4); N; --N) {
    Walk W{};
    W.Width = 4 << R.between(0, 2);
    W.Trips = R.between(0, 5);
    double Tile = double(W.Width) * K.Threads, Trips = std::max(1u, W.Trips);
    switch (R.between(0, 2)) {
    case 0: // one stride of the grid after the other
      W.Block = Tile;
      W.Step = Tile * K.Blocks;
      break;
    case 1: // a share of each block
      W.Block = Tile * Trips * R.between(1, 2);
      W.Step = Tile;
      break;
    default: // the same data for all blocks
      W.Step = Tile * R.between(1, 3);
    }
    W.Start = R.chance(0.5) ? Next : Tile * R.between(0, 300);
    Next = std::max(Next, W.Start + W.Block * K.Blocks + W.Step * Trips);
    K.Walks.push_back(W);
  }
  return K;
}

/// Walks that overlap in part are joined by samples of their addresses: 2 % of
/// the kernels read a little less than they should, none as little as this.
constexpr double Tolerance = 0.15;

TEST(DistinctBytes, AColdLaunchReadsEachSectorOnceAtLeast) {
  GpuModel G = testGpu();
  for (unsigned Seed = 0; Seed < 2000; ++Seed) {
    Random R(Seed);
    WalkingKernel K = randomWalks(R);
    G.L1.Size = Bytes(16384 << R.between(0, 4));
    G.L2.Size = Bytes(65536 << R.between(0, 8));
    Traffic T =
        estimate(K.kernel(), G, launch({K.Blocks, 1, 1}, {K.Threads, 1, 1}), {},
                 Cold, R.between(1, 8));
    double Distinct = K.distinctBytes();
    EXPECT_GE(T.DramReadBytes, Distinct * (1 - Tolerance))
        << "seed " << Seed << ": " << K.text();
    EXPECT_GE(T.L2ReadBytes, Distinct * (1 - Tolerance))
        << "seed " << Seed << ": " << K.text();
  }
}

} // namespace
