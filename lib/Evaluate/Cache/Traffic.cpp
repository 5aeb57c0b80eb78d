/// \file
/// L1, then L2, then DRAM.
#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "TrafficLevels.h"
#include "TrafficPrivate.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>

namespace gpuestimate {

double l1Capacity(const GpuModel &Gpu, double SharedPerBlock,
                  double BlocksPerSm) {
  double Size = Gpu.L1.Size.value();
  if (!Gpu.L1UnifiedWithShared || SharedPerBlock <= 0)
    return Size;
  double Used =
      BlocksPerSm * (SharedPerBlock + Gpu.SharedReservedPerBlock.value());
  double Carved = Used;
  if (!Gpu.SharedCarveouts.empty()) {
    Carved = Gpu.SharedCarveouts.back().value();
    for (Bytes Choice : llvm::reverse(Gpu.SharedCarveouts))
      if (Choice.value() >= Used)
        Carved = Choice.value();
  }
  // The largest carve-out still leaves this much.
  return std::max(Size - Carved, std::max(0.0, Size - Gpu.SharedPerSm.value()));
}

/// Share of the sectors of a store that its first request writes only in part.
/// Partial requests cover bytes of their sectors between them, so that
///   1 - sector * full sectors / bytes
/// counts every such sector once, however many requests it takes to fill it.
static double partlyWritten(const LaunchSample &Sample, const AccessGroup &G) {
  double Full = 0, Bytes = 0;
  for (unsigned A : G.Members) {
    Full += Sample.Accesses[A].FullSectors * G.Pattern.Sector;
    Bytes += Sample.Accesses[A].Threads * G.Pattern.Width;
  }
  return Bytes > 0 ? std::clamp(1 - Full / Bytes, 0.0, 1.0) : 0;
}

namespace {

/// What became of one group.
struct GroupTraffic {
  double Asked = 0;  ///< bytes that its requests ask for
  double ToL2 = 0;   ///< bytes that pass L1
  double Beyond = 0; ///< bytes that L2 reads and writes below it
  double Missed = 0; ///< those of them that a warp waits for
  double InStep = 1; ///< LayerModel::distinctInStep() of what passes L1
  double Read = 0, Written = 0; ///< bytes of DRAM
  double FromDram = 1; ///< share of Beyond that a third level does not serve
  std::vector<PrivateShares> Members; ///< where they are known one by one
};

struct Memory {
  const GpuModel &Gpu;
  const EvaluateOptions &Options;
  const Residency &R;
  const LaunchSample &Sample;
  const CacheCurves &Curves;
  GranuleCounts &Granules;
  PrivateWalks &Walks;
  std::vector<AccessGroup> Groups;
  std::vector<GroupTraffic> Result;

  std::optional<LayerModel> L1;

  void throughL1(double Capacity);
  void throughL2(BoundKernel &Bound, const Launch &L);
  void walkPrivate(BoundKernel &Bound, const Launch &L, const LayerModel &L2);
  void throughL3();
  void charge(unsigned Group, double Missed, const LayerModel &L2);
};

} // namespace

/// A first wave of a smaller share of the blocks is like any other.
static constexpr double LeastFirstWave = 0.02;

static bool inL1(CacheRole Role) {
  return Role == CacheRole::CachedLoad || Role == CacheRole::Private;
}

static bool isLoad(CacheRole Role) {
  return Role == CacheRole::CachedLoad || Role == CacheRole::Load;
}

void Memory::throughL1(double Capacity) {
  std::vector<const AccessGroup *> Cached;
  std::vector<double> Asked;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    Result[I].ToL2 = Result[I].Asked;
    if (!inL1(Groups[I].Pattern.Role))
      continue;
    Cached.push_back(&Groups[I]);
    Asked.push_back(Result[I].Asked);
  }
  CacheView InTurn = l1View(Gpu, R, Capacity, Curves),
            ByChance = l1View(Gpu, R, Capacity, Curves, /*ByChance=*/true);
  L1.emplace(Cached, R.InTurn < 1 ? ByChance : InTurn, Granules);
  std::vector<double> Fetched = L1->fetched(Asked);
  // But the first wave is not as if it were dealt by chance.
  if (R.InTurn < 1 && R.InTurn > LeastFirstWave) {
    for (double &Bytes : Asked)
      Bytes *= R.InTurn;
    std::vector<double> AsItIs =
        LayerModel(Cached, InTurn.firstWave(), Granules).fetched(Asked);
    std::vector<double> AsTaken =
        LayerModel(Cached, ByChance.firstWave(), Granules).fetched(Asked);
    for (unsigned I = 0; I < Fetched.size(); ++I)
      Fetched[I] += AsItIs[I] - AsTaken[I];
  }
  for (unsigned I = 0, C = 0; I < Groups.size(); ++I)
    if (inL1(Groups[I].Pattern.Role)) {
      Result[I].ToL2 = std::min(Result[I].Asked, Fetched[C++]);
      if (Options.L1Hit)
        Result[I].ToL2 =
            Result[I].Asked * (1 - std::clamp(*Options.L1Hit, 0.0, 1.0));
    }
}

/// Private arrays that do not fit L1, where the order of their uses is known.
void Memory::walkPrivate(BoundKernel &Bound, const Launch &L,
                         const LayerModel &L2) {
  double Beyond = 0;
  std::vector<PassingBytes> Passing(Groups.size());
  for (unsigned I = 0, C = 0; I < Groups.size(); ++I) {
    bool Private = Groups[I].Pattern.Role == CacheRole::Private;
    Beyond += Private ? Result[I].ToL2 : 0;
    if (inL1(Groups[I].Pattern.Role))
      Passing[I].L1 = L1->distinct(C++) / L1->view().All;
    Passing[I].L2 = L2.distinct(I) / L2.view().All;
  }
  if (Beyond <= 0 || Options.L1Hit || Options.L2Hit)
    return;
  auto Known =
      walkPrivateArrays(Bound, Sample, L, Groups, Passing, L1->view(),
                        L2.view(), Options.Caches == CacheState::Warm, Walks);
  for (unsigned I = 0; Known && I < Groups.size(); ++I) {
    if (Groups[I].Pattern.Role != CacheRole::Private)
      continue;
    GroupTraffic &T = Result[I];
    T.ToL2 = T.Read = T.Written = 0;
    for (unsigned A : Groups[I].Members) {
      double Asked = Sample.Accesses[A].Sectors * Groups[I].Pattern.Sector;
      PrivateShares Of = (*Known)[A];
      T.ToL2 += Asked * Of.ToL2;
      T.Read += Asked * Of.Read;
      T.Written += Asked * Of.Written;
      T.Members.push_back(Of);
    }
  }
}

void Memory::throughL2(BoundKernel &Bound, const Launch &L) {
  std::vector<const AccessGroup *> All;
  std::vector<double> Asked;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    All.push_back(&Groups[I]);
    Asked.push_back(Result[I].ToL2);
  }
  CacheView L2 = l2View(Gpu, R, Curves);
  LayerModel Model(All, L2, Granules, &*L1);
  std::vector<double> Missed = Model.fetched(Asked);
  for (unsigned I = 0; I < Groups.size(); ++I)
    charge(I,
           std::min(Missed[I],
                    Asked[I] * std::max(1.0, double(L2.Fetch) /
                                                 Groups[I].Pattern.Sector)),
           Model);
  for (unsigned I = 0; I < Groups.size() && !Options.L2Hit; ++I)
    if (isLoad(Groups[I].Pattern.Role))
      Result[I].InStep = Model.distinctInStep(I);
  walkPrivate(Bound, L, Model);
}

/// Missed: bytes that L2 fetches or first holds, within one launch on an empty
/// cache.
void Memory::charge(unsigned Group, double Missed, const LayerModel &L2) {
  GroupTraffic &T = Result[Group];
  const AccessGroup &G = Groups[Group];
  double Evicted;
  if (Options.L2Hit) {
    Evicted = Missed = T.ToL2 * (1 - std::clamp(*Options.L2Hit, 0.0, 1.0));
  } else if (Options.Caches == CacheState::Warm) {
    // The launch before left what fits; its dirty data are never evicted.
    Evicted = L2.writtenBetweenLaunches(Group, Missed, T.ToL2);
    Missed = L2.missedAfterLaunch(Group, Missed, T.ToL2);
  } else {
    // What is dirty at the end leaves after the launch. What is fetched or held
    // again had left before.
    double Last = std::min(Missed, L2.distinct(Group));
    Evicted = Missed - Last + Last * L2.evicted(Group);
  }

  switch (G.Pattern.Role) {
  case CacheRole::None:
    break;
  case CacheRole::CachedLoad:
  case CacheRole::Load:
    T.Read = Missed;
    break;
  case CacheRole::Store:
    T.Written = Evicted;
    if (Gpu.PartialWriteRead) {
      double Pieces = Gpu.PartialWriteRead->value() / G.Pattern.Sector;
      T.Read = Missed * std::min(1.0, Pieces * partlyWritten(Sample, G));
    }
    break;
  case CacheRole::Atomic:
    T.Read = Missed;
    T.Written = Evicted;
    break;
  case CacheRole::Private:
    // What L1 wrote back, and what it asked for again.
    (G.Writes ? T.Written : T.Read) = Missed;
    break;
  }
}

/// What L2 reads and writes goes to the cache in front of DRAM first. Cold, it
/// holds nothing that is read; what is written fills it like what is read.
void Memory::throughL3() {
  std::vector<const AccessGroup *> All;
  std::vector<double> Asked;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    All.push_back(&Groups[I]);
    GroupTraffic &T = Result[I];
    T.Beyond = T.Read + T.Written;
    // A store does not wait for what is read for it, nor an atomic for its
    // eviction.
    CacheRole Role = Groups[I].Pattern.Role;
    T.Missed = Role == CacheRole::Store     ? T.Written
               : Role == CacheRole::Private ? T.Beyond
                                            : T.Read;
    Asked.push_back(T.Beyond);
  }
  if (!Gpu.L3Size || !Gpu.L3Bandwidth)
    return;
  CacheView L3 = l3View(Gpu, R, Curves);
  LayerModel Model(All, L3, Granules);
  std::vector<double> Missed = Model.fetched(Asked);
  double Stays =
      Options.Caches == CacheState::Warm ? L3.captured(Model.everything()) : 0;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    GroupTraffic &T = Result[I];
    double Share =
        T.Beyond > 0 ? std::min(1.0, Missed[I] / T.Beyond) * (1 - Stays) : 0;
    T.Read *= Share;
    T.Written *= Share;
    T.FromDram = Share;
  }
}

Traffic estimateTraffic(const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const LaunchSample &Sample, unsigned BlocksPerSm,
                        const EvaluateOptions &Options,
                        const CacheCurves &Curves) {
  BoundKernel Bound(Kernel, Gpu, L, All);
  return estimateTraffic(Bound, Gpu, L, All, Sample, BlocksPerSm, Options,
                         Curves);
}

Traffic estimateTraffic(BoundKernel &Bound, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const LaunchSample &Sample, unsigned BlocksPerSm,
                        const EvaluateOptions &Options,
                        const CacheCurves &Curves, TrafficCaches *Shared) {
  const KernelModel &Kernel = Bound.kernel();
  Traffic Out;
  Out.Accesses.resize(Kernel.Accesses.size());
  if (Kernel.Accesses.empty() || Sample.Warps <= 0)
    return Out;
  Bound.reset();
  Residency R = residency(Gpu, L, Sample, BlocksPerSm);
  std::optional<TrafficCaches> Own;
  TrafficCaches &Known = Shared ? *Shared : Own.emplace(Gpu);
  std::vector<AccessPattern> Patterns =
      findPatterns(Bound, Gpu, L, All, Sample, R, Known.Requests);
  Memory M{Gpu,         Options,
           R,           Sample,
           Curves,      Known.Granules,
           Known.Walks, groupAccesses(Kernel, Sample, std::move(Patterns), R),
           {},          {}};
  for (const AccessGroup &G : M.Groups) {
    M.Result.emplace_back();
    for (unsigned A : G.Members)
      M.Result.back().Asked += Sample.Accesses[A].Sectors * G.Pattern.Sector;
  }
  double SharedBytes =
      double(Kernel.Res.StaticSharedBytes) + double(L.DynamicSharedBytes);
  M.throughL1(l1Capacity(Gpu, SharedBytes,
                         std::min<double>(BlocksPerSm, R.Blocks / R.Sms)));
  M.throughL2(Bound, L);
  M.throughL3();

  double Asked = 0, ToL2 = 0, FromDram = 0;
  for (unsigned I = 0; I < M.Groups.size(); ++I) {
    const GroupTraffic &T = M.Result[I];
    Asked += T.Asked;
    ToL2 += T.ToL2;
    FromDram += std::min(T.Missed, T.ToL2);
    if (Gpu.L3Bandwidth)
      Out.L3Bytes += T.Beyond;
    // The member that comes first in the program fetches what the others then
    // find: a warp that issues them together waits for that one.
    double LeftToL2 = T.ToL2, LeftToDram = std::min(T.Missed, T.ToL2);
    double LeftToWait = std::min(T.Missed / T.InStep, T.ToL2);
    for (auto [Member, A] : llvm::enumerate(M.Groups[I].Members)) {
      const MemoryAccess &Access = Kernel.Accesses[A];
      double Wanted = Sample.Accesses[A].Sectors * M.Groups[I].Pattern.Sector;
      double Passing = std::min(Wanted, LeftToL2);
      double Missed = std::min(Passing, LeftToDram);
      double Waiting = std::min(Passing, LeftToWait);
      double Share = T.ToL2 > 0 ? Passing / T.ToL2 : 0;
      double Read = T.Read * Share, Written = T.Written * Share;
      if (!T.Members.empty()) {
        const PrivateShares &Known = T.Members[Member];
        Passing = Wanted * Known.ToL2;
        Missed = std::min(Passing, Wanted * (Known.Read + Known.Written));
        Waiting = Missed;
        Read = Wanted * Known.Read * T.FromDram;
        Written = Wanted * Known.Written * T.FromDram;
      }
      LeftToL2 -= Passing;
      LeftToDram -= Missed;
      LeftToWait -= Waiting;
      AccessTraffic &Of = Out.Accesses[A];
      Of.Walks = walks(M.Groups[I].Pattern);
      Of.L1Hit = Wanted > 0 ? 1 - Passing / Wanted : 0;
      Of.L2Hit = Passing > 0 ? 1 - Missed / Passing : 0;
      Of.L2Wait = Passing > 0 ? Waiting / Passing : 1;
      if (T.Beyond > 0)
        Of.L3Hit = 1 - (T.Read + T.Written) / T.Beyond;
      Of.DramReadBytes = Read;
      Of.DramWriteBytes = Written;
      bool Writes =
          Access.Kind == AccessKind::Store || Access.Kind == AccessKind::Atomic;
      bool Reads =
          !Writes || (Access.Kind == AccessKind::Atomic && Access.ReturnsValue);
      Of.L2Bytes = Passing * (Writes + Reads);
      Out.L2WriteBytes += Writes ? Passing : 0;
      Out.L2ReadBytes += Reads ? Passing : 0;
      Out.DramReadBytes += Of.DramReadBytes;
      Out.DramWriteBytes += Of.DramWriteBytes;
    }
  }
  Out.L1Hit = Asked > 0 ? 1 - ToL2 / Asked : 0;
  Out.L2Hit = ToL2 > 0 ? 1 - FromDram / ToL2 : 0;
  return Out;
}

} // namespace gpuestimate
