/// \file
/// The words that a warp touches, and how much of their order is walked.
#include "TrafficPrivate.h"
#include "Evaluate/Access/AddressProbe.h"
#include "PrivateWaves.h"
#include "TrafficRuns.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Of longer orders, a part of the iterations is walked, twice: that costs as
/// much as one walk of somewhat more.
static constexpr double MostTouches = 2560, TouchesOfPart = 1024;

namespace {

/// An outermost loop of which fewer iterations are walked than it has.
struct Cut {
  int Loop = -1; ///< none
  double Trips = 0, Walked = 0;
};

/// The touches of one block, in their order.
class Order {
public:
  Order(BoundKernel &Bound, const LaunchSample &Sample,
        llvm::ArrayRef<AccessGroup> Groups,
        llvm::ArrayRef<PassingBytes> Passing);
  /// What can be walked; nullopt if the order is not known, or too long.
  std::optional<Cut> find() const;
  /// From the beginning; false if it is not known after all.
  bool walk(const Cut &Of);
  std::vector<Touch> Touches;
  unsigned words() const { return unsigned(Numbers.size()); }

private:
  bool add(llvm::ArrayRef<Item> Body);
  bool addAccess(unsigned Access, double Executions);

  BoundKernel &Bound;
  const LaunchSample &Sample;
  llvm::ArrayRef<AccessGroup> Groups;
  llvm::ArrayRef<PassingBytes> Passing;
  std::vector<int> GroupOf;      ///< [access] -1: none
  std::vector<bool> WithPrivate; ///< [loop] has private accesses inside
  std::vector<std::optional<AddressProbe>> Probes; ///< [access]
  Cut Part;
  llvm::DenseMap<uint64_t, unsigned> Numbers;        ///< of words, by place
  std::vector<std::pair<unsigned, double>> Counters; ///< of the loops around
};

} // namespace

Order::Order(BoundKernel &Bound, const LaunchSample &Sample,
             llvm::ArrayRef<AccessGroup> Groups,
             llvm::ArrayRef<PassingBytes> Passing)
    : Bound(Bound), Sample(Sample), Groups(Groups), Passing(Passing),
      GroupOf(Bound.kernel().Accesses.size(), -1),
      WithPrivate(Bound.kernel().Loops.size()), Probes(GroupOf.size()) {
  for (auto [Index, G] : llvm::enumerate(Groups)) {
    for (unsigned A : G.Members)
      GroupOf[A] = int(Index);
    if (G.Pattern.Role == CacheRole::Private)
      for (unsigned Loop : G.Pattern.Chain)
        WithPrivate[Loop] = true;
  }
}

std::optional<Cut> Order::find() const {
  double All = 0;
  std::map<unsigned, double> ByLoop; ///< outermost, those in one iteration
  Cut Longest;
  for (const AccessGroup &G : Groups) {
    const AccessPattern &P = G.Pattern;
    if (P.Role != CacheRole::Private)
      continue;
    // Lanes side by side, all of them, at places that no data decide.
    if (P.DrawnSectors > 0 || G.Executed < 0.9 || P.Lanes.empty() ||
        P.Lanes.front().Stride != 4 || P.Lanes.front().Extent < Bound.lanes())
      return std::nullopt;
    double Touches = 0;
    for (unsigned A : G.Members)
      Touches += (Bound.kernel().Accesses[A].BytesPerThread + 3) / 4;
    for (double T : P.Trips)
      Touches *= T;
    All += Touches;
    if (P.Chain.empty())
      continue;
    double &OfLoop = ByLoop[P.Chain.back()];
    OfLoop += Touches / P.Trips.back();
    if (Longest.Loop < 0 ||
        OfLoop * P.Trips.back() > ByLoop[Longest.Loop] * Longest.Trips)
      Longest = {int(P.Chain.back()), std::round(P.Trips.back()), 0};
  }
  if (All <= 0)
    return std::nullopt;
  if (All <= MostTouches)
    return Cut();
  if (Longest.Loop < 0)
    return std::nullopt;
  double Each = ByLoop[Longest.Loop], Others = All - Each * Longest.Trips;
  Longest.Walked = std::floor((TouchesOfPart - Others) / Each);
  return Longest.Walked >= 2 ? std::optional(Longest) : std::nullopt;
}

bool Order::walk(const Cut &Of) {
  Part = Of;
  Touches.clear();
  Numbers.clear();
  Counters.clear();
  return add(Bound.kernel().Body);
}

bool Order::addAccess(unsigned Access, double Executions) {
  if (GroupOf[Access] < 0)
    return true;
  const AccessGroup &G = Groups[GroupOf[Access]];
  const MemoryAccess &A = Bound.kernel().Accesses[Access];
  if (G.Pattern.Role != CacheRole::Private) {
    Executions /= double(G.Members.size());
    // What it brings is spread over its members and their executions.
    for (auto [Loop, T] : llvm::zip(G.Pattern.Chain, G.Pattern.Trips))
      if (WithPrivate[Loop])
        Executions /= std::round(T);
    PassingBytes Bytes = Passing[GroupOf[Access]];
    Bytes.L1 *= Executions;
    Bytes.L2 *= Executions;
    Touches.push_back({Access, -1, false, Bytes});
    return double(Touches.size()) <= 2 * MostTouches;
  }
  std::optional<AddressProbe> &Probe = Probes[Access];
  if (!Probe)
    Probe.emplace(Bound, Access);
  for (auto [Loop, Iteration] : Counters)
    Probe->setCounter(Loop, Iteration);
  double At = (*Probe)();
  if (!(At >= 0))
    return false;
  uint64_t Object = G.Footprint;
  for (unsigned Word = 0; Word < (A.BytesPerThread + 3) / 4; ++Word) {
    uint64_t Place = Object << 32 | (uint64_t(At) / 4 + Word);
    unsigned Number =
        Numbers.try_emplace(Place, unsigned(Numbers.size())).first->second;
    Touches.push_back(
        {Access, int(Number), A.Kind == AccessKind::Store, PassingBytes()});
  }
  return true;
}

bool Order::add(llvm::ArrayRef<Item> Body) {
  for (const Item &I : Body) {
    if (I.Kind == Item::IsBlock) {
      for (unsigned A : Bound.accessesOf(I.Index))
        if (!addAccess(A, 1))
          return false;
      continue;
    }
    bool Walked = WithPrivate[I.Index];
    double Trips = !Walked ? 1
                   : int(I.Index) == Part.Loop
                       ? Part.Walked
                       : std::round(meanTrips(Sample, I.Index));
    for (double Iteration = 0; Iteration < Trips; ++Iteration) {
      Counters.push_back({I.Index, Iteration});
      bool Good = add(Bound.kernel().Loops[I.Index].Body);
      Counters.pop_back();
      if (!Good)
        return false;
    }
  }
  return true;
}

std::optional<std::map<unsigned, PrivateShares>>
walkPrivateArrays(BoundKernel &Bound, const LaunchSample &Sample,
                  const Launch &L, llvm::ArrayRef<AccessGroup> Groups,
                  llvm::ArrayRef<PassingBytes> Passing, const CacheView &L1,
                  const CacheView &L2, bool Warm, PrivateWalks &Known) {
  const size_t Accesses = Bound.kernel().Accesses.size();
  const LaunchWaves Waves(L, L1, L2, Warm);
  Order Touched(Bound, Sample, Groups, Passing);
  auto totals = [&](const Cut &Of) -> std::optional<PrivateWalks::Result> {
    if (!Touched.walk(Of))
      return std::nullopt;
    return Known.find(Waves.bytes(Touched.Touches, Accesses), [&] {
      return Waves.walk(Touched.Touches, Touched.words(), Accesses);
    });
  };
  std::optional<Cut> Part = Touched.find();
  if (!Part)
    return std::nullopt;
  std::optional<PrivateWalks::Result> Total = totals(*Part);
  if (!Total)
    return std::nullopt;
  if (Part->Loop >= 0) {
    // Iterations are alike once the arrays are in the caches.
    Cut Half = *Part;
    Half.Walked = std::floor(Half.Walked / 2);
    std::optional<PrivateWalks::Result> Less = totals(Half);
    if (!Less)
      return std::nullopt;
    double More = (Part->Trips - Part->Walked) / (Part->Walked - Half.Walked);
    for (auto [Sum, Of] : llvm::zip_equal(*Total, *Less)) {
      for (double PrivateBytes::*Each :
           {&PrivateBytes::Asked, &PrivateBytes::ToL2, &PrivateBytes::Read,
            &PrivateBytes::Written})
        Sum.*Each += More * std::max(0.0, Sum.*Each - Of.*Each);
    }
  }

  std::map<unsigned, PrivateShares> Out;
  for (auto [Access, Sum] : llvm::enumerate(*Total))
    if (Sum.Asked > 0)
      Out[Access] = {Sum.ToL2 / Sum.Asked, Sum.Read / Sum.Asked,
                     Sum.Written / Sum.Asked};
  return Out;
}

} // namespace gpuestimate
