/// \file
/// L1, then L2, then DRAM.
#include "gpu-estimate/Evaluate/Traffic.h"
#include "gpu-estimate/Evaluate/TrafficLevels.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

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

/// Share of the sectors of a store that the launch does not write in full: the
/// memory controller has to read them first.
static double partlyWritten(const AccessPattern &P,
                            llvm::ArrayRef<double> Starts, unsigned Sector) {
  if (P.DrawnSectors > 0)
    return P.Width < Sector ? 1 : 0;
  Directions Set = P.Lanes;
  Set.append(P.OfChip[3]);
  for (const Directions &D : P.Loops)
    Set.append(D);
  double Covered = distinctGranules(Set, Starts, P.Width, 1);
  double Touched = distinctGranules(Set, Starts, P.Width, Sector) * Sector;
  double Share = Touched > 0 ? 1 - Covered / Touched : 0;
  // A sector is either filled or not: with half of the bytes missing every
  // sector may lack some.
  return std::clamp(2 * Share, 0.0, 1.0);
}

namespace {

/// What became of one group.
struct GroupTraffic {
  double Asked = 0;             ///< bytes that its requests ask for
  double ToL2 = 0;              ///< bytes that pass L1
  double Read = 0, Written = 0; ///< bytes of DRAM
};

struct Memory {
  const GpuModel &Gpu;
  const EvaluateOptions &Options;
  const Residency &R;
  std::vector<AccessGroup> Groups;
  std::vector<GroupTraffic> Result;

  void throughL1(double Capacity);
  void throughL2();
  void charge(unsigned Group, double Missed, double Everything,
              const CacheView &L2);
};

} // namespace

static bool inL1(CacheRole Role) {
  return Role == CacheRole::CachedLoad || Role == CacheRole::Private;
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
  CacheView L1 = l1View(Gpu, R, Capacity);
  std::vector<double> Fetched = LayerModel(Cached, L1).fetched(Asked);
  for (unsigned I = 0, C = 0; I < Groups.size(); ++I)
    if (inL1(Groups[I].Pattern.Role)) {
      Result[I].ToL2 = std::min(Result[I].Asked, Fetched[C++]);
      if (Options.L1Hit)
        Result[I].ToL2 =
            Result[I].Asked * (1 - std::clamp(*Options.L1Hit, 0.0, 1.0));
    }
}

void Memory::throughL2() {
  std::vector<const AccessGroup *> All;
  std::vector<double> Asked;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    All.push_back(&Groups[I]);
    Asked.push_back(Result[I].ToL2);
  }
  CacheView L2 = l2View(Gpu, R);
  LayerModel Model(All, L2);
  std::vector<double> Missed = Model.fetched(Asked);
  double Everything = Model.everything();
  for (unsigned I = 0; I < Groups.size(); ++I)
    charge(I,
           std::min(Missed[I],
                    Asked[I] * std::max(1.0, double(L2.Sector) /
                                                 Groups[I].Pattern.Sector)),
           Everything, L2);
}

/// Missed: bytes that L2 fetches or first holds, within one launch on an empty
/// cache.
void Memory::charge(unsigned Group, double Missed, double Everything,
                    const CacheView &L2) {
  GroupTraffic &T = Result[Group];
  const AccessGroup &G = Groups[Group];
  if (Options.L2Hit) {
    Missed = T.ToL2 * (1 - std::clamp(*Options.L2Hit, 0.0, 1.0));
  } else if (Options.Caches == CacheState::Warm) {
    // The launch before left what fits; its dirty data are never evicted.
    Missed *= 1 - L2.captured(Everything);
  }
  // Cold: what is dirty at the end leaves after the launch.
  double Evicted = Missed;
  if (!Options.L2Hit && Options.Caches == CacheState::Cold)
    Evicted *= std::max(0.0, 1 - L2.capacity() / std::max(Everything, 1.0));

  switch (G.Pattern.Role) {
  case CacheRole::None:
    break;
  case CacheRole::CachedLoad:
  case CacheRole::Load:
    T.Read = Missed;
    break;
  case CacheRole::Store:
    T.Written = Evicted;
    T.Read = Evicted * partlyWritten(G.Pattern, G.Starts, G.Pattern.Sector);
    break;
  case CacheRole::Atomic:
    T.Read = Missed;
    T.Written = Evicted;
    break;
  case CacheRole::Private: {
    // Written by the thread before it is read: DRAM sees only what is evicted,
    // half of the passing traffic in each direction.
    double Spilt = Missed * (1 - L2.captured(Everything));
    T.Read = T.Written = Spilt / 2;
    break;
  }
  }
}

Traffic estimateTraffic(const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const LaunchSample &Sample, unsigned BlocksPerSm,
                        const EvaluateOptions &Options) {
  Traffic Out;
  Out.Accesses.resize(Kernel.Accesses.size());
  if (Kernel.Accesses.empty() || Sample.Warps <= 0)
    return Out;
  BoundKernel Bound(Kernel, Gpu, L, All);
  Residency R = residency(Gpu, L, BlocksPerSm);
  std::vector<AccessPattern> Patterns =
      findPatterns(Bound, Gpu, L, All, Sample, R);
  Memory M{Gpu, Options, R, groupAccesses(Kernel, Sample, Patterns, R), {}};
  for (const AccessGroup &G : M.Groups) {
    M.Result.emplace_back();
    for (unsigned A : G.Members)
      M.Result.back().Asked += Sample.Accesses[A].Sectors * G.Pattern.Sector;
  }
  double Shared =
      double(Kernel.Res.StaticSharedBytes) + double(L.DynamicSharedBytes);
  M.throughL1(l1Capacity(Gpu, Shared, R.OfSm[0]));
  M.throughL2();

  double Asked = 0, ToL2 = 0, FromDram = 0;
  for (unsigned I = 0; I < M.Groups.size(); ++I) {
    const GroupTraffic &T = M.Result[I];
    CacheRole Role = M.Groups[I].Pattern.Role;
    Asked += T.Asked;
    ToL2 += T.ToL2;
    double Dram = Role == CacheRole::Store     ? T.Written
                  : Role == CacheRole::Private ? T.Read + T.Written
                                               : T.Read;
    FromDram += std::min(Dram, T.ToL2);
    for (unsigned A : M.Groups[I].Members) {
      const MemoryAccess &Access = Kernel.Accesses[A];
      double Share =
          Sample.Accesses[A].Sectors * M.Groups[I].Pattern.Sector / T.Asked;
      AccessTraffic &Of = Out.Accesses[A];
      Of.L1Hit = T.Asked > 0 ? 1 - T.ToL2 / T.Asked : 0;
      Of.L2Hit = T.ToL2 > 0 ? std::clamp(1 - Dram / T.ToL2, 0.0, 1.0) : 0;
      Of.DramReadBytes = T.Read * Share;
      Of.DramWriteBytes = T.Written * Share;
      double Passing = T.ToL2 * Share;
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
