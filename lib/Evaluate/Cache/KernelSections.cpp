#include "KernelSections.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace gpuestimate {

double SectionFootprint::bytesUpTo(double Position, double Trips) const {
  double Steps = std::floor(Position * Trips);
  return BeforeUse * std::min(1.0, (Steps + 1) / Trips) + AtUse * Position +
         AfterUse * Steps / Trips;
}

double SectionDistance::mean(llvm::function_ref<double(double)> Value) const {
  // A small number of steps is evaluated step by step.
  constexpr double MaxPositions = 16;
  double Trips = std::max(EarlierTrips, LaterTrips), Positions = MaxPositions;
  if (Trips <= MaxPositions)
    Positions = std::ceil(MaxPositions / Trips) * std::floor(Trips);
  double Sum = 0;
  for (double I = 0; I < Positions; ++I)
    Sum += Value((I + 0.5) / Positions);
  return Sum / Positions;
}

KernelSections::KernelSections(const FootprintModel &Footprints)
    : Footprints(Footprints) {
  auto firstMember = [&](unsigned I) {
    return Footprints.group(I).Members.front();
  };
  for (auto [Index, Group] : llvm::enumerate(Footprints.groups())) {
    if (Uses.size() <= Group->FootprintClass)
      Uses.resize(Group->FootprintClass + 1);
    auto &Use = Uses[Group->FootprintClass];
    if (!Use)
      Use = {Index, Index};
    if (firstMember(Index) < firstMember(Use->first))
      Use->first = Index;
    if (firstMember(Index) > firstMember(Use->second))
      Use->second = Index;
  }
}

int KernelSections::sectionOf(unsigned Group) const {
  const std::vector<unsigned> &Chain =
      Footprints.group(Group).Pattern.EnclosingLoops;
  return Chain.empty() ? -1 - int(Group) : int(Chain.back());
}

SectionDistance KernelSections::distance(unsigned Earlier, unsigned Later,
                                         double Blocks, bool OnlyHere) const {
  auto firstMember = [&](unsigned I) {
    return Footprints.group(I).Members.front();
  };
  unsigned First = firstMember(Earlier), Last = firstMember(Later);
  enum Part { InEarlier, Between, InLater };
  struct Use {
    std::array<double, 3> Bytes{}; ///< [part]
    std::array<SectionFootprint, 3> Split{};
    bool Elsewhere = false;
  };
  std::map<unsigned, Use> ByFootprint;
  for (unsigned I = 0; I < Footprints.size(); ++I) {
    const ReferenceGroup &G = Footprints.group(I);
    Use &U = ByFootprint[G.FootprintClass];
    Part Section = Between;
    unsigned SplitAt = 0;
    if (sectionOf(I) == sectionOf(Earlier))
      Section = InEarlier, SplitAt = Earlier;
    else if (sectionOf(I) == sectionOf(Later))
      Section = InLater, SplitAt = Later;
    else if (firstMember(I) < First || firstMember(I) > Last) {
      U.Elsewhere = true;
      continue;
    }
    double Bytes = Footprints.bytes(G, G.Starts, G.loopDepth(), Blocks,
                                    Footprints.view().LineBytes);
    if (Bytes <= U.Bytes[Section])
      continue;
    U.Bytes[Section] = Bytes;
    SectionFootprint &Split = U.Split[Section] = SectionFootprint();
    (G.FootprintClass == Footprints.group(SplitAt).FootprintClass ? Split.AtUse
     : firstMember(I) < firstMember(SplitAt) ? Split.BeforeUse
                                             : Split.AfterUse) = Bytes;
  }
  SectionDistance Distance;
  auto trips = [&](unsigned I) {
    return std::max(1.0, Footprints.group(I).Pattern.MeanTrips.back());
  };
  Distance.EarlierTrips = trips(Earlier);
  Distance.LaterTrips = trips(Later);
  auto add = [](SectionFootprint &Sum, const SectionFootprint &Term) {
    Sum.BeforeUse += Term.BeforeUse;
    Sum.AtUse += Term.AtUse;
    Sum.AfterUse += Term.AfterUse;
  };
  for (auto &[FootprintClass, U] : ByFootprint) {
    if (OnlyHere &&
        (U.Elsewhere || (U.Bytes[InEarlier] > 0 && U.Bytes[InLater] > 0)))
      continue;
    // Data that a section in between touches pass by as a whole, but of data
    // that nothing else touches a part passes by.
    if (U.Bytes[Between] > 0 &&
        (!OnlyHere || (U.Bytes[InEarlier] == 0 && U.Bytes[InLater] == 0))) {
      Distance.Between += U.Bytes[Between];
      continue;
    }
    add(Distance.Earlier, U.Split[InEarlier]);
    add(Distance.Later, U.Split[InLater]);
  }
  return Distance;
}

} // namespace gpuestimate
