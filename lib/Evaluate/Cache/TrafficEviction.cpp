/// \file
/// What a launch writes and its cache cannot keep until the end.
#include "TrafficLevels.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

namespace {

/// Warps that bring equal amounts, as shares of what all of them bring.
struct WarpClass {
  double Share = 0; ///< of the warps
  double Before =
      0; ///< brought by a warp before the stores, in means of a warp
  double During = 0; ///< ... in the part of the kernel with the stores
  double All = 0;
  double Stores = 0; ///< share of the stores
};

/// Warps advance together, each at the same pace, until it ends. The time is
/// what a warp has brought by then, in means over the warps.
class Progress {
public:
  explicit Progress(std::vector<WarpClass> Of) : Classes(std::move(Of)) {}

  /// The time after which as much as Share of everything is still to come.
  double timeBefore(double Share) const {
    if (Share >= 1)
      return 0;
    double Low = 0, High = 0;
    for (const WarpClass &C : Classes)
      High = std::max(High, C.All);
    if (Share <= 0)
      return High;
    for (unsigned Step = 0; Step < 40; ++Step) {
      double Middle = (Low + High) / 2;
      (toCome(Middle) > Share ? Low : High) = Middle;
    }
    return High;
  }
  /// Share of the stores that are made before a time.
  double storedBefore(double Time) const {
    double Sum = 0;
    for (const WarpClass &C : Classes)
      Sum += C.Stores *
             std::clamp((Time - C.Before) / std::max(C.During, 1e-6), 0.0, 1.0);
    return Sum;
  }

private:
  double toCome(double Time) const {
    double Sum = 0;
    for (const WarpClass &C : Classes)
      Sum += C.Share * std::max(0.0, C.All - Time);
    return Sum;
  }
  std::vector<WarpClass> Classes;
};

} // namespace

/// Executions of a group by a warp of the path.
static double runs(const AccessGroup &G, const WarpPath &Path) {
  if (G.Block >= Path.BlockShare.size())
    return 1;
  double Out = Path.BlockShare[G.Block];
  for (unsigned Loop : G.Pattern.Chain)
    Out *= Path.LoopShare[Loop] * Path.LoopTrips[Loop];
  return Out;
}

/// Classes of about equal numbers of warps, by what a warp brings.
static std::vector<WarpClass> classes(std::vector<WarpClass> Each) {
  constexpr double Most = 16;
  llvm::sort(Each, [](auto &A, auto &B) { return A.All < B.All; });
  std::vector<WarpClass> Out;
  double Share = 0;
  for (const WarpClass &W : Each) {
    double From = std::floor(Share * Most);
    Share += W.Share;
    bool Same = !Out.empty() &&
                (W.All <= Out.back().All * (1 + 1e-9) ||
                 std::floor(Share * Most - 1e-9) <= From) &&
                Out.back().Share < 1 / Most + 1e-9;
    if (!Same) {
      Out.push_back(W);
      continue;
    }
    WarpClass &C = Out.back();
    double Old = C.Share / (C.Share + W.Share), New = 1 - Old;
    C.Before = Old * C.Before + New * W.Before;
    C.During = Old * C.During + New * W.During;
    C.All = Old * C.All + New * W.All;
    C.Share += W.Share;
    C.Stores += W.Stores;
  }
  return Out;
}

double LayerModel::evicted(unsigned Group) const {
  if (everything() <= View.Full)
    return 0;
  // The part of a block's way in which the group writes. A later part that
  // reads the same finds it as long as it has not left.
  unsigned Last = Uses[Groups[Group]->Footprint]->second;
  double Left = 0;
  if (section(Last) != section(Group) && section(Last) >= 0 &&
      section(Group) >= 0)
    Left = 1 - capturedBetween(Group, Last);
  Group = Last;
  const AccessGroup &Stores = *Groups[Group];
  llvm::ArrayRef<WarpPath> Paths = Stores.Paths;
  std::vector<WarpClass> Warps(std::max<size_t>(1, Paths.size()));
  double Number = 0;
  for (const WarpPath &Path : Paths)
    Number += Path.Weight;
  auto share = [&](unsigned W) {
    return Number > 0 ? Paths[W].Weight / Number : 1;
  };
  auto mean = [&](const AccessGroup &G, unsigned W) {
    return Number > 0 ? runs(G, Paths[W]) : 1;
  };
  double Sum = 0;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    const AccessGroup &G = *Groups[I];
    double Own = footprint(G, G.Starts, G.Pattern.Chain.size(), View.Resident,
                           View.Line),
           Runs = 0;
    Sum += Own;
    for (unsigned W = 0; W < Warps.size(); ++W)
      Runs += share(W) * mean(G, W);
    for (unsigned W = 0; W < Warps.size() && Runs > 0; ++W) {
      double Of = Own * mean(G, W) / Runs;
      Warps[W].All += Of;
      if (section(I) == section(Group))
        Warps[W].During += Of;
      else if (G.Members.front() < Stores.Members.front())
        Warps[W].Before += Of;
      if (I == Group)
        Warps[W].Stores = share(W) * mean(G, W) / Runs;
    }
  }
  for (unsigned W = 0; W < Warps.size(); ++W) {
    Warps[W].Share = share(W);
    Warps[W].All /= Sum;
    Warps[W].Before /= Sum;
    Warps[W].During /= Sum;
  }
  // A sector counts from its last store on: where iterations of a loop come
  // back to it, from the last of them.
  double Earlier = 0, Here = 1;
  for (unsigned Loop = Stores.Pattern.Chain.size(); Loop-- > 0;) {
    double Trips = Stores.Pattern.Trips[Loop];
    double Visits = Trips * footprint(Group, Loop, View.Resident) /
                    std::max(1.0, footprint(Group, Loop + 1, View.Resident));
    double Passed = (std::clamp(Visits, 1.0, Trips) - 1) / Trips;
    Earlier += Here * Passed;
    Here *= 1 - Passed;
    if (Visits < Trips * (1 - 1e-9))
      break;
  }
  for (WarpClass &W : Warps) {
    W.Before += Earlier * W.During;
    W.During *= Here;
  }
  const Progress Way(classes(std::move(Warps)));
  // Lost is what is written so early that the rest of the wave and the blocks
  // behind it take more room than there is.
  double Waves = std::ceil(View.All / View.Slots - 1e-9);
  auto size = [&](double Wave) {
    return std::min(View.Slots, View.All - Wave * View.Slots);
  };
  auto lost = [&](double Wave, double Room) {
    double Behind = View.All - Wave * View.Slots - size(Wave);
    double After = Behind > 0 ? volume(-1, Behind) : 0;
    double Own = volume(-1, size(Wave));
    return Way.storedBefore(Way.timeBefore((Room - After) / Own));
  };
  auto written = [&](double Room) {
    // All of the early waves, nothing of the last ones.
    double Early = -1, Late = Waves;
    while (Late - Early > 1) {
      double Middle = std::floor((Early + Late) / 2);
      (lost(Middle, Room) > 1 - 1e-6 ? Early : Late) = Middle;
    }
    double Out = (Early + 1) * View.Slots;
    for (double Wave = Late; Wave < std::min(Waves, Late + 4); ++Wave)
      Out += size(Wave) * lost(Wave, Room);
    return std::min(1.0, Out / View.All);
  };
  // What a cache captures of a distance is the chance that its room is larger.
  constexpr unsigned Rooms = 4;
  double Written = 0;
  for (unsigned I = 0; I < Rooms; ++I)
    Written +=
        written(View.Full + (View.Gone - View.Full) * (I + 0.5) / Rooms) /
        Rooms;
  return Left + (1 - Left) * Written;
}

} // namespace gpuestimate
