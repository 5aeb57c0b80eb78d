#include "BlockTrace.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <map>

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

/// A block in which fewer threads take part, relative to the mean block, does
/// not stand for the others. The middle block of a batch of images, for
/// example, may be the first block of an image, whose threads all fall on the
/// padding.
constexpr double MinShareOfMean = 0.75;

class BlockTracer {
public:
  BlockTracer(LaneState &State, const Launch &L, const LaunchSample &Sample,
              llvm::ArrayRef<AccessPattern> Patterns,
              RequestCostCache &Requests)
      : State(State), Bound(State.program()), Kernel(Bound.kernel()), L(L),
        Sample(Sample), Patterns(Patterns), Requests(Requests),
        Best(Patterns.size()), Children(Kernel.Loops.size() + 1) {
    for (auto [Index, Loop] : llvm::enumerate(Kernel.Loops))
      Children[Bound.scopeOf(Loop.Parent)].push_back(unsigned(Index));
  }

  std::vector<BlockTrace> trace();
  std::array<double, 3> guardedShares(llvm::ArrayRef<BlockTrace> Traces);

private:
  /// The accesses that have a role in the caches and that no earlier access
  /// represents.
  std::vector<unsigned> representatives() const;
  void traceBestBlocks();
  struct LaneMask;
  /// A trace, and the requests, as ranges [first, second) of Active, whose
  /// sectors are not yet in Sectors.
  struct PartlyCounted : BlockTrace {
    std::vector<std::pair<size_t, size_t>> Uncounted;
  };
  /// Traces Accesses in block Block at base point Point. OnlyChances: the
  /// traces have no more than Chance and Lanes.
  std::vector<PartlyCounted> traceBlock(llvm::ArrayRef<unsigned> Accesses,
                                        const std::array<uint64_t, 3> &Middle,
                                        unsigned Point,
                                        bool OnlyChances = false);
  /// What visit() needs while it goes down the loops around some accesses.
  struct Walk {
    unsigned Point;
    bool OnlyChances;
    llvm::ArrayRef<unsigned> Accesses;
    std::vector<std::vector<unsigned>>
        Bodies;                 ///< [scope] indices into Accesses
    std::vector<bool> IsAround; ///< [scope] is an access in the scope or below?
    std::vector<PartlyCounted> Traces; ///< one per access
  };
  /// Adds the accesses of the body of Loop, and of the loops in it, for the
  /// warp at hand. Loop -1 is the kernel's body. Inside: the lanes that execute
  /// the body.
  void visit(int Loop, const LaneMask &Inside, Walk &W);
  void enterLoop(LaneMask &M, unsigned Loop, double Iteration);
  /// Addresses of a lane: the words of a private object lie a warp apart.
  unsigned wordsOf(unsigned Access) const {
    bool Local = Kernel.Accesses[Access].Space == MemorySpace::Local;
    return Local ? (Patterns[Access].Width + 3) / 4 : 1;
  }
  /// Threads that take part in an execution by a block, in the mean over the
  /// launch.
  double meanChance(unsigned Access) const;
  double maxLanes(unsigned Access) const {
    return double(wordsOf(Access)) * double(L.threadsPerBlock());
  }
  /// The lanes of the mask Lanes whose address is known.
  static uint64_t knownLanes(llvm::ArrayRef<double> Addresses, uint64_t Lanes);
  void addLanes(PartlyCounted &Trace, const AccessPattern &P, const LaneMask &M,
                bool OnlyChances) const;
  /// Sectors of one request.
  double sectors(const AccessPattern &P, llvm::ArrayRef<double> Active) const;

  LaneState &State;
  const LaunchProgram &Bound;
  const KernelModel &Kernel;
  const Launch &L;
  const LaunchSample &Sample;
  llvm::ArrayRef<AccessPattern> Patterns;
  RequestCostCache &Requests;
  std::vector<PartlyCounted> Best;
  std::vector<std::vector<unsigned>> Children; ///< [scope] loops directly in it
};

} // namespace

namespace {
/// The lanes of a warp, by their chance to take part.
struct BlockTracer::LaneMask {
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
  /// Multiplies the chance of each lane by Chances; NaN, unknown, counts as 1.
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
  double chance(uint64_t Lanes) const {
    if (Certain)
      return llvm::popcount(Lanes);
    double Sum = 0;
    for (uint64_t Remaining = Lanes; Remaining; Remaining &= Remaining - 1)
      Sum += Likely[llvm::countr_zero(Remaining)];
    return Sum;
  }
};
} // namespace

uint64_t BlockTracer::knownLanes(llvm::ArrayRef<double> Addresses,
                                 uint64_t Lanes) {
  uint64_t Finite = 0;
  for (unsigned Lane = 0; Lane < Addresses.size(); ++Lane)
    Finite |= uint64_t(std::isfinite(Addresses[Lane])) << Lane;
  return Finite & Lanes;
}

void BlockTracer::addLanes(PartlyCounted &Trace, const AccessPattern &P,
                           const LaneMask &M, bool OnlyChances) const {
  // What is remembered is known for all lanes.
  const RequestCost *CachedCost = Requests.find(P.Access, M.Bits);
  uint64_t ActiveLanes =
      CachedCost ? M.Bits : knownLanes(State.address(P.Access), M.Bits);
  if (!ActiveLanes)
    return;
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  unsigned Words = wordsOf(P.Access), Lanes = llvm::popcount(ActiveLanes);
  Trace.Lanes += Words * Lanes;
  Trace.Chance += Words * M.chance(ActiveLanes);
  if (OnlyChances)
    return;
  if (CachedCost)
    Trace.Sectors += CachedCost->Sectors;
  // Every warp has its own region of a private object: those of one will do.
  bool IsKept = P.Role != CacheRole::Private || Trace.Active.empty();
  if (CachedCost && !IsKept)
    return;
  llvm::ArrayRef<double> Addresses = State.address(P.Access);
  std::vector<double> Scratch;
  std::vector<double> &Target = IsKept ? Trace.Active : Scratch;
  size_t First = Target.size();
  if (First == 0 && P.Role != CacheRole::Private)
    Target.reserve(size_t(Bound.warpsPerBlock()) * Bound.lanes());
  if (!Local && Lanes == Addresses.size()) {
    Target.insert(Target.end(), Addresses.begin(), Addresses.end());
  } else {
    Target.resize(First + Words * Lanes);
    double *Next = &Target[First];
    for (unsigned W = 0; W < Words; ++W)
      for (uint64_t Remaining = ActiveLanes; Remaining;
           Remaining &= Remaining - 1) {
        unsigned Lane = llvm::countr_zero(Remaining);
        *Next++ = Local ? interleavedLocalAddress(Addresses[Lane] + 4 * W, Lane,
                                                  Bound.lanes())
                        : Addresses[Lane];
      }
  }
  if (CachedCost)
    return;
  if (IsKept) // most traces are dropped: the sectors are counted at the end
    Trace.Uncounted.push_back({First, Target.size()});
  else
    Trace.Sectors += sectors(P, Target);
}

double BlockTracer::sectors(const AccessPattern &P,
                            llvm::ArrayRef<double> Active) const {
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  return sectorsPerRequest(Active, Local ? std::min(4u, P.Width) : P.Width,
                           P.SectorBytes);
}

void BlockTracer::enterLoop(LaneMask &M, unsigned Loop, double Iteration) {
  if (std::optional<uint64_t> On = State.loopBits(Loop))
    M.keep(*On);
  else
    M.restrict(State.loopActive(Loop));
  if (std::optional<double> UniformTrips = State.uniformLoopTrips(Loop)) {
    if (*UniformTrips <= Iteration)
      M.keep(0);
  } else {
    llvm::ArrayRef<double> Trips = State.loopTrips(Loop);
    uint64_t Finished = 0;
    for (unsigned Lane = 0; Lane < Trips.size(); ++Lane)
      Finished |= uint64_t(Trips[Lane] <= Iteration) << Lane;
    M.keep(~Finished);
  }
}

void BlockTracer::visit(int Loop, const LaneMask &Inside, Walk &W) {
  const unsigned Scope = Bound.scopeOf(Loop);
  LaneMask BlockLanes = Inside;
  int LastBlock = -1;
  for (unsigned Index : W.Bodies[Scope]) {
    const AccessPattern &P = Patterns[W.Accesses[Index]];
    if (int Block = Kernel.Accesses[P.Access].Block; Block != LastBlock) {
      LastBlock = Block;
      BlockLanes = Inside;
      if (std::optional<uint64_t> On = State.blockBits(Block))
        BlockLanes.keep(*On);
      else
        BlockLanes.restrict(State.blockActive(Block));
    }
    if (BlockLanes.Bits)
      addLanes(W.Traces[Index], P, BlockLanes, W.OnlyChances);
  }
  // Trip counts are read before a loop changes the indirect indices.
  llvm::SmallVector<std::pair<unsigned, LaneMask>, 2> Entered;
  for (unsigned Child : Children[Scope]) {
    if (!W.IsAround[Bound.scopeOf(int(Child))])
      continue;
    Entered.push_back({Child, Inside});
    enterLoop(Entered.back().second, Child,
              baseIteration(Sample, Child, W.Point));
  }
  for (const auto &[Child, Lanes] : Entered) {
    if (!Lanes.Bits)
      continue;
    State.setCounter(Child, baseIteration(Sample, Child, W.Point));
    State.enterScope(int(Child), W.Point);
    visit(int(Child), Lanes, W);
  }
}

std::vector<BlockTracer::PartlyCounted>
BlockTracer::traceBlock(llvm::ArrayRef<unsigned> Accesses,
                        const std::array<uint64_t, 3> &Block, unsigned Point,
                        bool OnlyChances) {
  const size_t Scopes = Kernel.Loops.size() + 1;
  Walk W{Point, OnlyChances, Accesses, {}, {}, {}};
  W.Traces.resize(Accesses.size());
  W.Bodies.resize(Scopes);
  W.IsAround.resize(Scopes);
  for (auto [Index, Access] : llvm::enumerate(Accesses)) {
    int Loop = Bound.loopOfBlock(Kernel.Accesses[Access].Block);
    W.Bodies[Bound.scopeOf(Loop)].push_back(unsigned(Index));
    for (; Loop >= 0 && !W.IsAround[Bound.scopeOf(Loop)];
         Loop = Kernel.Loops[Loop].Parent)
      W.IsAround[Bound.scopeOf(Loop)] = true;
  }
  for (unsigned Warp = 0; Warp < Bound.warpsPerBlock(); ++Warp) {
    LaneMask Lanes(State.enterWarp({Block, Warp}));
    if (!spendWork(1 + Accesses.size()))
      break;
    State.enterScope(-1, Point);
    visit(-1, Lanes, W);
  }
  return std::move(W.Traces);
}

void BlockTracer::traceBestBlocks() {
  std::vector<unsigned> Accesses = representatives();
  // Addresses that repeat with a period may wrap around in the middle block and
  // in the first block; the golden section of the grid is at neither.
  std::array<uint64_t, 3> Centre, GoldenSection;
  for (unsigned D = 0; D < 3; ++D) {
    Centre[D] = (L.Grid[D] - 1) / 2;
    GoldenSection[D] = uint64_t(double(L.Grid[D]) * 0.382);
  }
  for (auto Block :
       {Centre, {}, {Centre[0] + 1, Centre[1], Centre[2]}, GoldenSection}) {
    if (Block == GoldenSection)
      llvm::erase_if(Accesses, [&](unsigned Access) {
        return !Best[Access].Active.empty() && !Best[Access].Delinearized;
      });
    if (Block[0] >= L.Grid[0] || Accesses.empty())
      break;
    std::vector<bool> Better(Patterns.size());
    for (unsigned Point : {1u, 0u, 2u}) {
      std::vector<unsigned> Open;
      for (unsigned Access : Accesses) {
        // Nothing but loops and drawn values tells the points apart.
        if (Point != 1 && Bound.indirectIndices().empty() &&
            Patterns[Access].EnclosingLoops.empty())
          continue;
        // No other point of this block can replace what all of its threads do.
        if (!Better[Access] || Best[Access].Lanes < maxLanes(Access))
          Open.push_back(Access);
      }
      if (Open.empty())
        break;
      std::vector<PartlyCounted> Traces = traceBlock(Open, Block, Point);
      for (auto [Access, Trace] : llvm::zip(Open, Traces)) {
        PartlyCounted &BestTrace = Best[Access];
        bool HasMoreLanes = Trace.Lanes > BestTrace.Lanes;
        if (HasMoreLanes ? BestTrace.Delinearized.has_value()
                         : !Better[Access] && Trace.Lanes == BestTrace.Lanes)
          Trace.Delinearized = delinearize(Trace.Active);
        if (Trace.Delinearized || (HasMoreLanes && !BestTrace.Delinearized)) {
          BestTrace = std::move(Trace);
          BestTrace.BasePoint = Point;
          BestTrace.Block = Block;
          Better[Access] = true;
        }
      }
    }
    llvm::erase_if(Accesses, [&](unsigned Access) {
      BlockTrace &Trace = Best[Access];
      if (!Trace.Delinearized && !Trace.Active.empty())
        Trace.Delinearized = delinearize(Trace.Active);
      return !Trace.Active.empty() && Trace.Delinearized &&
             Trace.Chance >= MinShareOfMean * meanChance(Access);
    });
  }
}

double BlockTracer::meanChance(unsigned Access) const {
  const AccessPattern &P = Patterns[Access];
  if (P.Role == CacheRole::Private)
    return 0;
  double Executions = 1;
  for (uint64_t Blocks : Sample.ActiveGrid)
    Executions *= double(Blocks);
  for (unsigned Loop : P.EnclosingLoops)
    Executions *= meanTrips(Sample, Loop);
  return Sample.Accesses[Access].Threads / Executions;
}

std::vector<unsigned> BlockTracer::representatives() const {
  std::vector<unsigned> Accesses;
  for (const AccessPattern &P : Patterns)
    if (P.Role != CacheRole::None && P.Representative == P.Access)
      Accesses.push_back(P.Access);
  return Accesses;
}

std::vector<BlockTrace> BlockTracer::trace() {
  traceBestBlocks();
  std::vector<BlockTrace> Traces;
  for (auto [Trace, P] : llvm::zip_equal(Best, Patterns)) {
    for (auto [Begin, End] : Trace.Uncounted)
      Trace.Sectors +=
          sectors(P, llvm::ArrayRef(Trace.Active).slice(Begin, End - Begin));
    Traces.push_back(std::move(Trace));
  }
  return Traces;
}

std::array<double, 3>
BlockTracer::guardedShares(llvm::ArrayRef<BlockTrace> Traces) {
  std::array<double, 3> Shares = {1, 1, 1};
  // The accesses of one loop body are traced where the first of them was.
  std::map<int, unsigned> Firsts;
  using PointOfBlock = std::pair<std::array<uint64_t, 3>, unsigned>;
  std::map<PointOfBlock, std::vector<unsigned>> ByPlace;
  for (unsigned Access : representatives()) {
    int Loop = Bound.loopOfBlock(Kernel.Accesses[Access].Block);
    const BlockTrace &Trace =
        Traces[Firsts.try_emplace(Loop, Access).first->second];
    ByPlace[{Trace.Block, Trace.BasePoint}].push_back(Access);
  }
  for (unsigned D = 0; D < 3; ++D) {
    if (L.Grid[D] < 2)
      continue;
    uint64_t Last = Sample.ActiveGrid[D] - 1;
    if (llvm::any_of(ByPlace,
                     [&](auto &Entry) { return Entry.first.first[D] >= Last; }))
      return {1, 1, 1}; // a trace is of the last block already
    double Share = 0;
    for (const auto &[Place, Accesses] : ByPlace) {
      auto [Edge, Point] = Place;
      Edge[D] = Last;
      std::vector<PartlyCounted> AtEdge =
          traceBlock(Accesses, Edge, Point, /*OnlyChances=*/true);
      for (auto [Index, Access] : llvm::enumerate(Accesses))
        if (Traces[Access].Chance > 0)
          Share = std::max(Share, AtEdge[Index].Chance / Traces[Access].Chance);
    }
    // No thread of that block takes part, though others of the last row do, as
    // in a triangular grid: the share stays 1.
    if (Share > 0)
      Shares[D] = (double(Last) + std::min(1.0, Share)) / double(Last + 1);
  }
  return Shares;
}

std::vector<BlockTrace> traceAccesses(LaneState &State, const Launch &L,
                                      const LaunchSample &Sample,
                                      llvm::ArrayRef<AccessPattern> Patterns,
                                      RequestCostCache &Requests) {
  return BlockTracer(State, L, Sample, Patterns, Requests).trace();
}

std::array<double, 3> guardedShares(LaneState &State, const Launch &L,
                                    const LaunchSample &Sample,
                                    llvm::ArrayRef<AccessPattern> Patterns,
                                    llvm::ArrayRef<BlockTrace> Traces,
                                    RequestCostCache &Requests) {
  return BlockTracer(State, L, Sample, Patterns, Requests)
      .guardedShares(Traces);
}

} // namespace gpuestimate
