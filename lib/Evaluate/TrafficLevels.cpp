/// \file
/// Footprints of groups, volumes of levels, and what a cache makes of them.
#include "gpu-estimate/Evaluate/TrafficLevels.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

double CacheView::captured(double Distance) const {
  if (Distance <= Full)
    return 1;
  return Distance >= Gone ? 0 : (Gone - Distance) / (Gone - Full);
}

// Where caches begin to lose and where nothing is left of a working set that
// is swept again and again, in shares of the capacity; read off published
// curves of bandwidth against working set, the missing share being the ratio
// of the bandwidth far beyond the capacity to the bandwidth at the size:
// gpu-benches by te42kyfo (gpu-cache on V100, A100, H100, A40, L40;
// gpu-l2-cache on A100, H100, H200, L40) and gpu-performance-engineering by S.
// Kuckuk (stream on A100, A40, H100). docs/models/traffic.md lists the points.
// A multiprocessor goes through its own partition of L2, so that data used from
// both sides are held in both: partitions begin to lose at their share of the
// whole, also where every sector has one reader (each launch another one).
static constexpr double L1Full = 0.9, L1Gone = 1.7;
static constexpr double L2Full = 0.95, L2Gone = 1.4, L2GonePartitioned = 1.22;

CacheView l1View(const GpuModel &Gpu, const Residency &R, double Capacity) {
  CacheView V;
  V.Full = L1Full * Capacity;
  V.Gone = L1Gone * Capacity;
  V.Sector = V.Fetch = std::max(1.0, Gpu.L1.Sector.value());
  V.Line = std::max<unsigned>(V.Sector, Gpu.L1.Line.value());
  V.Blocks = R.Blocks;
  V.Sets = R.OfSm;
  V.Along = &AccessPattern::OfSm;
  return V;
}

CacheView l2View(const GpuModel &Gpu, const Residency &R) {
  CacheView V;
  double Size = Gpu.L2.Size.value();
  V.Full = L2Full * Size / std::max(1u, Gpu.L2Partitions);
  V.Gone = Size * (Gpu.L2Partitions > 1 ? L2GonePartitioned : L2Gone);
  V.Sector = std::max(1.0, Gpu.L2.Sector.value() > 0 ? Gpu.L2.Sector.value()
                                                     : Gpu.L1.Sector.value());
  V.Fetch = V.Sector;
  if (Gpu.L2FetchSize)
    V.Fetch = std::max<unsigned>(V.Sector, Gpu.L2FetchSize->value());
  V.Line = std::max<unsigned>(V.Fetch, Gpu.L2.Line.value());
  V.Blocks = R.Blocks;
  V.Sets = R.OfChip;
  V.Along = &AccessPattern::OfChip;
  return V;
}

CacheView l3View(const GpuModel &Gpu, const Residency &R) {
  CacheView V = l2View(Gpu, R);
  V.Full = L2Full * Gpu.L3Size->value();
  V.Gone = L2Gone * Gpu.L3Size->value();
  return V;
}

static bool sameDirections(const AccessPattern &A, const AccessPattern &B) {
  return A.Lanes == B.Lanes && A.Loops == B.Loops && A.OfChip == B.OfChip &&
         A.DrawnSectors == B.DrawnSectors;
}

std::vector<AccessGroup>
groupAccesses(const KernelModel &Kernel, const LaunchSample &Sample,
              const std::vector<AccessPattern> &Patterns, const Residency &R) {
  std::vector<AccessGroup> Groups;
  unsigned Footprints = 0;
  for (const AccessPattern &P : Patterns) {
    const AccessTotals &Total = Sample.Accesses[P.Access];
    if (P.Role == CacheRole::None || Total.Sectors <= 0)
      continue;
    const std::string &Base = Kernel.Accesses[P.Access].Base;
    auto alike = [&](const AccessGroup &G) {
      return G.Base == Base && !Base.empty() && G.Pattern.Role == P.Role &&
             G.Pattern.Chain == P.Chain && G.Pattern.BasePoint == P.BasePoint &&
             sameDirections(G.Pattern, P);
    };
    auto Known = llvm::find_if(Groups, alike);
    if (Known == Groups.end()) {
      AccessGroup G;
      G.Pattern = P;
      G.Base = Base;
      G.Footprint = Footprints++;
      for (const AccessGroup &Other : Groups)
        if (Other.Base == Base && !Base.empty() && !P.DrawnSectors &&
            Other.Pattern.Lanes == P.Lanes && Other.Pattern.OfChip == P.OfChip)
          G.Footprint = Other.Footprint;
      Groups.push_back(G);
      Known = std::prev(Groups.end());
    }
    Known->Members.push_back(P.Access);
    Known->Starts.push_back(P.Start);
    Known->SectorsPerBlock += P.SectorsPerBlock;
    Known->Pattern.Width = std::max(Known->Pattern.Width, P.Width);
  }
  for (AccessGroup &G : Groups) {
    double Nominal = G.SectorsPerBlock * R.Blocks, Actual = 0;
    for (double T : G.Pattern.Trips)
      Nominal *= T;
    for (unsigned A : G.Members)
      Actual += Sample.Accesses[A].Sectors;
    G.Activity = Nominal > 0 ? Actual / Nominal : 1;
  }
  return Groups;
}

LayerModel::LayerModel(llvm::ArrayRef<const AccessGroup *> Groups,
                       const CacheView &View)
    : Groups(Groups.begin(), Groups.end()), View(View) {}

Directions LayerModel::directions(const AccessPattern &P, unsigned Loops,
                                  unsigned Set) const {
  Directions Out = P.Lanes;
  Out.append((P.*View.Along)[Set]);
  for (unsigned I = 0; I < Loops; ++I)
    Out.append(P.Loops[I]);
  return Out;
}

unsigned LayerModel::fill(const AccessGroup &G) const {
  CacheRole Role = G.Pattern.Role;
  bool Load = Role == CacheRole::CachedLoad || Role == CacheRole::Load;
  return Load ? View.Fetch : View.Sector;
}

/// n draws of runs among D granules touch D * (1 - exp(-n * run / D)) of them.
double LayerModel::drawnFootprint(const AccessGroup &G, unsigned Loops,
                                  unsigned Set, unsigned Granule) const {
  const AccessPattern &P = G.Pattern;
  double Draws = G.SectorsPerBlock * View.Sets[Set];
  Directions Regular;
  for (unsigned I = 0; I < Loops; ++I) {
    if (I < P.RegularLoops)
      Regular.append(P.Loops[I]);
    else
      Draws *= P.Trips[I];
  }
  double Run =
      distinctGranules(Regular, 0, P.Width, Granule, {double(P.Width)});
  double Alone = distinctGranules({}, 0, P.Width, Granule, {double(P.Width)});
  double All = std::max(1.0, P.DrawnSectors * P.Sector / Granule);
  Draws *= std::min(1.0, G.Activity);
  return Granule * All * -std::expm1(-Draws * Run / Alone / All);
}

double LayerModel::footprint(unsigned Group, unsigned Loops,
                             unsigned Set) const {
  const AccessGroup &G = *Groups[Group];
  return footprint(G, G.Starts, Loops, Set, fill(G));
}

double LayerModel::footprint(const AccessGroup &G,
                             llvm::ArrayRef<double> Starts, unsigned Loops,
                             unsigned Set, unsigned Granule) const {
  const AccessPattern &P = G.Pattern;
  if (P.DrawnSectors > 0)
    return drawnFootprint(G, Loops, Set, Granule);
  // Strides outside the level decide how its runs are aligned.
  llvm::SmallVector<double, 8> Elsewhere;
  for (const Directions *Part : {&P.OfChip[3], &P.OfSm[3]})
    for (const Direction &D : *Part)
      Elsewhere.push_back(D.Stride);
  for (unsigned I = Loops; I < P.Loops.size(); ++I)
    for (const Direction &D : P.Loops[I])
      Elsewhere.push_back(D.Stride);
  double Bytes = Granule * distinctGranules(directions(P, Loops, Set), Starts,
                                            P.Width, Granule, Elsewhere);
  if (P.Role != CacheRole::Private)
    Bytes = std::min(Bytes, P.ObjectBytes + Granule);
  // Directions also cover lanes that a guard keeps idle. What those would add
  // often belongs to others (the next row, the end of the object), so only the
  // requests that are really made limit it.
  double Asked = G.SectorsPerBlock * View.Sets[Set] * G.Activity *
                 double(Starts.size()) / double(G.Starts.size());
  for (unsigned I = 0; I < Loops; ++I)
    Asked *= P.Trips[I];
  return std::min(Bytes, Asked * std::max(P.Sector, Granule));
}

double LayerModel::distinct(unsigned Group) const {
  return footprint(Group, Groups[Group]->Pattern.Chain.size(), 3);
}

double LayerModel::passing(unsigned Group) const {
  const AccessGroup &G = *Groups[Group];
  double Own = footprint(G, G.Starts.front(), 0, 0, View.Line), Between = 0;
  unsigned First = G.Members.front(), Last = G.Members.back();
  for (const AccessGroup *Other : Groups)
    if (Other != &G && Other->Pattern.Chain == G.Pattern.Chain)
      for (unsigned I = 0; I < Other->Members.size(); ++I)
        if (Other->Members[I] > First && Other->Members[I] < Last)
          Between += footprint(*Other, Other->Starts[I], 0, 0, View.Line);
  return Own + Between / std::max<size_t>(1, G.Members.size() - 1);
}

double LayerModel::volume(int Loop, unsigned Set) const {
  auto [Slot, New] = Volumes.try_emplace({Loop, Set}, 0);
  if (!New)
    return Slot->second;
  struct Extent {
    double Bytes = 0, Low = INFINITY, High = -INFINITY;
  };
  std::map<unsigned, double> ByFootprint;
  std::map<std::string, Extent> ByObject;
  double Total = 0;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    const AccessGroup &G = *Groups[I];
    const AccessPattern &P = G.Pattern;
    unsigned Loops = P.Chain.size();
    if (Loop >= 0) {
      Loops = llvm::find(P.Chain, unsigned(Loop)) - P.Chain.begin();
      if (Loops == P.Chain.size())
        continue; // not in this loop
    }
    double Bytes = footprint(G, G.Starts, Loops, Set, View.Line);
    double &Known = ByFootprint[G.Footprint];
    if (Bytes <= Known)
      continue; // the same bytes as another group's
    Extent &Object =
        ByObject[G.Base.empty() ? "?" + std::to_string(I) : G.Base];
    Object.Bytes += Bytes - Known;
    Known = Bytes;
    if (P.DrawnSectors > 0) {
      Object.Low = 0;
      Object.High = std::max(Object.High, P.DrawnSectors * P.Sector);
    } else {
      Directions All = directions(P, Loops, Set);
      for (double Start : G.Starts) {
        auto [Low, High] = span(All, Start, P.Width);
        Object.Low = std::min(Object.Low, Low);
        Object.High = std::max(Object.High, High);
      }
    }
  }
  // Different patterns over one object cannot cover more than all of it.
  for (auto &[Base, Object] : ByObject)
    Total += std::min(Object.Bytes, Object.High - Object.Low + 2 * View.Line);
  return Volumes[{Loop, Set}] = Total;
}

double LayerModel::fetchedAlone(unsigned Group, double Asked) const {
  const AccessGroup &G = *Groups[Group];
  const AccessPattern &P = G.Pattern;
  // A fill may be larger than what was asked for.
  double Bytes = Asked * std::max(1.0, double(fill(G)) / P.Sector),
         Fetched = Bytes;
  // What is less than 1 of Activity is in the footprint already.
  double More = std::max(1.0, G.Activity);
  double Executions = View.Blocks / View.Sets[0];
  for (double T : P.Trips)
    Executions *= T;
  auto step = [&](double Level, double Distance) {
    double Next = std::min(Bytes, Level * Executions * More);
    Fetched -= View.captured(Distance) * (Bytes - Next);
    Bytes = Next;
  };
  unsigned Depth = P.Chain.size();
  double Body = volume(Depth ? int(P.Chain[0]) : -1, 0);
  if (P.DrawnSectors > 0) {
    for (unsigned I = 0; I < P.RegularLoops; ++I) {
      Executions /= P.Trips[I];
      step(footprint(Group, I + 1, 0), volume(P.Chain[I], 0));
    }
    // The rest comes in no order, so no distance either: a sector is found
    // with the probability that it is among those the cache has room for.
    Executions = View.Blocks / View.Sets[3];
    double Least =
        std::min(Fetched, footprint(Group, Depth, 3) * Executions * More);
    double Own = footprint(G, G.Starts, 0, 0, View.Line);
    double Room = std::max(0.0, View.capacity() - (Body - Own));
    double All = footprint(G, G.Starts, Depth, 3, View.Line);
    double Hit = std::min(1.0, Room / std::max(All, double(View.Line)));
    return std::max(Least, Fetched * (1 - Hit));
  }

  step(footprint(Group, 0, 0), std::min(Body, passing(Group)));
  for (unsigned I = 0; I < Depth; ++I) {
    Executions /= P.Trips[I];
    step(footprint(Group, I + 1, 0), volume(P.Chain[I], 0));
  }
  for (unsigned Set = 1; Set < View.Sets.size(); ++Set) {
    Executions = View.Blocks / View.Sets[Set];
    step(footprint(Group, Depth, Set), volume(-1, Set - 1));
  }
  // Every word of a private object is written before it is read, and written
  // without a fetch: the first touch of each sector costs nothing.
  if (P.Role == CacheRole::Private)
    Fetched -= Bytes;
  return std::max(0.0, Fetched);
}

/// Several groups that read one object at different places of the kernel
/// share what they fetch if the kernel's footprint stays.
void LayerModel::shareObjects(std::vector<double> &Bytes) const {
  std::map<std::string, std::vector<unsigned>> ByObject;
  for (unsigned I = 0; I < Groups.size(); ++I) {
    CacheRole Role = Groups[I]->Pattern.Role;
    bool Reads = Role == CacheRole::CachedLoad || Role == CacheRole::Load;
    if (!Groups[I]->Base.empty() && (Reads || Role == CacheRole::Private))
      ByObject[Groups[I]->Base].push_back(I);
  }
  for (auto &[Base, Sharing] : ByObject) {
    if (Sharing.size() < 2)
      continue;
    double Apart = 0, Together = 0, Low = INFINITY, High = -INFINITY;
    double Caches = View.Blocks / View.Sets[3];
    std::map<unsigned, std::pair<double, double>>
        ByFootprint; // fetched, distinct
    for (unsigned I : Sharing) {
      const AccessPattern &P = Groups[I]->Pattern;
      Apart += Bytes[I];
      auto &[Sum, Distinct] = ByFootprint[Groups[I]->Footprint];
      Sum += Bytes[I];
      Distinct = std::max(Distinct, distinct(I) * Caches);
      for (double Start : Groups[I]->Starts) {
        auto [L, H] =
            P.DrawnSectors > 0
                ? std::pair(0.0, P.DrawnSectors * P.Sector)
                : span(directions(P, P.Chain.size(), 3), Start, P.Width);
        Low = std::min(Low, L);
        High = std::max(High, H);
      }
    }
    for (auto &[Footprint, Of] : ByFootprint)
      Together += std::min(Of.first, Of.second);
    // Once per cache suffices for the whole object, if nothing is lost.
    Together = std::min(Together, (High - Low + 2 * View.Fetch) * Caches);
    double Saved =
        std::max(0.0, Apart - Together) * View.captured(volume(-1, 0));
    for (unsigned I : Sharing)
      if (Apart > 0)
        Bytes[I] -= Saved * Bytes[I] / Apart;
  }
}

std::vector<double> LayerModel::fetched(llvm::ArrayRef<double> Asked) const {
  std::vector<double> Out;
  for (unsigned I = 0; I < Groups.size(); ++I)
    Out.push_back(View.Gone > 0 ? fetchedAlone(I, Asked[I]) : Asked[I]);
  if (View.Gone > 0)
    shareObjects(Out);
  return Out;
}

} // namespace gpuestimate
