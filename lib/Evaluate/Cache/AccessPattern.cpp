#include "AccessPattern.h"

#include "BlockTrace.h"
#include "Evaluate/Access/AddressProbe.h"
#include "Evaluate/Access/BufferBytes.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace gpuestimate {

namespace {

class Finder {
public:
  Finder(const LaunchProgram &Bound, const GpuModel &Gpu, const Launch &L,
         const LaunchSample &Sample, const BlockAssignment &Assignment)
      : Bound(Bound), Kernel(Bound.kernel()), Gpu(Gpu), L(L), Sample(Sample),
        Assignment(Assignment), Probes(Kernel.Accesses.size()) {}
  /// What is known before any address is: role, loops, object.
  AccessPattern begin(unsigned Access, const Bindings &All);
  void findLike(llvm::MutableArrayRef<AccessPattern> Patterns);
  void finish(AccessPattern &P, BlockTrace &Run);
  /// Like: finished, and active.
  void finishLike(AccessPattern &P, const AccessPattern &Like);
  void setReached(const std::array<double, 3> &Shares) { Reached = Shares; }

private:
  StridedAccess alongCounter(const AccessPattern &P, unsigned Index,
                             AddressProbe &At);
  /// Digits of the first Count (possibly fractional) positions of an input.
  QuasiAffineMap along(const AccessPattern &P, AddressProbe &At, double Count,
                       unsigned Input);
  void findBlocks(AccessPattern &P, AddressProbe &At);
  void findIndirect(AccessPattern &P);

  const LaunchProgram &Bound;
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const LaunchSample &Sample;
  const BlockAssignment &Assignment;
  std::vector<std::optional<AddressProbe>> Probes; ///< of known addresses
  std::array<uint64_t, 3> Middle{}; ///< a block away from the borders
  std::array<double, 3> Reached{};  ///< share of each dimension of the grid
  /// By input, count and course.
  std::map<std::tuple<unsigned, double, std::vector<uint64_t>>,
           std::optional<QuasiAffineMap>>
      MapCache;
};

} // namespace

/// A sequence without digits: only how much of it is new at each step is
/// measured, at a few members, and kept as scattered copies.
static QuasiAffineMap scatteredCopies(const AccessPattern &P, double Count,
                                      llvm::function_ref<double(uint64_t)> At) {
  std::vector<double> Seen;
  unsigned Probes = std::min(16.0, Count);
  for (unsigned I = 0; I < Probes; ++I)
    Seen.push_back(At(std::floor(I * (Count - 1) / std::max(1u, Probes - 1))));
  double Distinct = sectorsPerRequest(Seen, P.Width, P.SectorBytes);
  double NewShare =
      Probes > 1 ? std::clamp((Distinct - 1) / (Probes - 1), 0.0, 1.0) : 0;
  if (NewShare == 0)
    return {{0, Count, 1}};
  return {{ScatterStride, 1 + (Count - 1) * NewShare, 1 / NewShare}};
}

QuasiAffineMap Finder::along(const AccessPattern &P, AddressProbe &At,
                             double Count, unsigned Input) {
  if (Count <= 1)
    return {};
  if (std::optional<double> Step = At.step(Input, Count))
    return {{*Step, std::ceil(Count), 1}};
  auto value = [&](uint64_t I) {
    At.set(Input, I);
    return At();
  };
  auto find = [&] { return fitQuasiAffineMap(value, std::ceil(Count)); };
  std::vector<uint64_t> Course = At.course(Input);
  if (Course.empty()) {
    auto Map = find();
    return Map ? *Map : scatteredCopies(P, Count, value);
  }
  // Digits are distances: they do not know where the address begins.
  auto [Cached, IsNew] =
      MapCache.try_emplace({Input, Count, std::move(Course)});
  if (IsNew)
    Cached->second = find();
  return Cached->second ? *Cached->second : scatteredCopies(P, Count, value);
}

StridedAccess Finder::alongCounter(const AccessPattern &P, unsigned Index,
                                   AddressProbe &At) {
  unsigned Loop = P.EnclosingLoops[Index];
  QuasiAffineMap Map =
      along(P, At, P.MeanTrips[Index], AddressProbe::counter(Loop));
  At.setCounter(Loop, baseIteration(Sample, Loop, P.BasePoint));
  return window(Map, P.MeanTrips[Index]);
}

void Finder::findBlocks(AccessPattern &P, AddressProbe &At) {
  if (P.Role == CacheRole::Private) {
    // A region for each resident thread, used again by the blocks to come.
    double Object = std::isfinite(P.ObjectBytes)
                        ? P.ObjectBytes
                        : double(Kernel.Res.LocalBytes);
    double Region = std::max(16.0, std::ceil(Object / 4) * 4) * Bound.lanes();
    P.ThreadDims.push_back({Region, double(Bound.warpsPerBlock())});
    double PerBlock = Region * Bound.warpsPerBlock();
    P.SmBlockMap = {
        {PerBlock,
         std::min(Assignment.BlocksPerSm, Assignment.Blocks / Assignment.Sms),
         1}};
    P.GridBlockMap = {
        {PerBlock, std::min(Assignment.BlocksPerWave, Assignment.Blocks), 1}};
    return;
  }
  QuasiAffineMap LaunchedMap;
  double Unit = 1, LaunchedUnit = 1;
  for (unsigned D = 0; D < 3; ++D) {
    for (unsigned Other = 0; Other < 3; ++Other)
      At.setBlock(Other, Middle[Other]);
    QuasiAffineMap Map = along(P, At, L.Grid[D], AddressProbe::block(D));
    for (const BlockStrideTerm &Term : Map) {
      bool Slowest = &Term == &Map.back();
      double Part = double(Assignment.Grid[D]) / double(L.Grid[D]);
      for (auto [Target, BlocksBelow] :
           {std::pair(&LaunchedMap, LaunchedUnit), {&P.GridBlockMap, Unit}}) {
        Target->push_back(Term);
        Target->back().Divisor *= BlocksBelow;
      }
      // What is not reached is at the end.
      if (Slowest) {
        P.GridBlockMap.back().Extent = std::max(1.0, Term.Extent * Part);
        P.GridBlockMap.back().ActiveFraction = Reached[D];
        LaunchedMap.back().ActiveFraction = Reached[D] * Part;
      }
    }
    Unit *= double(Assignment.Grid[D]);
    LaunchedUnit *= double(L.Grid[D]);
  }
  P.SmBlockMap = everyNth(LaunchedMap, Assignment.SmStride);
}

void Finder::findIndirect(AccessPattern &P) {
  double Bytes = 0;
  P.RegularLoops = P.EnclosingLoops.size();
  for (unsigned V = 0; V < Bound.indirectIndices().size(); ++V) {
    if (!Bound.addressUsesIndex(P.Access, V))
      continue;
    const IndirectIndex &Value = Bound.indirectIndices()[V];
    // Loops inside the one that makes the value leave it alone.
    int Home = Value.DefiningLoop.value_or(
        P.EnclosingLoops.empty() ? -1 : int(P.EnclosingLoops.front()));
    unsigned Inside =
        llvm::find_if(P.EnclosingLoops,
                      [&](unsigned Loop) { return int(Loop) == Home; }) -
        P.EnclosingLoops.begin();
    P.RegularLoops = std::min(P.RegularLoops, Inside);
    P.IndexStrideBytes = Bound.bytesPerIndex(P.Access, V);
    Bytes = std::max(Bytes, Value.Range * P.IndexStrideBytes);
  }
  // Also what the program reads is known once the user has settled it.
  if (Bytes == 0 && Bound.addressExpr(P.Access))
    return;
  if (Bytes == 0) { // nothing known of the address
    P.RegularLoops = 0;
    Bytes = std::isfinite(P.ObjectBytes) ? P.ObjectBytes : UnknownBufferBytes;
  }
  P.IndirectSectors =
      std::max(1.0, std::min(Bytes, P.ObjectBytes) / P.SectorBytes);
}

AccessPattern Finder::begin(unsigned Access, const Bindings &All) {
  const MemoryAccess &A = Kernel.Accesses[Access];
  AccessPattern P;
  P.Access = P.Representative = Access;
  P.Role = cacheRole(A, Gpu);
  P.SectorBytes = sectorBytes(A, Gpu);
  if (P.Role == CacheRole::None)
    return P;
  P.Width = std::max(1u, A.BytesPerThread);
  if (auto Size = bufferBytes(Kernel, A, All))
    P.ObjectBytes = *Size;
  for (int Loop = Bound.loopOfBlock(A.Block); Loop >= 0;
       Loop = Kernel.Loops[Loop].Parent) {
    P.EnclosingLoops.push_back(Loop);
    P.MeanTrips.push_back(meanTrips(Sample, Loop));
  }
  P.LoopDims.resize(P.EnclosingLoops.size());
  findIndirect(P);
  return P;
}

void Finder::findLike(llvm::MutableArrayRef<AccessPattern> Patterns) {
  llvm::StringMap<unsigned> FirstOfForm;
  for (AccessPattern &P : Patterns) {
    if (P.Role == CacheRole::None || !Bound.addressExpr(P.Access))
      continue;
    const MemoryAccess &A = Kernel.Accesses[P.Access];
    const AddressProbe &At = Probes[P.Access].emplace(Bound, P.Access);
    std::vector<uint64_t> Key = At.form();
    if (Key.empty())
      continue;
    bool Local = A.Space == MemorySpace::Local;
    // The words of private objects lie a word of each lane apart.
    double Step =
        Local && 4 * Bound.lanes() % P.SectorBytes == 0 ? 4 : P.SectorBytes;
    double OffsetInStep =
        At.constant() - Step * std::floor(At.constant() / Step);
    Key.insert(Key.end(), {uint64_t(A.Block), uint64_t(P.Role), P.Width, Local,
                           llvm::bit_cast<uint64_t>(P.ObjectBytes),
                           uint64_t(OffsetInStep)});
    llvm::StringRef Bytes(reinterpret_cast<const char *>(Key.data()),
                          Key.size() * sizeof(Key.front()));
    P.Representative = FirstOfForm.try_emplace(Bytes, P.Access).first->second;
  }
}

void Finder::finishLike(AccessPattern &P, const AccessPattern &Like) {
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  double Offset =
      Probes[P.Access]->constant() - Probes[Like.Access]->constant();
  P.Start = Like.Start + Offset * (Local ? Bound.lanes() : 1);
  P.BasePoint = Like.BasePoint;
  P.BlockOffset = Like.BlockOffset;
  P.SectorsPerBlock = Like.SectorsPerBlock;
  P.ThreadsPerBlock = Like.ThreadsPerBlock;
  P.LaneProbability = Like.LaneProbability;
  P.Width = Like.Width;
  P.ThreadDims = Like.ThreadDims;
  P.LoopDims = Like.LoopDims;
  P.GridBlockMap = Like.GridBlockMap;
  P.SmBlockMap = Like.SmBlockMap;
}

void Finder::finish(AccessPattern &P, BlockTrace &Run) {
  if (P.Role == CacheRole::None)
    return;
  Middle = Run.Block;
  P.BasePoint = Run.BasePoint;
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  P.SectorsPerBlock = Run.Sectors;
  if (!Run.Active.empty())
    P.LaneProbability = Run.Chance / Run.Lanes;
  P.ThreadsPerBlock = Run.Chance / (Local ? (P.Width + 3) / 4 : 1);
  if (Run.Active.empty() || !Bound.addressExpr(P.Access)) {
    // Never seen active, or no address: a sector for each thread.
    if (P.SectorsPerBlock == 0)
      P.SectorsPerBlock = L.threadsPerBlock();
    if (!P.IndirectSectors)
      P.IndirectSectors = UnknownBufferBytes / P.SectorBytes;
    return;
  }
  P.Start = Run.Active.front();
  if (P.Role == CacheRole::Private)
    P.Width = std::min(4u, P.Width);
  if (Run.Delinearized)
    P.ThreadDims = std::move(*Run.Delinearized);
  else
    P.ThreadDims = {{ScatterStride, double(sectorsPerRequest(
                                        Run.Active, P.Width, P.SectorBytes))}};

  // Downwards or upwards, it is the same set.
  if (P.Role != CacheRole::Private)
    for (StridedDim &D : P.ThreadDims)
      if (D.Stride < 0 && D.Extent == std::floor(D.Extent)) {
        P.Start += D.Stride * (D.Extent - 1);
        D.Stride = -D.Stride;
      }

  AddressProbe &At = *Probes[P.Access];
  for (unsigned D = 0; D < 3; ++D)
    At.setBlock(D, Middle[D]);
  for (unsigned Loop : P.EnclosingLoops)
    At.setCounter(Loop, baseIteration(Sample, Loop, P.BasePoint));
  for (unsigned I = 0; I < P.EnclosingLoops.size(); ++I) {
    P.LoopDims[I] = alongCounter(P, I, At);
    if (P.Role == CacheRole::Private)
      for (StridedDim &D : P.LoopDims[I])
        D.Stride *= D.Stride < ScatterStride ? Bound.lanes() : 1;
  }
  // Sets begin where the counters do.
  double Base = At();
  for (unsigned Loop : P.EnclosingLoops)
    At.setCounter(Loop, 0);
  double First = At();
  if (P.Role != CacheRole::Private && std::isfinite(Base - First))
    P.Start -= Base - First;
  for (unsigned D = 0; D < 3; ++D)
    At.setBlock(D, 0);
  double InFirstBlock = At();
  if (P.Role != CacheRole::Private && std::isfinite(First - InFirstBlock))
    P.BlockOffset = First - InFirstBlock;
  for (unsigned D = 0; D < 3; ++D)
    At.setBlock(D, Middle[D]);
  for (unsigned Loop : P.EnclosingLoops)
    At.setCounter(Loop, baseIteration(Sample, Loop, P.BasePoint));
  findBlocks(P, At);
}

/// Lets accesses whose addresses differ by a constant share one random index,
/// as `p[i].x` and `p[i].y`, or `a[j]` and `a[j + 1]`, of an index that is not
/// known: the first of them is the representative whose index is drawn, and the
/// others get its strides and sectors, moved by the distance.
static void findIndexRepresentatives(const LaunchProgram &Bound,
                                     std::vector<AccessPattern> &Patterns) {
  const KernelModel &Kernel = Bound.kernel();
  // By object and the first value that is drawn: the accesses so far that are
  // not neighbours of each other.
  std::map<std::pair<std::string, unsigned>, std::vector<unsigned>>
      Representatives;
  for (AccessPattern &P : Patterns) {
    P.IndexRepresentative = P.Access;
    Expr Address = Bound.addressExpr(P.Access);
    const std::string &Base = Kernel.Accesses[P.Access].buffer();
    if (P.IndirectSectors == 0 || !Address || Base.empty())
      continue;
    unsigned V = 0;
    while (V < Bound.indirectIndices().size() &&
           !Bound.addressUsesIndex(P.Access, V))
      ++V;
    std::vector<unsigned> &Others = Representatives[{Base, V}];
    constexpr uint64_t WorkOfDifference = 20;
    spendWork(1 + V / 8);
    for (unsigned Other : Others) {
      const AccessPattern &First = Patterns[Other];
      if (First.Role != P.Role || First.EnclosingLoops != P.EnclosingLoops ||
          First.Width != P.Width || First.SectorsPerBlock == 0)
        continue;
      if (!spendWork(WorkOfDifference))
        break;
      std::optional<double> Distance =
          (Address - Bound.addressExpr(Other)).asConstant();
      if (!Distance)
        continue;
      P.IndexRepresentative = Other;
      P.Start = First.Start + *Distance;
      P.ThreadDims = First.ThreadDims;
      P.LoopDims = First.LoopDims;
      P.BasePoint = First.BasePoint;
      P.BlockOffset = First.BlockOffset;
      P.GridBlockMap = First.GridBlockMap;
      P.SmBlockMap = First.SmBlockMap;
      P.IndirectSectors = First.IndirectSectors;
      break;
    }
    if (P.IndexRepresentative == P.Access)
      Others.push_back(P.Access);
  }
}

std::vector<AccessPattern>
findAccessPatterns(LaneState &State, const GpuModel &Gpu, const Launch &L,
                   const Bindings &All, const LaunchSample &Sample,
                   BlockAssignment &Assignment, RequestCostTables &CostTables) {
  const LaunchProgram &Bound = State.program();
  std::vector<AccessPattern> Patterns;
  Finder F(Bound, Gpu, L, Sample, Assignment);
  Patterns.reserve(Bound.kernel().Accesses.size());
  for (unsigned A = 0; A < Bound.kernel().Accesses.size(); ++A)
    Patterns.push_back(F.begin(A, All));
  F.findLike(Patterns);
  RequestCostCache Requests(State, Gpu, CostTables);
  std::vector<BlockTrace> Runs =
      traceAccesses(State, L, Sample, Patterns, Requests);
  std::array<double, 3> Reached =
      guardedShares(State, L, Sample, Patterns, Runs, Requests);
  F.setReached(Reached);
  for (unsigned D = 3; D-- > 0;)
    if (Assignment.Grid[D] > 1) {
      Assignment.LastRowBlocks = Assignment.Blocks / double(Assignment.Grid[D]);
      Assignment.LastRowActiveFraction =
          1 - (1 - Reached[D]) * double(Assignment.Grid[D]);
      break;
    }
  constexpr uint64_t WorkOfPattern = 30, WorkOfCopy = 3;
  for (AccessPattern &P : Patterns) {
    bool IsRepresentative =
        P.Representative == P.Access || Runs[P.Representative].Active.empty();
    if (!spendWork(IsRepresentative ? WorkOfPattern : WorkOfCopy))
      P.Role = CacheRole::None; // nobody looks at an unfinished one
    else if (IsRepresentative)
      F.finish(P, Runs[P.Representative]);
    else
      F.finishLike(P, Patterns[P.Representative]);
  }
  findIndexRepresentatives(Bound, Patterns);
  return Patterns;
}

} // namespace gpuestimate
