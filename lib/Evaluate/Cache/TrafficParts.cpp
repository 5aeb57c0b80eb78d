/// \file
/// What passes between two parts of a kernel that use the same data.
#include "TrafficLevels.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace gpuestimate {

double PartRoom::begun(double Place, double Trips) const {
  double Steps = std::floor(Place * Trips);
  return Before * std::min(1.0, (Steps + 1) / Trips) + There * Place +
         After * Steps / Trips;
}

double PartsBetween::mean(llvm::function_ref<double(double)> Of) const {
  // Few steps are looked at one by one.
  constexpr double Enough = 16;
  double Trips = std::max(EarlierTrips, LaterTrips), Places = Enough;
  if (Trips <= Enough)
    Places = std::ceil(Enough / Trips) * std::floor(Trips);
  double Sum = 0;
  for (double I = 0; I < Places; ++I)
    Sum += Of((I + 0.5) / Places);
  return Sum / Places;
}

PartsBetween LayerModel::partsBetween(unsigned Earlier, unsigned Later,
                                      double Blocks, bool Only) const {
  auto begins = [&](unsigned I) { return Groups[I]->Members.front(); };
  unsigned First = begins(Earlier), Last = begins(Later);
  enum Part { Before, Between, After };
  struct Use {
    std::array<double, 3> Room{};    ///< in each part
    std::array<PartRoom, 3> Steps{}; ///< the same
    bool Elsewhere = false;
  };
  std::map<unsigned, Use> Uses;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    const AccessGroup &G = *Groups[I];
    Use &Of = Uses[G.Footprint];
    Part In = Between;
    unsigned Same = 0;
    if (section(I) == section(Earlier))
      In = Before, Same = Earlier;
    else if (section(I) == section(Later))
      In = After, Same = Later;
    else if (begins(I) < First || begins(I) > Last) {
      Of.Elsewhere = true;
      continue;
    }
    double Own =
        footprint(G, G.Starts, G.Pattern.Chain.size(), Blocks, View.Line);
    if (Own <= Of.Room[In])
      continue;
    Of.Room[In] = Own;
    PartRoom &Steps = Of.Steps[In] = PartRoom();
    (G.Footprint == Groups[Same]->Footprint ? Steps.There
     : begins(I) < begins(Same)             ? Steps.Before
                                            : Steps.After) = Own;
  }
  PartsBetween Out;
  auto trips = [&](unsigned I) {
    return std::max(1.0, Groups[I]->Pattern.Trips.back());
  };
  Out.EarlierTrips = trips(Earlier);
  Out.LaterTrips = trips(Later);
  auto add = [](PartRoom &To, const PartRoom &Of) {
    To.Before += Of.Before;
    To.There += Of.There;
    To.After += Of.After;
  };
  for (auto &[Footprint, Of] : Uses) {
    if (Only && (Of.Elsewhere || (Of.Room[Before] > 0 && Of.Room[After] > 0)))
      continue;
    // Used between, too, it counts as a whole on its way, but what is used only
    // from here on or up to there counts in part.
    if (Of.Room[Between] > 0 &&
        (!Only || (Of.Room[Before] == 0 && Of.Room[After] == 0))) {
      Out.Between += Of.Room[Between];
      continue;
    }
    add(Out.Earlier, Of.Steps[Before]);
    add(Out.Later, Of.Steps[After]);
  }
  return Out;
}

} // namespace gpuestimate
