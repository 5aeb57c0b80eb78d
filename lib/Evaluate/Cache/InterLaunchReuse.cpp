#include "InterLaunchReuse.h"

#include "DecisionLog.h"

#include <algorithm>
#include <cmath>

namespace gpuestimate {

double InterLaunchReuse::sweepBlocks(unsigned Group) const {
  const ReferenceGroup &G = Footprints.group(Group);
  auto [Slot, New] = SweepMemo.try_emplace(G.CostClass);
  if (!New)
    return Slot->second;
  double LaunchBytes = Footprints.launchBytes(Group),
         Sweep = Footprints.view().ResidentBlocks;
  for (double NextSweep : Reuse.blockWindows(G.Pattern)) {
    // Rounding at the edges of windows, and of residues, moves some sectors.
    if (Footprints.bytes(Group, G.loopDepth(), Sweep) >= 0.95 * LaunchBytes)
      break;
    Sweep = NextSweep;
  }
  return SweepMemo[G.CostClass] = Sweep;
}

/// Blocks sweep over the data, S blocks per sweep. The last sweep of a launch
/// may end early, after R blocks: for the data that it has reached, the
/// distance to the next launch is R blocks, for the rest it is S + R.
///
/// If one block uses a sector, its reuse distance to the next launch is the
/// footprint of the whole launch. If an early and a late section of the kernel
/// both use it, data used only between those two sections are not part of that
/// distance.
double InterLaunchReuse::hitFraction(unsigned Group, double RequestedBytes,
                                     bool Dirty) const {
  const CacheView &View = Footprints.view();
  double DistinctBytes = Footprints.launchBytes(Group),
         Sweep = sweepBlocks(Group);
  // If fewer bytes arrive, an inner cache serves all sweeps but the first.
  if (Sweep < View.BlocksPerCache &&
      RequestedBytes >= 0.5 * DistinctBytes * View.BlocksPerCache / Sweep) {
    double LastSweep = std::fmod(View.BlocksPerCache, Sweep),
           Reached = LastSweep / Sweep;
    return Reached * Reuse.hitFractionAfterBlocks(LastSweep) +
           (1 - Reached) * Reuse.hitFractionAfterBlocks(Sweep + LastSweep);
  }
  double LaunchBytes = WorkingSets.launchBytes();
  const auto [FirstUse, LastUse] = Sections.usesOf(Group);
  if (LaunchBytes <= View.AllHitBytes ||
      !Sections.areDifferentLoops(FirstUse, LastUse))
    return View.hitFraction(LaunchBytes);
  return Reuse.meanOverWaves([&](double Blocks) {
    SectionDistance Distance = Sections.distance(FirstUse, LastUse, Blocks,
                                                 /*OnlyHere=*/false),
                    OnlyHere = Sections.distance(FirstUse, LastUse, Blocks,
                                                 /*OnlyHere=*/true);
    return Distance.mean([&](double Position) {
      double Hits = View.hitFraction(LaunchBytes - OnlyHere.bytesAt(Position));
      // Data that were evicted after one use and fetched for the next have been
      // written back once, whether they are evicted again or not.
      return Dirty
                 ? std::min(Hits, View.hitFraction(Distance.bytesAt(Position)))
                 : Hits;
    });
  });
}

/// Random indices have no order: those of the previous launch are like those
/// of this one.
double InterLaunchReuse::missBytes(unsigned Group, double ColdMissBytes,
                                   double RequestedBytes) const {
  if (Footprints.group(Group).isIndirect())
    return std::min(ColdMissBytes,
                    RequestedBytes * (1 - Indirect.hitFraction(Group)));
  double Hits = hitFraction(Group, RequestedBytes, /*Dirty=*/false);
  if (const CacheView &View = Footprints.view(); View.Log)
    View.Log->write(
        View.Name, Footprints.group(Group),
        "previous launch: " + shortBytes(WorkingSets.launchBytes()) +
            " of a launch, " + shortBytes(View.capacityBytes()) +
            " held: hits " + shortNumber(Hits) + " of " +
            shortBytes(Footprints.launchBytes(Group)));
  return ColdMissBytes -
         std::min(ColdMissBytes, Footprints.launchBytes(Group)) * Hits;
}

double InterLaunchReuse::writebackBytes(unsigned Group, double ColdMissBytes,
                                        double RequestedBytes) const {
  if (Footprints.group(Group).isIndirect())
    return missBytes(Group, ColdMissBytes, RequestedBytes);
  return ColdMissBytes -
         std::min(ColdMissBytes, Footprints.launchBytes(Group)) *
             hitFraction(Group, RequestedBytes, /*Dirty=*/true);
}

} // namespace gpuestimate
