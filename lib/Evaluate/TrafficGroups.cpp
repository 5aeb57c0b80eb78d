/// \file
/// Accesses that go the same way, joined.
#include "gpu-estimate/Evaluate/TrafficLevels.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static bool sameDirections(const AccessPattern &A, const AccessPattern &B) {
  return A.Lanes == B.Lanes && A.Loops == B.Loops && A.OfChip == B.OfChip &&
         A.DrawnSectors == B.DrawnSectors;
}

static bool sameLoops(const AccessGroup &A, const AccessGroup &B) {
  return A.Base == B.Base && !A.Base.empty() &&
         A.Pattern.Role == B.Pattern.Role &&
         A.Pattern.Chain == B.Pattern.Chain &&
         A.Pattern.BasePoint == B.Pattern.BasePoint &&
         A.Pattern.Loops == B.Pattern.Loops;
}

std::vector<AccessGroup>
groupAccesses(const KernelModel &Kernel, const LaunchSample &Sample,
              const std::vector<AccessPattern> &Patterns, const Residency &R) {
  std::vector<AccessGroup> Groups;
  for (const AccessPattern &P : Patterns) {
    const AccessTotals &Total = Sample.Accesses[P.Access];
    if (P.Role == CacheRole::None || Total.Sectors <= 0)
      continue;
    AccessGroup New;
    New.Pattern = P;
    New.Base = Kernel.Accesses[P.Access].Base;
    auto Known = llvm::find_if(Groups, [&](const AccessGroup &G) {
      return sameLoops(G, New) && sameDirections(G.Pattern, P);
    });
    if (Known == Groups.end()) {
      New.Writes = Kernel.Accesses[P.Access].Kind == AccessKind::Store;
      Groups.push_back(std::move(New));
      Known = std::prev(Groups.end());
    }
    Known->Members.push_back(P.Access);
    Known->Starts.push_back(P.Start);
    Known->SectorsPerBlock += P.SectorsPerBlock;
    Known->Threads += P.Threads;
    Known->Pattern.Width = std::max(Known->Pattern.Width, P.Width);
  }
  unsigned Footprints = 0;
  for (AccessGroup &G : Groups) {
    G.Footprint = Footprints++;
    for (const AccessGroup &Other : Groups) {
      if (&Other == &G)
        break;
      if (Other.Base == G.Base && !G.Base.empty() && !G.Pattern.DrawnSectors &&
          Other.Pattern.Lanes == G.Pattern.Lanes &&
          Other.Pattern.OfChip == G.Pattern.OfChip)
        G.Footprint = Other.Footprint;
    }
    double Nominal = G.SectorsPerBlock * R.Blocks, Actual = 0;
    double NominalThreads = G.Threads * R.Blocks, Threads = 0;
    for (double T : G.Pattern.Trips) {
      Nominal *= T;
      NominalThreads *= T;
    }
    for (unsigned A : G.Members) {
      Actual += Sample.Accesses[A].Sectors;
      Threads += Sample.Accesses[A].Threads;
    }
    G.Activity = Nominal > 0 ? Actual / Nominal : 1;
    G.Executed = NominalThreads > 0 ? Threads / NominalThreads : G.Activity;
  }
  return Groups;
}

} // namespace gpuestimate
