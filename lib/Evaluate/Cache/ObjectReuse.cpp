#include "ObjectReuse.h"

#include "DecisionLog.h"
#include "LaunchFootprint.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

void ObjectReuse::shareLoads(std::vector<double> &FetchedBytes) const {
  std::map<std::string, std::vector<unsigned>> LoadsByObject;
  for (unsigned I = 0; I < Footprints.size(); ++I) {
    const ReferenceGroup &G = Footprints.group(I);
    if (!G.Object.empty() && G.reads())
      LoadsByObject[G.Object].push_back(I);
  }
  for (auto &[Object, Loads] : LoadsByObject)
    if (Loads.size() >= 2)
      shareLoads(Loads, FetchedBytes);
}

double ObjectReuse::spanBytes(llvm::ArrayRef<unsigned> Loads,
                              double Blocks) const {
  // Windows of blocks lie in the middle of the grid, where the two ends of an
  // array meet. All blocks together begin with the first one: groups that move
  // differently from block to block lie differently there.
  bool IsLaunch = Blocks >= Footprints.view().BlocksPerCache;
  double Largest = 0;
  for (bool FromFirstBlock : {false, true}) {
    if (FromFirstBlock && !IsLaunch)
      continue;
    double First = INFINITY, Last = -INFINITY;
    for (unsigned I : Loads) {
      const ReferenceGroup &G = Footprints.group(I);
      const AccessPattern &P = G.Pattern;
      double Shift = FromFirstBlock ? P.BlockOffset : 0;
      for (double Start : G.Starts) {
        auto [Low, High] =
            G.isIndirect()
                ? std::pair(0.0, P.IndirectSectors * P.SectorBytes)
                : span(Footprints.directions(P, G.loopDepth(), Blocks),
                       Start - Shift, P.Width);
        First = std::min(First, Low);
        Last = std::max(Last, High);
      }
    }
    Largest = std::max(Largest, Last - First);
  }
  return Largest + 2 * Footprints.view().LoadFillBytes;
}

double ObjectReuse::distinctBytes(std::vector<unsigned> Groups) const {
  llvm::sort(Groups, [&](unsigned A, unsigned B) {
    return Footprints.launchBytes(A) > Footprints.launchBytes(B);
  });
  std::vector<LaunchFootprint> Counted;
  double Sum = 0;
  for (unsigned I : Groups) {
    LaunchFootprint Own(Footprints.group(I), Footprints.view().LaunchBlocks);
    double Shared = 0;
    for (const LaunchFootprint &Larger : Counted)
      Shared = std::max(Shared, Own.shareIn(Larger));
    Sum += Footprints.launchBytes(I) * (1 - Shared);
    if (Shared < 1)
      Counted.push_back(std::move(Own));
  }
  return Sum;
}

void ObjectReuse::shareLoads(llvm::ArrayRef<unsigned> Loads,
                             std::vector<double> &FetchedBytes) const {
  const CacheView &View = Footprints.view();
  double Caches = View.LaunchBlocks / View.BlocksPerCache;
  double SeparateBytes = 0, ResidentBytes = 0, ColdBytes = 0;
  struct Fetches {
    std::vector<unsigned> Groups;
    double Sum = 0, Max = 0; ///< bytes, over the groups
  };
  std::map<unsigned, Fetches> ByFootprint;
  for (unsigned I : Loads) {
    SeparateBytes += FetchedBytes[I];
    Fetches &F = ByFootprint[Footprints.group(I).FootprintClass];
    F.Sum += FetchedBytes[I];
    F.Max = std::max(F.Max, FetchedBytes[I]);
    F.Groups.push_back(I);
  }
  for (auto &[FootprintClass, F] : ByFootprint) {
    double MinBytes = std::min(F.Sum, distinctBytes(F.Groups) * Caches);
    ResidentBytes += std::max(F.Max, MinBytes);
    ColdBytes += MinBytes;
  }
  auto spans = [&](double Blocks) {
    return spanBytes(Loads, Blocks) * Caches *
           std::ceil(View.BlocksPerCache / Blocks);
  };
  double Bytes =
      std::min({SeparateBytes, ResidentBytes, spans(View.ResidentBlocks)});
  double Hits = (SeparateBytes - Bytes) *
                Reuse.hitFractionBetweenSections(Loads.front(), Loads.back());
  double Window = View.ResidentBlocks;
  for (double NextWindow :
       Reuse.blockWindows(Footprints.group(Loads.front()).Pattern)) {
    double NextBytes = std::min(Bytes, spans(NextWindow));
    if (NextWindow >= View.BlocksPerCache)
      NextBytes = std::min(NextBytes, ColdBytes);
    Hits += (Bytes - NextBytes) * Reuse.hitFractionAfterBlocks(Window);
    Bytes = NextBytes;
    Window = NextWindow;
  }
  if (View.Log && Hits > 0)
    View.Log->write(View.Name, Footprints.group(Loads.front()),
                    "shares the object with " + llvm::Twine(Loads.size() - 1) +
                        " other groups of loads: " + shortBytes(Hits) + " of " +
                        shortBytes(SeparateBytes) + " are fetched once");
  for (unsigned I : Loads)
    if (SeparateBytes > 0)
      FetchedBytes[I] -= Hits * FetchedBytes[I] / SeparateBytes;
}

void ObjectReuse::forwardStores(std::vector<double> &FetchedBytes) const {
  for (unsigned L = 0; L < Footprints.size(); ++L) {
    const ReferenceGroup &Load = Footprints.group(L);
    if (!Load.reads() || Load.Object.empty())
      continue;
    double HitFraction = 0;
    for (unsigned S = 0; S < Footprints.size(); ++S) {
      const ReferenceGroup &Store = Footprints.group(S);
      if (!Store.writes() || Store.Object != Load.Object ||
          Store.FootprintClass != Load.FootprintClass ||
          Store.Members.front() > Load.Members.front())
        continue;
      int CommonLoop = -1;
      for (unsigned Loop : Load.Pattern.EnclosingLoops)
        if (llvm::is_contained(Store.Pattern.EnclosingLoops, Loop)) {
          CommonLoop = Loop;
          break;
        }
      HitFraction =
          std::max(HitFraction,
                   CommonLoop >= 0
                       ? Reuse.hitFractionInLoop(
                             CommonLoop, Reuse.dirtyBytesInInner(S, CommonLoop))
                       : Reuse.hitFractionBetweenSections(
                             S, L, Reuse.dirtyBytesInInner(S, -1)));
    }
    if (const CacheView &View = Footprints.view(); View.Log && HitFraction > 0)
      View.Log->write(View.Name, Load,
                      "earlier stores have left the data: hits " +
                          shortNumber(HitFraction));
    FetchedBytes[L] -=
        HitFraction * std::min(FetchedBytes[L], Footprints.launchBytes(L));
  }
}

} // namespace gpuestimate
