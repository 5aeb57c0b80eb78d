/// \file
/// Blocks that come to a cache by chance: what they cover, and what they find
/// of those before them.
#include "TrafficLevels.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

llvm::SmallVector<double, 8>
LayerModel::blockLevels(const AccessPattern &P) const {
  if (!isByChance(P))
    return windowLevels(along(P), View.Resident, View.All);
  // By chance, what was used may be used again after any number of blocks.
  llvm::SmallVector<double, 8> Out;
  for (double Level = 2 * View.Resident;
       Level < View.All && capturedAfter(Level / 2) > 0; Level *= 2)
    Out.push_back(Level);
  Out.push_back(View.All);
  return Out;
}

/// Of each Caches consecutive blocks, one comes to this cache. A place that
/// they cover is met by it with the chance One / Caches', since so many of them
/// cover it; and again as often as it is covered by further ones.
double LayerModel::covered(const AccessGroup &G, llvm::ArrayRef<double> Starts,
                           unsigned Loops, double Blocks, unsigned Granule,
                           RowsMet Rows) const {
  auto by = [&](double Numbers) {
    return coveredBy(G, Starts, Loops, Numbers, Granule, Rows);
  };
  if (!isByChance(G.Pattern) || Blocks <= 1)
    return by(Blocks);
  // Windows span whole rows and columns, more places than there are blocks.
  double One = by(1), Caches = View.ByChance,
         Each = std::min(by(Caches), Caches * One),
         All = std::min(by(Blocks * Caches), Blocks * Caches * One);
  double Turns = std::clamp(Blocks * Each / All, 1.0, Blocks);
  return All * (1 - std::pow(std::max(0.0, 1 - One / Each), Turns));
}

Spread LayerModel::spread(unsigned Group, unsigned Loops, double Bytes) const {
  const AccessGroup &G = *Groups[Group];
  Spread Out;
  Out.Footprint = G.Footprint;
  if (G.Pattern.DrawnSectors > 0) {
    Out.High = G.Pattern.DrawnSectors * G.Pattern.Sector;
    Out.Share = Bytes / std::max(Bytes, Out.High);
    return Out;
  }
  Directions All = directions(G.Pattern, Loops, View.All);
  Out.Low = INFINITY;
  Out.High = -INFINITY;
  for (double Start : G.Starts) {
    auto [Low, High] = span(All, Start, G.Pattern.Width);
    Out.Low = std::min(Out.Low, Low);
    Out.High = std::max(Out.High, High);
  }
  Out.Share = Bytes / std::max(Bytes, coveredBy(G, G.Starts, Loops, View.Blocks,
                                                View.Line, RowsMet::Mean));
  return Out;
}

double Spread::outside(llvm::ArrayRef<Spread> Others) const {
  double Out = 1;
  for (const Spread &Other : Others)
    if (double Common = std::min(High, Other.High) - std::max(Low, Other.Low);
        Other.Footprint != Footprint && Common > 0)
      Out *= 1 - Other.Share * Common / (High - Low);
  return Out;
}

/// U(j), what j waves of the cache's blocks cover together: of what one brings,
/// u(j) = U(j + 1) - U(j) is new to those that remember j waves (Denning and
/// Schwartz, Properties of the working-set model, CACM 1972). Wave w of W looks
/// back on w others at most.
double LayerModel::savedByChance(unsigned Group, double Bytes) const {
  unsigned Depth = Groups[Group]->Pattern.Chain.size();
  double Waves = View.All / View.Resident, Saved = 0;
  auto isNew = [&](double Back) {
    // Also of one wave: as the blocks of the launch are on average, of which
    // some may be idle, unlike those that are resident.
    auto together = [&](double Waves) {
      return footprint(Group, Depth,
                       std::nextafter(Waves * View.Resident, INFINITY));
    };
    return together(Back + 1) - (Back > 0 ? together(Back) : 0);
  };
  const double First = isNew(0);
  double Before = First;
  for (double Back = 1, Next; Back < Waves && Before > 0; Back = Next) {
    double Captured = capturedAfter(Back * View.Resident);
    if (Captured <= 0)
      break;
    // One by one at first, then by growing numbers.
    Next = Back < 4 ? Back + 1 : std::ceil(Back * 1.5);
    double Last = std::max(Back, std::min(Next, std::floor(Waves)) - 1);
    double Now = std::clamp(isNew(Last), 0.0, Before);
    Saved += (Waves - (Back + Last) / 2) * Captured * (Before - Now);
    Before = Now;
  }
  return First > 0 ? Bytes * Saved / (Waves * First) : 0;
}

} // namespace gpuestimate
