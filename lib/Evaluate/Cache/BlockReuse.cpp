#include "BlockReuse.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

LayerConditions::LayerConditions(const FootprintModel &Footprints,
                                 unsigned Group, double RequestedBytes)
    : Footprints(Footprints), Group(Group), Executions(1) {
  const ReferenceGroup &G = Footprints.group(Group);
  // A fill may be larger than a requested sector.
  Level = RequestedBytes * std::max(1.0, double(Footprints.fillBytes(G)) /
                                             G.Pattern.SectorBytes);
  Fetched = Level;
  for (double Trips : G.Pattern.MeanTrips)
    Executions *= Trips;
}

void LayerConditions::addLevel(unsigned Loops, double Blocks,
                               double HitFraction, Scope S) {
  const CacheView &View = Footprints.view();
  // No cache fetches more than its blocks would, each alone.
  double NextLevel = std::min(
      {Level, Executions * Footprints.bytesOfAllWindows(Group, Loops, Blocks),
       Executions * View.LaunchBlocks * View.ActiveRowFraction *
           Footprints.group(Group).ExecutedFraction *
           Footprints.bytes(Group, Loops, 1)});
  addBytes(NextLevel, HitFraction, S);
}

void LayerConditions::addBytes(double LevelBytes, double HitFraction, Scope S) {
  const CacheView &View = Footprints.view();
  if (View.Log && LevelBytes < Level) {
    ReuseScope Reuse = S();
    View.Log->write(View.Name, Footprints.group(Group),
                    Reuse.Name + ": " + shortBytes(Reuse.WorkingSetBytes) +
                        " between uses, " + shortBytes(View.capacityBytes()) +
                        " held: hits " + shortNumber(HitFraction) + ", " +
                        shortBytes(Level) + " -> " + shortBytes(LevelBytes));
  }
  Fetched -= HitFraction * (Level - LevelBytes);
  Level = LevelBytes;
}

BlockReuse::BlockReuse(const FootprintModel &Footprints,
                       const WorkingSetModel &WorkingSets,
                       const ReuseModel &Reuse)
    : Footprints(Footprints), WorkingSets(WorkingSets), Reuse(Reuse),
      View(Footprints.view()) {}

BlockReuse::~BlockReuse() = default;

ReuseScope BlockReuse::blockScope(double Blocks) const {
  return {"after " + shortNumber(Blocks) + " thread blocks",
          WorkingSets.bytes(-1, Blocks)};
}

void BlockReuse::addRequestsAndLoops(LayerConditions &Conditions,
                                     unsigned Group, double Blocks) const {
  Conditions.addLevel(
      0, Blocks, Reuse.marginalHitFractionBetweenMembers(Group), [&] {
        return ReuseScope{"other warps and members in one iteration",
                          WorkingSets.bytesBetweenMembers(Group)};
      });
  addLoops(Conditions, Group, Footprints.group(Group).loopDepth(), Blocks);
}

void BlockReuse::addLoops(LayerConditions &Conditions, unsigned Group,
                          unsigned Loops, double Blocks) const {
  const AccessPattern &P = Footprints.group(Group).Pattern;
  for (unsigned I = 0; I < Loops; ++I) {
    Conditions.enterLoop(I);
    Conditions.addLevel(
        I + 1, Blocks,
        Reuse.marginalHitFractionInLoop(Group, P.EnclosingLoops[I]), [&] {
          int Loop = int(P.EnclosingLoops[I]);
          return ReuseScope{"next iteration of " +
                                View.Log->loopName(Loop).str(),
                            WorkingSets.bytes(Loop, View.ResidentBlocks)};
        });
  }
}

bool LockstepReuse::isStoredBefore(unsigned Group) const {
  const ReferenceGroup &G = Footprints.group(Group);
  return !G.FirstIsStore &&
         llvm::any_of(Footprints.groups(), [&](const ReferenceGroup *Other) {
           return Other->FirstIsStore && Other->Object == G.Object &&
                  Other->Members.front() < G.Members.front();
         });
}

double LockstepReuse::fetchedBytes(unsigned Group,
                                   double RequestedBytes) const {
  const ReferenceGroup &G = Footprints.group(Group);
  LayerConditions Conditions = conditions(Group, RequestedBytes);
  addRequestsAndLoops(Conditions, Group, View.ResidentBlocks);
  double Window = View.ResidentBlocks;
  for (double NextWindow : Reuse.blockWindows(G.Pattern)) {
    Conditions.addLevel(G.loopDepth(), NextWindow,
                        Reuse.hitFractionAfterBlocks(Window),
                        [&] { return blockScope(Window); });
    Window = NextWindow;
  }
  // Every word of a local object is written, without a fetch, before it is
  // read. It leaves once more after its last use, unless the next block in the
  // same slot overwrites it in place.
  if (G.isLocal() && !isStoredBefore(Group))
    Conditions.addHits(
        Conditions.levelBytes() *
        Reuse.hitFractionInLoop(-1, Reuse.dirtyBytesInInner(Group, -1)));
  return std::max(0.0, Conditions.fetchedBytes());
}

double StaggeredReuse::fetchedBytes(unsigned Group,
                                    double RequestedBytes) const {
  if (View.Log)
    View.Log->write(View.Name, Footprints.group(Group),
                    "staggered: data in use by " +
                        shortNumber(sharing(Group).Sharers) +
                        " resident blocks, left by none of the others with "
                        "probability " +
                        shortNumber(sharing(Group).MissProbability));
  LayerConditions Conditions = conditions(Group, RequestedBytes);
  addRequestsAndLoops(Conditions, Group, /*Blocks=*/1);
  double Blocks = 1;
  for (const WindowHits &Window : windowHits(Group)) {
    Conditions.addLevel(Footprints.group(Group).loopDepth(), Window.Blocks,
                        Window.HitFraction, [&] { return blockScope(Blocks); });
    Blocks = Window.Blocks;
  }
  return std::max(0.0, Conditions.fetchedBytes());
}

/// Data that a block shares with the one d blocks later wait while d blocks
/// pass by, unless both happen to keep together.
std::vector<StaggeredReuse::WindowHits>
StaggeredReuse::windowHits(unsigned Group) const {
  const QuasiAffineMap &Map =
      Footprints.blockMap(Footprints.group(Group).Pattern);
  auto [Sharers, MissProbability] = sharing(Group);
  double SharerHits =
      Sharers > 1 ? std::min(1.0, (1 - MissProbability) / (1 - 1 / Sharers))
                  : 0;
  std::vector<WindowHits> Windows;
  double Window = 1;
  for (double NextWindow : windowBreakpoints(Map, 1, View.ResidentBlocks)) {
    double InOrder = Reuse.hitFractionAfterWindow(Window, View.Partitions);
    Windows.push_back({NextWindow, InOrder + (1 - InOrder) * SharerHits});
    Window = NextWindow;
  }
  for (double NextWindow :
       windowBreakpoints(Map, View.ResidentBlocks, View.BlocksPerCache)) {
    double InOrder =
        Reuse.hitFractionAfterWindow(Window, Reuse.copies(Sharers));
    Windows.push_back(
        {NextWindow, std::max(InOrder, 1 - MissProbability * Sharers)});
    Window = NextWindow;
  }
  return Windows;
}

const StaggeredReuse::SharingStats &
StaggeredReuse::sharing(unsigned Group) const {
  if (Stats.empty())
    estimateSharing();
  return Stats[Group];
}

void StaggeredReuse::estimateSharing() const {
  std::vector<double> SharedBytes; // [group]
  std::vector<bool> Counted;       // [FootprintClass]
  for (unsigned I = 0; I < Footprints.size(); ++I) {
    const ReferenceGroup &G = Footprints.group(I);
    unsigned Depth = G.loopDepth();
    double Distinct = Footprints.bytes(I, Depth, View.ResidentBlocks),
           Separate = Distinct;
    if (applies(G)) {
      // Blocks that start shortly after each other share in any case.
      auto bytesOfWindows = [&](double Blocks) {
        return std::max(Distinct, View.ResidentBlocks / Blocks *
                                      Footprints.bytes(I, Depth, Blocks));
      };
      double Window = 1, WindowBytes = bytesOfWindows(1);
      Separate = WindowBytes;
      for (double NextWindow : windowBreakpoints(Footprints.blockMap(G.Pattern),
                                                 1, View.ResidentBlocks)) {
        double NextBytes = std::min(WindowBytes, bytesOfWindows(NextWindow));
        Separate -= Reuse.hitFractionAfterWindow(Window, View.Partitions) *
                    (WindowBytes - NextBytes);
        WindowBytes = NextBytes;
        Window = NextWindow;
      }
    }
    Stats.push_back({Distinct > 0 ? Separate / Distinct : 1, 1});
    // Groups that touch the same bytes meet them once.
    if (Counted.size() <= G.FootprintClass)
      Counted.resize(G.FootprintClass + 1);
    SharedBytes.push_back(Counted[G.FootprintClass] ? 0 : Distinct);
    Counted[G.FootprintClass] = true;
  }
  // Shared data have a copy in each partition.
  double Capacity = (View.AllHitBytes + View.NoHitBytes / View.Partitions) / 2;
  auto distinctBytes = [&](double WorkFraction) {
    double Sum = 0;
    for (unsigned I = 0; I < Footprints.size(); ++I)
      Sum +=
          SharedBytes[I] * (1 - std::pow(1 - WorkFraction, Stats[I].Sharers));
    return Sum;
  };
  double WorkFraction = 0; // done in the characteristic time
  for (double Step = 0.5; Step > 1e-6; Step /= 2)
    if (distinctBytes(WorkFraction + Step) <= Capacity)
      WorkFraction += Step;
  for (SharingStats &S : Stats)
    S.MissProbability = std::pow(1 - WorkFraction, S.Sharers - 1);
}

double RandomPlacementReuse::fetchedBytes(unsigned Group,
                                          double RequestedBytes) const {
  const ReferenceGroup &G = Footprints.group(Group);
  LayerConditions Conditions = conditions(Group, RequestedBytes);
  addRequestsAndLoops(Conditions, Group, View.ResidentBlocks);
  // The first fetch of any sector misses in all of the caches.
  double ColdBytes =
      std::min(G.Pattern.ObjectBytes,
               Footprints.unionBytes(G, G.Starts, G.loopDepth(),
                                     View.LaunchBlocks, Footprints.fillBytes(G),
                                     WindowOverlap::Mean)) *
      std::min(1.0, G.ExecutedFraction);
  double Hits = std::min(crossWaveHits(Group, Conditions.levelBytes()),
                         std::max(0.0, Conditions.levelBytes() - ColdBytes));
  if (View.Log)
    View.Log->write(View.Name, G,
                    "earlier waves have left " + shortBytes(Hits) + " of " +
                        shortBytes(Conditions.levelBytes()));
  Conditions.addHits(Hits);
  return std::max(0.0, Conditions.fetchedBytes());
}

/// U(j): distinct bytes of j waves of the cache's blocks. Of the bytes of one
/// wave, u(j) = U(j + 1) - U(j) are not among those of the j waves before
/// (Denning and Schwartz, Properties of the working-set model, CACM 1972).
/// Wave w of W looks back on w waves at most.
double RandomPlacementReuse::crossWaveHits(unsigned Group, double Bytes) const {
  unsigned Depth = Footprints.group(Group).loopDepth();
  double Waves = View.BlocksPerCache / View.ResidentBlocks, Hits = 0;
  auto newBytes = [&](double Lookback) {
    // nextafter: one wave is an average one, too, some blocks of which may be
    // idle, and not the resident one.
    auto bytesOf = [&](double Count) {
      return Footprints.bytes(
          Group, Depth, std::nextafter(Count * View.ResidentBlocks, INFINITY));
    };
    return bytesOf(Lookback + 1) - (Lookback > 0 ? bytesOf(Lookback) : 0);
  };
  const double WaveBytes = newBytes(0);
  double NewBytes = WaveBytes;
  for (double Lookback = 1, NextLookback; Lookback < Waves && NewBytes > 0;
       Lookback = NextLookback) {
    double HitFraction =
        Reuse.hitFractionAfterBlocks(Lookback * View.ResidentBlocks);
    if (HitFraction <= 0)
      break;
    // Wave by wave at first, then in growing steps.
    NextLookback = Lookback < 4 ? Lookback + 1 : std::ceil(Lookback * 1.5);
    double Last =
        std::max(Lookback, std::min(NextLookback, std::floor(Waves)) - 1);
    double NextBytes = std::clamp(newBytes(Last), 0.0, NewBytes);
    Hits +=
        (Waves - (Lookback + Last) / 2) * HitFraction * (NewBytes - NextBytes);
    NewBytes = NextBytes;
  }
  return WaveBytes > 0 ? Bytes * Hits / (Waves * WaveBytes) : 0;
}

double IndirectReuse::fetchedBytes(unsigned Group,
                                   double RequestedBytes) const {
  const ReferenceGroup &G = Footprints.group(Group);
  if (G.Traced) {
    double Fill = Footprints.fillBytes(G), Sector = G.Pattern.SectorBytes;
    return std::min(RequestedBytes * Fill / Sector,
                    G.RequestedSectors * Sector * G.Traced->missFraction(View) *
                        G.Traced->bytesPerUsedByte(View, unsigned(Fill)));
  }
  LayerConditions Conditions = conditions(Group, RequestedBytes);
  // Members that use one index: a warp issues loads that wait for nothing back
  // to back, before another warp is scheduled.
  for (bool PerBasicBlock : {true, false}) {
    unsigned Fill = Footprints.fillBytes(G);
    double LevelBytes =
        std::min(Conditions.levelBytes(),
                 G.RequestedSectors * Fill *
                     Footprints.indirectSharing(G, 0, Fill, PerBasicBlock));
    if (LevelBytes < Conditions.levelBytes())
      Conditions.addBytes(LevelBytes,
                          PerBasicBlock && G.reads()
                              ? 1
                              : Reuse.marginalHitFractionBetweenMembers(Group),
                          [&] {
                            return ReuseScope{
                                "members with the same random index",
                                WorkingSets.bytesBetweenMembers(Group)};
                          });
  }
  addLoops(Conditions, Group, G.Pattern.RegularLoops, View.ResidentBlocks);
  double MissBytes = Conditions.fetchedBytes();
  double ColdBytes =
      Footprints.launchBytes(Group) * View.LaunchBlocks / View.BlocksPerCache;
  return std::max(std::min(MissBytes, ColdBytes),
                  MissBytes * (1 - hitFraction(Group)));
}

/// A line is present with the probability p, its share of the capacity that is
/// left to the object. A use of it brings one of its n sectors and keeps the
/// line. Since the line came, k uses have happened with the probability
/// p^k (1 - p), each of the wanted sector with probability 1/n:
///   hit = 1 - (1 - p) / (1 - p (1 - 1/n)) = p / (n - p (n - 1)).
/// Example: p = 0.5, n = 4: 0.5 / 2.5 = 0.2.
double IndirectReuse::hitFraction(unsigned Group) const {
  const ReferenceGroup &G = Footprints.group(Group);
  unsigned Depth = G.loopDepth();
  double Body = WorkingSets.bytes(
      Depth ? int(G.Pattern.EnclosingLoops.front()) : -1, View.ResidentBlocks);
  double OwnBytes =
      Footprints.bytes(G, G.Starts, 0, View.ResidentBlocks, View.LineBytes);
  double FreeBytes = std::max(0.0, View.capacityBytes() - (Body - OwnBytes));
  double LineBytes =
      Footprints.bytes(G, G.Starts, Depth, View.BlocksPerCache, View.LineBytes);
  double Present =
      std::min(1.0, FreeBytes / std::max(LineBytes, double(View.LineBytes)));
  double Sectors =
      std::max(1.0, double(View.LineBytes) / Footprints.fillBytes(G));
  double Hits = Present / (Sectors - Present * (Sectors - 1));
  if (View.Log)
    View.Log->write(View.Name, G,
                    shortBytes(FreeBytes) + " of the cache left for " +
                        shortBytes(LineBytes) + " of lines: hits " +
                        shortNumber(Hits));
  return Hits;
}

} // namespace gpuestimate
