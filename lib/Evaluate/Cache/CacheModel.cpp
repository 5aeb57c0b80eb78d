#include "CacheModel.h"

#include "llvm/ADT/bit.h"

namespace gpuestimate {

CacheModel::CacheModel(llvm::ArrayRef<const ReferenceGroup *> Groups,
                       const CacheView &View, FootprintCache &Counts,
                       const CacheModel *Inner)
    : Footprints(Groups, View, Counts),
      WorkingSets(Footprints, Inner ? &Inner->WorkingSets : nullptr),
      Sections(Footprints),
      Reuse(Footprints, WorkingSets, Sections, Inner ? &Inner->Reuse : nullptr),
      Lockstep(Footprints, WorkingSets, Reuse),
      Staggered(Footprints, WorkingSets, Reuse),
      RandomPlacement(Footprints, WorkingSets, Reuse),
      Indirect(Footprints, WorkingSets, Reuse), Objects(Footprints, Reuse),
      InterLaunch(Footprints, WorkingSets, Sections, Reuse, Indirect),
      Writeback(Footprints, WorkingSets, Sections, Reuse) {}

/// Chooses the strategy for a group in this cache:
///   indirect index                        IndirectReuse (presence probability)
///   blocks reach the caches at random     RandomPlacementReuse: L1 of a grid
///                                         with more than one wave
///   first wave, and local arrays          LockstepReuse (layer conditions)
///   later waves                           StaggeredReuse (Che's approximation)
/// First and later waves are weighted by their blocks. LocalMemoryReplay.h is
/// the alternative for local arrays that miss L1; Traffic.cpp chooses it.
double CacheModel::computeGroupFetchBytes(unsigned Group,
                                          double RequestedBytes) const {
  const ReferenceGroup &G = Footprints.group(Group);
  logStrategy(Group, RequestedBytes);
  if (G.isIndirect())
    return Indirect.fetchedBytes(Group, RequestedBytes);
  if (Footprints.isRandomlyPlaced(G.Pattern))
    return RandomPlacement.fetchedBytes(Group, RequestedBytes);
  double LockstepBytes = Lockstep.fetchedBytes(Group, RequestedBytes);
  double FirstWave = view().FirstWaveFraction;
  if (FirstWave >= 1 || !StaggeredReuse::applies(G))
    return LockstepBytes;
  return FirstWave * LockstepBytes +
         (1 - FirstWave) * Staggered.fetchedBytes(Group, RequestedBytes);
}

void CacheModel::logStrategy(unsigned Group, double RequestedBytes) const {
  if (!view().Log)
    return;
  const ReferenceGroup &G = Footprints.group(Group);
  double FirstWave = view().FirstWaveFraction;
  std::string Strategy = "layer conditions, blocks in lockstep";
  if (G.isIndirect())
    Strategy = G.Traced ? "reuse distances of traced requests"
                        : "random indices, presence by the capacity left";
  else if (Footprints.isRandomlyPlaced(G.Pattern))
    Strategy = "layer conditions, blocks reach the caches at random";
  else if (FirstWave < 1 && StaggeredReuse::applies(G))
    Strategy += " for the first wave (" + shortNumber(FirstWave) +
                " of the blocks), staggered for the others";
  view().Log->write(view().Name, G,
                    Strategy + "; " + shortBytes(RequestedBytes) +
                        " requested");
}

double CacheModel::groupFetchBytes(unsigned Group,
                                   double RequestedBytes) const {
  auto [Slot, New] =
      FetchMemo.try_emplace({Footprints.group(Group).CostClass,
                             llvm::bit_cast<uint64_t>(RequestedBytes)});
  if (New)
    Slot->second = computeGroupFetchBytes(Group, RequestedBytes);
  if (view().Log)
    view().Log->write(view().Name, Footprints.group(Group),
                      "fetches " + shortBytes(Slot->second) +
                          (New ? "" : ", as an equal group above"));
  return Slot->second;
}

std::vector<double>
CacheModel::fetchedBytes(llvm::ArrayRef<double> RequestedBytes) const {
  if (view().NoHitBytes <= 0)
    return RequestedBytes.vec();
  std::vector<double> FetchedBytes;
  for (unsigned I = 0; I < Footprints.size(); ++I)
    FetchedBytes.push_back(groupFetchBytes(I, RequestedBytes[I]));
  Objects.subtractHits(FetchedBytes);
  return FetchedBytes;
}

} // namespace gpuestimate
