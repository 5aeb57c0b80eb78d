#include "WritebackModel.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Progress of a wave. All warps allocate at the same rate until they end. The
/// unit of time is the time in which a warp allocates the mean of all warps.
class WaveProgress {
public:
  /// Warps that allocate equal numbers of bytes. A warp's bytes are fractions
  /// of the mean over all warps.
  struct WarpClass {
    double WarpFraction = 0;  ///< of all warps
    double BytesBefore = 0;   ///< allocated before the section with the stores
    double BytesDuring = 0;   ///< allocated in that section
    double Bytes = 0;         ///< allocated in the whole kernel
    double StoreFraction = 0; ///< of all stores
  };
  explicit WaveProgress(std::vector<WarpClass> Classes)
      : Classes(std::move(Classes)) {}

  /// The time at which a fraction of the wave's bytes is still to come.
  double timeWithRemaining(double Fraction) const {
    if (Fraction >= 1)
      return 0;
    double Low = 0, High = 0;
    for (const WarpClass &C : Classes)
      High = std::max(High, C.Bytes);
    if (Fraction <= 0)
      return High;
    for (unsigned Step = 0; Step < 40; ++Step) {
      double Middle = (Low + High) / 2;
      (remaining(Middle) > Fraction ? Low : High) = Middle;
    }
    return High;
  }
  /// Fraction of the stores that execute before a time.
  double storedBefore(double Time) const {
    double Sum = 0;
    for (const WarpClass &C : Classes)
      Sum += C.StoreFraction *
             std::clamp((Time - C.BytesBefore) / std::max(C.BytesDuring, 1e-6),
                        0.0, 1.0);
    return Sum;
  }

private:
  double remaining(double Time) const {
    double Sum = 0;
    for (const WarpClass &C : Classes)
      Sum += C.WarpFraction * std::max(0.0, C.Bytes - Time);
    return Sum;
  }
  std::vector<WarpClass> Classes;
};

using WarpClass = WaveProgress::WarpClass;

/// Executions of a group by a warp of a sampled path.
static double executions(const ReferenceGroup &G, const WarpPath &Path) {
  if (G.BasicBlock >= Path.BlockShare.size())
    return 1;
  double Count = Path.BlockShare[G.BasicBlock];
  for (unsigned Loop : G.Pattern.EnclosingLoops)
    Count *= Path.LoopShare[Loop] * Path.LoopTrips[Loop];
  return Count;
}

/// Merges warps with similar numbers of bytes to classes of about equal size.
static std::vector<WarpClass> mergeClasses(std::vector<WarpClass> Warps) {
  constexpr double MaxClasses = 16;
  llvm::sort(Warps, [](auto &A, auto &B) { return A.Bytes < B.Bytes; });
  std::vector<WarpClass> Classes;
  double WarpFraction = 0;
  for (const WarpClass &W : Warps) {
    double FirstClass = std::floor(WarpFraction * MaxClasses);
    WarpFraction += W.WarpFraction;
    bool Joins = !Classes.empty() &&
                 (W.Bytes <= Classes.back().Bytes * (1 + 1e-9) ||
                  std::floor(WarpFraction * MaxClasses - 1e-9) <= FirstClass) &&
                 Classes.back().WarpFraction < 1 / MaxClasses + 1e-9;
    if (!Joins) {
      Classes.push_back(W);
      continue;
    }
    WarpClass &C = Classes.back();
    double OldWeight = C.WarpFraction / (C.WarpFraction + W.WarpFraction),
           NewWeight = 1 - OldWeight;
    C.BytesBefore = OldWeight * C.BytesBefore + NewWeight * W.BytesBefore;
    C.BytesDuring = OldWeight * C.BytesDuring + NewWeight * W.BytesDuring;
    C.Bytes = OldWeight * C.Bytes + NewWeight * W.Bytes;
    C.WarpFraction += W.WarpFraction;
    C.StoreFraction += W.StoreFraction;
  }
  return Classes;
}

WaveProgress WritebackModel::waveProgress(unsigned Group) const {
  const CacheView &View = Footprints.view();
  const ReferenceGroup &Stores = Footprints.group(Group);
  llvm::ArrayRef<WarpPath> Paths = Stores.WarpPaths;
  std::vector<WarpClass> Warps(std::max<size_t>(1, Paths.size()));
  double SampledWarps = 0;
  for (const WarpPath &Path : Paths)
    SampledWarps += Path.Weight;
  auto warpFraction = [&](unsigned W) {
    return SampledWarps > 0 ? Paths[W].Weight / SampledWarps : 1;
  };
  auto warpExecutions = [&](const ReferenceGroup &G, unsigned W) {
    return SampledWarps > 0 ? executions(G, Paths[W]) : 1;
  };
  double WaveBytes = 0;
  for (unsigned I = 0; I < Footprints.size(); ++I) {
    const ReferenceGroup &G = Footprints.group(I);
    double GroupBytes = Footprints.bytes(G, G.Starts, G.loopDepth(),
                                         View.ResidentBlocks, View.LineBytes),
           MeanExecutions = 0;
    WaveBytes += GroupBytes;
    for (unsigned W = 0; W < Warps.size(); ++W)
      MeanExecutions += warpFraction(W) * warpExecutions(G, W);
    for (unsigned W = 0; W < Warps.size() && MeanExecutions > 0; ++W) {
      double WarpBytes = GroupBytes * warpExecutions(G, W) / MeanExecutions;
      Warps[W].Bytes += WarpBytes;
      if (Sections.sectionOf(I) == Sections.sectionOf(Group))
        Warps[W].BytesDuring += WarpBytes;
      else if (G.Members.front() < Stores.Members.front())
        Warps[W].BytesBefore += WarpBytes;
      if (I == Group)
        Warps[W].StoreFraction =
            warpFraction(W) * warpExecutions(G, W) / MeanExecutions;
    }
  }
  for (unsigned W = 0; W < Warps.size(); ++W) {
    Warps[W].WarpFraction = warpFraction(W);
    Warps[W].Bytes /= WaveBytes;
    Warps[W].BytesBefore /= WaveBytes;
    Warps[W].BytesDuring /= WaveBytes;
  }
  // The last store to a sector counts: if iterations of a loop come back to it,
  // the store of the last iteration.
  double PassedFraction = 0, LeftFraction = 1;
  for (unsigned Loop = Stores.loopDepth(); Loop-- > 0;) {
    double Trips = Stores.Pattern.MeanTrips[Loop];
    double Visits =
        Trips * Footprints.bytes(Group, Loop, View.ResidentBlocks) /
        std::max(1.0, Footprints.bytes(Group, Loop + 1, View.ResidentBlocks));
    double Passed = (std::clamp(Visits, 1.0, Trips) - 1) / Trips;
    PassedFraction += LeftFraction * Passed;
    LeftFraction *= 1 - Passed;
    if (Visits < Trips * (1 - 1e-9))
      break;
  }
  for (WarpClass &W : Warps) {
    W.BytesBefore += PassedFraction * W.BytesDuring;
    W.BytesDuring *= LeftFraction;
  }
  return WaveProgress(mergeClasses(std::move(Warps)));
}

/// Fraction of the stores that are evicted from an LRU cache: they are so early
/// that the rest of their wave and the waves behind it exceed the capacity.
double WritebackModel::evictedWith(const WaveProgress &Progress,
                                   double CapacityBytes) const {
  const CacheView &View = Footprints.view();
  double Waves = std::ceil(View.BlocksPerCache / View.BlockSlots - 1e-9);
  auto waveBlocks = [&](double Wave) {
    return std::min(View.BlockSlots,
                    View.BlocksPerCache - Wave * View.BlockSlots);
  };
  auto evictedOfWave = [&](double Wave) {
    double LaterBlocks =
        View.BlocksPerCache - Wave * View.BlockSlots - waveBlocks(Wave);
    double LaterBytes =
        LaterBlocks > 0 ? WorkingSets.bytes(-1, LaterBlocks) : 0;
    double WaveBytes = WorkingSets.bytes(-1, waveBlocks(Wave));
    return Progress.storedBefore(
        Progress.timeWithRemaining((CapacityBytes - LaterBytes) / WaveBytes));
  };
  // Early waves are evicted as a whole, the last ones not at all.
  double EvictedWave = -1, LaterWave = Waves;
  while (LaterWave - EvictedWave > 1) {
    double Middle = std::floor((EvictedWave + LaterWave) / 2);
    (evictedOfWave(Middle) > 1 - 1e-6 ? EvictedWave : LaterWave) = Middle;
  }
  double EvictedBlocks = (EvictedWave + 1) * View.BlockSlots;
  for (double Wave = LaterWave; Wave < std::min(Waves, LaterWave + 4); ++Wave)
    EvictedBlocks += waveBlocks(Wave) * evictedOfWave(Wave);
  return std::min(1.0, EvictedBlocks / View.BlocksPerCache);
}

double WritebackModel::evictedFraction(unsigned Group) const {
  const CacheView &View = Footprints.view();
  if (WorkingSets.launchBytes() <= View.AllHitBytes)
    return 0;
  // A later section that reads the same data keeps them, unless they have been
  // evicted by then.
  unsigned LastUse = Sections.usesOf(Group).second;
  double EvictedBefore = 0;
  if (Sections.areDifferentLoops(LastUse, Group))
    EvictedBefore = 1 - Reuse.hitFractionBetweenSections(Group, LastUse);
  const WaveProgress Progress = waveProgress(LastUse);
  // The hit fraction at a distance is the probability that the capacity is
  // larger than it.
  constexpr unsigned Capacities = 4;
  double EvictedAfter = 0;
  for (unsigned I = 0; I < Capacities; ++I)
    EvictedAfter +=
        evictedWith(Progress,
                    View.AllHitBytes + (View.NoHitBytes - View.AllHitBytes) *
                                           (I + 0.5) / Capacities) /
        Capacities;
  return EvictedBefore + (1 - EvictedBefore) * EvictedAfter;
}

} // namespace gpuestimate
