/// \file
/// The walk of sampled warps through the region tree.
///
/// A warp carries a mask: the probability that the warp comes by at all
/// (Uniform) and, given that, the probability of each lane, taken as
/// independent. Known conditions make probabilities of 0 and 1, so that the
/// walk is exact where nothing is data-dependent.
#include "gpu-estimate/Evaluate/Sampling.h"
#include "gpu-estimate/Evaluate/LaneValues.h"
#include "gpu-estimate/Evaluate/SamplingPlan.h"
#include "gpu-estimate/Evaluate/SamplingRequests.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

namespace {

struct Mask {
  double Uniform = 1;
  std::array<double, MaxLanes> Lane{};
  double Warp =
      0; ///< expected executions by the warp: Uniform * (1 - prod(1 - p))
  double Threads = 0;  ///< ... by threads: Uniform * sum(p)
  bool Certain = true; ///< no lane has a probability between 0 and 1

  /// Derives the last three from the first two.
  void count(unsigned Lanes) {
    double None = 1, Sum = 0;
    Certain = true;
    for (unsigned L = 0; L < Lanes; ++L) {
      None *= 1 - Lane[L];
      Sum += Lane[L];
      Certain &= Lane[L] == 0 || Lane[L] == 1;
    }
    Warp = Uniform * (1 - None);
    Threads = Uniform * Sum;
  }
  bool empty() const { return Threads <= 0; }
};

class Walker {
public:
  using Seen = std::vector<std::optional<SeenRequests>>;
  /// SeenHere: [access] what is known of its requests, or empty.
  Walker(BoundKernel &Bound, const GpuModel &Gpu, LaunchSample &Sample,
         const Seen &SeenHere);
  /// Adds one warp of the given weight; Budget in lane evaluations.
  void walk(const WarpPosition &P, double Weight, double Budget);

private:
  void walkScope(int Loop, const Mask &M, double Share, double Budget,
                 uint64_t Salt);
  void walkLoop(unsigned Loop, const Mask &M, double Share, double Budget,
                uint64_t Salt);
  void countAccess(unsigned Access, const Mask &M, double Share, uint64_t Salt);
  Mask restrict(const Mask &M, llvm::ArrayRef<double> Active,
                bool WarpUniform) const;
  std::vector<SamplePoint> iterations(unsigned Loop,
                                      llvm::ArrayRef<double> Trips,
                                      const Mask &M, double Budget,
                                      uint64_t Salt) const;

  BoundKernel &Bound;
  const KernelModel &Kernel;
  LaunchSample &Sample;
  const Seen &SeenHere;
  std::vector<RequestCounter> Counters; ///< [access]
  unsigned Lanes;
  std::vector<double> Cost; ///< [loop] of one pass through its subtree
  std::vector<unsigned>
      Depth;         ///< [loop] loops that vary, on the longest way down
  double Weight = 0; ///< of the current warp
  std::vector<double> BlockRuns, LoopEntries, LoopRuns; ///< of the current warp
};

} // namespace

Walker::Walker(BoundKernel &Bound, const GpuModel &Gpu, LaunchSample &Sample,
               const Seen &SeenHere)
    : Bound(Bound), Kernel(Bound.kernel()), Sample(Sample), SeenHere(SeenHere),
      Lanes(Bound.lanes()), Cost(Kernel.Loops.size()),
      Depth(Kernel.Loops.size()) {
  for (const MemoryAccess &A : Kernel.Accesses)
    Counters.emplace_back(A, Gpu);
  // Inner loops come before outer ones in this recursion.
  auto visit = [&](auto &Self, unsigned Loop) -> void {
    BoundKernel::Scope &S = Bound.scope(Loop);
    Cost[Loop] = Lanes + S.Out.size();
    for (unsigned Inner : S.Loops) {
      Self(Self, Inner);
      Cost[Loop] += Cost[Inner];
      Depth[Loop] = std::max(Depth[Loop], Depth[Inner]);
    }
    Depth[Loop] += Bound.varies(Loop);
  };
  for (unsigned Loop : Bound.scope(-1).Loops)
    visit(visit, Loop);
}

Mask Walker::restrict(const Mask &M, llvm::ArrayRef<double> Active,
                      bool WarpUniform) const {
  Mask Out = M;
  if (Active.empty())
    return Out;
  double Largest = 0;
  for (unsigned L = 0; L < Lanes; ++L) {
    // An unknown condition is taken as true: what it guards is then costed.
    double P = std::isnan(Active[L]) ? 1 : std::clamp(Active[L], 0.0, 1.0);
    Out.Lane[L] *= P;
    if (M.Lane[L] > 0)
      Largest = std::max(Largest, P);
  }
  if (WarpUniform && Largest > 0 && Largest < 1) {
    Out.Uniform *= Largest;
    for (double &P : Out.Lane)
      P = std::min(1.0, P / Largest);
  }
  Out.count(Lanes);
  return Out;
}

void Walker::walk(const WarpPosition &P, double WarpWeight, double Budget) {
  Weight = WarpWeight;
  BlockRuns.assign(Kernel.Blocks.size(), 0);
  LoopEntries.assign(Kernel.Loops.size(), 0);
  LoopRuns.assign(Kernel.Loops.size(), 0);
  unsigned Present = Bound.enterWarp(P);
  Mask M;
  std::fill_n(M.Lane.begin(), Present, 1.0);
  M.count(Lanes);
  uint64_t Salt =
      mixBits(mixBits(P.Block[0], P.Block[1]), mixBits(P.Block[2], P.Warp));
  walkScope(-1, M, 1, Budget, Salt);

  WarpPath Path;
  Path.Weight = Weight;
  auto runsAround = [&](int Loop) { return Loop < 0 ? 1.0 : LoopRuns[Loop]; };
  auto ratio = [](double A, double B) { return B > 0 ? A / B : 0.0; };
  for (unsigned B = 0; B < BlockRuns.size(); ++B) {
    Path.BlockShare.push_back(
        ratio(BlockRuns[B], runsAround(Bound.loopOfBlock(B))));
    Sample.BlockWarps[B] += Weight * BlockRuns[B];
  }
  for (unsigned L = 0; L < LoopRuns.size(); ++L) {
    Path.LoopShare.push_back(
        ratio(LoopEntries[L], runsAround(Kernel.Loops[L].Parent)));
    Path.LoopTrips.push_back(ratio(LoopRuns[L], LoopEntries[L]));
    Sample.LoopWarpEntries[L] += Weight * LoopEntries[L];
    Sample.LoopWarpIterations[L] += Weight * LoopRuns[L];
  }
  Sample.Warps += Weight;
  Sample.Paths.push_back(std::move(Path));
}

void Walker::walkScope(int Loop, const Mask &M, double Share, double Budget,
                       uint64_t Salt) {
  Bound.enterScope(Loop, Salt);
  BoundKernel::Scope &S = Bound.scope(Loop);
  Sample.LaneEvaluations += Lanes + S.Out.size();
  Budget =
      (Budget - Lanes - S.Out.size()) / std::max<size_t>(1, S.Loops.size());
  for (const Item &I : *S.Items) {
    if (I.Kind == Item::IsLoop) {
      walkLoop(I.Index, M, Share, Budget, mixBits(Salt, I.Index));
      continue;
    }
    const Block &B = Kernel.Blocks[I.Index];
    llvm::ArrayRef<double> Active = Bound.blockActive(I.Index);
    std::optional<Mask> Narrowed;
    if (!Active.empty())
      Narrowed = restrict(M, Active, B.WarpUniform);
    const Mask &In = Narrowed ? *Narrowed : M;
    if (In.empty())
      continue;
    BlockRuns[I.Index] += Share * In.Warp;
    Sample.BlockThreads[I.Index] += Weight * Share * In.Threads;
    for (unsigned A : Bound.accessesOf(I.Index))
      countAccess(A, In, Share, Salt);
  }
}

/// The iterations to look at. Where lanes leave at different times, the part
/// in which all run and the part in which they drop out are sampled apart.
std::vector<SamplePoint> Walker::iterations(unsigned Loop,
                                            llvm::ArrayRef<double> Trips,
                                            const Mask &M, double Budget,
                                            uint64_t Salt) const {
  uint64_t Least = UINT64_MAX, Most = 0;
  for (unsigned L = 0; L < Lanes; ++L)
    if (M.Lane[L] > 0) {
      uint64_t T = Trips[L];
      Least = std::min(Least, T);
      Most = std::max(Most, T);
    }
  if (Most == 0)
    return {};
  bool Varies = Bound.varies(Loop);
  unsigned Levels = Depth[Loop] + (Varies || Least == Most ? 0 : 1);
  double Allowed =
      std::pow(std::max(1.0, Budget / Cost[Loop]), 1.0 / std::max(1u, Levels));
  uint64_t Max = std::clamp(Allowed, 1.0, 4096.0);

  std::vector<SamplePoint> Points;
  if (!Varies && Least > 0)
    Points.push_back({0, double(Least)});
  else if (Least > 0)
    Points = samplePoints(
        Least,
        Least == Most || Most <= Max ? Max : std::max<uint64_t>(1, Max / 2),
        Salt);
  if (Most > Least)
    for (SamplePoint P : samplePoints(
             Most - Least, Most <= Max ? Max : std::max<uint64_t>(1, Max / 2),
             Salt + 1))
      Points.push_back({P.Index + Least, P.Weight});
  return Points;
}

void Walker::walkLoop(unsigned Loop, const Mask &M, double Share, double Budget,
                      uint64_t Salt) {
  const gpuestimate::Loop &Each = Kernel.Loops[Loop];
  Mask In = restrict(M, Bound.loopActive(Loop), Each.WarpUniform);
  if (In.empty())
    return;
  LoopEntries[Loop] += Share * In.Warp;

  // Own copy: walking the body evaluates no outer scope again, but an empty
  // program leaves nothing to refer to.
  std::array<double, MaxLanes> Trips{};
  llvm::ArrayRef<double> Values = Bound.loopTrips(Loop);
  for (unsigned L = 0; L < Lanes; ++L) {
    double T = Values.empty() || std::isnan(Values[L]) ? 1 : Values[L];
    Trips[L] = std::clamp(std::ceil(T - 1e-9), 0.0, 0x1p53);
  }
  // A trip count that is not whole is an expected value (a mean row length):
  // the whole number of iterations is looked at and counted down to it.
  double Mean = 0, Whole = 0;
  for (unsigned L = 0; L < Lanes; ++L)
    if (In.Lane[L] > 0 && !Values.empty() && !std::isnan(Values[L]) &&
        Values[L] > 0) {
      Mean = std::max(Mean, Values[L]);
      Whole = std::max(Whole, Trips[L]);
    }
  double Scale = Whole > 0 ? Mean / Whole : 1;

  std::vector<SamplePoint> Points = iterations(Loop, Trips, In, Budget, Salt);
  for (const SamplePoint &P : Points) {
    Mask Now = In;
    for (unsigned L = 0; L < Lanes; ++L)
      if (Trips[L] <= double(P.Index))
        Now.Lane[L] = 0;
    Now.count(Lanes);
    double Iterations = Share * P.Weight * Scale;
    LoopRuns[Loop] += Iterations * Now.Warp;
    Bound.setCounter(Loop, P.Index);
    walkScope(Loop, Now, Iterations, Budget / Points.size(),
              mixBits(Salt, P.Index));
  }
}

static void add(AccessTotals &Total, const RequestCounts &One, double Times) {
  Total.Sectors += Times * One.Sectors;
  Total.FullSectors += Times * One.FullSectors;
  Total.Wavefronts += Times * One.Wavefronts;
  Total.SameAddress += Times * One.SameAddress;
}

void Walker::countAccess(unsigned Access, const Mask &M, double Share,
                         uint64_t Salt) {
  const MemoryAccess &A = Kernel.Accesses[Access];
  AccessTotals &Total = Sample.Accesses[Access];
  double Times = Weight * Share;
  Total.Requests += Times * M.Warp;
  if (!SeenHere.empty() && SeenHere[Access]) {
    const SeenRequests &Like = *SeenHere[Access];
    Total.Threads += Times * M.Warp * Like.Lanes;
    return add(Total, Like.Mean, Times * M.Warp);
  }
  Total.Threads += Times * M.Threads;

  llvm::ArrayRef<double> Known = Bound.address(Access);
  unsigned Width = std::max(1u, A.BytesPerThread);
  std::array<double, MaxLanes> Addresses;
  for (unsigned L = 0; L < Lanes; ++L) {
    Addresses[L] = NAN;
    if (M.Lane[L] <= 0)
      continue;
    Addresses[L] = Known.empty() ? NAN : Known[L];
    // Nothing known: somewhere, apart from the other lanes.
    if (!std::isfinite(Addresses[L]))
      Addresses[L] =
          Width * std::floor(unitFraction(mixBits(mixBits(Salt, Access), L)) *
                             UnknownBufferBytes / Width);
  }
  llvm::ArrayRef<double> At(Addresses.data(), Lanes),
      Chance(M.Lane.data(), Lanes);
  const RequestCounts &Counts =
      Counters[Access].count(At, M.Certain ? llvm::ArrayRef<double>() : Chance,
                             mixBits(Salt, Access + 1));
  add(Total, Counts, Times * M.Uniform);
}

static LaunchSample emptySample(const KernelModel &Kernel) {
  LaunchSample Sample;
  Sample.BlockWarps.assign(Kernel.Blocks.size(), 0);
  Sample.BlockThreads.assign(Kernel.Blocks.size(), 0);
  Sample.LoopWarpEntries.assign(Kernel.Loops.size(), 0);
  Sample.LoopWarpIterations.assign(Kernel.Loops.size(), 0);
  Sample.Accesses.resize(Kernel.Accesses.size());
  return Sample;
}

static double requests(const LaunchSample &Sample) {
  double Sum = 0;
  for (const AccessTotals &A : Sample.Accesses)
    Sum += A.Requests;
  return Sum;
}

/// Blocks of each dimension up to the last one that makes a request: a grid
/// that is rounded up leaves some to go home at once. Bisection, with the first
/// block, that in the middle and the last one of the other dimensions.
static std::array<uint64_t, 3> workingGrid(BoundKernel &Bound,
                                           const GpuModel &Gpu, const Launch &L,
                                           std::array<bool, 3> Relevant,
                                           double &LaneEvaluations) {
  const Walker::Seen Unseen;
  auto works = [&](const std::array<uint64_t, 3> &Block) {
    LaunchSample Trial = emptySample(Bound.kernel());
    Walker W(Bound, Gpu, Trial, Unseen);
    for (unsigned Warp = 0;
         Warp < Bound.warpsPerBlock() && requests(Trial) == 0; ++Warp)
      W.walk({Block, Warp}, 1, 1);
    LaneEvaluations += Trial.LaneEvaluations;
    return requests(Trial) > 0;
  };
  std::array<uint64_t, 3> Out = L.Grid;
  for (unsigned D = 0; D < 3; ++D) {
    if (!Relevant[D] || L.Grid[D] < 2)
      continue;
    // Of a triangle the rows end in different columns: the longest counts.
    uint64_t Working = 0;
    for (unsigned Third = 0; Third < 3; ++Third) {
      std::array<uint64_t, 3> Block{};
      for (unsigned Other = 0; Other < 3; ++Other)
        Block[Other] = (L.Grid[Other] - 1) / 2 * Third;
      auto at = [&](uint64_t Index) {
        Block[D] = Index;
        return works(Block);
      };
      if (at(L.Grid[D] - 1)) {
        Working = L.Grid[D];
        break;
      }
      if (!at(0))
        continue;
      uint64_t Last = 0, Idle = L.Grid[D] - 1;
      while (Idle - Last > 1) {
        uint64_t Between = Last + (Idle - Last) / 2;
        (at(Between) ? Last : Idle) = Between;
      }
      Working = std::max(Working, Last + 1);
    }
    if (Working > 0)
      Out[D] = Working;
  }
  return Out;
}

LaunchSample sampleLaunch(const KernelModel &Kernel, const GpuModel &Gpu,
                          const Launch &L, const Bindings &All, double Effort) {
  if (L.threadsPerBlock() == 0 || L.blocks() == 0)
    return emptySample(Kernel);
  BoundKernel Bound(Kernel, Gpu, L, All);
  return sampleLaunch(Bound, Gpu, L, Effort);
}

LaunchSample sampleLaunch(BoundKernel &Bound, const GpuModel &Gpu,
                          const Launch &L, double Effort,
                          const ExecutedLaunch *Executed) {
  const KernelModel &Kernel = Bound.kernel();
  LaunchSample Sample = emptySample(Kernel);
  Bound.reset();
  std::array<bool, 3> Relevant;
  for (unsigned D = 0; D < 3; ++D)
    Relevant[D] = Bound.dependsOnBlock(D) || Bound.drawsValues();
  std::array<uint64_t, 3> Working = L.Grid;
  bool Exact = isExact(L, Bound.warpsPerBlock());
  if (!Exact && !Kernel.Accesses.empty())
    Working = workingGrid(Bound, Gpu, L, Relevant, Sample.LaneEvaluations);
  std::vector<SampledBlock> Blocks =
      sampleBlocks(L, Bound.warpsPerBlock(), Relevant, Working,
                   isCoupled(Kernel, L), Effort);
  // A block has at most 1024 threads: its warps are all looked at, because
  // guards such as `tid < s` in a reduction leave a few of them working;
  // unless many blocks are.
  uint64_t WarpsOfBlock = std::max<uint64_t>(
      2, uint64_t(Effort * SampledWarps / double(Blocks.size())));
  if (!isCoupled(Kernel, L) || Exact)
    WarpsOfBlock = Bound.warpsPerBlock();
  double Budget = Effort * MaxLaneEvaluations /
                  (double(Blocks.size()) *
                   std::min<uint64_t>(WarpsOfBlock, Bound.warpsPerBlock()));
  const Walker::Seen Seen = seenRequests(Kernel, Gpu, Executed);
  Walker W(Bound, Gpu, Sample, Seen);
  double Dealt = 0, WithWork = 0;
  std::array<uint64_t, 3> Met{};
  for (const SampledBlock &B : Blocks) {
    double Before = requests(Sample);
    for (const SamplePoint &Warp :
         samplePoints(Bound.warpsPerBlock(), WarpsOfBlock,
                      mixBits(uint64_t(&B - Blocks.data()))))
      W.walk({B.Index, unsigned(Warp.Index)}, B.Weight * Warp.Weight, Budget);
    Dealt += B.Weight;
    if (requests(Sample) <= Before)
      continue;
    WithWork += B.Weight;
    for (unsigned D = 0; D < 3; ++D)
      Met[D] = std::max(Met[D], B.Index[D] + 1);
  }
  Sample.WorkingGrid = Working;
  for (unsigned D = 0; D < 3; ++D)
    if (Exact && Relevant[D] && WithWork > 0)
      Sample.WorkingGrid[D] = Met[D];
  Sample.WorkingBlocks = WithWork > 0 ? WithWork / Dealt : 1;
  return Sample;
}

} // namespace gpuestimate
