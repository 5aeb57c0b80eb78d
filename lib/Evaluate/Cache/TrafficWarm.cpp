/// \file
/// What one launch leaves in a cache for the next one like it.
#include "TrafficLevels.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

double LayerModel::sweep(unsigned Group) const {
  auto [Slot, New] = Sweeps.try_emplace(Groups[Group]->Kind);
  if (!New)
    return Slot->second;
  const AccessPattern &P = Groups[Group]->Pattern;
  double All = distinct(Group), Sweep = View.Resident;
  for (double Next : blockLevels(P)) {
    // Rounding at the edges of windows, and of residues, moves some sectors.
    if (footprint(Group, P.Chain.size(), Sweep) >= 0.95 * All)
      break;
    Sweep = Next;
  }
  return Sweeps[Groups[Group]->Kind] = Sweep;
}

/// Of sweeps of S blocks over the same data, the last one of a launch may end
/// early, after R: what it has reached waits for R blocks only, until the next
/// launch begins, the rest for one sweep more.
///
/// Where each sector has one user, all that the launch uses passes by until the
/// next one comes there. If parts of the kernel use it one after the other,
/// what is used only between the first and the last of them does not.
double LayerModel::leftByLaunchBefore(unsigned Group, double Asked,
                                      bool Dirty) const {
  double All = distinct(Group), Sweep = sweep(Group);
  // Otherwise a cache in front serves the later sweeps.
  if (Sweep < View.All && Asked >= 0.5 * All * View.All / Sweep) {
    double Rest = std::fmod(View.All, Sweep), Share = Rest / Sweep;
    return Share * capturedAfter(Rest) +
           (1 - Share) * capturedAfter(Sweep + Rest);
  }
  double Everything = everything();
  const auto [First, Last] = *Uses[Groups[Group]->Footprint];
  if (Everything <= View.Full || section(First) == section(Last) ||
      section(First) < 0 || section(Last) < 0)
    return View.captured(Everything);
  return ofResident([&](double Blocks) {
    PartsBetween Parts = partsBetween(First, Last, Blocks, false),
                 Only = partsBetween(First, Last, Blocks, true);
    return Parts.mean([&](double Place) {
      double Kept = View.captured(Everything - Only.passing(Place));
      // What has left after one use and was fetched for the next was written
      // once, whether it leaves again or not.
      return Dirty ? std::min(Kept, View.captured(Parts.passing(Place))) : Kept;
    });
  });
}

/// Draws come in no order: those of the launch before are like those of this.
double LayerModel::missedAfterLaunch(unsigned Group, double Missed,
                                     double Asked) const {
  if (Groups[Group]->Pattern.DrawnSectors > 0)
    return std::min(Missed, Asked * (1 - drawnHit(Group)));
  return Missed - std::min(Missed, distinct(Group)) *
                      leftByLaunchBefore(Group, Asked, false);
}

double LayerModel::writtenBetweenLaunches(unsigned Group, double Missed,
                                          double Asked) const {
  if (Groups[Group]->Pattern.DrawnSectors > 0)
    return missedAfterLaunch(Group, Missed, Asked);
  return Missed - std::min(Missed, distinct(Group)) *
                      leftByLaunchBefore(Group, Asked, true);
}

} // namespace gpuestimate
