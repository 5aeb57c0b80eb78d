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

double LinesOfBuffers::distinct(double Units) const {
  double Sum = 0;
  for (const RandomDraws &Of : Buffers)
    Sum += Of.distinct(Units);
  return Sum;
}

double LinesOfBuffers::units(double Lines) const {
  constexpr double Many = 1e15;
  double Low = 0, High = 1;
  while (distinct(High) < Lines) {
    Low = High;
    High *= 2;
    if (High > Many)
      return INFINITY;
  }
  for (unsigned Step = 0; Step < 60; ++Step) {
    double Middle = (Low + High) / 2;
    (distinct(Middle) < Lines ? Low : High) = Middle;
  }
  return High;
}

/// Draws from a population that is not larger than Limit.
static RandomDraws within(RandomDraws Draws, double Limit) {
  Draws.Population =
      std::max(Draws.OfOneUnit, std::min(Draws.Population, Limit));
  return Draws;
}

TracedReuse::TracedReuse(const ExecutedReuse &Group, double BufferBytes,
                         llvm::ArrayRef<TracedBuffer> Buffers,
                         const ExecutedLaunch &Launch, double WarpsPerBlock)
    : UnitsPerBlock(WarpsPerBlock * Launch.TracedBlocks / Launch.TracedWarps) {
  double TracedUnits = Launch.TracedBlocks,
         LaunchUnits =
             Launch.RepresentedWarps * Launch.TracedBlocks / Launch.TracedWarps;
  for (auto [Uses, To] :
       {std::pair(&ExecutedReuse::AmongLoads, &TracedReuse::AmongLoads),
        std::pair(&ExecutedReuse::AmongAll, &TracedReuse::AmongAll)}) {
    Level &L = this->*To;
    L.Uses = Group.*Uses;
    L.Sectors =
        within(RandomDraws::fit(L.Uses.FirstUses / LaunchUnits, TracedUnits,
                                L.Uses.Footprint, L.Uses.Union),
               BufferBytes / BytesPerSector);
    if (L.Uses.UnionLines > 0)
      L.SectorsPerLine = std::clamp(L.Uses.Union / L.Uses.UnionLines, 1.0, 4.0);
    for (const TracedBuffer &B : Buffers) {
      const SectorReuse &Of = B.Reuse.*Uses;
      if (Of.Footprint > 0)
        L.Lines.Buffers.push_back(within(
            RandomDraws::fit(Of.FirstUses / LaunchUnits * Of.FootprintLines /
                                 Of.Footprint,
                             TracedUnits, Of.FootprintLines, Of.UnionLines),
            B.Bytes / BytesPerLine));
    }
  }
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
  // While one unit touches as many lines, each of the others touches as large a
  // part of what it touches in all.
  double OfOneUnit = L.Lines.distinct(1);
  for (const SectorReuse::Class &C : L.Uses.Classes) {
    LinesOfBuffers Meanwhile = L.Lines;
    for (RandomDraws &Of : Meanwhile.Buffers)
      Of.OfOneUnit = std::min(Of.Population, Of.OfOneUnit * C.Bytes /
                                                 BytesPerLine / OfOneUnit);
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
