#include "gpu-estimate/Evaluate/Cache/Traffic.h"

#include "CacheModel.h"
#include "CacheTrace.h"
#include "DecisionLog.h"
#include "LocalMemoryReplay.h"
#include "gpu-estimate/Model/Kernel/HostMemory.h"
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

/// Do the members of a group of stores, the fields of a structure, leave no
/// byte between those of neighbouring threads? Each of them writes to every
/// sector in part; all of them are complete before it leaves L2. Fields count
/// as wide as the narrowest of them, so that padding is not taken for one.
static bool writeWholeStructures(const ReferenceGroup &G) {
  if (G.isIndirect() || G.Members.size() < 2 || G.Pattern.ThreadDims.empty())
    return false;
  double Size = G.Pattern.SectorBytes;
  for (const StridedDim &D : G.Pattern.ThreadDims)
    Size = std::min(Size, std::abs(D.Stride));
  if (Size <= G.Pattern.Width)
    return false;
  std::vector<double> Offsets;
  for (double Start : G.Starts)
    Offsets.push_back(std::fmod(Start - G.Starts.front(), Size) +
                      (Start < G.Starts.front() ? Size : 0));
  llvm::sort(Offsets);
  Offsets.push_back(Offsets.front() + Size);
  for (size_t I = 1; I < Offsets.size(); ++I)
    if (Offsets[I] - Offsets[I - 1] > G.LeastWidth)
      return false;
  return true;
}

/// Fraction of the sectors of a store that its first request writes in part.
/// Partial requests cover bytes of their sectors between them, so that
///   1 - sector * full sectors / bytes
/// counts every such sector once, however many requests it takes to fill it.
static double partialSectorFraction(const LaunchSample &Sample,
                                    const ReferenceGroup &G) {
  if (writeWholeStructures(G))
    return 0;
  double FullBytes = 0, StoredBytes = 0;
  for (unsigned A : G.Members) {
    FullBytes += Sample.Accesses[A].FullSectors * G.Pattern.SectorBytes;
    StoredBytes += Sample.Accesses[A].Threads * G.Pattern.Width;
  }
  return StoredBytes > 0 ? std::clamp(1 - FullBytes / StoredBytes, 0.0, 1.0)
                         : 0;
}

namespace {

/// Bytes of a group below L1.
struct BytesBelowL1 {
  double L1MissBytes = 0; ///< sent to L2
  double DramReadBytes = 0, DramWriteBytes = 0;
  /// One by one, in the order of the group's members; empty: not known.
  std::vector<LocalMemoryFractions> Members;
};

/// Traffic of one group.
struct GroupTraffic : BytesBelowL1 {
  double RequestedBytes = 0;
  double L2MissBytes = 0; ///< that L2 reads from and writes to the level below
  double StallBytes = 0;  ///< part of L2MissBytes that a warp waits for
  double DedupFactor = 1; ///< ReuseModel::lockstepDedupFactor() of the L2
  /// Distinct bytes that the warps of an SM request in one iteration, by all
  /// that they request.
  double DistinctInL1 = 1;
  double LinkReadBytes = 0, LinkWriteBytes = 0;
  double L3MissFraction = 1; ///< of L2MissBytes
  double DramCodeBytes = 0;  ///< moved with its bytes (GpuModel::InlineEccRead)
  double DramActivationSeconds = 0;
};

/// Computes the traffic level by level.
class TrafficSolver {
public:
  TrafficSolver(const GpuModel &Gpu, const EvaluateOptions &Options,
                const BlockAssignment &Assignment, const LaunchSample &Sample,
                const CacheCurves &Curves, TrafficMemo &Memo,
                std::vector<ReferenceGroup> Groups, const DecisionLog *Log);
  void solveL1(double CapacityBytes, double WarpsPerBlock);
  /// From now on the misses of L1 and L2 are those of a trace, for each level
  /// whose sets are known.
  void use(CacheTrace Trace) { Traced = std::move(Trace); }
  void solveL2(const LaunchProgram &Bound, const Launch &L);
  void solveL3();
  void solveDramRows();
  void solveInlineEcc();
  void solveLink(const std::vector<bool> &OfHost);
  void solveMigration(const Bindings &All);
  Traffic result(const KernelModel &Kernel) const;

private:
  double distinctInL1(unsigned Group, double WarpsPerBlock) const;
  BytesBelowL1 byCacheModel(unsigned Group, double MissBytes,
                            double EarlyWritebackFraction,
                            const CacheModel &L2) const;
  std::vector<double> earlyWritebackFractions(const CacheView &L2) const;
  std::vector<std::optional<BytesBelowL1>>
  byReplay(const LaunchProgram &Bound, const Launch &L, const CacheModel &L2);
  void addMembers(const KernelModel &Kernel, unsigned Group, Traffic &T) const;
  TracedAccess traced(const ReferenceGroup &G) const;
  void logGroups() const;
  void log(const char *Level, unsigned Group, const llvm::Twine &Text) const {
    if (Log)
      Log->write(Level, Groups[Group], Text);
  }

  const GpuModel &Gpu;
  const EvaluateOptions &Options;
  const BlockAssignment &Assignment;
  const LaunchSample &Sample;
  const CacheCurves &Curves;
  TrafficMemo &Memo;
  const DecisionLog *Log; ///< or null
  std::vector<ReferenceGroup> Groups;
  std::vector<GroupTraffic> Result; ///< [group]
  std::vector<double> StoredBytes;  ///< [group] distinct, over the launch
  double MigratedBytes = 0;
  std::optional<CacheModel> L1;
  std::optional<CacheTrace> Traced;
};

} // namespace

/// First waves with a smaller fraction of the blocks do not count.
static constexpr double MinFirstWaveFraction = 0.02;

/// Whether the data of a group lie at Place when the launch begins.
static bool liesAt(const ReferenceGroup &G, BufferPlace Place,
                   const Bindings &All) {
  auto Stated = All.find(placeParameter(G.Object));
  return Stated != All.end() && Stated->second == placeValue(Place);
}

/// The groups whose data the host holds. Their misses of L2 go through the
/// link, and all that they store: L2 keeps no dirty data of the host.
static std::vector<bool> hostGroups(llvm::ArrayRef<ReferenceGroup> Groups,
                                    const GpuModel &Gpu, const Bindings &All) {
  std::vector<bool> OfHost(Groups.size());
  for (auto [I, G] : llvm::enumerate(Groups))
    OfHost[I] = Gpu.LinkBandwidth && liesAt(G, BufferPlace::Host, All);
  return OfHost;
}

static bool allocatesInL1(const ReferenceGroup &G) {
  return G.Pattern.Role == CacheRole::CachedLoad || G.isLocal();
}

TrafficSolver::TrafficSolver(const GpuModel &Gpu,
                             const EvaluateOptions &Options,
                             const BlockAssignment &Assignment,
                             const LaunchSample &Sample,
                             const CacheCurves &Curves, TrafficMemo &Memo,
                             std::vector<ReferenceGroup> ReferenceGroups,
                             const DecisionLog *Log)
    : Gpu(Gpu), Options(Options), Assignment(Assignment), Sample(Sample),
      Curves(Curves), Memo(Memo), Log(Log), Groups(std::move(ReferenceGroups)),
      Result(Groups.size()) {
  for (auto [G, T] : llvm::zip_equal(Groups, Result))
    for (unsigned A : G.Members)
      T.RequestedBytes += Sample.Accesses[A].Sectors * G.Pattern.SectorBytes;
  if (Log)
    logGroups();
}

void TrafficSolver::logGroups() const {
  Log->write("launch", shortNumber(Assignment.Blocks) + " of " +
                           shortNumber(Assignment.LaunchedBlocks) +
                           " blocks make requests, " +
                           shortNumber(Assignment.BlocksPerSm) +
                           " on each of " + shortNumber(Assignment.Sms) +
                           " multiprocessors at a time");
  for (const ReferenceGroup &G : Groups)
    if (G.Members.size() > 1)
      Log->write("launch", G,
                 "one group of " + llvm::Twine(G.Members.size()) +
                     " accesses that are constant distances apart");
}

/// Distinct bytes of the warps of an SM in one iteration, by all that they
/// request: they run in step, because all wait for what one of them has missed.
/// As ReuseModel::lockstepDedupFactor() for the SMs; of the first member.
double TrafficSolver::distinctInL1(unsigned Group, double WarpsPerBlock) const {
  const ReferenceGroup &G = Groups[Group];
  const AccessTotals &T = Sample.Accesses[G.Members.front()];
  if (Options.L1Hit || G.isIndirect() || !G.isLoad() || G.Starts.empty() ||
      T.Requests <= 0)
    return 1;
  double Blocks = L1->footprints().view().ResidentBlocks;
  double Requested =
      T.Sectors / T.Requests * G.Pattern.SectorBytes * WarpsPerBlock * Blocks;
  double Distinct =
      L1->footprints().bytes(G, llvm::ArrayRef(G.Starts).take_front(), 0,
                             Blocks, G.Pattern.SectorBytes);
  return Requested > 0 ? std::clamp(Distinct / Requested, 0.0, 1.0) : 1;
}

void TrafficSolver::solveL1(double CapacityBytes, double WarpsPerBlock) {
  std::vector<const ReferenceGroup *> Cached;
  std::vector<double> RequestedBytes;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    Result[I].L1MissBytes = Result[I].RequestedBytes;
    if (!allocatesInL1(Groups[I]))
      continue;
    Cached.push_back(&Groups[I]);
    RequestedBytes.push_back(Result[I].RequestedBytes);
  }
  CacheView RoundRobin = l1View(Gpu, Assignment, CapacityBytes, Curves),
            Random = l1View(Gpu, Assignment, CapacityBytes, Curves,
                            /*RandomPlacement=*/true);
  double FirstWave = Assignment.FirstWaveFraction;
  if (Log)
    Log->write("L1", shortBytes(CapacityBytes) + " beside the shared memory");
  RoundRobin.Log = Random.Log = Log;
  L1.emplace(Cached, FirstWave < 1 ? Random : RoundRobin, Memo.SectorIndices);
  std::vector<double> FetchedBytes = L1->fetchedBytes(RequestedBytes);
  // The first wave is placed round-robin, not at random.
  if (FirstWave < 1 && FirstWave > MinFirstWaveFraction) {
    RoundRobin.Log = Random.Log = nullptr;
    for (double &Bytes : RequestedBytes)
      Bytes *= FirstWave;
    std::vector<double> RoundRobinBytes =
        CacheModel(Cached, RoundRobin.firstWave(), Memo.SectorIndices)
            .fetchedBytes(RequestedBytes);
    std::vector<double> RandomBytes =
        CacheModel(Cached, Random.firstWave(), Memo.SectorIndices)
            .fetchedBytes(RequestedBytes);
    for (unsigned I = 0; I < FetchedBytes.size(); ++I)
      FetchedBytes[I] += RoundRobinBytes[I] - RandomBytes[I];
  }
  for (unsigned I = 0, C = 0; I < Groups.size(); ++I)
    if (!allocatesInL1(Groups[I])) {
      log("L1", I, "bypasses L1");
    } else {
      GroupTraffic &T = Result[I];
      T.L1MissBytes = std::min(T.RequestedBytes, FetchedBytes[C++]);
      T.DistinctInL1 = distinctInL1(I, WarpsPerBlock);
      TracedAccess Trace = traced(Groups[I]);
      if (Traced && Traced->HasL1Sets && Trace.L1Sectors > 0) {
        T.L1MissBytes = T.RequestedBytes * Trace.L1Misses / Trace.L1Sectors;
        log("L1", I,
            "traced through its sets instead: misses " +
                shortNumber(Trace.L1Misses / Trace.L1Sectors));
      }
      if (Options.L1Hit) {
        log("L1", I, "the given hit fraction instead");
        T.L1MissBytes =
            T.RequestedBytes * (1 - std::clamp(*Options.L1Hit, 0.0, 1.0));
      }
    }
}

/// The trace's sectors of a group; 0 where there is none.
TracedAccess TrafficSolver::traced(const ReferenceGroup &G) const {
  TracedAccess Sum;
  for (unsigned A : G.Members) {
    if (!Traced)
      break;
    const TracedAccess &One = Traced->Accesses[A];
    for (double TracedAccess::*Field :
         {&TracedAccess::L1Sectors, &TracedAccess::L1Misses,
          &TracedAccess::L2Sectors, &TracedAccess::L2Fills})
      Sum.*Field += One.*Field;
  }
  return Sum;
}

/// Local memory that misses L1, by LRU replay; nullopt for groups whose words
/// are not known.
std::vector<std::optional<BytesBelowL1>>
TrafficSolver::byReplay(const LaunchProgram &Bound, const Launch &L,
                        const CacheModel &L2) {
  std::vector<std::optional<BytesBelowL1>> Replayed(Groups.size());
  double LocalMissBytes = 0;
  std::vector<OtherBytes> Other(Groups.size());
  for (unsigned I = 0, C = 0; I < Groups.size(); ++I) {
    LocalMissBytes += Groups[I].isLocal() ? Result[I].L1MissBytes : 0;
    if (allocatesInL1(Groups[I]))
      Other[I].L1 =
          L1->footprints().launchBytes(C++) / L1->view().BlocksPerCache;
    Other[I].L2 = L2.footprints().launchBytes(I) / L2.view().BlocksPerCache;
  }
  if (LocalMissBytes <= 0 || Options.L1Hit || Options.L2Hit)
    return Replayed;
  auto Fractions =
      replayLocalMemory(Bound, Sample, L, Groups, Other, L1->view(), L2.view(),
                        Options.Caches == CacheState::Warm, Memo.Replays);
  for (unsigned I = 0; Fractions && I < Groups.size(); ++I) {
    if (!Groups[I].isLocal() ||
        !llvm::all_of(Groups[I].Members,
                      [&](unsigned A) { return Fractions->count(A) != 0; }))
      continue;
    BytesBelowL1 &Bytes = Replayed[I].emplace();
    for (unsigned A : Groups[I].Members) {
      double RequestedBytes =
          Sample.Accesses[A].Sectors * Groups[I].Pattern.SectorBytes;
      LocalMemoryFractions Member = (*Fractions)[A];
      Bytes.L1MissBytes += RequestedBytes * Member.L1Miss;
      Bytes.DramReadBytes += RequestedBytes * Member.DramRead;
      Bytes.DramWriteBytes += RequestedBytes * Member.DramWrite;
      Bytes.Members.push_back(Member);
    }
  }
  return Replayed;
}

/// Fraction of the data stored by each group that leave L2 before a cold launch
/// ends because of the limit on written lines: they are a list of their own
/// that holds no more than a share of the capacity, in which loads take no
/// room. The oldest line is written back but stays in the cache; stores that
/// follow each other closely enough to share a sector do so before that.
std::vector<double>
TrafficSolver::earlyWritebackFractions(const CacheView &L2) const {
  std::vector<double> Fractions(Groups.size());
  if (!Gpu.L2DirtyLimit || Options.Caches == CacheState::Warm)
    return Fractions;
  std::vector<const ReferenceGroup *> Written;
  std::vector<unsigned> Index;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    CacheRole Role = Groups[I].Pattern.Role;
    if (Role != CacheRole::Store && Role != CacheRole::Atomic)
      continue;
    Written.push_back(&Groups[I]);
    Index.push_back(I);
  }
  CacheView View = L2;
  View.LoadFillBytes = View.SectorBytes;
  View.AllHitBytes = View.NoHitBytes = *Gpu.L2DirtyLimit * Gpu.L2.Size.value();
  View.Partitions = 1; // a line is written at one place
  View.Log = nullptr;
  CacheModel Dirty(Written, View, Memo.SectorIndices);
  for (unsigned I = 0; I < Written.size(); ++I)
    Fractions[Index[I]] = Dirty.writeback().evictedFraction(I);
  return Fractions;
}

/// Chooses the predictor of each group's bytes below L1:
///   local memory that misses L1, of which    LRU replay, access by access
///   the access order is known                (LocalMemoryReplay.h)
///   everything else                          the cache models; CacheModel.cpp
///                                            chooses between layer conditions,
///                                            Che's approximation, random
///                                            placement and random indices
void TrafficSolver::solveL2(const LaunchProgram &Bound, const Launch &L) {
  std::vector<const ReferenceGroup *> All;
  std::vector<double> RequestedBytes;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    All.push_back(&Groups[I]);
    RequestedBytes.push_back(Result[I].L1MissBytes);
  }
  CacheView View = l2View(Gpu, Assignment, Curves);
  if (Gpu.L2DirtyLimit && Options.Caches != CacheState::Warm)
    View.MaxDirtyBytes = *Gpu.L2DirtyLimit * Gpu.L2.Size.value();
  View.Log = Log;
  CacheModel L2(All, View, Memo.SectorIndices, &*L1);
  std::vector<double> FetchedBytes = L2.fetchedBytes(RequestedBytes);
  for (unsigned I = 0; I < Groups.size(); ++I) {
    TracedAccess Trace = traced(Groups[I]);
    if (Traced && Traced->HasL2Sets && Trace.L2Sectors > 0) {
      FetchedBytes[I] = RequestedBytes[I] * Trace.L2Fills / Trace.L2Sectors;
      log("L2", I,
          "traced through its sets instead: misses " +
              shortNumber(Trace.L2Fills / Trace.L2Sectors));
    }
  }
  std::vector<double> EarlyWriteback = earlyWritebackFractions(View);
  std::vector<BytesBelowL1> Modelled;
  for (unsigned I = 0; I < Groups.size(); ++I)
    Modelled.push_back(byCacheModel(
        I,
        std::min(FetchedBytes[I],
                 RequestedBytes[I] *
                     std::max(1.0, double(View.LoadFillBytes) /
                                       Groups[I].Pattern.SectorBytes)),
        EarlyWriteback[I], L2));
  for (unsigned I = 0; I < Groups.size() && !Options.L2Hit; ++I)
    if (Groups[I].isLoad())
      Result[I].DedupFactor = L2.reuse().lockstepDedupFactor(I);
  for (unsigned I = 0; I < Groups.size(); ++I)
    StoredBytes.push_back(L2.footprints().launchBytes(I));
  std::vector<std::optional<BytesBelowL1>> Replayed = byReplay(Bound, L, L2);
  for (unsigned I = 0; I < Groups.size(); ++I) {
    if (Groups[I].isLocal())
      log("L2", I,
          Replayed[I] ? "local memory: LRU replay of its words instead"
                      : "local memory: closed form, words not known or too "
                        "many");
    static_cast<BytesBelowL1 &>(Result[I]) =
        std::move(Replayed[I] ? *Replayed[I] : Modelled[I]);
  }
}

/// MissBytes: bytes that L2 fetches, or allocates without a fetch, in one
/// launch on an empty cache.
BytesBelowL1 TrafficSolver::byCacheModel(unsigned Group, double MissBytes,
                                         double EarlyWritebackFraction,
                                         const CacheModel &L2) const {
  const ReferenceGroup &G = Groups[Group];
  BytesBelowL1 Bytes;
  Bytes.L1MissBytes = Result[Group].L1MissBytes;
  double WritebackBytes;
  if (Options.L2Hit) {
    WritebackBytes = MissBytes =
        Bytes.L1MissBytes * (1 - std::clamp(*Options.L2Hit, 0.0, 1.0));
  } else if (Options.Caches == CacheState::Warm) {
    // The previous launch left the data that fit; if dirty, they stay so.
    WritebackBytes =
        L2.interLaunch().writebackBytes(Group, MissBytes, Bytes.L1MissBytes);
    MissBytes = L2.interLaunch().missBytes(Group, MissBytes, Bytes.L1MissBytes);
  } else {
    // Data that are dirty at the end leave after the launch. Data that are
    // fetched or allocated again have left before.
    double LastBytes = std::min(MissBytes, L2.footprints().launchBytes(Group));
    WritebackBytes =
        MissBytes - LastBytes +
        LastBytes * std::max(EarlyWritebackFraction,
                             L2.writeback().evictedFraction(Group));
  }

  switch (G.Pattern.Role) {
  case CacheRole::None:
    break;
  case CacheRole::CachedLoad:
  case CacheRole::Load:
    Bytes.DramReadBytes = MissBytes;
    break;
  case CacheRole::Store:
    Bytes.DramWriteBytes = WritebackBytes;
    if (Gpu.PartialWriteRead) {
      double Sectors = Gpu.PartialWriteRead->value() / G.Pattern.SectorBytes;
      Bytes.DramReadBytes =
          MissBytes * std::min(1.0, Sectors * partialSectorFraction(Sample, G));
    }
    break;
  case CacheRole::Atomic:
    Bytes.DramReadBytes = MissBytes;
    Bytes.DramWriteBytes = WritebackBytes;
    break;
  case CacheRole::Private:
    // Stores are write-backs of L1, loads are its misses.
    (G.FirstIsStore ? Bytes.DramWriteBytes : Bytes.DramReadBytes) = MissBytes;
    break;
  }
  return Bytes;
}

/// All that L2 reads and writes goes through the cache in front of DRAM. Cold,
/// that holds nothing that is read; data that are written fill it like data
/// that are read.
void TrafficSolver::solveL3() {
  std::vector<const ReferenceGroup *> All;
  std::vector<double> RequestedBytes;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    All.push_back(&Groups[I]);
    GroupTraffic &T = Result[I];
    T.L2MissBytes = T.DramReadBytes + T.DramWriteBytes;
    // A store does not wait for the read of the rest of its sector, nor an
    // atomic for its eviction.
    CacheRole Role = Groups[I].Pattern.Role;
    T.StallBytes = Role == CacheRole::Store     ? T.DramWriteBytes
                   : Role == CacheRole::Private ? T.L2MissBytes
                                                : T.DramReadBytes;
    RequestedBytes.push_back(T.L2MissBytes);
  }
  if (!Gpu.L3Size || !Gpu.L3Bandwidth)
    return;
  CacheView View = l3View(Gpu, Assignment, Curves);
  View.Log = Log;
  CacheModel L3(All, View, Memo.SectorIndices);
  std::vector<double> FetchedBytes = L3.fetchedBytes(RequestedBytes);
  double WarmHits = Options.Caches == CacheState::Warm
                        ? View.hitFraction(L3.workingSets().launchBytes())
                        : 0;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    GroupTraffic &T = Result[I];
    double MissFraction =
        T.L2MissBytes > 0
            ? std::min(1.0, FetchedBytes[I] / T.L2MissBytes) * (1 - WarmHits)
            : 0;
    T.DramReadBytes *= MissFraction;
    T.DramWriteBytes *= MissFraction;
    T.L3MissFraction = MissFraction;
  }
}

/// Aligned pieces of Granule bytes that a group touches in one iteration by the
/// resident blocks, whose requests DRAM can put in order.
static double touchedGranules(const FootprintModel &Footprints,
                              const ReferenceGroup &G, unsigned Granule) {
  return Footprints.unionBytes(G, G.Starts, /*Loops=*/0,
                               Footprints.view().ResidentBlocks, Granule,
                               WindowOverlap::Mean) /
         Granule;
}

/// Bytes of a group for one activation of a DRAM row. Consecutive pieces of
/// the address space go to the channels in turn, so that a region of one row of
/// all channels is contiguous. A sparse group uses one row for each piece.
static double bytesPerActivation(const GpuModel &Gpu,
                                 const FootprintModel &Footprints,
                                 const ReferenceGroup &G) {
  constexpr unsigned PieceBytes = 256;
  double Rows = *Gpu.DramChannels,
         RegionBytes = Rows * Gpu.DramRowSize->value();
  auto granules = [&](unsigned Granule) {
    return touchedGranules(Footprints, G, Granule);
  };
  double Activations =
      std::min(granules(PieceBytes), Rows * granules(unsigned(RegionBytes)));
  return granules(G.Pattern.SectorBytes) * G.Pattern.SectorBytes / Activations;
}

/// The rows that a group opens, if that takes longer than to move its bytes.
/// Indirect addresses count as dense: how near to each other the values of an
/// index are is not known.
void TrafficSolver::solveDramRows() {
  if (!Gpu.DramRowSize || !Gpu.DramChannels || !Gpu.DramActivationInterval)
    return;
  std::vector<const ReferenceGroup *> All;
  for (const ReferenceGroup &G : Groups)
    All.push_back(&G);
  FootprintModel Footprints(All, l2View(Gpu, Assignment, Curves),
                            Memo.SectorIndices);
  for (auto [G, T] : llvm::zip_equal(Groups, Result)) {
    if (G.isLocal() || G.isIndirect() ||
        T.DramReadBytes + T.DramWriteBytes <= 0)
      continue;
    double SecondsPerByte = Gpu.DramActivationInterval->value() /
                            *Gpu.DramChannels /
                            bytesPerActivation(Gpu, Footprints, G);
    auto excess = [&](double Bytes, BytesPerSecond Bandwidth) {
      return Bytes * std::max(0.0, SecondsPerByte - 1 / Bandwidth.value());
    };
    T.DramActivationSeconds = excess(T.DramReadBytes, Gpu.DramReadBandwidth) +
                              excess(T.DramWriteBytes, Gpu.DramWriteBandwidth);
  }
}

/// One piece of code for each line of which DRAM moves a sector. The lines that
/// indirect addresses touch are those of single requests: which sectors of
/// different requests share a line is not known. Local memory, whose slots lie
/// side by side, moves whole lines.
void TrafficSolver::solveInlineEcc() {
  double ReadCode = Gpu.InlineEccRead.value_or(Bytes(0)).value(),
         WriteCode = Gpu.InlineEccWrite.value_or(Bytes(0)).value();
  if (ReadCode + WriteCode <= 0)
    return;
  std::vector<const ReferenceGroup *> All;
  for (const ReferenceGroup &G : Groups)
    All.push_back(&G);
  FootprintModel Footprints(All, l2View(Gpu, Assignment, Curves),
                            Memo.SectorIndices);
  const double LineBytes = Gpu.L2.Line.value();
  for (auto [G, T] : llvm::zip_equal(Groups, Result)) {
    if (T.DramReadBytes + T.DramWriteBytes <= 0)
      continue;
    double Lines = 1, Sectors = LineBytes / G.Pattern.SectorBytes;
    if (G.isIndirect()) {
      Lines = Sectors = 0;
      for (unsigned A : G.Members) {
        Lines += Sample.Accesses[A].Lines;
        Sectors += Sample.Accesses[A].Sectors;
      }
    } else if (!G.isLocal()) {
      Lines = touchedGranules(Footprints, G, unsigned(LineBytes));
      Sectors = touchedGranules(Footprints, G, G.Pattern.SectorBytes);
    }
    if (Sectors <= 0)
      continue;
    double LinesPerByte =
        std::max(Lines / (Sectors * G.Pattern.SectorBytes), 1 / LineBytes);
    T.DramCodeBytes = LinesPerByte * (T.DramReadBytes * ReadCode +
                                      T.DramWriteBytes * WriteCode);
  }
}

void TrafficSolver::solveLink(const std::vector<bool> &OfHost) {
  for (unsigned I = 0; I < Groups.size(); ++I) {
    if (!OfHost[I])
      continue;
    GroupTraffic &T = Result[I];
    T.LinkReadBytes = T.DramReadBytes;
    CacheRole Role = Groups[I].Pattern.Role;
    if (Role == CacheRole::Store || Role == CacheRole::Atomic)
      T.LinkWriteBytes = std::max(T.DramWriteBytes, StoredBytes[I]);
    T.DramReadBytes = T.DramWriteBytes = 0;
    T.L3MissFraction = 0;
  }
}

/// The driver fetches the whole aligned block of 64 KB around a page that
/// faults. Groups of one buffer are taken to touch the same blocks: the largest
/// counts.
void TrafficSolver::solveMigration(const Bindings &All) {
  constexpr unsigned BlockBytes = 64 * 1024;
  llvm::StringMap<double> Touched; ///< by buffer
  for (const ReferenceGroup &G : Groups) {
    if (!liesAt(G, BufferPlace::FirstTouch, All))
      continue;
    FootprintModel Footprints(&G, l2View(Gpu, Assignment, Curves),
                              Memo.SectorIndices);
    auto Footprint = [&](unsigned Granule) {
      return Footprints.bytes(G, G.Starts, G.loopDepth(),
                              Footprints.view().BlocksPerCache, Granule);
    };
    double Blocks = std::ceil(Footprint(BlockBytes) / BlockBytes);
    // A range without gaps would begin anywhere in a block, on average; but
    // buffers begin at one.
    double Dense =
        std::ceil(Footprint(unsigned(Gpu.L2.Sector.value())) / BlockBytes);
    if (Blocks == Dense + 1)
      Blocks = Dense;
    double &Bytes = Touched[G.Object];
    Bytes = std::max(Bytes, Blocks * BlockBytes);
  }
  for (const auto &Buffer : Touched)
    MigratedBytes += Buffer.getValue();
}

/// The member that comes first in the program fetches what the others then
/// hit: a warp that issues them together waits for the first one.
void TrafficSolver::addMembers(const KernelModel &Kernel, unsigned Group,
                               Traffic &Total) const {
  const ReferenceGroup &G = Groups[Group];
  const GroupTraffic &T = Result[Group];
  double L1MissesLeft = T.L1MissBytes,
         StallsLeft = std::min(T.StallBytes, T.L1MissBytes),
         WaitsLeft = std::min(T.StallBytes / T.DedupFactor, T.L1MissBytes);
  for (auto [Member, A] : llvm::enumerate(G.Members)) {
    const MemoryAccess &Access = Kernel.Accesses[A];
    double Requested = Sample.Accesses[A].Sectors * G.Pattern.SectorBytes;
    double L1Miss = std::min(Requested, L1MissesLeft);
    double Stall = std::min(L1Miss, StallsLeft);
    double Wait = std::min(L1Miss, WaitsLeft);
    double Fraction = T.L1MissBytes > 0 ? L1Miss / T.L1MissBytes : 0;
    double Read = T.DramReadBytes * Fraction,
           Write = T.DramWriteBytes * Fraction;
    if (!T.Members.empty()) {
      const LocalMemoryFractions &Replayed = T.Members[Member];
      L1Miss = Requested * Replayed.L1Miss;
      Stall = std::min(L1Miss,
                       Requested * (Replayed.DramRead + Replayed.DramWrite));
      Wait = Stall;
      Read = Requested * Replayed.DramRead * T.L3MissFraction;
      Write = Requested * Replayed.DramWrite * T.L3MissFraction;
    }
    L1MissesLeft -= L1Miss;
    StallsLeft -= Stall;
    WaitsLeft -= Wait;
    AccessTraffic &Result = Total.Accesses[A];
    Result.SectorCrossingPhases = sectorCrossingPhases(G.Pattern);
    if (Gpu.L2FetchSize)
      Result.NeighbourFetchedFraction =
          neighbourFetchedFraction(G.Pattern, Gpu.L2FetchSize->value());
    Result.L1Hit = Requested > 0 ? 1 - L1Miss / Requested : 0;
    // What one warp fetches, the others of its SM wait for.
    if (T.DistinctInL1 > 0 && T.Members.empty())
      Result.L1PendingHit = std::min(1.0, (1 - Result.L1Hit) / T.DistinctInL1) -
                            (1 - Result.L1Hit);
    Result.L2Hit = L1Miss > 0 ? 1 - Stall / L1Miss : 0;
    Result.L2MissWaitFraction = L1Miss > 0 ? Wait / L1Miss : 1;
    if (T.L2MissBytes > 0)
      Result.L3Hit = 1 - (T.DramReadBytes + T.DramWriteBytes) / T.L2MissBytes;
    Result.DramReadBytes = Read;
    Result.DramWriteBytes = Write;
    Result.LinkReadBytes = T.LinkReadBytes * Fraction;
    Result.LinkWriteBytes = T.LinkWriteBytes * Fraction;
    bool Writes =
        Access.Kind == AccessKind::Store || Access.Kind == AccessKind::Atomic;
    bool Reads =
        !Writes || (Access.Kind == AccessKind::Atomic && Access.ReturnsValue);
    Result.L2Bytes = L1Miss * (Writes + Reads);
    Total.L2WriteBytes += Writes ? L1Miss : 0;
    Total.L2ReadBytes += Reads ? L1Miss : 0;
    // The product of two counts may have no value in floating point.
    double Packets =
        Requested > 0 ? Sample.Accesses[A].Lines * (L1Miss / Requested) : 0;
    Total.L2WritePackets += Writes ? Packets : 0;
    Total.L2ReadPackets += Reads ? Packets : 0;
    Total.DramReadBytes += Result.DramReadBytes;
    Total.DramWriteBytes += Result.DramWriteBytes;
    Total.LinkReadBytes += Result.LinkReadBytes;
    Total.LinkWriteBytes += Result.LinkWriteBytes;
  }
}

Traffic TrafficSolver::result(const KernelModel &Kernel) const {
  Traffic Total;
  Total.Accesses.resize(Kernel.Accesses.size());
  Total.MigratedBytes = MigratedBytes;
  double RequestedBytes = 0, L1MissBytes = 0, StallBytes = 0;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    const GroupTraffic &T = Result[I];
    RequestedBytes += T.RequestedBytes;
    L1MissBytes += T.L1MissBytes;
    StallBytes += std::min(T.StallBytes, T.L1MissBytes);
    if (Gpu.L3Bandwidth)
      Total.L3Bytes += T.L2MissBytes;
    Total.DramActivationSeconds += T.DramActivationSeconds;
    Total.DramCodeBytes += T.DramCodeBytes;
    addMembers(Kernel, I, Total);
  }
  Total.L1Hit = RequestedBytes > 0 ? 1 - L1MissBytes / RequestedBytes : 0;
  Total.L2Hit = L1MissBytes > 0 ? 1 - StallBytes / L1MissBytes : 0;
  return Total;
}

/// What the hit fractions of a trace stand on, for the report.
static std::vector<std::string> premises(const CacheTrace &Trace,
                                         const GpuModel &Gpu,
                                         const BlockAssignment &Assignment) {
  std::vector<std::string> Result;
  auto unknown = [&](const char *Level, const char *Key) {
    Result.push_back(Gpu.Id + " has no " + Key + ": " + Level +
                     " stays fully associative");
  };
  if (!Trace.HasL1Sets && Gpu.L1CachesGlobalLoads)
    unknown("L1", "l1.sets");
  if (!Trace.HasL2Sets && Gpu.L2Partitions > 1)
    Result.push_back("an L2 of " + std::to_string(Gpu.L2Partitions) +
                     " partitions stays fully associative");
  else if (!Trace.HasL2Sets)
    unknown("L2", "l2.ways");
  if (Trace.HasL1Sets || Trace.HasL2Sets)
    Result.push_back(
        "hits by reuse distances within sets, of " +
        std::to_string(uint64_t(Trace.Requests)) + " requests of " +
        std::to_string(Trace.Blocks) + " of " +
        std::to_string(uint64_t(Assignment.Blocks)) + " blocks" +
        (Trace.Truncated ? ", whose warps have more of them" : ""));
  return Result;
}

Traffic estimateTraffic(const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Bindings &All,
                        const LaunchSample &Sample, unsigned BlocksPerSm,
                        const EvaluateOptions &Options,
                        const CacheCurves &Curves) {
  const LaunchProgram Bound(Kernel, Gpu, L, All);
  LaneState State(Bound);
  return estimateTraffic(State, Gpu, L, All, Sample, BlocksPerSm, Options,
                         Curves);
}

Traffic estimateTraffic(LaneState &State, const GpuModel &Gpu, const Launch &L,
                        const Bindings &All, const LaunchSample &Sample,
                        unsigned BlocksPerSm, const EvaluateOptions &Options,
                        const CacheCurves &Curves, TrafficMemo *Shared,
                        llvm::raw_ostream *Decisions) {
  const LaunchProgram &Bound = State.program();
  const KernelModel &Kernel = Bound.kernel();
  if (Kernel.Accesses.empty() || Sample.Warps <= 0) {
    Traffic None;
    None.Accesses.resize(Kernel.Accesses.size());
    return None;
  }
  State.reset();
  BlockAssignment Assignment = assignBlocks(Gpu, L, Sample, BlocksPerSm);
  std::optional<TrafficMemo> Own;
  TrafficMemo &Memo = Shared ? *Shared : Own.emplace(Gpu);
  std::vector<AccessPattern> Patterns =
      findAccessPatterns(State, Gpu, L, All, Sample, Assignment, Memo.Requests);
  std::vector<ReferenceGroup> Groups = groupAccesses(
      Kernel, Sample, std::move(Patterns), Assignment, Options.Executed,
      std::ceil(double(L.threadsPerBlock()) / Bound.lanes()));
  const std::vector<bool> OfHost = hostGroups(Groups, Gpu, All);
  std::optional<DecisionLog> Log;
  if (Decisions)
    Log.emplace(*Decisions, Kernel);
  TrafficSolver Solver(Gpu, Options, Assignment, Sample, Curves, Memo,
                       std::move(Groups), Decisions ? &*Log : nullptr);
  double SharedBytes =
      double(Kernel.Res.StaticSharedBytes) + double(L.DynamicSharedBytes);
  double L1Bytes = l1Capacity(
      Gpu, SharedBytes,
      std::min<double>(BlocksPerSm, Assignment.Blocks / Assignment.Sms));
  std::vector<std::string> Premises;
  if (Options.Hits == CacheRule::SetAssociative) {
    CacheTrace Trace =
        traceCaches(State, {Gpu, L, All, Sample, Assignment, BlocksPerSm,
                            L1Bytes, Options.SampleEffort});
    Premises = premises(Trace, Gpu, Assignment);
    Solver.use(std::move(Trace));
  }
  Solver.solveL1(L1Bytes,
                 std::ceil(double(L.threadsPerBlock()) / Bound.lanes()));
  Solver.solveL2(Bound, L);
  Solver.solveL3();
  Solver.solveLink(OfHost);
  if (Gpu.MigrationBandwidth)
    Solver.solveMigration(All);
  Solver.solveDramRows();
  Solver.solveInlineEcc();
  Traffic Result = Solver.result(Kernel);
  Result.Premises = std::move(Premises);
  return Result;
}

} // namespace gpuestimate
