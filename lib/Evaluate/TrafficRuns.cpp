/// \file
/// Runs of the accesses, one loop body after the other.
#include "gpu-estimate/Evaluate/TrafficRuns.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
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
  struct LaneMask;
  /// A run, and the requests [first, second) in Active that its sectors lack.
  struct PartlyCounted : BlockRun {
    std::vector<std::pair<size_t, size_t>> Uncounted;
  };
  /// OnlyChances: of each run no more than those, and the number of lanes.
  std::vector<PartlyCounted> runBlock(llvm::ArrayRef<unsigned> Accesses,
                                      const std::array<uint64_t, 3> &Middle,
                                      unsigned Point, bool OnlyChances = false);
  void enterLoop(LaneMask &M, unsigned Loop, unsigned Point);
  /// Places that a lane counts for: a private object's words lie apart.
  unsigned wordsOf(unsigned Access) const {
    bool Local = Kernel.Accesses[Access].Space == MemorySpace::Local;
    return Local ? (Patterns[Access].Width + 3) / 4 : 1;
  }
  double mostLanes(unsigned Access) const {
    return double(wordsOf(Access)) * double(L.threadsPerBlock());
  }
  /// Those of the lanes Of whose address is known.
  static uint64_t knownLanes(llvm::ArrayRef<double> At, uint64_t Of);
  void addLanes(PartlyCounted &Run, const AccessPattern &P, const LaneMask &M,
                bool OnlyChances) const;
  /// Of one request.
  double sectors(const AccessPattern &P, llvm::ArrayRef<double> Active) const;

  BoundKernel &Bound;
  const KernelModel &Kernel;
  const Launch &L;
  const LaunchSample &Sample;
  llvm::ArrayRef<AccessPattern> Patterns;
  RememberedRequests &Requests;
  std::vector<PartlyCounted> Best;
};

} // namespace

namespace {
/// The lanes of a warp, by their chance to take part.
struct Runner::LaneMask {
  explicit LaneMask(unsigned Present) : Bits(~uint64_t(0) >> (64 - Present)) {}

  uint64_t Bits;       ///< lanes with a chance
  bool Certain = true; ///< which is 1; Likely is not set
  std::array<double, MaxLanes> Likely;

  LaneMask(const LaneMask &Other) { *this = Other; }
  LaneMask &operator=(const LaneMask &Other) {
    Bits = Other.Bits;
    Certain = Other.Certain;
    if (!Certain)
      Likely = Other.Likely;
    return *this;
  }

  void keep(uint64_t On) { Bits &= On; }
  /// Less those that Chances leave out; what is unknown leaves nobody out.
  void restrict(llvm::ArrayRef<double> Chances) {
    for (unsigned Lane = 0; Lane < Chances.size(); ++Lane) {
      double Chance =
          std::isnan(Chances[Lane]) ? 1 : std::clamp(Chances[Lane], 0.0, 1.0);
      if (Certain && Chance > 0 && Chance < 1) {
        Likely.fill(1);
        Certain = false;
      }
      if (Chance <= 0)
        Bits &= ~(uint64_t(1) << Lane);
      else if (!Certain)
        Likely[Lane] *= Chance;
    }
  }
  double chance(uint64_t Of) const {
    if (Certain)
      return llvm::popcount(Of);
    double Sum = 0;
    for (uint64_t Rest = Of; Rest; Rest &= Rest - 1)
      Sum += Likely[llvm::countr_zero(Rest)];
    return Sum;
  }
};
} // namespace

uint64_t Runner::knownLanes(llvm::ArrayRef<double> At, uint64_t Of) {
  uint64_t On = 0;
  for (unsigned Lane = 0; Lane < At.size(); ++Lane)
    On |= uint64_t(std::isfinite(At[Lane])) << Lane;
  return On & Of;
}

void Runner::addLanes(PartlyCounted &Run, const AccessPattern &P,
                      const LaneMask &M, bool OnlyChances) const {
  // What is remembered is known for all lanes.
  const RequestCounts *Counted = Requests.find(P.Access, M.Bits);
  uint64_t On = Counted ? M.Bits : knownLanes(Bound.address(P.Access), M.Bits);
  if (!On)
    return;
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  unsigned Words = wordsOf(P.Access), Lanes = llvm::popcount(On);
  Run.Lanes += Words * Lanes;
  Run.Chance += Words * M.chance(On);
  if (OnlyChances)
    return;
  if (Counted)
    Run.Sectors += Counted->Sectors;
  // Every warp has its own region of a private object: those of one will do.
  bool Kept = P.Role != CacheRole::Private || Run.Active.empty();
  if (Counted && !Kept)
    return;
  llvm::ArrayRef<double> At = Bound.address(P.Access);
  std::vector<double> Unkept;
  std::vector<double> &To = Kept ? Run.Active : Unkept;
  size_t First = To.size();
  if (First == 0 && P.Role != CacheRole::Private)
    To.reserve(size_t(Bound.warpsPerBlock()) * Bound.lanes());
  if (!Local && Lanes == At.size()) {
    To.insert(To.end(), At.begin(), At.end());
  } else {
    To.resize(First + Words * Lanes);
    double *Next = &To[First];
    for (unsigned W = 0; W < Words; ++W)
      for (uint64_t Rest = On; Rest; Rest &= Rest - 1) {
        unsigned Lane = llvm::countr_zero(Rest);
        *Next++ = Local
                      ? interleavedLocal(At[Lane] + 4 * W, Lane, Bound.lanes())
                      : At[Lane];
      }
  }
  if (Counted)
    return;
  if (Kept) // most runs are dropped
    Run.Uncounted.push_back({First, To.size()});
  else
    Run.Sectors += sectors(P, To);
}

double Runner::sectors(const AccessPattern &P,
                       llvm::ArrayRef<double> Active) const {
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  return distinctGranules(Active, Local ? std::min(4u, P.Width) : P.Width,
                          P.Sector);
}

void Runner::enterLoop(LaneMask &M, unsigned Loop, unsigned Point) {
  double Iteration = baseIteration(Sample, Loop, Point);
  if (std::optional<uint64_t> On = Bound.loopBits(Loop))
    M.keep(*On);
  else
    M.restrict(Bound.loopActive(Loop));
  if (std::optional<double> OfAll = Bound.loopTripsOfAll(Loop)) {
    if (*OfAll <= Iteration)
      M.keep(0);
  } else {
    llvm::ArrayRef<double> Trips = Bound.loopTrips(Loop);
    uint64_t Over = 0;
    for (unsigned Lane = 0; Lane < Trips.size(); ++Lane)
      Over |= uint64_t(Trips[Lane] <= Iteration) << Lane;
    M.keep(~Over);
  }
  Bound.setCounter(Loop, Iteration);
  Bound.enterScope(Loop, Point);
}

std::vector<Runner::PartlyCounted>
Runner::runBlock(llvm::ArrayRef<unsigned> Accesses,
                 const std::array<uint64_t, 3> &Middle, unsigned Point,
                 bool OnlyChances) {
  std::vector<PartlyCounted> Runs(Accesses.size());
  for (unsigned Warp = 0; Warp < Bound.warpsPerBlock(); ++Warp) {
    LaneMask Inside(Bound.enterWarp({Middle, Warp}));
    Bound.enterScope(-1, Point);
    for (unsigned Loop : llvm::reverse(Patterns[Accesses.front()].Chain)) {
      if (!Inside.Bits)
        break;
      enterLoop(Inside, Loop, Point);
    }
    if (!Inside.Bits)
      continue;
    LaneMask Here = Inside;
    int Of = -1;
    for (auto [Index, Access] : llvm::enumerate(Accesses)) {
      if (int Block = Kernel.Accesses[Access].Block; Block != Of) {
        Of = Block;
        Here = Inside;
        if (std::optional<uint64_t> On = Bound.blockBits(Block))
          Here.keep(*On);
        else
          Here.restrict(Bound.blockActive(Block));
      }
      if (Here.Bits)
        addLanes(Runs[Index], Patterns[Access], Here, OnlyChances);
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
      // No other point of this block can replace what all of its threads do.
      std::vector<unsigned> Open, Indices;
      for (auto [Index, Access] : llvm::enumerate(Accesses))
        if (!Better[Index] || Best[Access].Lanes < mostLanes(Access)) {
          Open.push_back(Access);
          Indices.push_back(Index);
        }
      if (Open.empty())
        break;
      std::vector<PartlyCounted> Now = runBlock(Open, Middle, Point);
      for (auto [Index, Access, New] : llvm::zip(Indices, Open, Now)) {
        PartlyCounted &Old = Best[Access];
        if (!Better[Index] && New.Lanes == Old.Lanes)
          New.Apart = takeApart(New.Active);
        if (New.Lanes > Old.Lanes || New.Apart) {
          Old = std::move(New);
          Old.BasePoint = Point;
          Old.Middle = Middle;
          Better[Index] = true;
        }
      }
    }
    llvm::erase_if(Accesses, [&](unsigned Access) {
      BlockRun &Run = Best[Access];
      if (!Run.Apart && !Run.Active.empty())
        Run.Apart = takeApart(Run.Active);
      return !Run.Active.empty() && Run.Apart;
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
  std::vector<BlockRun> Out;
  for (auto [Run, P] : llvm::zip_equal(Best, Patterns)) {
    for (auto [Begin, End] : Run.Uncounted)
      Run.Sectors +=
          sectors(P, llvm::ArrayRef(Run.Active).slice(Begin, End - Begin));
    Out.push_back(std::move(Run));
  }
  return Out;
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
      std::vector<PartlyCounted> Now =
          runBlock(Accesses, Edge, Runs[Accesses.front()].BasePoint,
                   /*OnlyChances=*/true);
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
