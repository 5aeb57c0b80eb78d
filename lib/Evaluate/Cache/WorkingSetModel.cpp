#include "WorkingSetModel.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

WorkingSetModel::WorkingSetModel(const FootprintModel &Footprints,
                                 const WorkingSetModel *Inner)
    : Footprints(Footprints), Inner(Inner), ObjectOf(Footprints.size()),
      InnerGroups(Footprints.size()) {
  llvm::ArrayRef<const ReferenceGroup *> Groups = Footprints.groups();
  std::map<std::string, std::vector<unsigned>> Objects;
  for (auto [Index, Group] : llvm::enumerate(Groups))
    Objects[Group->Object.empty() ? "?" + std::to_string(Index) : Group->Object]
        .push_back(Index);
  for (auto [Object, Entry] : llvm::enumerate(Objects))
    for (unsigned Index : Entry.second) {
      ObjectOf[Index] = Object;
      GroupsByObject.push_back(Index);
    }
  if (!Inner)
    return;
  llvm::DenseMap<const ReferenceGroup *, unsigned> InnerIndex;
  for (auto [Index, Group] : llvm::enumerate(Inner->Footprints.groups()))
    InnerIndex[Group] = Index;
  for (auto [Index, Group] : llvm::enumerate(Groups))
    if (auto Entry = InnerIndex.find(Group); Entry != InnerIndex.end())
      InnerGroups[Index] = Entry->second;
}

/// The first iteration starts sectors, too, but reuses nothing.
double WorkingSetModel::newSectorFraction(unsigned Group, unsigned Loops,
                                          double Blocks) const {
  double Trips = Footprints.group(Group).Pattern.MeanTrips[Loops];
  double Body = Footprints.bytes(Group, Loops, Blocks);
  if (Trips <= 1 || Body <= 0)
    return 1;
  double Iterations = Footprints.bytes(Group, Loops + 1, Blocks) / Body;
  return std::clamp((Iterations - 1) / (Trips - 1), 0.0, 1.0);
}

bool WorkingSetModel::startsSectorsTogether(unsigned Group) const {
  const AccessPattern &P = Footprints.group(Group).Pattern;
  auto keepsAlignment = [&](double Stride) {
    return std::abs(Stride) <= P.Width || std::fmod(Stride, P.SectorBytes) == 0;
  };
  return llvm::all_of(
             P.ThreadDims,
             [&](const StridedDim &D) { return keepsAlignment(D.Stride); }) &&
         llvm::all_of(Footprints.blockMap(P), [&](const BlockStrideTerm &D) {
           return keepsAlignment(D.Stride);
         });
}

double WorkingSetModel::bytesPastInner(unsigned Group, unsigned Loops,
                                       double Blocks, double Bytes,
                                       double Phase) const {
  const ReferenceGroup &G = Footprints.group(Group);
  if (!InnerGroups[Group])
    return Bytes;
  // Inner caches get a whole number of the blocks, one more or less.
  const CacheView &InnerView = Inner->Footprints.view();
  double PerInner = Blocks * InnerView.BlocksPerCache / InnerView.LaunchBlocks,
         Fewer = std::floor(PerInner), MoreFraction = PerInner - Fewer;
  auto innerHitFraction = [&](int Loop) {
    double Sum = 0;
    for (auto [Count, Weight] :
         {std::pair(Fewer, 1 - MoreFraction), {Fewer + 1, MoreFraction}})
      if (Weight * Count > 0)
        Sum +=
            Weight * Count * InnerView.hitFraction(Inner->bytes(Loop, Count));
    return Sum / PerInner;
  };
  double PastInner = Bytes, Executions = 1;
  for (unsigned I = Loops; I < G.loopDepth(); ++I) {
    Executions *= G.Pattern.MeanTrips[I];
    double NextBytes;
    if (I == Loops) {
      double NewSectors = newSectorFraction(Group, I, Blocks);
      if (Phase >= 0 && startsSectorsTogether(Group))
        NewSectors = Phase < NewSectors ? 1 : 0;
      NextBytes = Bytes * NewSectors;
    } else {
      NextBytes = Footprints.bytes(G, G.Starts, I + 1, Blocks,
                                   Footprints.view().LineBytes) /
                  Executions;
    }
    NextBytes = std::min(Bytes, NextBytes);
    if (NextBytes < Bytes)
      PastInner -=
          innerHitFraction(G.Pattern.EnclosingLoops[I]) * (Bytes - NextBytes);
    Bytes = NextBytes;
  }
  return std::max(0.0, PastInner);
}

llvm::ArrayRef<WorkingSetModel::LoopGroup>
WorkingSetModel::groupsIn(int Loop) const {
  auto [Slot, New] = LoopGroupMemo.try_emplace(Loop);
  std::vector<LoopGroup> &Result = Slot->second;
  if (!New)
    return Result;
  for (unsigned I : GroupsByObject) {
    const std::vector<unsigned> &Chain =
        Footprints.group(I).Pattern.EnclosingLoops;
    auto Position = Loop < 0 ? Chain.end() : llvm::find(Chain, unsigned(Loop));
    if (Loop >= 0 && Position == Chain.end())
      continue;
    bool Begins =
        Result.empty() || ObjectOf[Result.back().Group] != ObjectOf[I];
    if (!Begins)
      Result.back().IsObject = false;
    Result.push_back({I, unsigned(Position - Chain.begin()), Begins, Begins});
  }
  return Result;
}

WorkingSetModel::Extent WorkingSetModel::extent(const LoopGroup &Part, int Loop,
                                                double Blocks, double Phase,
                                                WindowOverlap Rows) const {
  const ReferenceGroup &G = Footprints.group(Part.Group);
  const AccessPattern &P = G.Pattern;
  Extent Result;
  Result.Bytes = Footprints.bytes(G, G.Starts, Part.Loops, Blocks,
                                  Footprints.view().LineBytes, Rows);
  if (Loop >= 0)
    Result.Bytes =
        bytesPastInner(Part.Group, Part.Loops, Blocks, Result.Bytes, Phase);
  if (G.isIndirect()) {
    Result.Low = 0;
    Result.High = P.IndirectSectors * P.SectorBytes;
  } else {
    StridedAccess All = Footprints.directions(P, Part.Loops, Blocks, Rows);
    auto [First, Last] = std::minmax_element(G.Starts.begin(), G.Starts.end());
    Result.Low = span(All, *First, P.Width).first;
    Result.High = span(All, *Last, P.Width).second;
  }
  return Result;
}

RandomFootprint WorkingSetModel::randomFootprint(unsigned Group, unsigned Loops,
                                                 double Bytes) const {
  const ReferenceGroup &G = Footprints.group(Group);
  const CacheView &View = Footprints.view();
  RandomFootprint Result;
  Result.FootprintClass = G.FootprintClass;
  if (G.isIndirect()) {
    Result.High = G.Pattern.IndirectSectors * G.Pattern.SectorBytes;
    Result.Fraction = Bytes / std::max(Bytes, Result.High);
    return Result;
  }
  StridedAccess All =
      Footprints.directions(G.Pattern, Loops, View.BlocksPerCache);
  Result.Low = INFINITY;
  Result.High = -INFINITY;
  for (double Start : G.Starts) {
    auto [Low, High] = span(All, Start, G.Pattern.Width);
    Result.Low = std::min(Result.Low, Low);
    Result.High = std::max(Result.High, High);
  }
  Result.Fraction =
      Bytes / std::max(Bytes, Footprints.unionBytes(
                                  G, G.Starts, Loops, View.LaunchBlocks,
                                  View.LineBytes, WindowOverlap::Mean));
  return Result;
}

double WorkingSetModel::bytes(int Loop, double Blocks, double Phase,
                              WindowOverlap Rows) const {
  auto [Slot, New] = BytesMemo.try_emplace({Loop, Blocks, Phase, Rows}, 0);
  if (!New || !spendWork(1 + groupsIn(Loop).size()))
    return Slot->second;
  std::vector<std::optional<Extent>> ByCostClass(Footprints.costClasses());
  double Total = 0;
  Extent Object;
  // Different patterns in one object cannot cover more than its whole span.
  auto closeObject = [&] {
    if (Object.Bytes > 0)
      Total += std::min(Object.Bytes, Object.High - Object.Low +
                                          2 * Footprints.view().LineBytes);
    Object = Extent();
  };
  // Both are of the object that is open.
  llvm::SmallDenseMap<unsigned, double, 8> BytesByFootprint;
  llvm::SmallVector<RandomFootprint, 4> RandomFootprints;
  for (const LoopGroup &Part : groupsIn(Loop)) {
    if (Part.BeginsObject) {
      closeObject();
      BytesByFootprint.clear();
      RandomFootprints.clear();
    }
    const ReferenceGroup &G = Footprints.group(Part.Group);
    std::optional<Extent> &Shared = ByCostClass[G.CostClass];
    const Extent &Group =
        Shared ? *Shared
               : Shared.emplace(extent(Part, Loop, Blocks, Phase, Rows));
    if (Part.IsObject) {
      Object = Group;
      continue;
    }
    double &Covered = BytesByFootprint[G.FootprintClass];
    if (Group.Bytes <= Covered)
      continue; // another group touches the same bytes
    double MoreBytes = Group.Bytes - Covered;
    if (Footprints.isRandomlyPlaced(G.Pattern) && Blocks > 1) {
      RandomFootprint Own =
          randomFootprint(Part.Group, Part.Loops, Group.Bytes);
      MoreBytes *= Own.fractionOutside(RandomFootprints);
      RandomFootprints.push_back(Own);
    }
    Object.Bytes += MoreBytes;
    Covered = Group.Bytes;
    Object.Low = G.isIndirect() ? 0 : std::min(Object.Low, Group.Low);
    Object.High = std::max(Object.High, Group.High);
  }
  closeObject();
  return BytesMemo[{Loop, Blocks, Phase, Rows}] = Total;
}

llvm::ArrayRef<double> WorkingSetModel::phases(int Loop) const {
  auto [Slot, New] = PhaseMemo.try_emplace(Loop);
  std::vector<double> &Ends = Slot->second;
  if (!New)
    return Ends;
  for (unsigned I = 0; Inner && Loop >= 0 && I < Footprints.size(); ++I) {
    const AccessPattern &P = Footprints.group(I).Pattern;
    auto Position = llvm::find(P.EnclosingLoops, unsigned(Loop));
    if (Position == P.EnclosingLoops.end() || !InnerGroups[I] ||
        !startsSectorsTogether(I))
      continue;
    double NewSectors =
        newSectorFraction(I, Position - P.EnclosingLoops.begin(),
                          Footprints.view().ResidentBlocks);
    if (NewSectors > 0 && NewSectors < 1)
      Ends.push_back(NewSectors);
  }
  llvm::sort(Ends);
  Ends.erase(std::unique(Ends.begin(), Ends.end()), Ends.end());
  Ends.push_back(1);
  return Ends;
}

double WorkingSetModel::bytesBetweenMembers(unsigned Group) const {
  const ReferenceGroup &G = Footprints.group(Group);
  double OwnBytes = Footprints.memberBytes(Group, 0), OtherBytes = 0;
  unsigned First = G.Members.front(), Last = G.Members.back();
  if (First == Last || !spendWork(1 + Footprints.size() / 16))
    return OwnBytes;
  for (auto [Index, Other] : llvm::enumerate(Footprints.groups())) {
    if (Other == &G ||
        Other->Pattern.EnclosingLoops != G.Pattern.EnclosingLoops)
      continue;
    auto Begin = llvm::upper_bound(Other->Members, First);
    for (unsigned I = Begin - Other->Members.begin();
         I < Other->Members.size() && Other->Members[I] < Last; ++I)
      OtherBytes += Footprints.memberBytes(Index, I);
  }
  return OwnBytes + OtherBytes / std::max<size_t>(1, G.Members.size() - 1);
}

} // namespace gpuestimate
