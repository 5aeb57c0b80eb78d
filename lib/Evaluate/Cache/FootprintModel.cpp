#include "FootprintModel.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

FootprintModel::FootprintModel(llvm::ArrayRef<const ReferenceGroup *> Groups,
                               const CacheView &View, FootprintCache &Counts)
    : Groups(Groups.begin(), Groups.end()), View(View), Counts(Counts) {
  unsigned CostClasses = 0;
  for (const ReferenceGroup *Group : Groups)
    CostClasses = std::max(CostClasses, Group->CostClass + 1);
  MemberMemo.resize(CostClasses);
}

StridedAccess FootprintModel::directions(const AccessPattern &P, unsigned Loops,
                                         double Blocks,
                                         WindowOverlap Rows) const {
  StridedAccess Result = P.ThreadDims;
  // A fraction of a block has a fraction of its slowest thread digit.
  if (Blocks < 1 && !Result.empty())
    Result.back().Extent = std::max(1.0, Result.back().Extent * Blocks);
  Result.append(window(blockMap(P), mapValues(P, Blocks), Rows));
  for (unsigned I = 0; I < Loops; ++I)
    Result.append(P.LoopDims[I]);
  return Result;
}

double FootprintModel::bytes(unsigned Group, unsigned Loops,
                             double Blocks) const {
  const ReferenceGroup &G = *Groups[Group];
  return bytes(G, G.Starts, Loops, Blocks, fillBytes(G));
}

double FootprintModel::unionBytes(const ReferenceGroup &G,
                                  llvm::ArrayRef<double> Starts, unsigned Loops,
                                  double Blocks, unsigned Granule,
                                  WindowOverlap Rows) const {
  const AccessPattern &P = G.Pattern;
  auto [Slot, New] = UnionMemo.try_emplace(
      {G.OffsetClass, unsigned(Starts.data() - G.Starts.data()),
       unsigned(Starts.size()), Loops, Granule, Rows,
       llvm::bit_cast<uint64_t>(Blocks)});
  if (!New)
    return Slot->second;
  constexpr uint64_t WorkOfFootprint = 10;
  if (!spendWork(WorkOfFootprint))
    return Slot->second = 0;
  // Strides outside of the level decide how its runs are aligned.
  llvm::SmallVector<double, 16> OuterStrides;
  appendWindowStrides(blockMap(P), Blocks, OuterStrides);
  for (unsigned I = Loops; I < P.LoopDims.size(); ++I)
    for (const StridedDim &D : P.LoopDims[I])
      OuterStrides.push_back(D.Stride);
  StridedAccess InBlock = directions(P, Loops, std::min(1.0, Blocks));
  return Slot->second = Granule * averageOverWindows(
                                      blockMap(P), Blocks,
                                      [&](const StridedAccess &Window) {
                                        StridedAccess All = InBlock;
                                        All.append(Window);
                                        return Counts(All, Starts, P.Width,
                                                      Granule, OuterStrides);
                                      },
                                      Rows);
}

/// Random placement: of N consecutive blocks (N caches), one runs here. A
/// sector that m of those N blocks touch is touched here with probability
/// m/N = footprint(1)/footprint(N). Every later run of N blocks that touches it
/// is an independent trial:
///   U(k) = F(kN) (1 - (1 - F(1)/F(N))^(k F(N)/F(kN))).
double FootprintModel::stridedBytes(const ReferenceGroup &G,
                                    llvm::ArrayRef<double> Starts,
                                    unsigned Loops, double Blocks,
                                    unsigned Granule,
                                    WindowOverlap Rows) const {
  auto consecutive = [&](double Count) {
    return unionBytes(G, Starts, Loops, Count, Granule, Rows);
  };
  if (!isRandomlyPlaced(G.Pattern) || Blocks <= 1)
    return consecutive(Blocks);
  // Windows span whole rows and columns, more sectors than the blocks touch.
  double OneBlock = consecutive(1), Caches = View.RandomCaches,
         Run = std::min(consecutive(Caches), Caches * OneBlock),
         AllRuns =
             std::min(consecutive(Blocks * Caches), Blocks * Caches * OneBlock);
  double Trials = std::clamp(Blocks * Run / AllRuns, 1.0, Blocks);
  return AllRuns * (1 - std::pow(std::max(0.0, 1 - OneBlock / Run), Trials));
}

double FootprintModel::bytes(const ReferenceGroup &G,
                             llvm::ArrayRef<double> Starts, unsigned Loops,
                             double Blocks, unsigned Granule,
                             WindowOverlap Rows) const {
  const AccessPattern &P = G.Pattern;
  if (G.isIndirect())
    return indirectBytes(G, Starts.size(), Loops, Blocks, Granule);
  double Bytes = stridedBytes(G, Starts, Loops, Blocks, Granule, Rows);
  // Digits of the block index that move together span more places than there
  // are blocks, and some of the places may be beyond a guard.
  if (Blocks > 1 && !G.isLocal())
    Bytes = std::min(
        Bytes,
        Blocks * stridedBytes(G, Starts, Loops, 1, Granule) *
            (Blocks > View.BlockSlots
                 ? std::min(1.0, G.ExecutedFraction * View.ActiveRowFraction)
                 : View.ActiveFraction));
  if (!G.isLocal())
    Bytes = std::min(Bytes, P.ObjectBytes + Granule);
  // Strides also cover lanes that a guard keeps idle. Data at their addresses
  // often belong to others (the next row, the end of the object), so the
  // requests that are made are another limit. Resident blocks are active ones.
  double Active = G.RequestFraction * View.ActiveRowFraction;
  if (Blocks <= View.BlockSlots)
    Active = P.LaneProbability * std::max(1.0, G.ExecutedFraction) *
             (Blocks > 1 ? View.ActiveFraction : 1);
  double Sectors = G.SectorsPerBlock * Blocks * Active * double(Starts.size()) /
                   double(G.Starts.size());
  for (unsigned I = 0; I < Loops; ++I)
    Sectors *= P.MeanTrips[I];
  return std::min(Bytes, Sectors * std::max(P.SectorBytes, Granule));
}

double FootprintModel::launchBytes(unsigned Group) const {
  auto [Slot, New] = LaunchMemo.try_emplace(Groups[Group]->CostClass);
  if (New)
    Slot->second =
        bytes(Group, Groups[Group]->loopDepth(), View.BlocksPerCache);
  return Slot->second;
}

double FootprintModel::memberBytes(unsigned Group, unsigned Member) const {
  const ReferenceGroup &G = *Groups[Group];
  const double &Start = G.Starts[Member];
  auto compute = [&] {
    return bytes(G, Start, 0, View.ResidentBlocks, View.LineBytes);
  };
  // Starts that differ by whole lines have equal footprints.
  double LineOffset =
      Start - View.LineBytes * std::floor(Start / View.LineBytes);
  if (LineOffset != std::floor(LineOffset) || LineOffset < 0 ||
      LineOffset >= View.LineBytes)
    return compute();
  std::vector<double> &ByOffset = MemberMemo[G.CostClass];
  if (ByOffset.empty())
    ByOffset.assign(View.LineBytes, -1);
  double &Bytes = ByOffset[unsigned(LineOffset)];
  if (Bytes < 0)
    Bytes = compute();
  return Bytes;
}

double FootprintModel::bytesOfAllWindows(unsigned Group, unsigned Loops,
                                         double Blocks) const {
  double Fewer = std::floor(View.BlocksPerCache),
         MoreFraction = View.BlocksPerCache - Fewer, Sum = 0;
  for (auto [Count, Weight] :
       {std::pair(Fewer, 1 - MoreFraction), {Fewer + 1, MoreFraction}}) {
    // All blocks of a cache are one window, also if it has one block more.
    double Windows =
        Blocks < View.BlocksPerCache ? std::floor(Count / Blocks + 1e-9) : 0;
    double LastWindow = Count - Windows * Blocks;
    if (Weight > 0 && Windows > 0)
      Sum += Weight * Windows * bytes(Group, Loops, Blocks);
    if (Weight > 0 && LastWindow > 1e-6)
      Sum += Weight * bytes(Group, Loops, LastWindow);
  }
  // Windows beyond a guard touch nothing.
  const AccessPattern &P = Groups[Group]->Pattern;
  for (const BlockStrideTerm &D : blockMap(P))
    if (D.Divisor >= mapValues(P, Blocks))
      Sum *= D.ActiveFraction;
  return Sum * View.LaunchBlocks / View.BlocksPerCache;
}

double FootprintModel::indirectSharing(const ReferenceGroup &G, unsigned Loops,
                                       unsigned Granule,
                                       bool PerBasicBlock) const {
  const AccessPattern &P = G.Pattern;
  Loops = std::min(Loops, P.RegularLoops);
  auto [Slot, New] =
      IndirectMemo.try_emplace({&G, Loops, Granule, PerBasicBlock});
  if (!New)
    return Slot->second;
  StridedAccess Regular;
  for (unsigned I = 0; I < Loops; ++I)
    Regular.append(P.LoopDims[I]);
  double Shared = 0, Separate = 0;
  for (auto Next = G.IndirectStarts.begin(), End = G.IndirectStarts.end();
       Next != End;) {
    auto First = Next;
    std::vector<double> Starts;
    do
      llvm::append_range(Starts, Next++->second);
    while (!PerBasicBlock && Next != End &&
           Next->first.first == First->first.first);
    // One member is aligned to itself, several members as their element is.
    double Unit = Starts.size() > 1 ? P.IndexStrideBytes : P.Width;
    Shared += Counts(Regular, Starts, P.Width, Granule, {Unit});
    for (double Start : Starts)
      Separate += Counts({}, Start, P.Width, Granule, {Unit});
  }
  return Slot->second = Shared / Separate;
}

/// n random runs among D granules touch D * (1 - exp(-n * run / D)) of them.
double FootprintModel::indirectBytes(const ReferenceGroup &G, size_t Members,
                                     unsigned Loops, double Blocks,
                                     unsigned Granule) const {
  const AccessPattern &P = G.Pattern;
  double Touches = G.SectorsPerBlock * Blocks;
  if (Members < G.Starts.size()) // one iteration, member by member
    Touches *= double(Members) / double(G.Starts.size());
  else
    Touches *= indirectSharing(G, Loops, Granule);
  for (unsigned I = P.RegularLoops; I < Loops; ++I)
    Touches *= P.MeanTrips[I];
  double SectorIndices =
      std::max(1.0, P.IndirectSectors * P.SectorBytes / Granule);
  Touches *= std::min(1.0, G.RequestFraction * View.ActiveRowFraction);
  double Bytes =
      Granule * SectorIndices * -std::expm1(-Touches / SectorIndices);
  if (!G.Traced)
    return Bytes;
  double Traced = G.Traced->footprintBytes(View, Blocks, Granule);
  return Loops == G.loopDepth() && Members == G.Starts.size()
             ? Traced
             : std::min(Bytes, Traced);
}

} // namespace gpuestimate
