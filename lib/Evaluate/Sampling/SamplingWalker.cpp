#include "SamplingWalker.h"

#include "gpu-estimate/Support/Hash.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuestimate {

WarpWalker::WarpWalker(BoundKernel &Bound, const GpuModel &Gpu,
                       LaunchSample &Sample, const Seen &SeenHere,
                       RequestShapes *Shapes)
    : Bound(Bound), Kernel(Bound.kernel()), Sample(Sample), SeenHere(SeenHere),
      Lanes(Bound.lanes()), Cost(Kernel.Loops.size()),
      Depth(Kernel.Loops.size()) {
  if (Shapes)
    Requests.emplace(Bound, Gpu, *Shapes);
  if (Shapes && Bound.drawsValues())
    Drawn.emplace(Bound, Gpu, *Requests, *Shapes);
  // Inner loops come before outer ones in this recursion.
  auto visit = [&](auto &Self, unsigned Loop) -> void {
    BoundKernel::Scope &S = Bound.scope(Loop);
    Cost[Loop] = S.Cost;
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

LaneMask WarpWalker::restrict(const LaneMask &M, uint64_t On) const {
  LaneMask Out = M;
  if (M.Certain) {
    Out.setBits(M.Bits & On);
    return Out;
  }
  for (unsigned L = 0; L < Lanes; ++L)
    if (!(On >> L & 1))
      Out.Lane[L] = 0;
  Out.countLanes(Lanes);
  return Out;
}

LaneMask WarpWalker::restrict(const LaneMask &M, llvm::ArrayRef<double> Active,
                              bool WarpUniform) const {
  LaneMask Out = M;
  if (Active.empty())
    return Out;
  std::array<double, MaxLanes> Product;
  double Largest = 0;
  for (unsigned L = 0; L < Lanes; ++L) {
    // An unknown condition is taken as true: what it guards is then costed.
    double P = std::isnan(Active[L]) ? 1 : std::clamp(Active[L], 0.0, 1.0);
    Product[L] = M.chance(L) * P;
    if (M.chance(L) > 0)
      Largest = std::max(Largest, P);
  }
  std::copy_n(Product.begin(), Lanes, Out.Lane.begin());
  if (WarpUniform && Largest > 0 && Largest < 1) {
    Out.Uniform *= Largest;
    for (unsigned L = 0; L < Lanes; ++L)
      Out.Lane[L] = std::min(1.0, Out.Lane[L] / Largest);
  }
  Out.countLanes(Lanes);
  return Out;
}

static bool walksLike(const WarpPath &A, const WarpPath &B) {
  return A.BlockShare == B.BlockShare && A.LoopShare == B.LoopShare &&
         A.LoopTrips == B.LoopTrips;
}

void WarpWalker::walk(const WarpPosition &P, double WarpWeight, double Budget) {
  Weight = WarpWeight;
  BlockRuns.assign(Kernel.Blocks.size(), 0);
  LoopEntries.assign(Kernel.Loops.size(), 0);
  LoopRuns.assign(Kernel.Loops.size(), 0);
  unsigned Present = Bound.enterWarp(P);
  LaneMask M;
  M.setBits(~uint64_t(0) >> (64 - Present));
  uint64_t Salt =
      mixBits(mixBits(P.Block[0], P.Block[1]), mixBits(P.Block[2], P.Warp));
  walkScope(-1, M, 1, Budget, Salt);

  Path.BlockShare.clear();
  Path.LoopShare.clear();
  Path.LoopTrips.clear();
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
  Path.Weight = Weight;
  if (!Sample.Paths.empty() && walksLike(Sample.Paths.back(), Path))
    Sample.Paths.back().Weight += Weight;
  else
    Sample.Paths.push_back(Path);
}

bool WarpWalker::spend(double LaneEvaluations) {
  // One lane of one expression takes a nanosecond or two.
  constexpr double PerUnit = 16, Interval = 16384;
  Unspent += LaneEvaluations;
  if (Unspent >= Interval)
    Ended = !spendWork(uint64_t(std::exchange(Unspent, 0) / PerUnit));
  return !Ended;
}

void WarpWalker::walkScope(int Loop, const LaneMask &M, double Share,
                           double Budget, uint64_t Salt) {
  if (!spend(Bound.scope(Loop).Cost))
    return;
  Bound.enterScope(Loop, Salt);
  BoundKernel::Scope &S = Bound.scope(Loop);
  Sample.LaneEvaluations += S.Cost;
  Budget = (Budget - S.Cost) / std::max<size_t>(1, S.Loops.size());
  for (const Item &I : *S.Items) {
    if (I.Kind == Item::IsLoop) {
      walkLoop(I.Index, M, Share, Budget, mixBits(Salt, I.Index));
      continue;
    }
    const Block &B = Kernel.Blocks[I.Index];
    std::optional<LaneMask> Narrowed;
    if (std::optional<uint64_t> On = Bound.blockBits(I.Index)) {
      if (!M.Certain || (M.Bits & ~*On))
        Narrowed = restrict(M, *On);
    } else if (auto Active = Bound.blockActive(I.Index); !Active.empty()) {
      Narrowed = restrict(M, Active, B.WarpUniform);
    }
    const LaneMask &In = Narrowed ? *Narrowed : M;
    if (In.empty())
      continue;
    BlockRuns[I.Index] += Share * In.Warp;
    Sample.BlockThreads[I.Index] += Weight * Share * In.Threads;
    for (unsigned A : Bound.accessesOf(I.Index))
      countAccess(A, In, Share, Salt);
  }
}

/// Loops inside each other whose iterations are sampled in two parts although
/// the budget of lane evaluations allows one point only.
static constexpr unsigned MaxSplits = 6;

/// The iterations to look at. Where lanes leave at different times, the part
/// in which all run and the part in which they drop out are sampled apart.
std::vector<SamplePoint> WarpWalker::iterations(unsigned Loop, uint64_t Least,
                                                uint64_t Most, double Budget,
                                                uint64_t Salt) const {
  if (Most == 0)
    return {};
  bool Varies = Bound.varies(Loop);
  unsigned Levels = Depth[Loop] + (Varies || Least == Most ? 0 : 1);
  double Allowed =
      std::pow(std::max(1.0, Budget / Cost[Loop]), 1.0 / std::max(1u, Levels));
  uint64_t Max = std::clamp(Allowed, 1.0, 4096.0);
  // Two parts at every level of a deep nest would be exponential work.
  if (Max == 1 && Splits >= MaxSplits)
    return samplePoints(Most, 1, Salt);

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

/// Iterations that a lane makes; an unknown number is taken as 1.
static double wholeTrips(double Trips) {
  return std::clamp(std::ceil((std::isnan(Trips) ? 1 : Trips) - 1e-9), 0.0,
                    0x1p53);
}

void WarpWalker::walkRound(unsigned Loop, const LaneMask &M,
                           const SamplePoint &P, double Iterations,
                           double Budget, uint64_t Salt) {
  LoopRuns[Loop] += Iterations * M.Warp;
  Bound.setCounter(Loop, P.Index);
  walkScope(Loop, M, Iterations, Budget, mixBits(Salt, P.Index));
}

void WarpWalker::walkLoop(unsigned Loop, const LaneMask &M, double Share,
                          double Budget, uint64_t Salt) {
  const gpuestimate::Loop &Each = Kernel.Loops[Loop];
  std::optional<uint64_t> On = Bound.loopBits(Loop);
  LaneMask In = On ? restrict(M, *On)
                   : restrict(M, Bound.loopActive(Loop), Each.WarpUniform);
  if (In.empty())
    return;
  LoopEntries[Loop] += Share * In.Warp;

  // A trip count that is not whole is an expected value (a mean row length):
  // the whole number of iterations is looked at and counted down to it.
  if (std::optional<double> OfAll = Bound.loopTripsOfAll(Loop)) {
    uint64_t Trips = wholeTrips(*OfAll);
    double Scale = *OfAll > 0 && Trips > 0 ? *OfAll / double(Trips) : 1;
    std::vector<SamplePoint> Points =
        iterations(Loop, Trips, Trips, Budget, Salt);
    for (const SamplePoint &P : Points) {
      if (Ended)
        break;
      walkRound(Loop, In, P, Share * P.Weight * Scale, Budget / Points.size(),
                Salt);
    }
    return;
  }
  // Own copy: walking the body evaluates no outer scope again, but an empty
  // program leaves nothing to refer to.
  std::array<double, MaxLanes> Trips{};
  llvm::ArrayRef<double> Values = Bound.loopTrips(Loop);
  double Mean = 0, Whole = 0;
  uint64_t Least = UINT64_MAX, Most = 0;
  for (unsigned L = 0; L < Lanes; ++L) {
    Trips[L] = Values.empty() ? 1 : wholeTrips(Values[L]);
    if (!(In.chance(L) > 0))
      continue;
    Least = std::min<uint64_t>(Least, Trips[L]);
    Most = std::max<uint64_t>(Most, Trips[L]);
    if (!Values.empty() && !std::isnan(Values[L]) && Values[L] > 0) {
      Mean = std::max(Mean, Values[L]);
      Whole = std::max(Whole, Trips[L]);
    }
  }
  double Scale = Whole > 0 ? Mean / Whole : 1;
  std::vector<SamplePoint> Points = iterations(Loop, Least, Most, Budget, Salt);
  bool Split = Least > 0 && Most > Least;
  Splits += Split;
  for (const SamplePoint &P : Points) {
    if (Ended)
      break;
    uint64_t Remaining = 0;
    for (unsigned L = 0; L < Lanes; ++L)
      Remaining |= uint64_t(Trips[L] > double(P.Index)) << L;
    walkRound(Loop, restrict(In, Remaining), P, Share * P.Weight * Scale,
              Budget / Points.size(), Salt);
  }
  Splits -= Split;
}

static void add(AccessTotals &Total, const RequestCounts &One, double Times) {
  Total.Sectors += Times * One.Sectors;
  Total.FullSectors += Times * One.FullSectors;
  Total.Wavefronts += Times * One.Wavefronts;
  Total.SameAddress += Times * One.SameAddress;
}

void WarpWalker::countAccess(unsigned Access, const LaneMask &M, double Share,
                             uint64_t Salt) {
  const MemoryAccess &A = Kernel.Accesses[Access];
  AccessTotals &Total = Sample.Accesses[Access];
  double Times = Weight * Share;
  Total.Requests += Times * M.Warp;
  if (!Requests)
    return;
  if (!SeenHere.empty() && SeenHere[Access]) {
    const SeenRequests &Like = *SeenHere[Access];
    Total.Threads += Times * M.Warp * Like.Lanes;
    return add(Total, Like.Mean, Times * M.Warp);
  }
  Total.Threads += Times * M.Threads;
  if (M.Certain)
    if (const RequestCounts *Counts = Requests->find(Access, M.Bits))
      return add(Total, *Counts, Times * M.Uniform);

  if (Drawn)
    if (const RequestCounts *Counts =
            Drawn->find(Access, M.Bits,
                        M.Certain ? llvm::ArrayRef<double>()
                                  : llvm::ArrayRef(M.Lane).take_front(Lanes)))
      return add(Total, *Counts, Times * M.Uniform);

  // Four draws where lanes take part by chance.
  if (!spend((M.Certain ? 2 : 16) * double(Lanes)))
    return;
  RequestCounter &Counter = Requests->counter(Access);
  llvm::ArrayRef<double> Values = Bound.address(Access);
  if (M.Certain && !Values.empty())
    if (const RequestCounts *Counts = Counter.countCertain(Values, M.Bits))
      return add(Total, *Counts, Times * M.Uniform);

  unsigned Width = std::max(1u, A.BytesPerThread);
  std::array<double, MaxLanes> Addresses, Chances;
  for (unsigned L = 0; L < Lanes; ++L) {
    Addresses[L] = NAN;
    Chances[L] = M.chance(L);
    if (Chances[L] <= 0)
      continue;
    Addresses[L] = Values.empty() ? NAN : Values[L];
    // Nothing known: somewhere, apart from the other lanes.
    if (!std::isfinite(Addresses[L]))
      Addresses[L] =
          Width * std::floor(unitFraction(mixBits(mixBits(Salt, Access), L)) *
                             UnknownBufferBytes / Width);
  }
  llvm::ArrayRef<double> At(Addresses.data(), Lanes),
      Chance(Chances.data(), Lanes);
  const RequestCounts &Counts =
      Counter.count(At, M.Certain ? llvm::ArrayRef<double>() : Chance,
                    mixBits(Salt, Access + 1));
  add(Total, Counts, Times * M.Uniform);
}

} // namespace gpuestimate
