#include "TracedReuse.h"

#include "CacheView.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static constexpr double BytesPerSector = 32, BytesPerLine = 128;

double RandomDraws::distinct(double Units) const {
  if (std::isinf(Population))
    return OfOneUnit * Units;
  return -Population *
         std::expm1(Units * std::log1p(-std::min(1.0, OfOneUnit / Population)));
}

double RandomDraws::units(double Places) const {
  if (OfOneUnit <= 0 || Places >= Population)
    return INFINITY;
  if (std::isinf(Population))
    return Places / OfOneUnit;
  return std::log1p(-Places / Population) /
         std::log1p(-std::min(1.0, OfOneUnit / Population));
}

RandomDraws RandomDraws::fit(double OfOneUnit, double TracedUnits,
                             double Footprint, double Union) {
  RandomDraws Draws{OfOneUnit};
  double Distinct =
      Footprint > 0 ? TracedUnits * OfOneUnit * Union / Footprint : 0;
  if (TracedUnits <= 1 || Footprint <= 0 || Union >= Footprint)
    return Draws;
  Draws.Population = OfOneUnit;
  if (Distinct <= OfOneUnit)
    return Draws;
  // The union of a finite population is smaller than the population.
  double Low = OfOneUnit, High = 2 * Distinct;
  auto distinctOf = [&](double Population) {
    return RandomDraws{OfOneUnit, Population}.distinct(TracedUnits);
  };
  constexpr double Large = 1e15;
  while (distinctOf(High) < Distinct && High < Large)
    High *= 2;
  for (unsigned Step = 0; Step < 60; ++Step) {
    double Middle = (Low + High) / 2;
    (distinctOf(Middle) < Distinct ? Low : High) = Middle;
  }
  Draws.Population = High;
  return Draws;
}

TracedReuse::Level TracedReuse::level(const SectorReuse &Group,
                                      const SectorReuse &Kernel,
                                      double TracedUnits, double LaunchUnits) {
  Level L;
  L.Uses = Group;
  L.Sectors = RandomDraws::fit(Group.FirstUses / LaunchUnits, TracedUnits,
                               Group.Footprint, Group.Union);
  double LinesPerSector =
      Kernel.Footprint > 0 ? Kernel.FootprintLines / Kernel.Footprint : 0;
  L.Lines =
      RandomDraws::fit(Kernel.FirstUses / LaunchUnits * LinesPerSector,
                       TracedUnits, Kernel.FootprintLines, Kernel.UnionLines);
  if (Group.UnionLines > 0)
    L.SectorsPerLine = std::clamp(Group.Union / Group.UnionLines, 1.0, 4.0);
  return L;
}

TracedReuse::TracedReuse(const ExecutedReuse &Group,
                         const ExecutedLaunch &Launch, double WarpsPerBlock)
    : UnitsPerBlock(WarpsPerBlock * Launch.TracedBlocks / Launch.TracedWarps) {
  double LaunchUnits =
      Launch.RepresentedWarps * Launch.TracedBlocks / Launch.TracedWarps;
  AmongLoads = level(Group.AmongLoads, Launch.ReuseOfKernel.AmongLoads,
                     Launch.TracedBlocks, LaunchUnits);
  AmongAll = level(Group.AmongAll, Launch.ReuseOfKernel.AmongAll,
                   Launch.TracedBlocks, LaunchUnits);
}

const TracedReuse::Level &TracedReuse::of(const CacheView &View) const {
  return View.OnlyLoadsAllocate ? AmongLoads : AmongAll;
}

double TracedReuse::missFraction(const CacheView &View) const {
  const Level &L = of(View);
  double All = L.Uses.sectors();
  if (All <= 0)
    return 1;
  double Resident = std::max(1.0, View.ResidentBlocks * UnitsPerBlock),
         Units = std::max(1.0, View.BlocksPerCache * UnitsPerBlock);
  double Misses = 0;
  for (const SectorReuse::Class &C : L.Uses.Classes) {
    RandomDraws Meanwhile{std::min(C.Bytes / BytesPerLine, L.Lines.Population),
                          L.Lines.Population};
    double Distance = Meanwhile.distinct(Resident) * BytesPerLine;
    Misses += C.Sectors * (1 - View.hitFraction(Distance));
  }
  // The cache holds what the units before have left, at most Held of them. The
  // new sectors of unit i are those of none of min(i, Held) units.
  double Held =
      std::min(Units, L.Lines.units(View.capacityBytes() / BytesPerLine));
  double NewOfLater = L.Sectors.distinct(Held + 1) - L.Sectors.distinct(Held);
  double New = L.Sectors.distinct(Held) + (Units - Held) * NewOfLater;
  if (L.Sectors.OfOneUnit > 0)
    Misses +=
        L.Uses.FirstUses * std::min(1.0, New / (Units * L.Sectors.OfOneUnit));
  return std::clamp(Misses / All, 0.0, 1.0);
}

/// With the probability p that a sector of a used line is used, a granule of g
/// sectors is used with the probability 1 - (1 - p)^g.
double TracedReuse::bytesPerUsedByte(const CacheView &View,
                                     unsigned Granule) const {
  double Used = of(View).SectorsPerLine / (BytesPerLine / BytesPerSector);
  return (1 - std::pow(1 - Used, Granule / BytesPerSector)) / Used;
}

double TracedReuse::footprintBytes(const CacheView &View, double Blocks,
                                   unsigned Granule) const {
  return of(View).Sectors.distinct(Blocks * UnitsPerBlock) * BytesPerSector *
         bytesPerUsedByte(View, Granule);
}

} // namespace gpuestimate
