/// \file
/// A small sectored-cache simulator: every request of a launch goes through
/// fully associative LRU caches in a plausible order. The oracle for the
/// closed forms of Traffic.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_CACHESIMULATOR_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_CACHESIMULATOR_H

#include "gpu-estimate/Evaluate/Request.h"
#include "helpers/TestKernel.h"
#include <bit>
#include <list>
#include <unordered_map>

namespace gpuestimate::test {

/// Least recently used lines leave first; a line is 128 bytes under one tag and
/// is filled by sectors of 32.
class LruCache {
public:
  explicit LruCache(double Bytes) : Room(Bytes / 128) {}
  /// True on a hit. Written: the sector becomes dirty.
  bool touch(uint64_t Sector, bool Written = false) {
    Line Now{Sector / 4, 0, 0};
    auto Found = Where.find(Now.Number);
    if (Found != Where.end()) {
      Now = *Found->second;
      Order.erase(Found->second);
    }
    unsigned Bit = 1u << Sector % 4;
    bool Hit = Now.Filled & Bit;
    Now.Filled |= Bit;
    Now.Dirty |= Written ? Bit : 0;
    Order.push_front(Now);
    Where[Now.Number] = Order.begin();
    if (Order.size() > Room) {
      Evicted += std::popcount(Order.back().Dirty);
      Where.erase(Order.back().Number);
      Order.pop_back();
    }
    return Hit;
  }
  double Evicted = 0; ///< dirty sectors that had to leave

private:
  struct Line {
    uint64_t Number;
    unsigned Filled, Dirty; ///< a bit for each sector
  };
  size_t Room;
  std::list<Line> Order;
  std::unordered_map<uint64_t, std::list<Line>::iterator> Where;
};

struct SimulatedTraffic {
  std::vector<double> Asked, ToL2, Read; ///< [access] sectors
  double Written = 0;                    ///< sectors
  double asked() const { return sum(Asked); }
  double toL2() const { return sum(ToL2); }
  double read() const { return sum(Read); }
  static double sum(const std::vector<double> &V) {
    double S = 0;
    for (double X : V)
      S += X;
    return S;
  }
};

/// Runs the launch Launches times and reports the last one. Blocks are dealt to
/// the multiprocessors in turn and replaced as they end; the warps of a
/// multiprocessor take turns by requests, and so do the multiprocessors.
inline SimulatedTraffic simulate(const TestKernel &K, const GpuModel &G,
                                 const Launch &L, const Bindings &V,
                                 unsigned BlocksPerSm, double L1Bytes,
                                 unsigned Launches) {
  struct Warp {
    std::vector<std::pair<unsigned, std::vector<uint64_t>>> Requests;
    size_t Next = 0;
  };
  struct Sm {
    LruCache L1;
    std::vector<std::vector<Warp>> Blocks;
  };
  std::unordered_map<std::string, uint64_t> Bases;
  for (const MemoryAccess &A : K.Model.Accesses)
    Bases.try_emplace(A.Base, uint64_t(Bases.size() + 1) << 40);
  WarpRunner Run(K.Model, L, V, G.WarpSize);
  auto load = [&](uint64_t Linear) {
    std::vector<Warp> Block(Run.warpsPerBlock());
    for (unsigned W = 0; W < Block.size(); ++W) {
      Run.OnRequest = [&](const Request &R) {
        const MemoryAccess &A = K.Model.Accesses[R.Access];
        if (A.Space == MemorySpace::Shared)
          return;
        std::vector<uint64_t> Sectors;
        for (double At : R.Lanes)
          if (!std::isnan(At))
            for (uint64_t S = uint64_t(At) / 32;
                 S <= (uint64_t(At) + A.BytesPerThread - 1) / 32; ++S)
              Sectors.push_back(S + Bases[A.Base] / 32);
        std::sort(Sectors.begin(), Sectors.end());
        Sectors.erase(std::unique(Sectors.begin(), Sectors.end()),
                      Sectors.end());
        Block[W].Requests.push_back({R.Access, Sectors});
      };
      Run.run({Linear % L.Grid[0], Linear / L.Grid[0] % L.Grid[1],
               Linear / L.Grid[0] / L.Grid[1]},
              W);
    }
    return Block;
  };

  LruCache L2(G.L2.Size.value());
  SimulatedTraffic Out;
  for (unsigned Launch = 0; Launch < Launches; ++Launch) {
    size_t N = K.Model.Accesses.size();
    Out.Asked.assign(N, 0);
    Out.ToL2.assign(N, 0);
    Out.Read.assign(N, 0);
    L2.Evicted = 0;
    std::vector<Sm> Sms(G.SmCount, {LruCache(L1Bytes), {}});
    uint64_t Next = 0, Live = 0;
    for (unsigned Slot = 0; Slot < BlocksPerSm; ++Slot)
      for (Sm &S : Sms)
        if (Next < L.blocks()) {
          S.Blocks.push_back(load(Next++));
          ++Live;
        }
    while (Live) {
      for (Sm &S : Sms)
        for (std::vector<Warp> &Block : S.Blocks) {
          bool Done = true;
          for (Warp &W : Block) {
            if (W.Next == W.Requests.size())
              continue;
            Done = false;
            auto &[A, Sectors] = W.Requests[W.Next++];
            CacheRole Role = cacheRole(K.Model.Accesses[A], G);
            for (uint64_t Sector : Sectors) {
              ++Out.Asked[A];
              if (Role == CacheRole::CachedLoad && S.L1.touch(Sector))
                continue;
              ++Out.ToL2[A];
              bool Writes =
                  Role == CacheRole::Store || Role == CacheRole::Atomic;
              if (!L2.touch(Sector, Writes) && Role != CacheRole::Store)
                ++Out.Read[A];
            }
          }
          if (Done && !Block.empty()) {
            Block.clear();
            --Live;
          }
        }
      // Blocks that ended in the same turn are replaced in the order of
      // dealing.
      for (unsigned Slot = 0; Slot < BlocksPerSm; ++Slot)
        for (Sm &S : Sms)
          if (Slot < S.Blocks.size() && S.Blocks[Slot].empty() &&
              Next < L.blocks()) {
            S.Blocks[Slot] = load(Next++);
            ++Live;
          }
    }
    Out.Written = L2.Evicted;
  }
  return Out;
}

} // namespace gpuestimate::test

#endif
