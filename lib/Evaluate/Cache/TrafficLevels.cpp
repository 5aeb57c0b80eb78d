/// \file
/// Footprints of groups, volumes of levels, and what a cache makes of them.
#include "TrafficLevels.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

double CacheView::captured(double Distance, double Copies) const {
  // With a copy in each part, the cache is as large as one of them.
  double End = Partitions > 1 ? Gone * (1 - (Copies - 1) / Partitions) : Gone;
  if (Distance <= Full)
    return 1;
  return Distance >= End ? 0 : (End - Distance) / (End - Full);
}

CacheView CacheView::firstWave() const {
  CacheView V = *this;
  if (All <= Slots)
    return V;
  V.Blocks *= Slots / All;
  V.All = V.Resident = Slots;
  V.LastRow = 0;
  return V;
}

CacheView l1View(const GpuModel &Gpu, const Residency &R, double Capacity,
                 const CacheCurves &Curves, bool ByChance) {
  CacheView V;
  V.Full = Curves.L1.Full * Capacity;
  V.Gone = Curves.L1.Gone * Capacity;
  V.Sector = V.Fetch = std::max(1.0, Gpu.L1.Sector.value());
  V.Line = std::max<unsigned>(V.Sector, Gpu.L1.Line.value());
  V.Blocks = R.Dealt;
  V.Present = R.Blocks / R.Dealt;
  V.All = R.Dealt / R.Sms;
  V.Slots = R.OfSm;
  V.Resident = std::min(V.Slots, V.All);
  V.Working = R.Working * V.Present;
  V.LastRow = R.LastRow / R.Sms;
  V.LastShare = R.LastShare;
  V.Along = &AccessPattern::OfSm;
  if (ByChance) {
    V.Blocks = R.Blocks;
    V.Present = 1;
    V.All = R.Blocks / R.Sms;
    V.Slots = R.OfChip / R.Sms;
    V.Resident = std::min(V.Slots, V.All);
    V.Working = R.Working;
    V.Along = &AccessPattern::OfChip;
    V.ByChance = R.Sms;
  }
  return V;
}

CacheView l2View(const GpuModel &Gpu, const Residency &R,
                 const CacheCurves &Curves) {
  CacheView V;
  double Size = Gpu.L2.Size.value();
  const CacheCurve &Curve =
      Gpu.L2Partitions > 1 ? Curves.L2Partitioned : Curves.L2;
  V.Full = Curve.Full * Size / std::max(1u, Gpu.L2Partitions);
  V.Gone = Curve.Gone * Size;
  V.Sector = std::max(1.0, Gpu.L2.Sector.value() > 0 ? Gpu.L2.Sector.value()
                                                     : Gpu.L1.Sector.value());
  V.Fetch = V.Sector;
  if (Gpu.L2FetchSize)
    V.Fetch = std::max<unsigned>(V.Sector, Gpu.L2FetchSize->value());
  V.Line = std::max<unsigned>(V.Fetch, Gpu.L2.Line.value());
  V.Blocks = V.All = R.Blocks;
  V.Slots = R.OfChip;
  V.Resident = std::min(V.Slots, V.All);
  V.Working = R.Working;
  V.LastRow = R.LastRow;
  V.LastShare = R.LastShare;
  V.Along = &AccessPattern::OfChip;
  V.InStep = R.InTurn;
  V.Partitions = std::max(1u, Gpu.L2Partitions);
  return V;
}

CacheView l3View(const GpuModel &Gpu, const Residency &R,
                 const CacheCurves &Curves) {
  CacheView V = l2View(Gpu, R, Curves);
  V.Full = Curves.L2.Full * Gpu.L3Size->value();
  V.Gone = Curves.L2.Gone * Gpu.L3Size->value();
  V.Partitions = 1;
  return V;
}

LayerModel::LayerModel(llvm::ArrayRef<const AccessGroup *> Groups,
                       const CacheView &View, GranuleCounts &Counts,
                       const LayerModel *Inner)
    : Groups(Groups.begin(), Groups.end()), View(View), Counts(Counts),
      Inner(Inner), ObjectOf(Groups.size()), InInner(Groups.size()) {
  std::map<std::string, std::vector<unsigned>> Objects;
  for (auto [Own, Group] : llvm::enumerate(Groups)) {
    Objects[Group->Base.empty() ? "?" + std::to_string(Own) : Group->Base]
        .push_back(Own);
    Footprints = std::max(Footprints, Group->Footprint + 1);
    Kinds = std::max(Kinds, Group->Kind + 1);
  }
  Uses.resize(Footprints);
  OfMembers.resize(Kinds);
  for (auto [Own, Group] : llvm::enumerate(Groups)) {
    auto begins = [&](unsigned I) { return Groups[I]->Members.front(); };
    auto &Of = Uses[Group->Footprint];
    if (!Of)
      Of = {Own, Own};
    if (begins(Own) < begins(Of->first))
      Of->first = Own;
    if (begins(Own) > begins(Of->second))
      Of->second = Own;
  }
  for (auto [Object, Entry] : llvm::enumerate(Objects))
    for (unsigned Own : Entry.second) {
      ObjectOf[Own] = Object;
      ByObject.push_back(Own);
    }
  if (!Inner)
    return;
  llvm::DenseMap<const AccessGroup *, unsigned> Places;
  for (auto [Place, Group] : llvm::enumerate(Inner->Groups))
    Places[Group] = Place;
  for (auto [Own, Group] : llvm::enumerate(Groups))
    if (auto At = Places.find(Group); At != Places.end())
      InInner[Own] = At->second;
}

Directions LayerModel::directions(const AccessPattern &P, unsigned Loops,
                                  double Blocks, RowsMet Rows) const {
  Directions Out = P.Lanes;
  // A part of a block has a part of its threads: of their slowest digit.
  if (Blocks < 1 && !Out.empty())
    Out.back().Extent = std::max(1.0, Out.back().Extent * Blocks);
  Out.append(window(along(P), among(P, Blocks), Rows));
  for (unsigned I = 0; I < Loops; ++I)
    Out.append(P.Loops[I]);
  return Out;
}

unsigned LayerModel::fill(const AccessGroup &G) const {
  CacheRole Role = G.Pattern.Role;
  bool Load = Role == CacheRole::CachedLoad || Role == CacheRole::Load;
  return Load ? View.Fetch : View.Sector;
}

double LayerModel::footprint(unsigned Group, unsigned Loops,
                             double Blocks) const {
  const AccessGroup &G = *Groups[Group];
  return footprint(G, G.Starts, Loops, Blocks, fill(G));
}

double LayerModel::coveredBy(const AccessGroup &G,
                             llvm::ArrayRef<double> Starts, unsigned Loops,
                             double Numbers, unsigned Granule,
                             RowsMet Rows) const {
  const AccessPattern &P = G.Pattern;
  auto [Slot, New] =
      Covered.try_emplace({G.Shape, unsigned(Starts.data() - G.Starts.data()),
                           unsigned(Starts.size()), Loops, Granule, Rows,
                           llvm::bit_cast<uint64_t>(Numbers)});
  if (!New)
    return Slot->second;
  constexpr uint64_t WorkOfFootprint = 10;
  if (!spendWork(WorkOfFootprint))
    return Slot->second = 0;
  // Strides outside the level decide how its runs are aligned.
  llvm::SmallVector<double, 16> Elsewhere;
  appendWindowSteps(along(P), Numbers, Elsewhere);
  for (unsigned I = Loops; I < P.Loops.size(); ++I)
    for (const Direction &D : P.Loops[I])
      Elsewhere.push_back(D.Stride);
  Directions OfBlock = directions(P, Loops, std::min(1.0, Numbers));
  return Slot->second = Granule * overWindow(
                                      along(P), Numbers,
                                      [&](const Directions &Window) {
                                        Directions All = OfBlock;
                                        All.append(Window);
                                        return Counts(All, Starts, P.Width,
                                                      Granule, Elsewhere);
                                      },
                                      Rows);
}

double LayerModel::footprint(const AccessGroup &G,
                             llvm::ArrayRef<double> Starts, unsigned Loops,
                             double Blocks, unsigned Granule,
                             RowsMet Rows) const {
  const AccessPattern &P = G.Pattern;
  if (P.DrawnSectors > 0)
    return drawnFootprint(G, Starts.size(), Loops, Blocks, Granule);
  double Bytes = covered(G, Starts, Loops, Blocks, Granule, Rows);
  // Digits that move together span more places than there are blocks, and some
  // of the places may be beyond a guard.
  if (Blocks > 1 && P.Role != CacheRole::Private)
    Bytes = std::min(Bytes, Blocks * covered(G, Starts, Loops, 1, Granule) *
                                (Blocks > View.Slots
                                     ? std::min(1.0, G.Executed * View.Present)
                                     : View.Working));
  if (P.Role != CacheRole::Private) {
    Bytes = std::min(Bytes, P.ObjectBytes + Granule);
  }
  // Directions also cover lanes that a guard keeps idle. What those would add
  // often belongs to others (the next row, the end of the object), so only the
  // requests that are really made limit it. Resident are blocks that work.
  double Working = G.Activity * View.Present;
  if (Blocks <= View.Slots)
    Working =
        P.Chance * std::max(1.0, G.Executed) * (Blocks > 1 ? View.Working : 1);
  double Asked = G.SectorsPerBlock * Blocks * Working * double(Starts.size()) /
                 double(G.Starts.size());
  for (unsigned I = 0; I < Loops; ++I)
    Asked *= P.Trips[I];
  return std::min(Bytes, Asked * std::max(P.Sector, Granule));
}

double LayerModel::distinct(unsigned Group) const {
  auto [Slot, New] = Distinct.try_emplace(Groups[Group]->Kind);
  if (New)
    Slot->second =
        footprint(Group, Groups[Group]->Pattern.Chain.size(), View.All);
  return Slot->second;
}

/// The first iteration brings new sectors, but nothing is used again there.
double LayerModel::freshShare(unsigned Group, unsigned Loops,
                              double Blocks) const {
  double Trips = Groups[Group]->Pattern.Trips[Loops];
  double Body = footprint(Group, Loops, Blocks);
  if (Trips <= 1 || Body <= 0)
    return 1;
  double Iterations = footprint(Group, Loops + 1, Blocks) / Body;
  return std::clamp((Iterations - 1) / (Trips - 1), 0.0, 1.0);
}

bool LayerModel::isFreshAtOnce(unsigned Group) const {
  const AccessPattern &P = Groups[Group]->Pattern;
  auto keeps = [&](double Stride) {
    return std::abs(Stride) <= P.Width || std::fmod(Stride, P.Sector) == 0;
  };
  return llvm::all_of(P.Lanes,
                      [&](const Direction &D) { return keeps(D.Stride); }) &&
         llvm::all_of(along(P),
                      [&](const BlockDigit &D) { return keeps(D.Stride); });
}

double LayerModel::arriving(unsigned Group, unsigned Loops, double Blocks,
                            double Bytes, double Phase) const {
  const AccessGroup &G = *Groups[Group];
  if (!InInner[Group])
    return Bytes;
  // Caches in front get a whole number of the blocks, one more or less.
  double Each = Blocks * Inner->View.All / Inner->View.Blocks,
         Fewer = std::floor(Each), Share = Each - Fewer;
  auto caught = [&](int Loop) {
    double Sum = 0;
    for (auto [Of, Weight] : {std::pair(Fewer, 1 - Share), {Fewer + 1, Share}})
      if (Weight * Of > 0)
        Sum += Weight * Of * Inner->View.captured(Inner->volume(Loop, Of));
    return Sum / Each;
  };
  double Out = Bytes, Executions = 1;
  for (unsigned I = Loops; I < G.Pattern.Chain.size(); ++I) {
    Executions *= G.Pattern.Trips[I];
    double Next;
    if (I == Loops) {
      double Fresh = freshShare(Group, I, Blocks);
      if (Phase >= 0 && isFreshAtOnce(Group))
        Fresh = Phase < Fresh ? 1 : 0;
      Next = Bytes * Fresh;
    } else {
      Next = footprint(G, G.Starts, I + 1, Blocks, View.Line) / Executions;
    }
    Next = std::min(Bytes, Next);
    if (Next < Bytes)
      Out -= caught(G.Pattern.Chain[I]) * (Bytes - Next);
    Bytes = Next;
  }
  return std::max(0.0, Out);
}

llvm::ArrayRef<LayerModel::GroupInside> LayerModel::groupsIn(int Loop) const {
  auto [Slot, New] = Inside.try_emplace(Loop);
  std::vector<GroupInside> &Found = Slot->second;
  if (!New)
    return Found;
  for (unsigned I : ByObject) {
    const std::vector<unsigned> &Chain = Groups[I]->Pattern.Chain;
    auto At = Loop < 0 ? Chain.end() : llvm::find(Chain, unsigned(Loop));
    if (Loop >= 0 && At == Chain.end())
      continue;
    bool Begins = Found.empty() || ObjectOf[Found.back().Group] != ObjectOf[I];
    if (!Begins)
      Found.back().IsObject = false;
    Found.push_back({I, unsigned(At - Chain.begin()), Begins, Begins});
  }
  return Found;
}

double LayerModel::volume(int Loop, double Blocks, double Phase,
                          RowsMet Rows) const {
  auto [Slot, New] = Volumes.try_emplace({Loop, Blocks, Phase, Rows}, 0);
  if (!New || !spendWork(1 + groupsIn(Loop).size()))
    return Slot->second;
  struct Extent {
    double Bytes = 0, Low = INFINITY, High = -INFINITY;
  };
  auto extent = [&](unsigned I, unsigned Loops) {
    const AccessGroup &G = *Groups[I];
    const AccessPattern &P = G.Pattern;
    Extent Of;
    Of.Bytes = footprint(G, G.Starts, Loops, Blocks, View.Line, Rows);
    if (Loop >= 0)
      Of.Bytes = arriving(I, Loops, Blocks, Of.Bytes, Phase);
    if (P.DrawnSectors > 0) {
      Of.Low = 0;
      Of.High = P.DrawnSectors * P.Sector;
    } else {
      Directions All = directions(P, Loops, Blocks, Rows);
      auto [First, Last] =
          std::minmax_element(G.Starts.begin(), G.Starts.end());
      Of.Low = span(All, *First, P.Width).first;
      Of.High = span(All, *Last, P.Width).second;
    }
    return Of;
  };
  std::vector<std::optional<Extent>> ByKind(Kinds);
  double Total = 0;
  Extent Object;
  // Different patterns over one object cannot cover more than all of it.
  auto close = [&] {
    if (Object.Bytes > 0)
      Total += std::min(Object.Bytes, Object.High - Object.Low + 2 * View.Line);
    Object = Extent();
  };
  llvm::SmallDenseMap<unsigned, double, 8> ByFootprint; // of one object
  llvm::SmallVector<Spread, 4> ByChance;                // likewise
  for (const GroupInside &In : groupsIn(Loop)) {
    if (In.BeginsObject) {
      close();
      ByFootprint.clear();
      ByChance.clear();
    }
    const AccessGroup &G = *Groups[In.Group];
    std::optional<Extent> &Alike = ByKind[G.Kind];
    const Extent &Of =
        Alike ? *Alike : Alike.emplace(extent(In.Group, In.Loops));
    if (In.IsObject) {
      Object = Of;
      continue;
    }
    double &Known = ByFootprint[G.Footprint];
    if (Of.Bytes <= Known)
      continue; // the same bytes as another group's
    double More = Of.Bytes - Known;
    if (isByChance(G.Pattern) && Blocks > 1) {
      Spread Here = spread(In.Group, In.Loops, Of.Bytes);
      More *= Here.outside(ByChance);
      ByChance.push_back(Here);
    }
    Object.Bytes += More;
    Known = Of.Bytes;
    Object.Low = G.Pattern.DrawnSectors > 0 ? 0 : std::min(Object.Low, Of.Low);
    Object.High = std::max(Object.High, Of.High);
  }
  close();
  return Volumes[{Loop, Blocks, Phase, Rows}] = Total;
}

} // namespace gpuestimate
