/// \file
/// Probing of compiled addresses.
#include "gpu-estimate/Evaluate/TrafficPatterns.h"
#include "gpu-estimate/Evaluate/Request.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

Residency residency(const GpuModel &Gpu, const Launch &L,
                    unsigned BlocksPerSm) {
  Residency R;
  double Sms = std::max(1u, Gpu.SmCount);
  R.Blocks = double(L.Grid[0]) * double(L.Grid[1]) * double(L.Grid[2]);
  R.Sms = std::min(Sms, R.Blocks);
  R.SmStride = Sms;
  double All = R.Blocks / R.Sms, Row = L.Grid[0],
         Plane = Row * double(L.Grid[1]);
  double Now = std::min<double>(std::max(1u, BlocksPerSm), All);
  R.OfSm = {Now, std::clamp(Row / R.Sms, Now, All),
            std::clamp(Plane / R.Sms, Now, All), All};
  double Wave = Now * R.Sms;
  R.OfChip = {Wave, std::max(Wave, Row), std::max(Wave, Plane), R.Blocks};
  return R;
}

/// Blocks of one multiprocessor that are looked at one by one.
static constexpr uint64_t MaxDealt = 1024;

namespace {

/// Evaluates one address at single points.
class Probe {
public:
  Probe(BoundKernel &Bound, unsigned Access, const Launch &L)
      : L(L), Names(names(Bound)), Program({Bound.boundAddress(Access)}, Names),
        Inputs(Names.size(), 0) {
    // Any fixed value does: a regular part is the same beside every one.
    for (unsigned V = 0; V < Bound.drawn().size(); ++V)
      Inputs[6 + Bound.kernel().Loops.size() + V] =
          std::floor(Bound.drawn()[V].Range / 2);
  }
  void setBlock(unsigned Dimension, double Index) {
    Inputs[3 + Dimension] = Index;
  }
  void setBlock(uint64_t Linear) {
    setBlock(0, Linear % L.Grid[0]);
    setBlock(1, Linear / L.Grid[0] % L.Grid[1]);
    setBlock(2, Linear / L.Grid[0] / L.Grid[1]);
  }
  void setCounter(unsigned Loop, double Iteration) {
    Inputs[6 + Loop] = Iteration;
  }
  double operator()() {
    double Out;
    Program.evaluate(Inputs, Out);
    return Out;
  }

private:
  static std::vector<std::string> names(BoundKernel &Bound) {
    std::vector<std::string> Names;
    for (const char *N : {"threadIdx.x", "threadIdx.y", "threadIdx.z",
                          "blockIdx.x", "blockIdx.y", "blockIdx.z"})
      Names.push_back(N);
    for (const Loop &Each : Bound.kernel().Loops)
      Names.push_back(Each.Counter);
    for (const DrawnValue &V : Bound.drawn())
      Names.push_back(V.Name);
    return Names;
  }
  const Launch &L;
  std::vector<std::string> Names;
  CompiledExprs Program;
  std::vector<double> Inputs;
};

/// Addresses of one execution by a whole block.
struct BlockRun {
  std::vector<double> Active; ///< of the active lanes, in thread order
  double Sectors = 0;         ///< summed over the warps
};

class Finder {
public:
  Finder(BoundKernel &Bound, const GpuModel &Gpu, const Launch &L,
         const LaunchSample &Sample, const Residency &R)
      : Bound(Bound), Kernel(Bound.kernel()), Gpu(Gpu), L(L), Sample(Sample),
        R(R) {}
  AccessPattern find(unsigned Access, const Bindings &All);

private:
  /// Base points: a middle block, and the first, middle or last iteration of
  /// every loop.
  double baseIteration(unsigned Loop, unsigned Point) const;
  BlockRun runBlock(const AccessPattern &P, unsigned Point);
  Directions alongCounter(const AccessPattern &P, unsigned Index, Probe &At);
  /// Directions of the first Count (possibly fractional) positions, which Set
  /// goes to.
  Directions along(const AccessPattern &P, Probe &At, double Count,
                   llvm::function_ref<void(uint64_t)> Set);
  Directions dealt(const AccessPattern &P, Probe &At, double Count);
  void findBlocks(AccessPattern &P, Probe &At);
  void findDrawn(AccessPattern &P);

  BoundKernel &Bound;
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const LaunchSample &Sample;
  const Residency &R;
};

} // namespace

static double meanTrips(const LaunchSample &Sample, unsigned Loop) {
  double Entries = Sample.LoopWarpEntries[Loop];
  return Entries > 0 ? std::max(1.0, Sample.LoopWarpIterations[Loop] / Entries)
                     : 1;
}

double Finder::baseIteration(unsigned Loop, unsigned Point) const {
  return Point == 0 ? 0
                    : std::floor((meanTrips(Sample, Loop) - 1) *
                                 (Point == 1 ? 0.5 : 1));
}

BlockRun Finder::runBlock(const AccessPattern &P, unsigned Point) {
  BlockRun Run;
  const MemoryAccess &A = Kernel.Accesses[P.Access];
  bool Local = A.Space == MemorySpace::Local;
  std::vector<double> Lanes;
  for (unsigned Warp = 0; Warp < Bound.warpsPerBlock(); ++Warp) {
    WarpPosition Position;
    for (unsigned D = 0; D < 3; ++D)
      Position.Block[D] = L.Grid[D] / 2;
    Position.Warp = Warp;
    unsigned Present = Bound.enterWarp(Position);
    std::array<bool, MaxLanes> On{};
    std::fill_n(On.begin(), Present, true);
    auto keep = [&](llvm::ArrayRef<double> Values, double Above) {
      for (unsigned Lane = 0; Lane < Present && !Values.empty(); ++Lane)
        On[Lane] &= !(Values[Lane] <= Above);
    };
    Bound.enterScope(-1, Point);
    for (unsigned Loop : llvm::reverse(P.Chain)) {
      double Iteration = baseIteration(Loop, Point);
      keep(Bound.loopActive(Loop), 0);
      keep(Bound.loopTrips(Loop), Iteration);
      Bound.setCounter(Loop, Iteration);
      Bound.enterScope(Loop, Point);
    }
    keep(Bound.blockActive(A.Block), 0);
    llvm::ArrayRef<double> At = Bound.address(P.Access);
    if (At.empty())
      return Run;
    Lanes.clear();
    unsigned Words = Local ? (P.Width + 3) / 4 : 1;
    for (unsigned W = 0; W < Words; ++W)
      for (unsigned Lane = 0; Lane < Present; ++Lane)
        if (On[Lane] && std::isfinite(At[Lane]))
          Lanes.push_back(
              Local ? interleavedLocal(At[Lane] + 4 * W, Lane, Bound.lanes())
                    : At[Lane]);
    unsigned Bytes = Local ? std::min(4u, P.Width) : P.Width;
    Run.Sectors += distinctGranules(Lanes, Bytes, P.Sector);
    Run.Active.insert(Run.Active.end(), Lanes.begin(), Lanes.end());
  }
  return Run;
}

/// A sequence that is no sum of digits: only how much of it is new at each
/// step is measured, at a few members, and kept as scattered copies.
static Directions unlike(const AccessPattern &P, double Count,
                         llvm::function_ref<double(uint64_t)> At) {
  std::vector<double> Seen;
  unsigned Probes = std::min(16.0, Count);
  for (unsigned I = 0; I < Probes; ++I)
    Seen.push_back(At(std::floor(I * (Count - 1) / std::max(1u, Probes - 1))));
  double Distinct = distinctGranules(Seen, P.Width, P.Sector);
  double NewShare =
      Probes > 1 ? std::clamp((Distinct - 1) / (Probes - 1), 0.0, 1.0) : 0;
  return {{ScatterStride, 1 + (Count - 1) * NewShare}};
}

Directions Finder::along(const AccessPattern &P, Probe &At, double Count,
                         llvm::function_ref<void(uint64_t)> Set) {
  if (Count <= 1)
    return {};
  auto value = [&](uint64_t I) {
    Set(I);
    return At();
  };
  uint64_t Whole = std::ceil(Count);
  if (auto Found = takeApart(value, Whole))
    return firstOf(*Found, Count);
  // The first and last positions may be special (a clamped border).
  if (Whole > 4)
    if (auto Found =
            takeApart([&](uint64_t I) { return value(I + 1); }, Whole - 2)) {
      if (Found->size() == 1)
        Found->front().Extent = Whole;
      return firstOf(*Found, Count);
    }
  return unlike(P, Count, value);
}

Directions Finder::alongCounter(const AccessPattern &P, unsigned Index,
                                Probe &At) {
  unsigned Loop = P.Chain[Index];
  Directions Out =
      along(P, At, P.Trips[Index], [&](uint64_t I) { At.setCounter(Loop, I); });
  At.setCounter(Loop, baseIteration(Loop, P.BasePoint));
  return Out;
}

/// The first Count blocks of one multiprocessor.
Directions Finder::dealt(const AccessPattern &P, Probe &At, double Count) {
  auto value = [&](uint64_t I) {
    At.setBlock(uint64_t(std::min(I * R.SmStride, R.Blocks - 1)));
    return At();
  };
  uint64_t Whole = std::ceil(Count);
  if (auto Found = takeApart(value, Whole))
    return firstOf(*Found, Count);
  // Rows of the grid that are no multiple of the multiprocessors: blocks of
  // one are far apart, so that only equal places matter.
  if (Whole > MaxDealt)
    return unlike(P, Count, value);
  std::vector<double> All;
  for (uint64_t I = 0; I < Whole; ++I)
    All.push_back(value(I));
  llvm::sort(All);
  double Distinct = std::unique(All.begin(), All.end()) - All.begin();
  return {{ScatterStride, Distinct * Count / Whole}};
}

void Finder::findBlocks(AccessPattern &P, Probe &At) {
  if (P.Role == CacheRole::Private) {
    // A region for each resident thread, used again by the blocks to come.
    double Object = std::isfinite(P.ObjectBytes)
                        ? P.ObjectBytes
                        : double(Kernel.Res.LocalBytes);
    double Region = std::max(16.0, std::ceil(Object / 4) * 4) * Bound.lanes();
    P.Lanes.push_back({Region, double(Bound.warpsPerBlock())});
    double PerBlock = Region * Bound.warpsPerBlock();
    P.OfSm.fill({{PerBlock, R.OfSm[0]}});
    P.OfChip.fill({{PerBlock, R.OfChip[0]}});
    return;
  }
  for (unsigned Set = 0; Set < 4; ++Set)
    P.OfSm[Set] = Set && R.OfSm[Set] == R.OfSm[Set - 1]
                      ? P.OfSm[Set - 1]
                      : dealt(P, At, R.OfSm[Set]);
  BlockSets Left = R.OfChip;
  for (unsigned D = 0; D < 3; ++D) {
    double Size = L.Grid[D];
    for (unsigned Other = 0; Other < 3; ++Other)
      At.setBlock(Other, L.Grid[Other] / 2);
    Directions Whole =
        along(P, At, Size, [&](uint64_t I) { At.setBlock(D, I); });
    for (unsigned Set = 0; Set < 4; ++Set) {
      P.OfChip[Set].append(firstOf(Whole, std::clamp(Left[Set], 1.0, Size)));
      Left[Set] /= Size;
    }
  }
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
    Bytes = std::max(Bytes, Value.Range * Bound.unitOf(P.Access, V));
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

AccessPattern Finder::find(unsigned Access, const Bindings &All) {
  const MemoryAccess &A = Kernel.Accesses[Access];
  AccessPattern P;
  P.Access = Access;
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

  BlockRun Run;
  for (unsigned Point : {1u, 0u, 2u}) {
    BlockRun Now = runBlock(P, Point);
    if (Now.Active.size() > Run.Active.size()) {
      Run = std::move(Now);
      P.BasePoint = Point;
    }
  }
  P.SectorsPerBlock = Run.Sectors;
  if (Run.Active.empty() || !Bound.boundAddress(Access)) {
    // Never seen active, or no address: a sector for each thread.
    if (P.SectorsPerBlock == 0)
      P.SectorsPerBlock = L.threadsPerBlock();
    if (!P.DrawnSectors)
      P.DrawnSectors = UnknownBufferBytes / P.Sector;
    return P;
  }
  P.Start = Run.Active.front();
  if (P.Role == CacheRole::Private) {
    // Every warp has its own region: the directions of one are enough.
    Run.Active.resize(
        std::max<size_t>(1, Run.Active.size() / Bound.warpsPerBlock()));
    P.Width = std::min(4u, P.Width);
  }
  if (auto Found = takeApart(Run.Active))
    P.Lanes = *Found;
  else
    P.Lanes = {{ScatterStride,
                double(distinctGranules(Run.Active, P.Width, P.Sector))}};

  Probe At(Bound, Access, L);
  for (unsigned D = 0; D < 3; ++D)
    At.setBlock(D, L.Grid[D] / 2);
  for (unsigned Loop : P.Chain)
    At.setCounter(Loop, baseIteration(Loop, P.BasePoint));
  for (unsigned I = 0; I < P.Chain.size(); ++I) {
    P.Loops[I] = alongCounter(P, I, At);
    if (P.Role == CacheRole::Private)
      for (Direction &D : P.Loops[I])
        D.Stride *= D.Stride < ScatterStride ? Bound.lanes() : 1;
  }
  findBlocks(P, At);
  return P;
}

std::vector<AccessPattern> findPatterns(BoundKernel &Bound, const GpuModel &Gpu,
                                        const Launch &L, const Bindings &All,
                                        const LaunchSample &Sample,
                                        const Residency &R) {
  std::vector<AccessPattern> Out;
  Finder F(Bound, Gpu, L, Sample, R);
  for (unsigned A = 0; A < Bound.kernel().Accesses.size(); ++A)
    Out.push_back(F.find(A, All));
  return Out;
}

} // namespace gpuestimate
