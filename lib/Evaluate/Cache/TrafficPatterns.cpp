/// \file
/// Probing of compiled addresses.
#include "TrafficPatterns.h"
#include "Evaluate/Access/AddressProbe.h"
#include "TrafficRuns.h"
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

Residency residency(const GpuModel &Gpu, const Launch &L,
                    const LaunchSample &Sample, unsigned BlocksPerSm) {
  Residency R;
  double Sms = std::max(1u, Gpu.SmCount), Slots = std::max(1u, BlocksPerSm);
  R.Dealt = double(L.Grid[0]) * double(L.Grid[1]) * double(L.Grid[2]);
  for (unsigned D = 0; D < 3; ++D) {
    R.Grid[D] = std::clamp<uint64_t>(Sample.WorkingGrid[D], 1, L.Grid[D]);
    R.Blocks *= double(R.Grid[D]);
  }
  R.Sms = std::min(Sms, R.Blocks);
  R.SmStride = Sms;
  R.InTurn = std::min(1.0, Slots * Sms / R.Dealt);
  R.Working = std::min(1.0, Sample.WorkingBlocks * R.Dealt / R.Blocks);
  R.OfSm = Slots * R.Dealt / (R.Working * R.Blocks);
  R.OfChip = Slots * R.Sms / R.Working;
  return R;
}

namespace {

class Finder {
public:
  Finder(BoundKernel &Bound, const GpuModel &Gpu, const Launch &L,
         const LaunchSample &Sample, const Residency &R)
      : Bound(Bound), Kernel(Bound.kernel()), Gpu(Gpu), L(L), Sample(Sample),
        R(R), Probes(Kernel.Accesses.size()) {}
  /// What is known before any address is: role, loops, object.
  AccessPattern begin(unsigned Access, const Bindings &All);
  void findLike(llvm::MutableArrayRef<AccessPattern> Patterns);
  void finish(AccessPattern &P, BlockRun &Run);
  /// Like: finished, and active.
  void finishLike(AccessPattern &P, const AccessPattern &Like);
  void setReached(const std::array<double, 3> &Shares) { Reached = Shares; }

private:
  Directions alongCounter(const AccessPattern &P, unsigned Index,
                          AddressProbe &At);
  /// Digits of the first Count (possibly fractional) positions of an input.
  BlockDigits along(const AccessPattern &P, AddressProbe &At, double Count,
                    unsigned Input);
  void findBlocks(AccessPattern &P, AddressProbe &At);
  void findDrawn(AccessPattern &P);

  BoundKernel &Bound;
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const LaunchSample &Sample;
  const Residency &R;
  std::vector<std::optional<AddressProbe>> Probes; ///< of known addresses
  std::array<uint64_t, 3> Middle{}; ///< a block away from the borders
  std::array<double, 3> Reached{};  ///< share of each dimension of the grid
  /// By input, count and course.
  std::map<std::tuple<unsigned, double, std::vector<uint64_t>>,
           std::optional<BlockDigits>>
      Known;
};

} // namespace

/// A sequence without digits: only how much of it is new at each step is
/// measured, at a few members, and kept as scattered copies.
static BlockDigits unlike(const AccessPattern &P, double Count,
                          llvm::function_ref<double(uint64_t)> At) {
  std::vector<double> Seen;
  unsigned Probes = std::min(16.0, Count);
  for (unsigned I = 0; I < Probes; ++I)
    Seen.push_back(At(std::floor(I * (Count - 1) / std::max(1u, Probes - 1))));
  double Distinct = distinctGranules(Seen, P.Width, P.Sector);
  double NewShare =
      Probes > 1 ? std::clamp((Distinct - 1) / (Probes - 1), 0.0, 1.0) : 0;
  if (NewShare == 0)
    return {{0, Count, 1}};
  return {{ScatterStride, 1 + (Count - 1) * NewShare, 1 / NewShare}};
}

BlockDigits Finder::along(const AccessPattern &P, AddressProbe &At,
                          double Count, unsigned Input) {
  if (Count <= 1)
    return {};
  if (std::optional<double> Step = At.step(Input, Count))
    return {{*Step, std::ceil(Count), 1}};
  auto value = [&](uint64_t I) {
    At.set(Input, I);
    return At();
  };
  auto find = [&] { return blockDigits(value, std::ceil(Count)); };
  std::vector<uint64_t> Course = At.course(Input);
  if (Course.empty()) {
    auto Found = find();
    return Found ? *Found : unlike(P, Count, value);
  }
  // Digits are distances: they do not know where the address begins.
  auto [Found, New] = Known.try_emplace({Input, Count, std::move(Course)});
  if (New)
    Found->second = find();
  return Found->second ? *Found->second : unlike(P, Count, value);
}

Directions Finder::alongCounter(const AccessPattern &P, unsigned Index,
                                AddressProbe &At) {
  unsigned Loop = P.Chain[Index];
  BlockDigits Out = along(P, At, P.Trips[Index], AddressProbe::counter(Loop));
  At.setCounter(Loop, baseIteration(Sample, Loop, P.BasePoint));
  return window(Out, P.Trips[Index]);
}

void Finder::findBlocks(AccessPattern &P, AddressProbe &At) {
  if (P.Role == CacheRole::Private) {
    // A region for each resident thread, used again by the blocks to come.
    double Object = std::isfinite(P.ObjectBytes)
                        ? P.ObjectBytes
                        : double(Kernel.Res.LocalBytes);
    double Region = std::max(16.0, std::ceil(Object / 4) * 4) * Bound.lanes();
    P.Lanes.push_back({Region, double(Bound.warpsPerBlock())});
    double PerBlock = Region * Bound.warpsPerBlock();
    P.OfSm = {{PerBlock, std::min(R.OfSm, R.Blocks / R.Sms), 1}};
    P.OfChip = {{PerBlock, std::min(R.OfChip, R.Blocks), 1}};
    return;
  }
  BlockDigits Dealt;
  double Unit = 1, DealtUnit = 1;
  for (unsigned D = 0; D < 3; ++D) {
    for (unsigned Other = 0; Other < 3; ++Other)
      At.setBlock(Other, Middle[Other]);
    BlockDigits Found = along(P, At, L.Grid[D], AddressProbe::block(D));
    for (const BlockDigit &Each : Found) {
      bool Slowest = &Each == &Found.back();
      double Part = double(R.Grid[D]) / double(L.Grid[D]);
      for (auto [Out, Around] :
           {std::pair(&Dealt, DealtUnit), {&P.OfChip, Unit}}) {
        Out->push_back(Each);
        Out->back().Unit *= Around;
      }
      // What is not reached is at the end.
      if (Slowest) {
        P.OfChip.back().Extent = std::max(1.0, Each.Extent * Part);
        P.OfChip.back().Reached = Reached[D];
        Dealt.back().Reached = Reached[D] * Part;
      }
    }
    Unit *= double(R.Grid[D]);
    DealtUnit *= double(L.Grid[D]);
  }
  P.OfSm = everyNth(Dealt, R.SmStride);
}

void Finder::findDrawn(AccessPattern &P) {
  double Bytes = 0;
  P.RegularLoops = P.Chain.size();
  for (unsigned V = 0; V < Bound.drawn().size(); ++V) {
    if (!Bound.addressDraws(P.Access, V))
      continue;
    const DrawnValue &Value = Bound.drawn()[V];
    // Loops inside the one that makes the value leave it alone.
    int Home = Value.Home.value_or(P.Chain.empty() ? -1 : int(P.Chain.front()));
    unsigned Inside =
        llvm::find_if(P.Chain,
                      [&](unsigned Loop) { return int(Loop) == Home; }) -
        P.Chain.begin();
    P.RegularLoops = std::min(P.RegularLoops, Inside);
    P.DrawnUnit = Bound.unitOf(P.Access, V);
    Bytes = std::max(Bytes, Value.Range * P.DrawnUnit);
  }
  // Also what the program reads is known once the user has settled it.
  if (Bytes == 0 && Bound.boundAddress(P.Access))
    return;
  if (Bytes == 0) { // nothing known of the address
    P.RegularLoops = 0;
    Bytes = std::isfinite(P.ObjectBytes) ? P.ObjectBytes : UnknownBufferBytes;
  }
  P.DrawnSectors = std::max(1.0, std::min(Bytes, P.ObjectBytes) / P.Sector);
}

AccessPattern Finder::begin(unsigned Access, const Bindings &All) {
  const MemoryAccess &A = Kernel.Accesses[Access];
  AccessPattern P;
  P.Access = P.Like = Access;
  P.Role = cacheRole(A, Gpu);
  P.Sector = sectorBytes(A, Gpu);
  if (P.Role == CacheRole::None)
    return P;
  P.Width = std::max(1u, A.BytesPerThread);
  if (auto Size = bufferBytes(Kernel, A, All))
    P.ObjectBytes = *Size;
  for (int Loop = Bound.loopOfBlock(A.Block); Loop >= 0;
       Loop = Kernel.Loops[Loop].Parent) {
    P.Chain.push_back(Loop);
    P.Trips.push_back(meanTrips(Sample, Loop));
  }
  P.Loops.resize(P.Chain.size());
  findDrawn(P);
  return P;
}

void Finder::findLike(llvm::MutableArrayRef<AccessPattern> Patterns) {
  llvm::StringMap<unsigned> Known;
  for (AccessPattern &P : Patterns) {
    if (P.Role == CacheRole::None || !Bound.boundAddress(P.Access))
      continue;
    const MemoryAccess &A = Kernel.Accesses[P.Access];
    const AddressProbe &At = Probes[P.Access].emplace(Bound, P.Access);
    std::vector<uint64_t> Key = At.form();
    if (Key.empty())
      continue;
    bool Local = A.Space == MemorySpace::Local;
    // The words of private objects lie a word of each lane apart.
    double Step = Local && 4 * Bound.lanes() % P.Sector == 0 ? 4 : P.Sector;
    double Over = At.constant() - Step * std::floor(At.constant() / Step);
    Key.insert(Key.end(),
               {uint64_t(A.Block), uint64_t(P.Role), P.Width, Local,
                llvm::bit_cast<uint64_t>(P.ObjectBytes), uint64_t(Over)});
    llvm::StringRef Bytes(reinterpret_cast<const char *>(Key.data()),
                          Key.size() * sizeof(Key.front()));
    P.Like = Known.try_emplace(Bytes, P.Access).first->second;
  }
}

void Finder::finishLike(AccessPattern &P, const AccessPattern &Like) {
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  double Away = Probes[P.Access]->constant() - Probes[Like.Access]->constant();
  P.Start = Like.Start + Away * (Local ? Bound.lanes() : 1);
  P.BasePoint = Like.BasePoint;
  P.SectorsPerBlock = Like.SectorsPerBlock;
  P.Threads = Like.Threads;
  P.Chance = Like.Chance;
  P.Width = Like.Width;
  P.Lanes = Like.Lanes;
  P.Loops = Like.Loops;
  P.OfChip = Like.OfChip;
  P.OfSm = Like.OfSm;
}

void Finder::finish(AccessPattern &P, BlockRun &Run) {
  if (P.Role == CacheRole::None)
    return;
  Middle = Run.Middle;
  P.BasePoint = Run.BasePoint;
  bool Local = Kernel.Accesses[P.Access].Space == MemorySpace::Local;
  P.SectorsPerBlock = Run.Sectors;
  if (!Run.Active.empty())
    P.Chance = Run.Chance / Run.Lanes;
  P.Threads = Run.Chance / (Local ? (P.Width + 3) / 4 : 1);
  if (Run.Active.empty() || !Bound.boundAddress(P.Access)) {
    // Never seen active, or no address: a sector for each thread.
    if (P.SectorsPerBlock == 0)
      P.SectorsPerBlock = L.threadsPerBlock();
    if (!P.DrawnSectors)
      P.DrawnSectors = UnknownBufferBytes / P.Sector;
    return;
  }
  P.Start = Run.Active.front();
  if (P.Role == CacheRole::Private)
    P.Width = std::min(4u, P.Width);
  if (Run.Apart)
    P.Lanes = std::move(*Run.Apart);
  else
    P.Lanes = {{ScatterStride,
                double(distinctGranules(Run.Active, P.Width, P.Sector))}};

  // Downwards or upwards, it is the same set.
  if (P.Role != CacheRole::Private)
    for (Direction &D : P.Lanes)
      if (D.Stride < 0 && D.Extent == std::floor(D.Extent)) {
        P.Start += D.Stride * (D.Extent - 1);
        D.Stride = -D.Stride;
      }

  AddressProbe &At = *Probes[P.Access];
  for (unsigned D = 0; D < 3; ++D)
    At.setBlock(D, Middle[D]);
  for (unsigned Loop : P.Chain)
    At.setCounter(Loop, baseIteration(Sample, Loop, P.BasePoint));
  for (unsigned I = 0; I < P.Chain.size(); ++I) {
    P.Loops[I] = alongCounter(P, I, At);
    if (P.Role == CacheRole::Private)
      for (Direction &D : P.Loops[I])
        D.Stride *= D.Stride < ScatterStride ? Bound.lanes() : 1;
  }
  // Sets begin where the counters do.
  double Base = At();
  for (unsigned Loop : P.Chain)
    At.setCounter(Loop, 0);
  double First = At();
  if (P.Role != CacheRole::Private && std::isfinite(Base - First))
    P.Start -= Base - First;
  for (unsigned Loop : P.Chain)
    At.setCounter(Loop, baseIteration(Sample, Loop, P.BasePoint));
  findBlocks(P, At);
}

/// Fields of an element, and neighbours of one, are drawn together: what holds
/// for the first of them holds for the others.
static void findSameDraws(BoundKernel &Bound,
                          std::vector<AccessPattern> &Patterns) {
  const KernelModel &Kernel = Bound.kernel();
  // By object and the first value that is drawn: the accesses so far that are
  // not neighbours of each other.
  std::map<std::pair<std::string, unsigned>, std::vector<unsigned>> Known;
  for (AccessPattern &P : Patterns) {
    P.Draw = P.Access;
    Expr Address = Bound.boundAddress(P.Access);
    const std::string &Base = Kernel.Accesses[P.Access].Base;
    if (P.DrawnSectors == 0 || !Address || Base.empty())
      continue;
    unsigned V = 0;
    while (V < Bound.drawn().size() && !Bound.addressDraws(P.Access, V))
      ++V;
    std::vector<unsigned> &Others = Known[{Base, V}];
    constexpr uint64_t WorkOfDifference = 20;
    spendWork(1 + V / 8);
    for (unsigned Other : Others) {
      const AccessPattern &First = Patterns[Other];
      if (First.Role != P.Role || First.Chain != P.Chain ||
          First.Width != P.Width || First.SectorsPerBlock == 0)
        continue;
      if (!spendWork(WorkOfDifference))
        break;
      std::optional<double> Distance =
          (Address - Bound.boundAddress(Other)).asConstant();
      if (!Distance)
        continue;
      P.Draw = Other;
      P.Start = First.Start + *Distance;
      P.Lanes = First.Lanes;
      P.Loops = First.Loops;
      P.BasePoint = First.BasePoint;
      P.OfChip = First.OfChip;
      P.OfSm = First.OfSm;
      P.DrawnSectors = First.DrawnSectors;
      break;
    }
    if (P.Draw == P.Access)
      Others.push_back(P.Access);
  }
}

std::vector<AccessPattern> findPatterns(BoundKernel &Bound, const GpuModel &Gpu,
                                        const Launch &L, const Bindings &All,
                                        const LaunchSample &Sample,
                                        Residency &R, RequestShapes &Known) {
  std::vector<AccessPattern> Out;
  Finder F(Bound, Gpu, L, Sample, R);
  Out.reserve(Bound.kernel().Accesses.size());
  for (unsigned A = 0; A < Bound.kernel().Accesses.size(); ++A)
    Out.push_back(F.begin(A, All));
  F.findLike(Out);
  RememberedRequests Requests(Bound, Gpu, Known);
  std::vector<BlockRun> Runs = findRuns(Bound, L, Sample, Out, Requests);
  std::array<double, 3> Reached =
      reachedShares(Bound, L, Sample, Out, Runs, Requests);
  F.setReached(Reached);
  for (unsigned D = 3; D-- > 0;)
    if (R.Grid[D] > 1) {
      R.LastRow = R.Blocks / double(R.Grid[D]);
      R.LastShare = 1 - (1 - Reached[D]) * double(R.Grid[D]);
      break;
    }
  constexpr uint64_t WorkOfPattern = 30, WorkOfCopy = 3;
  for (AccessPattern &P : Out) {
    bool Own = P.Like == P.Access || Runs[P.Like].Active.empty();
    if (!spendWork(Own ? WorkOfPattern : WorkOfCopy))
      P.Role = CacheRole::None; // nobody looks at an unfinished one
    else if (Own)
      F.finish(P, Runs[P.Like]);
    else
      F.finishLike(P, Out[P.Like]);
  }
  findSameDraws(Bound, Out);
  return Out;
}

} // namespace gpuestimate
