/// \file
/// Runs of the accesses, one loop body after the other.
#include "gpu-estimate/Evaluate/TrafficRuns.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

double meanTrips(const LaunchSample &Sample, unsigned Loop) {
  double Entries = Sample.LoopWarpEntries[Loop];
  return Entries > 0 ? std::max(1.0, Sample.LoopWarpIterations[Loop] / Entries)
                     : 1;
}

double baseIteration(const LaunchSample &Sample, unsigned Loop,
                     unsigned Point) {
  return Point == 0 ? 0
                    : std::floor((meanTrips(Sample, Loop) - 1) *
                                 (Point == 1 ? 0.5 : 1));
}

namespace {

class Runner {
public:
  Runner(BoundKernel &Bound, const Launch &L, const LaunchSample &Sample,
         llvm::ArrayRef<AccessPattern> Patterns, RememberedRequests &Requests)
      : Bound(Bound), Kernel(Bound.kernel()), L(L), Sample(Sample),
        Patterns(Patterns), Requests(Requests), Best(Patterns.size()) {}

  std::vector<BlockRun> run();
  std::array<double, 3> reached(llvm::ArrayRef<BlockRun> Runs);

private:
  /// Accesses of one loop body each.
  std::vector<std::vector<unsigned>> bodies() const;
  void findTogether(std::vector<unsigned> Accesses);
  std::vector<BlockRun> runBlock(llvm::ArrayRef<unsigned> Accesses,
                                 const std::array<uint64_t, 3> &Middle,
                                 unsigned Point);
  struct LanesOn;
  /// Likely: of each lane, to take part.
  void addLanes(BlockRun &Run, const AccessPattern &P, const LanesOn &All,
                llvm::ArrayRef<double> Likely) const;
  /// Lanes by their chance to take part, less those that Chances leave out.
  static void restrict(llvm::MutableArrayRef<double> On,
                       llvm::ArrayRef<double> Chances);

  BoundKernel &Bound;
  const KernelModel &Kernel;
  const Launch &L;
  const LaunchSample &Sample;
  llvm::ArrayRef<AccessPattern> Patterns;
  RememberedRequests &Requests;
  std::vector<BlockRun> Best;
};

} // namespace

void Runner::restrict(llvm::MutableArrayRef<double> On,
                      llvm::ArrayRef<double> Chances) {
  for (unsigned Lane = 0; Lane < On.size() && !Chances.empty(); ++Lane)
    if (!std::isnan(Chances[Lane]))
      On[Lane] *= std::clamp(Chances[Lane], 0.0, 1.0);
}

namespace {
/// The lanes of a warp that execute a block.
struct Runner::LanesOn {
  llvm::SmallVector<unsigned, MaxLanes> Who;
  uint64_t Bits = 0;
  double Chance = 0;

  void add(unsigned Lane, double Likely) {
    Who.push_back(Lane);
    Bits |= uint64_t(1) << Lane;
    Chance += Likely;
  }
};
} // namespace

void Runner::addLanes(BlockRun &Run, const AccessPattern &P, const LanesOn &All,
                      llvm::ArrayRef<double> Likely) const {
  llvm::ArrayRef<double> At = Bound.address(P.Access);
  if (At.empty())
    return;
  bool Known = llvm::all_of(
      All.Who, [&](unsigned Lane) { return std::isfinite(At[Lane]); });
  LanesOn Some;
  if (!Known)
    for (unsigned Lane : All.Who)
      if (std::isfinite(At[Lane]))
        Some.add(Lane, Likely[Lane]);
  const LanesOn &On = Known ? All : Some;
  if (On.Who.empty())
    return;
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  unsigned Words = Local ? (P.Width + 3) / 4 : 1;
  Run.Lanes += Words * On.Who.size();
  Run.Chance += Words * On.Chance;
  // Every warp has its own region of a private object: those of one will do.
  bool Kept = P.Role != CacheRole::Private || Run.Active.empty();
  std::vector<double> Unkept;
  std::vector<double> &To = Kept ? Run.Active : Unkept;
  size_t First = To.size();
  auto append = [&] {
    if (Kept && P.Role != CacheRole::Private)
      To.reserve(size_t(Bound.warpsPerBlock()) * Bound.lanes());
    To.resize(First + Words * On.Who.size());
    double *Next = &To[First];
    for (unsigned W = 0; W < Words; ++W)
      for (unsigned Lane : On.Who)
        *Next++ = Local
                      ? interleavedLocal(At[Lane] + 4 * W, Lane, Bound.lanes())
                      : At[Lane];
  };
  if (Kept)
    append();
  if (const RequestCounts *Counted = Requests.find(P.Access, On.Bits)) {
    Run.Sectors += Counted->Sectors;
    return;
  }
  if (!Kept)
    append();
  Run.Sectors += distinctGranules(llvm::ArrayRef(To).drop_front(First),
                                  Local ? std::min(4u, P.Width) : P.Width,
                                  P.Sector);
}

std::vector<BlockRun> Runner::runBlock(llvm::ArrayRef<unsigned> Accesses,
                                       const std::array<uint64_t, 3> &Middle,
                                       unsigned Point) {
  std::vector<BlockRun> Runs(Accesses.size());
  for (unsigned Warp = 0; Warp < Bound.warpsPerBlock(); ++Warp) {
    unsigned Present = Bound.enterWarp({Middle, Warp});
    std::array<double, MaxLanes> Inside{};
    std::fill_n(Inside.begin(), Present, 1);
    llvm::MutableArrayRef<double> On(Inside.data(), Present);
    Bound.enterScope(-1, Point);
    for (unsigned Loop : llvm::reverse(Patterns[Accesses.front()].Chain)) {
      double Iteration = baseIteration(Sample, Loop, Point);
      restrict(On, Bound.loopActive(Loop));
      llvm::ArrayRef<double> Trips = Bound.loopTrips(Loop);
      for (unsigned Lane = 0; Lane < Present && !Trips.empty(); ++Lane)
        if (Trips[Lane] <= Iteration)
          On[Lane] = 0;
      Bound.setCounter(Loop, Iteration);
      Bound.enterScope(Loop, Point);
    }
    std::array<double, MaxLanes> Own;
    llvm::MutableArrayRef<double> Lanes(Own.data(), Present);
    LanesOn Here;
    int Of = -1;
    for (auto [Index, Access] : llvm::enumerate(Accesses)) {
      if (int Block = Kernel.Accesses[Access].Block; Block != Of) {
        Of = Block;
        Own = Inside;
        restrict(Lanes, Bound.blockActive(Block));
        Here = {};
        for (auto [Lane, Likely] : llvm::enumerate(Lanes))
          if (Likely > 0)
            Here.add(Lane, Likely);
      }
      addLanes(Runs[Index], Patterns[Access], Here, Lanes);
    }
  }
  return Runs;
}

void Runner::findTogether(std::vector<unsigned> Accesses) {
  std::array<uint64_t, 3> Centre;
  for (unsigned D = 0; D < 3; ++D)
    Centre[D] = (L.Grid[D] - 1) / 2;
  for (auto Middle : {Centre, {}, {Centre[0] + 1, Centre[1], Centre[2]}}) {
    if (Middle[0] >= L.Grid[0] || Accesses.empty())
      break;
    std::vector<bool> Better(Accesses.size());
    for (unsigned Point : {1u, 0u, 2u}) {
      // Nothing but loops and drawn values tells the points apart.
      if (Point != 1 && !Bound.drawsValues() &&
          Patterns[Accesses.front()].Chain.empty())
        break;
      std::vector<BlockRun> Now = runBlock(Accesses, Middle, Point);
      for (auto [Index, Access] : llvm::enumerate(Accesses)) {
        BlockRun &Old = Best[Access], &New = Now[Index];
        if (New.Lanes > Old.Lanes ||
            (!Better[Index] && New.Lanes == Old.Lanes &&
             takeApart(New.Active))) {
          Old = std::move(New);
          Old.BasePoint = Point;
          Old.Middle = Middle;
          Better[Index] = true;
        }
      }
    }
    llvm::erase_if(Accesses, [&](unsigned Access) {
      return !Best[Access].Active.empty() && takeApart(Best[Access].Active);
    });
  }
}

std::vector<std::vector<unsigned>> Runner::bodies() const {
  std::vector<std::vector<unsigned>> Together(Kernel.Loops.size() + 1);
  for (const AccessPattern &P : Patterns)
    if (P.Role != CacheRole::None)
      Together[Bound.scopeOf(
                   Bound.loopOfBlock(Kernel.Accesses[P.Access].Block))]
          .push_back(P.Access);
  llvm::erase_if(Together, [](auto &Accesses) { return Accesses.empty(); });
  return Together;
}

std::vector<BlockRun> Runner::run() {
  for (std::vector<unsigned> &Accesses : bodies())
    findTogether(std::move(Accesses));
  return std::move(Best);
}

std::array<double, 3> Runner::reached(llvm::ArrayRef<BlockRun> Runs) {
  std::array<double, 3> Out = {1, 1, 1};
  for (unsigned D = 0; D < 3; ++D) {
    if (L.Grid[D] < 2)
      continue;
    uint64_t Last = Sample.WorkingGrid[D] - 1;
    double Share = 0;
    for (const std::vector<unsigned> &Accesses : bodies()) {
      std::array<uint64_t, 3> Edge = Runs[Accesses.front()].Middle;
      if (Edge[D] >= Last)
        return {1, 1, 1}; // hardly a middle
      Edge[D] = Last;
      std::vector<BlockRun> Now =
          runBlock(Accesses, Edge, Runs[Accesses.front()].BasePoint);
      for (auto [Index, Access] : llvm::enumerate(Accesses))
        if (Runs[Access].Chance > 0)
          Share = std::max(Share, Now[Index].Chance / Runs[Access].Chance);
    }
    // None there, but somewhere else in the last row: a triangle.
    if (Share > 0)
      Out[D] = (double(Last) + std::min(1.0, Share)) / double(Last + 1);
  }
  return Out;
}

std::vector<BlockRun> findRuns(BoundKernel &Bound, const Launch &L,
                               const LaunchSample &Sample,
                               llvm::ArrayRef<AccessPattern> Patterns,
                               RememberedRequests &Requests) {
  return Runner(Bound, L, Sample, Patterns, Requests).run();
}

std::array<double, 3> reachedShares(BoundKernel &Bound, const Launch &L,
                                    const LaunchSample &Sample,
                                    llvm::ArrayRef<AccessPattern> Patterns,
                                    llvm::ArrayRef<BlockRun> Runs,
                                    RememberedRequests &Requests) {
  return Runner(Bound, L, Sample, Patterns, Requests).reached(Runs);
}

} // namespace gpuestimate
