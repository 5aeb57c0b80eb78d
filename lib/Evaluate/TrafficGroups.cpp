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

static bool sameLoops(const AccessGroup &A, llvm::StringRef Base,
                      const AccessPattern &B) {
  return A.Pattern.Role == B.Role && A.Pattern.BasePoint == B.BasePoint &&
         A.Pattern.Chain == B.Chain && A.Pattern.Loops == B.Loops &&
         A.Base == Base && !A.Base.empty();
}

/// Where a copy of Whole begins that covers, together with Whole itself, no
/// more than Part does: Part has fewer positions along some of its directions.
/// nullopt where Part is no such part, or too far away.
static std::optional<double> asWhole(const AccessPattern &Part, double Start,
                                     const AccessPattern &Whole) {
  Directions Of = Whole.Lanes;
  llvm::sort(Of, [](auto &A, auto &B) { return A.Stride > B.Stride; });
  unsigned Found = 0;
  double Rest = Start - Whole.Start, Moved = Start;
  for (const Direction &D : Of) {
    if (D.Stride <= 0 || D.Stride >= ScatterStride)
      return std::nullopt;
    double Extent = 1;
    for (const Direction &Own : Part.Lanes)
      if (Own.Stride == D.Stride && Own.Extent <= D.Extent) {
        Extent = Own.Extent;
        ++Found;
      }
    double Step = std::round(Rest / D.Stride);
    Rest -= Step * D.Stride;
    if (Step < -D.Extent || Step > 2 * D.Extent - Extent)
      return std::nullopt;
    if (Step > 0)
      Moved += (std::max(0.0, Step + Extent - D.Extent) - Step) * D.Stride;
  }
  if (Found != Part.Lanes.size() || Rest != 0)
    return std::nullopt;
  return Moved;
}

/// The few copies of a pattern along directions that Whole has not got (both
/// edges of a tile in one access): shifts of it, and the pattern without them.
static llvm::SmallVector<double, 4> takeCopies(AccessPattern &P,
                                               const AccessPattern &Whole) {
  constexpr double Few = 4;
  llvm::SmallVector<double, 4> Shifts = {0};
  llvm::erase_if(P.Lanes, [&](const Direction &D) {
    bool Known = llvm::any_of(Whole.Lanes, [&](const Direction &Other) {
      return Other.Stride == D.Stride;
    });
    if (Known || D.Extent != std::floor(D.Extent) ||
        D.Extent * double(Shifts.size()) > Few)
      return false;
    llvm::SmallVector<double, 4> All;
    for (double Shift : Shifts)
      for (double I = 0; I < D.Extent; ++I)
        All.push_back(Shift + I * D.Stride);
    Shifts = All;
    return true;
  });
  return Shifts;
}

/// Joins Part to Whole; false where it is no part of it.
static bool join(AccessGroup &Whole, const AccessGroup &Part) {
  const AccessPattern &Asked = Part.Pattern, &W = Whole.Pattern;
  if (Asked.DrawnSectors || W.DrawnSectors ||
      Asked.Role == CacheRole::Private || Asked.Width != W.Width ||
      Asked.Lanes == W.Lanes || Asked.OfChip != W.OfChip ||
      !sameLoops(Whole, Part.Base, Asked))
    return false;
  AccessPattern P = Asked;
  llvm::SmallVector<double, 4> Shifts = takeCopies(P, W);
  std::vector<double> Starts, More;
  for (double Start : Part.Starts)
    for (double Shift : Shifts) {
      std::optional<double> Moved = asWhole(P, Start + Shift, W);
      if (!Moved)
        return false;
      (Shift == 0 ? Starts : More).push_back(*Moved);
    }
  for (auto [Member, Start] : llvm::zip(Part.Members, Starts)) {
    auto At = llvm::lower_bound(Whole.Members, Member);
    Whole.Starts.insert(Whole.Starts.begin() + (At - Whole.Members.begin()),
                        Start);
    Whole.Members.insert(At, Member);
  }
  llvm::append_range(Whole.Starts, More);
  Whole.SectorsPerBlock += Part.SectorsPerBlock;
  Whole.Threads += Part.Threads;
  return true;
}

/// Edges of a tile join the tile: what they load lies within its box.
static void joinParts(std::vector<AccessGroup> &Groups) {
  for (size_t I = 0; I < Groups.size();) {
    bool Joined = llvm::any_of(Groups, [&](AccessGroup &Whole) {
      return &Whole != &Groups[I] && join(Whole, Groups[I]);
    });
    if (Joined)
      Groups.erase(Groups.begin() + I);
    else
      ++I;
  }
}

std::vector<AccessGroup>
groupAccesses(const KernelModel &Kernel, const LaunchSample &Sample,
              const std::vector<AccessPattern> &Patterns, const Residency &R) {
  std::vector<AccessGroup> Groups;
  for (const AccessPattern &P : Patterns) {
    const AccessTotals &Total = Sample.Accesses[P.Access];
    if (P.Role == CacheRole::None || Total.Sectors <= 0)
      continue;
    const std::string &Base = Kernel.Accesses[P.Access].Base;
    auto Known = llvm::find_if(Groups, [&](const AccessGroup &G) {
      return sameLoops(G, Base, P) && sameDirections(G.Pattern, P);
    });
    if (Known == Groups.end()) {
      AccessGroup New;
      New.Pattern = P;
      New.Base = Base;
      New.Block = Kernel.Accesses[P.Access].Block;
      New.Paths = Sample.Paths;
      New.Writes = Kernel.Accesses[P.Access].Kind == AccessKind::Store;
      Groups.push_back(std::move(New));
      Known = std::prev(Groups.end());
    }
    Known->Modifies |= Kernel.Accesses[P.Access].Kind == AccessKind::Store;
    Known->Members.push_back(P.Access);
    Known->Starts.push_back(P.Start);
    Known->SectorsPerBlock += P.SectorsPerBlock;
    Known->Threads += P.Threads;
    Known->Pattern.Width = std::max(Known->Pattern.Width, P.Width);
  }
  joinParts(Groups);
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
