/// \file
/// Groups that use the same objects: what they share, and what was written.
#include "TrafficLevels.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static bool reads(const AccessGroup &G) {
  CacheRole Role = G.Pattern.Role;
  return Role == CacheRole::CachedLoad || Role == CacheRole::Load ||
         (Role == CacheRole::Private && !G.Writes);
}

static bool writes(const AccessGroup &G) {
  return G.Pattern.Role == CacheRole::Store ||
         (G.Pattern.Role == CacheRole::Private && G.Writes);
}

/// Several groups that read one object at different places of the kernel share
/// what they fetch: within the resident blocks, if what these use stays, all
/// that they have in common; over more and more blocks, if what fewer use
/// stays, what lies between the first byte and the last.
void LayerModel::shareObjects(std::vector<double> &Bytes) const {
  std::map<std::string, std::vector<unsigned>> ByObject;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    if (!Groups[I]->Base.empty() && reads(*Groups[I]))
      ByObject[Groups[I]->Base].push_back(I);
  }
  double Caches = View.Blocks / View.All;
  for (auto &[Base, Sharing] : ByObject) {
    if (Sharing.size() < 2)
      continue;
    // From the first byte to the last, for some blocks.
    auto extent = [&](double Blocks) {
      double Low = INFINITY, High = -INFINITY;
      for (unsigned I : Sharing) {
        const AccessPattern &P = Groups[I]->Pattern;
        for (double Start : Groups[I]->Starts) {
          auto [L, H] =
              P.DrawnSectors > 0
                  ? std::pair(0.0, P.DrawnSectors * P.Sector)
                  : span(directions(P, P.Chain.size(), Blocks), Start, P.Width);
          Low = std::min(Low, L);
          High = std::max(High, H);
        }
      }
      return High - Low + 2 * View.Fetch;
    };
    double Apart = 0, Resident = 0, Once = 0;
    struct Fetch {
      double Sum = 0, Most = 0; ///< of the groups, of one of them
      double Distinct = 0;
    };
    std::map<unsigned, Fetch> ByFootprint;
    for (unsigned I : Sharing) {
      Apart += Bytes[I];
      Fetch &Of = ByFootprint[Groups[I]->Footprint];
      Of.Sum += Bytes[I];
      Of.Most = std::max(Of.Most, Bytes[I]);
      Of.Distinct = std::max(Of.Distinct, distinct(I) * Caches);
    }
    for (auto &[Footprint, Of] : ByFootprint) {
      double Least = std::min(Of.Sum, Of.Distinct);
      Resident += std::max(Of.Most, Least);
      Once += Least;
    }
    auto covered = [&](double Blocks) {
      return extent(Blocks) * Caches * std::ceil(View.All / Blocks);
    };
    double Now = std::min({Apart, Resident, covered(View.Resident)});
    double Saved =
        (Apart - Now) * capturedBetween(Sharing.front(), Sharing.back());
    double Before = View.Resident;
    for (double Blocks : blockLevels(Groups[Sharing.front()]->Pattern)) {
      double Next = std::min(Now, covered(Blocks));
      if (Blocks >= View.All)
        Next = std::min(Next, Once);
      Saved += (Now - Next) * capturedAfter(Before);
      Now = Next;
      Before = Blocks;
    }
    for (unsigned I : Sharing)
      if (Apart > 0)
        Bytes[I] -= Saved * Bytes[I] / Apart;
  }
}

/// Loads of what the launch has written before find it, as far as what passes
/// in between fits: the body of the loop around both, or the kernel's.
void LayerModel::findWhatWasWritten(std::vector<double> &Bytes) const {
  for (unsigned I = 0; I < Groups.size(); ++I) {
    const AccessGroup &Load = *Groups[I];
    if (!reads(Load) || Load.Base.empty())
      continue;
    double Found = 0;
    for (unsigned S = 0; S < Groups.size(); ++S) {
      const AccessGroup *Store = Groups[S];
      if (!writes(*Store) || Store->Base != Load.Base ||
          Store->Footprint != Load.Footprint ||
          Store->Members.front() > Load.Members.front())
        continue;
      int Around = -1;
      for (unsigned Loop : Load.Pattern.Chain)
        if (llvm::is_contained(Store->Pattern.Chain, Loop)) {
          Around = Loop;
          break;
        }
      Found = std::max(Found, Around >= 0
                                  ? capturedIn(Around, heldInside(S, Around))
                                  : capturedBetween(S, I, heldInside(S, -1)));
    }
    Bytes[I] -= Found * std::min(Bytes[I], distinct(I));
  }
}

} // namespace gpuestimate
