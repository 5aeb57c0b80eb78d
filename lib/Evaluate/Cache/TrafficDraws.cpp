/// \file
/// Addresses that data decide: what draws cover, and what they find.
#include "TrafficLevels.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

double LayerModel::perDraw(const AccessGroup &G, unsigned Loops,
                           unsigned Granule, bool OfBlock) const {
  const AccessPattern &P = G.Pattern;
  Loops = std::min(Loops, P.RegularLoops);
  auto [Slot, New] = PerDraw.try_emplace({&G, Loops, Granule, OfBlock});
  if (!New)
    return Slot->second;
  Directions Regular;
  for (unsigned I = 0; I < Loops; ++I)
    Regular.append(P.Loops[I]);
  double Together = 0, Apart = 0;
  for (auto At = G.Draws.begin(), End = G.Draws.end(); At != End;) {
    auto First = At;
    std::vector<double> Starts;
    do
      llvm::append_range(Starts, At++->second);
    while (!OfBlock && At != End && At->first.first == First->first.first);
    // One alone is aligned to itself, several as their element is.
    double Unit = Starts.size() > 1 ? P.DrawnUnit : P.Width;
    Together += Counts(Regular, Starts, P.Width, Granule, {Unit});
    for (double Start : Starts)
      Apart += Counts({}, Start, P.Width, Granule, {Unit});
  }
  return Slot->second = Together / Apart;
}

/// n draws of runs among D granules touch D * (1 - exp(-n * run / D)) of them.
double LayerModel::drawnFootprint(const AccessGroup &G, size_t Members,
                                  unsigned Loops, double Blocks,
                                  unsigned Granule) const {
  const AccessPattern &P = G.Pattern;
  double Draws = G.SectorsPerBlock * Blocks;
  if (Members < G.Starts.size()) // in one iteration, and one by one
    Draws *= double(Members) / double(G.Starts.size());
  else
    Draws *= perDraw(G, Loops, Granule);
  for (unsigned I = P.RegularLoops; I < Loops; ++I)
    Draws *= P.Trips[I];
  double All = std::max(1.0, P.DrawnSectors * P.Sector / Granule);
  Draws *= std::min(1.0, G.Activity * View.Present);
  return Granule * All * -std::expm1(-Draws / All);
}

/// Draws come in no order, so there is no distance either. A line is there with
/// probability p, that of being among those for which there is room; a use of
/// it brings one of its n sectors and keeps the line. Of the uses since the
/// line came, k with probability p^k (1 - p), each was of the wanted sector
/// with probability 1/n:
///   hit = 1 - (1 - p) / (1 - p (1 - 1/n)) = p / (n - p (n - 1)).
double LayerModel::drawnHit(unsigned Group) const {
  const AccessGroup &G = *Groups[Group];
  unsigned Depth = G.Pattern.Chain.size();
  double Body =
      volume(Depth ? int(G.Pattern.Chain.front()) : -1, View.Resident);
  double Own = footprint(G, G.Starts, 0, View.Resident, View.Line);
  double Room = std::max(0.0, View.capacity() - (Body - Own));
  double Lines = footprint(G, G.Starts, Depth, View.All, View.Line);
  double There = std::min(1.0, Room / std::max(Lines, double(View.Line)));
  double Sectors = std::max(1.0, double(View.Line) / fill(G));
  return There / (Sectors - There * (Sectors - 1));
}

double LayerModel::fetchedDrawn(unsigned Group, double Bytes) const {
  double Least = distinct(Group) * View.Blocks / View.All;
  return std::max(std::min(Bytes, Least), Bytes * (1 - drawnHit(Group)));
}

} // namespace gpuestimate
