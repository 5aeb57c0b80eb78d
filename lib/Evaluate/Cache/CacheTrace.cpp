#include "CacheTrace.h"

#include "Evaluate/Access/BufferBytes.h"
#include "SectoredCache.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Support/Hash.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Requests of all traced warps together, and at least of one warp; less of
/// both in a what-if (EvaluateOptions::SampleEffort).
static constexpr double MaxRequests = 1 << 16, MinRequestsOfWarp = 16;
/// Granularity of the simulated caches.
static constexpr unsigned SectorBytes = 32;

namespace {

struct TracedRequest {
  unsigned Access;
  unsigned First, End; ///< of WarpTrace::Sectors
};
struct WarpTrace {
  std::vector<TracedRequest> Requests;
  std::vector<uint64_t> Sectors; ///< addresses
  bool Truncated = false;
};

/// The requests of one warp after the other, in program order.
class WarpTracer {
public:
  WarpTracer(LaneState &State, const CacheTraceInputs &In);
  WarpTrace trace(const WarpPosition &P, size_t MaxRequests);

private:
  void walk(int Loop, uint64_t Lanes, uint64_t Salt);
  void walkLoop(unsigned Loop, uint64_t Lanes, uint64_t Salt);
  void request(unsigned Access, uint64_t Lanes);
  /// The lanes among Lanes whose condition is more likely than not.
  static uint64_t likely(llvm::ArrayRef<double> Chances, uint64_t Lanes);

  LaneState &State;
  const LaunchProgram &Bound;
  const KernelModel &Kernel;
  std::vector<uint64_t> ObjectAddresses; ///< [access]
  std::vector<unsigned> UnitBytes;       ///< [access] sector; 0: not traced
  std::vector<bool> HasRequests;         ///< [loop] traced accesses inside
  WarpTrace Trace;
  size_t Limit = 0;
};

/// The caches, and the warps that take turns.
class TraceSimulator {
public:
  TraceSimulator(LaneState &State, const CacheTraceInputs &In);
  CacheTrace run();

private:
  struct Warp {
    WarpTrace Trace;
    size_t Next = 0;
    bool ended() const { return Next == Trace.Requests.size(); }
  };
  struct Slot {
    std::vector<Warp> Warps;
  };
  struct Multiprocessor {
    SectoredCache L1;
    std::vector<Slot> Slots;
    uint64_t NextBlock; ///< number in the trace
  };
  static SectoredCache::Line &line(SectoredCache &Cache, uint64_t Number);
  bool enter(Slot &S, uint64_t Block);
  /// One request of each warp; false when none of the block has any left.
  bool turn(Slot &S, SectoredCache &L1);
  void issue(const WarpTrace &Trace, const TracedRequest &Request,
             SectoredCache &L1, TracedAccess &Counts);
  bool hitsL1(uint64_t Address, unsigned Bytes, SectoredCache &L1) const;
  void throughL2(uint64_t Address, unsigned Bytes, bool IsLoad,
                 TracedAccess &Counts);

  LaneState &State;
  const LaunchProgram &Bound;
  const CacheTraceInputs &In;
  WarpTracer Tracer;
  CacheShape L1Shape, L2Shape;
  unsigned L2FillBytes; ///< for a load
  SectoredCache L2;
  std::vector<CacheRole> Roles; ///< [access]
  uint64_t FirstBlock = 0;
  size_t RequestsOfWarp = 0;
  CacheTrace Result;
  std::vector<TracedAccess> Warmup; ///< first halves of truncated traces
};

} // namespace

/// Global and texture memory: local memory is replayed on its own.
static bool isTraced(CacheRole Role) {
  return Role != CacheRole::None && Role != CacheRole::Private;
}

WarpTracer::WarpTracer(LaneState &State, const CacheTraceInputs &In)
    : State(State), Bound(State.program()), Kernel(Bound.kernel()),
      HasRequests(Kernel.Loops.size()) {
  constexpr uint64_t Alignment = 512;
  llvm::StringMap<uint64_t> Objects;
  uint64_t NextAddress = Alignment;
  for (const MemoryAccess &A : Kernel.Accesses) {
    auto [Object, New] = Objects.try_emplace(A.Base, NextAddress);
    if (New) {
      double Bytes =
          bufferBytes(Kernel, A, In.All).value_or(UnknownBufferBytes);
      Bytes = std::clamp(Bytes, 1.0, 0x1p40);
      NextAddress += llvm::alignTo(uint64_t(Bytes), Alignment);
    }
    ObjectAddresses.push_back(Object->second);
    UnitBytes.push_back(isTraced(cacheRole(A, In.Gpu)) ? sectorBytes(A, In.Gpu)
                                                       : 0);
    for (int Loop = UnitBytes.back() ? Bound.loopOfBlock(A.Block) : -1;
         Loop >= 0; Loop = Kernel.Loops[Loop].Parent)
      HasRequests[Loop] = true;
  }
}

WarpTrace WarpTracer::trace(const WarpPosition &P, size_t MaxRequests) {
  Trace = WarpTrace();
  Limit = MaxRequests;
  unsigned Threads = State.enterWarp(P);
  uint64_t Salt =
      mixBits(mixBits(P.Block[0], P.Block[1]), mixBits(P.Block[2], P.Warp));
  walk(-1, ~uint64_t(0) >> (64 - Threads), Salt);
  return std::move(Trace);
}

uint64_t WarpTracer::likely(llvm::ArrayRef<double> Chances, uint64_t Lanes) {
  for (unsigned Lane = 0; Lane < Chances.size(); ++Lane)
    if (Chances[Lane] < 0.5) // an unknown condition is taken to hold
      Lanes &= ~(uint64_t(1) << Lane);
  return Lanes;
}

void WarpTracer::walk(int Loop, uint64_t Lanes, uint64_t Salt) {
  if (!spendWork(1 + uint64_t(Bound.scope(Loop).Cost / 16)))
    return;
  State.enterScope(Loop, Salt);
  for (const RegionNode &Node : *Bound.scope(Loop).Nodes) {
    if (Trace.Truncated)
      return;
    if (Node.Kind == RegionNode::IsLoop) {
      if (HasRequests[Node.Index])
        walkLoop(Node.Index, Lanes, mixBits(Salt, Node.Index));
      continue;
    }
    std::optional<uint64_t> On = State.blockBits(Node.Index);
    uint64_t Active =
        On ? Lanes & *On : likely(State.blockActive(Node.Index), Lanes);
    for (unsigned A : Bound.accessesOf(Node.Index))
      if (Active && UnitBytes[A] && !Trace.Truncated)
        request(A, Active);
  }
}

void WarpTracer::walkLoop(unsigned Loop, uint64_t Lanes, uint64_t Salt) {
  std::optional<uint64_t> On = State.loopBits(Loop);
  Lanes = On ? Lanes & *On : likely(State.loopActive(Loop), Lanes);
  // A copy: the rows change with the iterations.
  std::array<double, MaxLanes> Trips;
  Trips.fill(1); // where the trip count is not known
  if (std::optional<double> Uniform = State.uniformLoopTrips(Loop))
    Trips.fill(*Uniform);
  else
    llvm::copy(State.loopTrips(Loop), Trips.begin());
  constexpr unsigned MaxEmptyIterations = 4;
  unsigned EmptyIterations = 0;
  for (double Iteration = 0; !Trace.Truncated; ++Iteration) {
    for (uint64_t Rest = Lanes; Rest; Rest &= Rest - 1) {
      unsigned Lane = llvm::countr_zero(Rest);
      double Known = std::isnan(Trips[Lane]) ? 1 : Trips[Lane];
      if (Iteration >= Known)
        Lanes &= ~(uint64_t(1) << Lane);
    }
    size_t Before = Trace.Requests.size();
    if (!Lanes || workExhausted())
      return;
    State.setCounter(Loop, Iteration);
    walk(int(Loop), Lanes, mixBits(Salt, uint64_t(Iteration)));
    // A loop that makes requests in few of its iterations is left.
    EmptyIterations = Trace.Requests.size() == Before ? EmptyIterations + 1 : 0;
    if (EmptyIterations > MaxEmptyIterations)
      return;
  }
}

void WarpTracer::request(unsigned Access, uint64_t Lanes) {
  llvm::ArrayRef<double> Addresses = State.address(Access);
  unsigned Unit = UnitBytes[Access],
           Width = std::max(1u, Kernel.Accesses[Access].BytesPerThread);
  size_t First = Trace.Sectors.size();
  for (uint64_t Rest = Lanes; Rest; Rest &= Rest - 1) {
    unsigned Lane = llvm::countr_zero(Rest);
    if (Lane >= Addresses.size() || !(std::abs(Addresses[Lane]) < 0x1p52))
      continue;
    uint64_t Begin =
        ObjectAddresses[Access] + uint64_t(int64_t(Addresses[Lane]));
    for (uint64_t S = Begin / Unit; S <= (Begin + Width - 1) / Unit; ++S)
      if (Trace.Sectors.size() == First || Trace.Sectors.back() != S * Unit)
        Trace.Sectors.push_back(S * Unit);
  }
  if (Trace.Sectors.size() == First)
    return;
  if (Trace.Requests.size() == Limit) {
    Trace.Sectors.resize(First);
    Trace.Truncated = true;
    return;
  }
  std::sort(Trace.Sectors.begin() + First, Trace.Sectors.end());
  Trace.Sectors.erase(
      std::unique(Trace.Sectors.begin() + First, Trace.Sectors.end()),
      Trace.Sectors.end());
  Trace.Requests.push_back(
      {Access, unsigned(First), unsigned(Trace.Sectors.size())});
}

static unsigned lineBytes(const CacheLevel &Level) {
  return std::clamp(unsigned(Level.Line.value()), SectorBytes, 128u);
}

/// Which bits choose the set is not published where they are hashed: each line
/// lies in a drawn set.
static SetHash setHash(bool IsHashed) {
  SetHash Hash;
  Hash.Kind = IsHashed ? SetHash::Drawn : SetHash::LowBits;
  return Hash;
}

static CacheShape l1Shape(const CacheTraceInputs &In) {
  CacheShape Shape;
  Shape.Bytes = In.L1CapacityBytes;
  Shape.LineBytes = lineBytes(In.Gpu.L1);
  Shape.Hash = setHash(In.Gpu.L1HasHashedSets);
  if (In.Gpu.L1Sets)
    Shape.Ways = unsigned(std::max(
        1.0, std::round(Shape.Bytes / Shape.LineBytes / *In.Gpu.L1Sets)));
  return Shape;
}

static CacheShape l2Shape(const CacheTraceInputs &In) {
  CacheShape Shape;
  Shape.Bytes = In.Gpu.L2.Size.value();
  Shape.LineBytes = lineBytes(In.Gpu.L2);
  Shape.Hash = setHash(In.Gpu.L2HasHashedSets);
  Shape.Ways = unsigned(In.Gpu.L2Ways.value_or(0));
  return Shape;
}

TraceSimulator::TraceSimulator(LaneState &State, const CacheTraceInputs &In)
    : State(State), Bound(State.program()), In(In), Tracer(State, In),
      L1Shape(l1Shape(In)), L2Shape(l2Shape(In)),
      L2FillBytes(std::clamp(
          unsigned(In.Gpu.L2FetchSize.value_or(In.Gpu.L2.Sector).value()),
          SectorBytes, L2Shape.LineBytes)),
      L2(L2Shape) {
  for (const MemoryAccess &A : Bound.kernel().Accesses)
    Roles.push_back(cacheRole(A, In.Gpu));
  Result.Accesses.resize(Roles.size());
  Warmup.resize(Roles.size());
  Result.HasL1Sets = In.Gpu.L1Sets.has_value();
  Result.HasL2Sets = In.Gpu.L2Ways.has_value() && In.Gpu.L2Partitions <= 1;

  double RequestsOfMean = 0; // one warp, the mean over the launch
  for (auto [Role, Totals] : llvm::zip(Roles, In.Sample.Accesses))
    if (isTraced(Role))
      RequestsOfMean += Totals.Requests / std::max(1.0, In.Sample.Warps);
  double Resident = In.BlocksPerSm * In.Assignment.Sms,
         Budget = MaxRequests * In.Effort, Warps = Bound.warpsPerBlock(),
         Waves = std::floor(Budget /
                            std::max(1.0, RequestsOfMean * Warps * Resident));
  Result.Blocks =
      uint64_t(std::min(In.Assignment.Blocks, std::max(1.0, Waves) * Resident));
  FirstBlock = (uint64_t(In.Assignment.Blocks) - Result.Blocks) / 2;
  // A warp may have more requests than the mean.
  RequestsOfWarp =
      size_t(std::ceil(std::max(MinRequestsOfWarp * std::max(0.25, In.Effort),
                                Budget / (Warps * double(Result.Blocks)))));
}

SectoredCache::Line &TraceSimulator::line(SectoredCache &Cache,
                                          uint64_t Number) {
  if (SectoredCache::Line *Found = Cache.find(Number))
    return *Found;
  SectoredCache::Line Evicted;
  bool HasEvicted;
  return Cache.insert(Number, &Evicted, HasEvicted);
}

bool TraceSimulator::hitsL1(uint64_t Address, unsigned Bytes,
                            SectoredCache &L1) const {
  SectoredCache::Line &Line = line(L1, Address / L1Shape.LineBytes);
  bool Hit = true;
  uint64_t First = Address % L1Shape.LineBytes / SectorBytes;
  for (uint64_t S = First; S < First + Bytes / SectorBytes; ++S)
    if (!Line.Valid[S % 4]) {
      Hit = false;
      Line.Valid[S % 4] = ~0u;
    }
  return Hit;
}

void TraceSimulator::throughL2(uint64_t Address, unsigned Bytes, bool IsLoad,
                               TracedAccess &Counts) {
  unsigned Unit = std::max(SectorBytes, unsigned(In.Gpu.L2.Sector.value())),
           Fill = std::max(Unit, L2FillBytes);
  for (uint64_t At = Address / Unit * Unit; At < Address + Bytes; At += Unit) {
    ++Counts.L2Sectors;
    SectoredCache::Line &Line = line(L2, At / L2Shape.LineBytes);
    uint64_t Sector = At % L2Shape.LineBytes / SectorBytes;
    if (!IsLoad) {
      Counts.L2Fills += !Line.Dirty[Sector];
      for (uint64_t S = Sector; S < Sector + Unit / SectorBytes; ++S) {
        Line.Dirty[S % 4] = true;
        Line.Valid[S % 4] = ~0u;
      }
      continue;
    }
    if (Line.Valid[Sector])
      continue;
    uint64_t First = At / Fill * Fill % L2Shape.LineBytes / SectorBytes;
    for (uint64_t S = First; S < First + Fill / SectorBytes; ++S)
      if (!Line.Valid[S % 4]) {
        Line.Valid[S % 4] = ~0u;
        Counts.L2Fills += double(SectorBytes) / Unit;
      }
  }
}

void TraceSimulator::issue(const WarpTrace &Trace, const TracedRequest &Request,
                           SectoredCache &L1, TracedAccess &Counts) {
  const MemoryAccess &A = Bound.kernel().Accesses[Request.Access];
  CacheRole Role = Roles[Request.Access];
  unsigned Bytes = std::max(SectorBytes, sectorBytes(A, In.Gpu));
  bool IsLoad = Role == CacheRole::CachedLoad || Role == CacheRole::Load;
  for (unsigned I = Request.First; I < Request.End; ++I) {
    if (Role == CacheRole::CachedLoad) {
      ++Counts.L1Sectors;
      if (hitsL1(Trace.Sectors[I], Bytes, L1))
        continue;
      ++Counts.L1Misses;
    }
    throughL2(Trace.Sectors[I], Bytes, IsLoad, Counts);
  }
}

bool TraceSimulator::turn(Slot &S, SectoredCache &L1) {
  bool Lives = false;
  for (Warp &W : S.Warps) {
    if (W.ended())
      continue;
    const TracedRequest &Request = W.Trace.Requests[W.Next];
    bool Counts = !W.Trace.Truncated || W.Next >= W.Trace.Requests.size() / 2;
    issue(W.Trace, Request, L1,
          (Counts ? Result.Accesses : Warmup)[Request.Access]);
    ++W.Next;
    Lives |= !W.ended();
  }
  return Lives;
}

bool TraceSimulator::enter(Slot &S, uint64_t Block) {
  S.Warps.clear();
  uint64_t Number = FirstBlock + Block;
  const std::array<uint64_t, 3> &Grid = In.Assignment.Grid;
  std::array<uint64_t, 3> Index = {Number % Grid[0], Number / Grid[0] % Grid[1],
                                   Number / Grid[0] / Grid[1]};
  for (unsigned W = 0; W < Bound.warpsPerBlock(); ++W) {
    WarpTrace Trace = Tracer.trace({Index, W}, RequestsOfWarp);
    Result.Requests += double(Trace.Requests.size());
    Result.Truncated |= Trace.Truncated;
    if (!spendWork(Trace.Sectors.size() * 4))
      return false;
    S.Warps.push_back({std::move(Trace)});
  }
  return true;
}

CacheTrace TraceSimulator::run() {
  State.reset();
  auto Sms = uint64_t(std::max(1.0, In.Assignment.Sms));
  std::vector<Multiprocessor> Multiprocessors;
  for (uint64_t I = 0; I < std::min(Sms, Result.Blocks); ++I) {
    Multiprocessor &M = Multiprocessors.emplace_back(
        Multiprocessor{SectoredCache(L1Shape), {}, I});
    M.Slots.resize(std::max(1u, In.BlocksPerSm));
  }
  for (bool Lives = true; Lives && !workExhausted();) {
    Lives = false;
    for (Multiprocessor &M : Multiprocessors)
      for (Slot &S : M.Slots) {
        if (S.Warps.empty() && M.NextBlock < Result.Blocks) {
          if (!enter(S, M.NextBlock))
            break;
          M.NextBlock += Sms;
        }
        if (S.Warps.empty())
          continue;
        Lives = true;
        if (!turn(S, M.L1))
          S.Warps.clear();
      }
  }
  for (auto [Counted, First] : llvm::zip_equal(Result.Accesses, Warmup))
    if (Counted.L1Sectors + Counted.L2Sectors <= 0)
      Counted = First; // made in the first half of the traces alone
  State.reset();
  return std::move(Result);
}

CacheTrace traceCaches(LaneState &State, const CacheTraceInputs &In) {
  return TraceSimulator(State, In).run();
}

} // namespace gpuestimate
