/// \file
/// Blocks after the first wave: each begins when another has ended, so that
/// those that are resident stand at different places of their work; and what
/// those fetch together that go in step
/// (docs/models/traffic.md).
#include "TrafficLevels.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

double LayerModel::distinctInStep(unsigned Group) const {
  const AccessGroup &G = *Groups[Group];
  if (G.Pattern.DrawnSectors > 0)
    return 1;
  // A cache in front asks once for what its blocks have in common; where there
  // is none, every block asks.
  bool Cached = Inner && InInner[Group];
  double Of = Cached ? Inner->View.Resident : 1;
  double Each = Cached ? Inner->footprint(G, G.Starts, 0, Of, fill(G))
                       : footprint(Group, 0, 1);
  double Asked = Each * View.Resident / Of;
  return Asked > 0 ? std::min(1.0, footprint(Group, 0, View.Resident) / Asked)
                   : 1;
}

/// What a block and the one after so many others have in common waits while
/// those go by, unless both keep together.
std::vector<LayerModel::BlockLevel>
LayerModel::levelsOneByOne(unsigned Group) const {
  const BlockDigits &Digits = along(Groups[Group]->Pattern);
  auto [Sharers, Fetching] = together(Group);
  double Captured =
      Sharers > 1 ? std::min(1.0, (1 - Fetching) / (1 - 1 / Sharers)) : 0;
  std::vector<BlockLevel> Out;
  double Now = 1;
  for (double Next : windowLevels(Digits, 1, View.Resident)) {
    double InOrder = capturedOver(Now, View.Partitions);
    Out.push_back({Next, InOrder + (1 - InOrder) * Captured});
    Now = Next;
  }
  for (double Next : windowLevels(Digits, View.Resident, View.All)) {
    double InOrder = capturedOver(Now, copies(Sharers));
    Out.push_back({Next, std::max(InOrder, 1 - Fetching * Sharers)});
    Now = Next;
  }
  return Out;
}

/// k resident blocks go through the same n bytes, each at a place of its own,
/// where drawn at random. While blocks do the share w of their work, the cache
/// meets sum(n (1 - (1 - w)^k)) different bytes. It holds what was used since
/// these were as many as it has (Che, Tung and Wang, IEEE JSAC 2002). A block
/// fetches where none of the others has been since:
///   m = (1 - w)^(k - 1).
const LayerModel::Company &LayerModel::together(unsigned Group) const {
  if (!Together.empty())
    return Together[Group];
  std::vector<double> Bytes; // in common
  std::vector<bool> Counted(Footprints);
  for (unsigned I = 0; I < Groups.size(); ++I) {
    const AccessPattern &P = Groups[I]->Pattern;
    unsigned Depth = P.Chain.size();
    double Distinct = footprint(I, Depth, View.Resident), Each = Distinct;
    if (goesOneByOne(I)) {
      // Those that begin shortly after each other share in any case.
      auto apart = [&](double Blocks) {
        return std::max(Distinct,
                        View.Resident / Blocks * footprint(I, Depth, Blocks));
      };
      double Now = 1, Before = apart(1);
      Each = Before;
      for (double Next : windowLevels(along(P), 1, View.Resident)) {
        double After = std::min(Before, apart(Next));
        Each -= capturedOver(Now, View.Partitions) * (Before - After);
        Before = After;
        Now = Next;
      }
    }
    Together.push_back({Distinct > 0 ? Each / Distinct : 1, 1});
    // Groups that use the same bytes meet them once.
    Bytes.push_back(Counted[Groups[I]->Footprint] ? 0 : Distinct);
    Counted[Groups[I]->Footprint] = true;
  }
  // What is shared has a copy in each part.
  double Capacity = (View.Full + View.Gone / View.Partitions) / 2;
  auto met = [&](double Work) {
    double Sum = 0;
    for (unsigned I = 0; I < Groups.size(); ++I)
      Sum += Bytes[I] * (1 - std::pow(1 - Work, Together[I].Sharers));
    return Sum;
  };
  double Held = 0; // the share of the blocks' work
  for (double Step = 0.5; Step > 1e-6; Step /= 2)
    if (met(Held + Step) <= Capacity)
      Held += Step;
  for (Company &Of : Together)
    Of.Fetching = std::pow(1 - Held, Of.Sharers - 1);
  return Together[Group];
}

} // namespace gpuestimate
