#include "ReuseModel.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

ReuseModel::ReuseModel(const FootprintModel &Footprints,
                       const WorkingSetModel &WorkingSets,
                       const KernelSections &Sections, const ReuseModel *Inner)
    : Footprints(Footprints), WorkingSets(WorkingSets), Sections(Sections),
      Inner(Inner), View(Footprints.view()) {}

double ReuseModel::hitFractionAfterBlocks(double Blocks) const {
  auto Entry = AfterBlocksMemo.find(Blocks);
  return Entry != AfterBlocksMemo.end()
             ? Entry->second
             : AfterBlocksMemo[Blocks] = computeHitFractionAfterBlocks(Blocks);
}

double ReuseModel::computeHitFractionAfterBlocks(double Blocks) const {
  if (Blocks >= View.BlocksPerCache)
    return View.hitFraction(WorkingSets.launchBytes());
  double Waves = std::max(1.0, Blocks / View.ResidentBlocks);
  double Fewer = std::floor(Waves), MoreFraction = Waves - Fewer;
  auto afterWaves = [&](double Count) {
    return hitFractionAfterWindow(
        std::min(View.BlocksPerCache, Count * View.ResidentBlocks));
  };
  return (1 - MoreFraction) * afterWaves(Fewer) +
         (MoreFraction > 0 ? MoreFraction * afterWaves(Fewer + 1) : 0);
}

double ReuseModel::hitFractionAfterWindow(double Blocks, double Copies) const {
  auto hitFraction = [&](double Bytes) {
    return View.hitFraction(Bytes, Copies);
  };
  auto distance = [&](WindowOverlap Rows) {
    return WorkingSets.bytes(-1, Blocks, -1, Rows);
  };
  double Mean = distance(WindowOverlap::Mean);
  double Fewest = distance(WindowOverlap::Min),
         Largest = distance(WindowOverlap::Max);
  if (Largest <= Fewest)
    return hitFraction(Mean);
  double LargestWeight =
      std::clamp((Mean - Fewest) / (Largest - Fewest), 0.0, 1.0);
  return (1 - LargestWeight) * hitFraction(Fewest) +
         LargestWeight * hitFraction(Largest);
}

double ReuseModel::meanOverWaves(
    llvm::function_ref<double(double Blocks)> HitFraction) const {
  double Fewer = std::floor(View.BlocksPerCache),
         MoreFraction = View.BlocksPerCache - Fewer, Sum = 0, Work = 0;
  // Caches with a number of blocks, some of which are in the last row.
  auto add = [&](double Caches, double Blocks, double InLastRow) {
    if (Caches * Blocks <= 1e-9)
      return;
    double LastWave = Blocks -
                      std::ceil(Blocks / View.BlockSlots - 1) * View.BlockSlots,
           FullWaves = Blocks - LastWave;
    LastWave -=
        std::min(InLastRow, LastWave) * (1 - View.LastRowActiveFraction);
    Sum += Caches * LastWave * HitFraction(LastWave);
    if (FullWaves > 0)
      Sum += Caches * FullWaves * HitFraction(View.BlockSlots);
    Work += Caches * (FullWaves + LastWave);
  };
  // Caches that have one block more have it at the end.
  double WholeRows = View.LastRowActiveFraction < 1
                         ? std::floor(View.LastRowBlocks)
                         : 0,
         PartRow = View.LastRowActiveFraction < 1
                       ? View.LastRowBlocks - WholeRows
                       : 0,
         Both = std::min(PartRow, MoreFraction);
  add(Both, Fewer + 1, WholeRows + 1);
  add(MoreFraction - Both, Fewer + 1, WholeRows);
  add(PartRow - Both, Fewer, WholeRows + 1);
  add(1 - MoreFraction - (PartRow - Both), Fewer, WholeRows);
  return Work > 0 ? Sum / Work : 0;
}

double ReuseModel::copies(double Sharers) const {
  double Partitions = View.Partitions;
  return Partitions * (1 - std::pow(1 - 1 / Partitions, Sharers));
}

double ReuseModel::hitFractionInLoop(int Loop, double DirtyInInnerBytes,
                                     double Copies) const {
  llvm::ArrayRef<double> Ends = WorkingSets.phases(Loop);
  return meanOverWaves([&](double Blocks) {
    double Sum = 0, Begin = 0;
    for (double End : Ends) {
      double Phase = Ends.size() > 1 ? (Begin + End) / 2 : -1;
      Sum +=
          (End - Begin) * hitFractionAt(WorkingSets.bytes(Loop, Blocks, Phase),
                                        DirtyInInnerBytes, Copies);
      Begin = End;
    }
    return Sum;
  });
}

double ReuseModel::hitFractionAt(double ReuseDistance, double DirtyInInnerBytes,
                                 double Copies) const {
  return View.hitFraction(
      std::min(ReuseDistance,
               2 * std::max(0.0, ReuseDistance - DirtyInInnerBytes)),
      Copies);
}

double ReuseModel::dirtyBytesInInner(unsigned Group, int Loop) const {
  const ReferenceGroup &G = Footprints.group(Group);
  if (!Inner || !G.isLocal())
    return 0;
  bool Modified =
      llvm::any_of(Footprints.groups(), [&](const ReferenceGroup *Other) {
        return Other->FootprintClass == G.FootprintClass && Other->HasStore &&
               (Loop < 0 ||
                llvm::is_contained(Other->Pattern.EnclosingLoops, Loop));
      });
  if (!Modified)
    return 0;
  double InnerCaches = Inner->View.LaunchBlocks / Inner->View.BlocksPerCache;
  return std::min(Inner->View.capacityBytes() * InnerCaches,
                  Footprints.bytes(Group, G.loopDepth(), View.ResidentBlocks));
}

double ReuseModel::lockstepDedupFactor(unsigned Group) const {
  const ReferenceGroup &G = Footprints.group(Group);
  if (G.isIndirect())
    return 1;
  // An inner cache requests once what its blocks share; without one, every
  // block sends its own request.
  bool HasInner = Inner && WorkingSets.innerGroup(Group);
  double BlocksPerRequest = HasInner ? Inner->View.ResidentBlocks : 1;
  double RequestBytes =
      HasInner ? Inner->Footprints.bytes(G, G.Starts, 0, BlocksPerRequest,
                                         Footprints.fillBytes(G))
               : Footprints.bytes(Group, 0, 1);
  double Requested = RequestBytes * View.ResidentBlocks / BlocksPerRequest;
  return Requested > 0
             ? std::min(1.0, Footprints.bytes(Group, 0, View.ResidentBlocks) /
                                 Requested)
             : 1;
}

double ReuseModel::hitFractionBetweenMembers(unsigned Group) const {
  const std::vector<unsigned> &Chain =
      Footprints.group(Group).Pattern.EnclosingLoops;
  int Innermost = Chain.empty() ? -1 : int(Chain[0]);
  double Between = WorkingSets.bytesBetweenMembers(Group),
         Copies = copies(1 / lockstepDedupFactor(Group));
  return meanOverWaves([&](double Blocks) {
    return View.hitFraction(
        std::min(WorkingSets.bytes(Innermost, Blocks), Between), Copies);
  });
}

double ReuseModel::marginal(
    unsigned Group, double HitFraction,
    llvm::function_ref<double(unsigned)> InnerHitFraction) const {
  std::optional<unsigned> InnerGroup = WorkingSets.innerGroup(Group);
  if (!InnerGroup)
    return HitFraction;
  double InnerHits = InnerHitFraction(*InnerGroup);
  return InnerHits < 1
             ? std::max(0.0, HitFraction - InnerHits) / (1 - InnerHits)
             : HitFraction;
}

double ReuseModel::marginalHitFractionBetweenMembers(unsigned Group) const {
  return marginal(Group, hitFractionBetweenMembers(Group),
                  [&](unsigned InnerGroup) {
                    return Inner->hitFractionBetweenMembers(InnerGroup);
                  });
}

double ReuseModel::marginalHitFractionInLoop(unsigned Group, int Loop) const {
  double Copies = copies(1 / lockstepDedupFactor(Group));
  return marginal(
      Group, hitFractionInLoop(Loop, dirtyBytesInInner(Group, Loop), Copies),
      [&](unsigned) { return Inner->hitFractionInLoop(Loop); });
}

double ReuseModel::hitFractionBetweenSections(unsigned Earlier, unsigned Later,
                                              double DirtyInInnerBytes) const {
  double Copies = copies(1 / lockstepDedupFactor(Earlier));
  // Within a section, blocks drift apart by more than the time of a few
  // requests, so that its whole body passes by.
  if (!Sections.areDifferentLoops(Earlier, Later))
    return hitFractionInLoop(-1, DirtyInInnerBytes, Copies);
  return meanOverWaves([&](double Blocks) {
    SectionDistance Distance =
        Sections.distance(Earlier, Later, Blocks, /*OnlyHere=*/false);
    return Distance.mean([&](double Position) {
      return hitFractionAt(Distance.bytesAt(Position), DirtyInInnerBytes,
                           Copies);
    });
  });
}

llvm::SmallVector<double, 8>
ReuseModel::blockWindows(const AccessPattern &P) const {
  if (!Footprints.isRandomlyPlaced(P))
    return windowBreakpoints(Footprints.blockMap(P), View.ResidentBlocks,
                             View.BlocksPerCache);
  // Randomly placed blocks may reuse data after any number of blocks.
  llvm::SmallVector<double, 8> Windows;
  for (double Blocks = 2 * View.ResidentBlocks;
       Blocks < View.BlocksPerCache && hitFractionAfterBlocks(Blocks / 2) > 0;
       Blocks *= 2)
    Windows.push_back(Blocks);
  Windows.push_back(View.BlocksPerCache);
  return Windows;
}

} // namespace gpuestimate
