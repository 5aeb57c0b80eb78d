#include "WarpSampler.h"

#include "Evaluate/Access/BufferBytes.h"
#include "gpu-estimate/Support/Hash.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuestimate {

WarpSampler::WarpSampler(LaneState &State, const GpuModel &Gpu,
                         LaunchSample &Sample, const ExecutedCosts &Executed,
                         const ExecutedFlow &Flow, RequestCostTables *Tables)
    : State(State), Program(State.program()), Kernel(Program.kernel()),
      Gpu(Gpu), Sample(Sample), Executed(Executed), Flow(Flow),
      Lanes(Program.lanes()), Cost(Kernel.Loops.size()),
      Depth(Kernel.Loops.size()) {
  if (Tables)
    Requests.emplace(State, Gpu, *Tables);
  if (Tables && !Program.indirectIndices().empty())
    IndirectRequests.emplace(State, Gpu, *Requests, *Tables);
  // Inner loops are visited before outer loops.
  auto visit = [&](auto &Self, unsigned Loop) -> void {
    const LaunchProgram::Scope &S = Program.scope(Loop);
    Cost[Loop] = S.Cost;
    for (unsigned Inner : S.Loops) {
      Self(Self, Inner);
      Cost[Loop] += Cost[Inner];
      Depth[Loop] = std::max(Depth[Loop], Depth[Inner]);
    }
    Depth[Loop] += Program.uniformity().varies(Loop);
  };
  for (unsigned Loop : Program.scope(-1).Loops)
    visit(visit, Loop);
}

LaneMask WarpSampler::restrict(const LaneMask &M, uint64_t ActiveLanes) const {
  LaneMask Out = M;
  if (M.Certain) {
    Out.setBits(M.Bits & ActiveLanes);
    return Out;
  }
  for (unsigned L = 0; L < Lanes; ++L)
    if (!(ActiveLanes >> L & 1))
      Out.Lane[L] = 0;
  Out.countLanes(Lanes);
  return Out;
}

LaneMask WarpSampler::restrict(const LaneMask &M, llvm::ArrayRef<double> Active,
                               bool WarpUniform) const {
  LaneMask Out = M;
  if (Active.empty())
    return Out;
  std::array<double, MaxLanes> Product;
  double Largest = 0;
  for (unsigned L = 0; L < Lanes; ++L) {
    // An unknown condition is assumed to hold, so that guarded work has a cost.
    double P = std::isnan(Active[L]) ? 1 : std::clamp(Active[L], 0.0, 1.0);
    Product[L] = M.probability(L) * P;
    if (M.probability(L) > 0)
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

LaneMask WarpSampler::withMeanLanes(const LaneMask &M, double Mean) const {
  // All probabilities are multiplied by one factor, which grows with the mean.
  auto Scaled = [&](double Factor) {
    LaneMask Out = M;
    Out.Uniform = 1;
    for (unsigned L = 0; L < Lanes; ++L)
      Out.Lane[L] = std::min(1.0, Factor * M.probability(L));
    Out.countLanes(Lanes);
    return Out;
  };
  double Least = 1;
  for (unsigned L = 0; L < Lanes; ++L)
    if (M.probability(L) > 0)
      Least = std::min(Least, M.probability(L));
  double Low = 0, High = 1 / Least;
  LaneMask Out = Scaled(High);
  constexpr unsigned Steps = 20;
  for (unsigned Step = 0; Step < Steps && Out.Threads > Mean * Out.Warp;
       ++Step) {
    double Middle = (Low + High) / 2;
    LaneMask Trial = Scaled(Middle);
    if (Trial.Threads > Mean * Trial.Warp) {
      High = Middle;
      Out = Trial;
    } else {
      Low = Middle;
    }
  }
  double Warps = M.Warp / Out.Warp;
  Out.Uniform = Warps;
  Out.Threads *= Warps;
  Out.Warp *= Warps;
  return Out;
}

bool haveEqualControlFlow(const WarpPath &A, const WarpPath &B) {
  return A.BlockShare == B.BlockShare && A.LoopShare == B.LoopShare &&
         A.LoopTrips == B.LoopTrips && A.WaitCycles == B.WaitCycles;
}

void appendPath(std::vector<WarpPath> &Paths, const WarpPath &Path) {
  if (!Paths.empty() && Paths.back().SampledBlock == Path.SampledBlock &&
      haveEqualControlFlow(Paths.back(), Path))
    Paths.back().Weight += Path.Weight;
  else
    Paths.push_back(Path);
}

void WarpSampler::sample(const WarpPosition &P, unsigned Block,
                         double WarpWeight, double Budget) {
  Weight = WarpWeight;
  BlockRuns.assign(Kernel.Blocks.size(), 0);
  LoopEntries.assign(Kernel.Loops.size(), 0);
  LoopRuns.assign(Kernel.Loops.size(), 0);
  WaitCycles.assign(Kernel.Waits.size(), 0);
  unsigned Threads = State.enterWarp(P);
  LaneMask M;
  M.setBits(~uint64_t(0) >> (64 - Threads));
  uint64_t Salt =
      mixBits(mixBits(P.Block[0], P.Block[1]), mixBits(P.Block[2], P.Warp));
  sampleScope(-1, M, 1, Budget, Salt);

  Path.BlockShare.clear();
  Path.LoopShare.clear();
  Path.LoopTrips.clear();
  Path.WaitCycles.clear();
  auto runsAround = [&](int Loop) { return Loop < 0 ? 1.0 : LoopRuns[Loop]; };
  auto ratio = [](double A, double B) { return B > 0 ? A / B : 0.0; };
  for (unsigned B = 0; B < BlockRuns.size(); ++B) {
    Path.BlockShare.push_back(
        ratio(BlockRuns[B], runsAround(Program.loopOfBlock(B))));
    Sample.BlockWarps[B] += Weight * BlockRuns[B];
  }
  for (unsigned L = 0; L < LoopRuns.size(); ++L) {
    Path.LoopShare.push_back(
        ratio(LoopEntries[L], runsAround(Kernel.Loops[L].Parent)));
    Path.LoopTrips.push_back(ratio(LoopRuns[L], LoopEntries[L]));
    Sample.LoopWarpEntries[L] += Weight * LoopEntries[L];
    Sample.LoopWarpIterations[L] += Weight * LoopRuns[L];
  }
  for (unsigned W = 0; W < WaitCycles.size(); ++W)
    Path.WaitCycles.push_back(
        ratio(WaitCycles[W], BlockRuns[Kernel.Waits[W].Block]));
  Sample.Warps += Weight;
  Path.Weight = Weight;
  Path.SampledBlock = Block;
  appendPath(Sample.Paths, Path);
}

bool WarpSampler::spend(double LaneEvaluations) {
  // One lane of one expression takes a nanosecond or two.
  constexpr double PerUnit = 16, Interval = 16384;
  Unspent += LaneEvaluations;
  if (Unspent >= Interval)
    Ended = !spendWork(uint64_t(std::exchange(Unspent, 0) / PerUnit));
  return !Ended;
}

void WarpSampler::sampleScope(int Loop, const LaneMask &M, double Share,
                              double Budget, uint64_t Salt) {
  if (!spend(Program.scope(Loop).Cost))
    return;
  State.enterScope(Loop, Salt);
  const LaunchProgram::Scope &S = Program.scope(Loop);
  Sample.LaneEvaluations += S.Cost;
  Budget = (Budget - S.Cost) / std::max<size_t>(1, S.Loops.size());
  for (const RegionNode &I : *S.Nodes) {
    if (I.Kind == RegionNode::IsLoop) {
      sampleLoop(I.Index, M, Share, Budget, mixBits(Salt, I.Index));
      continue;
    }
    const BasicBlock &B = Kernel.Blocks[I.Index];
    std::optional<LaneMask> Narrowed;
    if (std::optional<uint64_t> ActiveLanes = State.blockBits(I.Index)) {
      if (!M.Certain || (M.Bits & ~*ActiveLanes))
        Narrowed = restrict(M, *ActiveLanes);
    } else if (auto Active = State.blockActive(I.Index); !Active.empty()) {
      Narrowed = restrict(M, Active, B.WarpUniform);
    }
    if (std::optional<double> Mean = Flow.lanes(I.Index);
        Mean && !(Narrowed ? *Narrowed : M).empty())
      Narrowed = withMeanLanes(Narrowed ? *Narrowed : M, *Mean);
    const LaneMask &Entered = Narrowed ? *Narrowed : M;
    if (Entered.empty())
      continue;
    BlockRuns[I.Index] += Share * Entered.Warp;
    Sample.BlockThreads[I.Index] += Weight * Share * Entered.Threads;
    for (unsigned A : Program.accessesOf(I.Index))
      countAccess(A, Entered, Share, Salt);
    for (unsigned W : Program.waitsOf(I.Index))
      countWait(W, Entered, Share);
  }
}

/// Limit of the nested loops whose iterations are sampled in two parts although
/// the budget of lane evaluations allows one point only.
static constexpr unsigned MaxSplits = 6;

/// If lanes leave the loop at different times, the iterations in which all
/// lanes are active and those in which lanes drop out are sampled separately.
std::vector<SamplePoint> WarpSampler::sampleIterations(unsigned Loop,
                                                       uint64_t MinTrips,
                                                       uint64_t MaxTrips,
                                                       double Budget,
                                                       uint64_t Salt) const {
  if (MaxTrips == 0)
    return {};
  bool Varies = Program.uniformity().varies(Loop);
  unsigned Levels = Depth[Loop] + (Varies || MinTrips == MaxTrips ? 0 : 1);
  double Allowed =
      std::pow(std::max(1.0, Budget / Cost[Loop]), 1.0 / std::max(1u, Levels));
  uint64_t Max = std::clamp(Allowed, 1.0, 4096.0);
  // Two parts at every level of a deep nest would take exponential time.
  if (Max == 1 && Splits >= MaxSplits)
    return samplePoints(MaxTrips, 1, Salt);

  std::vector<SamplePoint> Points;
  if (!Varies && MinTrips > 0)
    Points.push_back({0, double(MinTrips)});
  else if (MinTrips > 0)
    Points = samplePoints(MinTrips,
                          MinTrips == MaxTrips || MaxTrips <= Max
                              ? Max
                              : std::max<uint64_t>(1, Max / 2),
                          Salt);
  if (MaxTrips > MinTrips)
    for (SamplePoint P : samplePoints(
             MaxTrips - MinTrips,
             MaxTrips <= Max ? Max : std::max<uint64_t>(1, Max / 2), Salt + 1))
      Points.push_back({P.Index + MinTrips, P.Weight});
  return Points;
}

/// Trip count of a lane as an integer; an unknown trip count is assumed to
/// be 1.
static double wholeTrips(double Trips) {
  return std::clamp(std::ceil((std::isnan(Trips) ? 1 : Trips) - 1e-9), 0.0,
                    0x1p53);
}

void WarpSampler::sampleIteration(unsigned Loop, const LaneMask &M,
                                  const SamplePoint &P, double Iterations,
                                  double Budget, uint64_t Salt) {
  LoopRuns[Loop] += Iterations * M.Warp;
  State.setCounter(Loop, P.Index);
  sampleScope(Loop, M, Iterations, Budget, mixBits(Salt, P.Index));
}

void WarpSampler::sampleLoop(unsigned Loop, const LaneMask &M, double Share,
                             double Budget, uint64_t Salt) {
  const gpuestimate::Loop &CurrentLoop = Kernel.Loops[Loop];
  std::optional<uint64_t> ActiveLanes = State.loopBits(Loop);
  LaneMask Entered = ActiveLanes ? restrict(M, *ActiveLanes)
                                 : restrict(M, State.loopActive(Loop),
                                            CurrentLoop.WarpUniform);
  if (Entered.empty())
    return;
  LoopEntries[Loop] += Share * Entered.Warp;

  // A fractional trip count is an expected value (a mean row length): it is
  // rounded up, and the iterations are scaled down to it.
  if (std::optional<double> UniformTrips = State.uniformLoopTrips(Loop)) {
    uint64_t Trips = wholeTrips(*UniformTrips);
    double Scale =
        *UniformTrips > 0 && Trips > 0 ? *UniformTrips / double(Trips) : 1;
    std::vector<SamplePoint> Points =
        sampleIterations(Loop, Trips, Trips, Budget, Salt);
    for (const SamplePoint &P : Points) {
      if (Ended)
        break;
      sampleIteration(Loop, Entered, P, Share * P.Weight * Scale,
                      Budget / Points.size(), Salt);
    }
    return;
  }
  // A copy: the evaluator has no row for an expression that is null.
  std::array<double, MaxLanes> Trips{};
  llvm::ArrayRef<double> Values = State.loopTrips(Loop);
  double Mean = 0, Whole = 0;
  uint64_t MinTrips = UINT64_MAX, MaxTrips = 0;
  for (unsigned L = 0; L < Lanes; ++L) {
    Trips[L] = Values.empty() ? 1 : wholeTrips(Values[L]);
    if (!(Entered.probability(L) > 0))
      continue;
    MinTrips = std::min<uint64_t>(MinTrips, Trips[L]);
    MaxTrips = std::max<uint64_t>(MaxTrips, Trips[L]);
    if (!Values.empty() && !std::isnan(Values[L]) && Values[L] > 0) {
      Mean = std::max(Mean, Values[L]);
      Whole = std::max(Whole, Trips[L]);
    }
  }
  double Scale = Whole > 0 ? Mean / Whole : 1;
  std::vector<SamplePoint> Points =
      sampleIterations(Loop, MinTrips, MaxTrips, Budget, Salt);
  bool IsSplit = MinTrips > 0 && MaxTrips > MinTrips;
  Splits += IsSplit;
  for (const SamplePoint &P : Points) {
    if (Ended)
      break;
    uint64_t Remaining = 0;
    for (unsigned L = 0; L < Lanes; ++L)
      Remaining |= uint64_t(Trips[L] > double(P.Index)) << L;
    sampleIteration(Loop, restrict(Entered, Remaining), P,
                    Share * P.Weight * Scale, Budget / Points.size(), Salt);
  }
  Splits -= IsSplit;
}

/// A warp goes on with its last lane.
void WarpSampler::countWait(unsigned Wait, const LaneMask &M, double Share) {
  bool IsTime = Kernel.Waits[Wait].Unit == gpuestimate::Wait::Nanoseconds;
  double Unit = IsTime ? (Seconds(1e-9) * Gpu.CoreClock).value() : 1;
  llvm::ArrayRef<double> Lengths = State.waitLength(Wait);
  double Longest = 0;
  for (unsigned L = 0; L < Lengths.size(); ++L)
    if (M.probability(L) > 0 && std::isfinite(Lengths[L]))
      Longest = std::max(Longest, Lengths[L]);
  WaitCycles[Wait] += Share * M.Warp * Longest * Unit;
}

static void add(AccessTotals &Total, const RequestCost &One, double Times) {
  Total.Sectors += Times * One.Sectors;
  Total.FullSectors += Times * One.FullSectors;
  Total.Wavefronts += Times * One.Wavefronts;
  Total.SameAddress += Times * One.SameAddress;
  Total.Lines += Times * One.Lines;
}

void WarpSampler::countAccess(unsigned Access, const LaneMask &M, double Share,
                              uint64_t Salt) {
  const MemoryAccess &A = Kernel.Accesses[Access];
  AccessTotals &Total = Sample.Accesses[Access];
  double Times = Weight * Share;
  Total.Requests += Times * M.Warp;
  if (!Requests)
    return;
  if (!Executed.empty() && Executed[Access]) {
    const ExecutedRequests &Executions = *Executed[Access];
    Total.Threads += Times * M.Warp * Executions.Lanes;
    return add(Total, Executions.Mean, Times * M.Warp);
  }
  Total.Threads += Times * M.Threads;
  if (M.Certain)
    if (const RequestCost *RequestCosts = Requests->find(Access, M.Bits))
      return add(Total, *RequestCosts, Times * M.Uniform);

  if (IndirectRequests)
    if (const RequestCost *RequestCosts = IndirectRequests->find(
            Access, M.Bits,
            M.Certain ? llvm::ArrayRef<double>()
                      : llvm::ArrayRef(M.Lane).take_front(Lanes)))
      return add(Total, *RequestCosts, Times * M.Uniform);

  // Costs with probabilities take four random outcomes.
  if (!spend((M.Certain ? 2 : 16) * double(Lanes)))
    return;
  RequestCostModel &Model = Requests->model(Access);
  llvm::ArrayRef<double> Values = State.address(Access);
  if (M.Certain && !Values.empty())
    if (const RequestCost *RequestCosts = Model.cachedCost(Values, M.Bits))
      return add(Total, *RequestCosts, Times * M.Uniform);

  unsigned Width = std::max(1u, A.BytesPerThread);
  std::array<double, MaxLanes> Addresses, Probabilities;
  for (unsigned L = 0; L < Lanes; ++L) {
    Addresses[L] = NAN;
    Probabilities[L] = M.probability(L);
    if (Probabilities[L] <= 0)
      continue;
    Addresses[L] = Values.empty() ? NAN : Values[L];
    // An unknown address is random, independent of the other lanes.
    if (!std::isfinite(Addresses[L]))
      Addresses[L] =
          Width * std::floor(unitFraction(mixBits(mixBits(Salt, Access), L)) *
                             UnknownBufferBytes / Width);
  }
  llvm::ArrayRef<double> LaneAddresses(Addresses.data(), Lanes),
      LaneProbabilities(Probabilities.data(), Lanes);
  const RequestCost &RequestCosts = Model.cost(
      LaneAddresses, M.Certain ? llvm::ArrayRef<double>() : LaneProbabilities,
      mixBits(Salt, Access + 1));
  add(Total, RequestCosts, Times * M.Uniform);
}

} // namespace gpuestimate
