/// \file
/// The words that a warp touches, and two lists of them by age.
#include "TrafficPrivate.h"
#include "AddressProbe.h"
#include "PiecesByAge.h"
#include "gpu-estimate/Evaluate/TrafficRuns.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace gpuestimate {

/// Of longer orders, a part of the iterations is walked.
static constexpr double MostTouches = 1024;

namespace {

/// A word of a private array, or what a group brings that is none.
struct Touch {
  unsigned Access = 0;
  int Word = -1; ///< number of a private word, -1: none
  bool Write = false;
  PassingBytes Passing; ///< per block, where it is not private
};

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
  /// False if it is not known after all.
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
  std::map<unsigned, unsigned> GroupOf; ///< by access
  std::set<unsigned> WithPrivate;       ///< loops with private accesses inside
  std::map<unsigned, AddressProbe> Probes;
  Cut Part;
  llvm::DenseMap<uint64_t, unsigned> Numbers;        ///< of words, by place
  std::vector<std::pair<unsigned, double>> Counters; ///< of the loops around
};

/// Bytes of one access.
struct AccessBytes {
  double Asked = 0, ToL2 = 0, Read = 0, Written = 0;
};

/// Waves of blocks, one after the other, in caches of some size.
class Waves {
public:
  /// What a cache captures of a distance is the chance that its room is larger:
  /// parts of it have rooms of their own, and each piece lies in all of them.
  Waves(llvm::ArrayRef<Touch> Order, unsigned Words, const CacheView &L1,
        const CacheView &L2, double BytesPerBlock, double Last);
  /// One wave that stands for Weight of them.
  void run(double Blocks, double Weight,
           std::map<unsigned, AccessBytes> &Total);
  /// The next launch begins.
  void clearL1() {
    for (PiecesByAge &Part : L1)
      Part.clear();
  }

private:
  static constexpr unsigned PartsOfL1 = 6, PartsOfL2 = 3;
  static unsigned parts(const CacheView &Cache, unsigned Most) {
    return Cache.Full < Cache.Gone ? Most : 1;
  }
  static std::vector<PiecesByAge> rooms(const CacheView &Cache, unsigned Count,
                                        unsigned Pieces);
  /// Size: of the piece in all multiprocessors, of which each part of L2 has
  /// the same share; how much of it was not there.
  double useL2(PiecesByAge::Entry Piece, unsigned PartOfL1, double Weight,
               std::map<unsigned, AccessBytes> &Total);

  llvm::ArrayRef<Touch> Order;
  std::vector<PiecesByAge> L1, L2;
  double Caches;        ///< L1
  double BytesPerBlock; ///< of a word
  double Last;          ///< blocks of the last wave
};

} // namespace

Order::Order(BoundKernel &Bound, const LaunchSample &Sample,
             llvm::ArrayRef<AccessGroup> Groups,
             llvm::ArrayRef<PassingBytes> Passing)
    : Bound(Bound), Sample(Sample), Groups(Groups), Passing(Passing) {
  for (auto [Index, G] : llvm::enumerate(Groups)) {
    for (unsigned A : G.Members)
      GroupOf[A] = Index;
    if (G.Pattern.Role == CacheRole::Private)
      WithPrivate.insert(G.Pattern.Chain.begin(), G.Pattern.Chain.end());
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
  Longest.Walked = std::floor((MostTouches - Others) / Each);
  return Longest.Walked >= 2 ? std::optional(Longest) : std::nullopt;
}

bool Order::walk(const Cut &Of) {
  Part = Of;
  return add(Bound.kernel().Body);
}

bool Order::addAccess(unsigned Access, double Executions) {
  auto Known = GroupOf.find(Access);
  if (Known == GroupOf.end())
    return true;
  const AccessGroup &G = Groups[Known->second];
  const MemoryAccess &A = Bound.kernel().Accesses[Access];
  if (G.Pattern.Role != CacheRole::Private) {
    Executions /= double(G.Members.size());
    // What it brings is spread over its members and their executions.
    for (auto [Loop, T] : llvm::zip(G.Pattern.Chain, G.Pattern.Trips))
      if (WithPrivate.count(Loop))
        Executions /= std::round(T);
    PassingBytes Bytes = Passing[Known->second];
    Bytes.L1 *= Executions;
    Bytes.L2 *= Executions;
    Touches.push_back({Access, -1, false, Bytes});
    return double(Touches.size()) <= 4 * MostTouches;
  }
  auto Probe = Probes.try_emplace(Access, Bound, Access).first;
  for (auto [Loop, Iteration] : Counters)
    Probe->second.setCounter(Loop, Iteration);
  double At = Probe->second();
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
    bool Walked = WithPrivate.count(I.Index);
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

Waves::Waves(llvm::ArrayRef<Touch> Order, unsigned Words, const CacheView &L1,
             const CacheView &L2, double BytesPerBlock, double Last)
    : Order(Order), L1(rooms(L1, parts(L1, PartsOfL1), 2 * Words)),
      L2(rooms(L2, parts(L2, PartsOfL2),
               2 * Words * unsigned(this->L1.size()))),
      Caches(L1.Blocks / L1.All), BytesPerBlock(BytesPerBlock), Last(Last) {}

std::vector<PiecesByAge> Waves::rooms(const CacheView &Cache, unsigned Count,
                                      unsigned Pieces) {
  std::vector<PiecesByAge> Out;
  for (unsigned Part = 0; Part < Count; ++Part) {
    double Room = Cache.Full + (Cache.Gone - Cache.Full) * (Part + 0.5) / Count;
    Out.emplace_back(Room / Count, Pieces);
  }
  return Out;
}

double Waves::useL2(PiecesByAge::Entry Piece, unsigned PartOfL1, double Weight,
                    std::map<unsigned, AccessBytes> &Total) {
  auto left = [&](const PiecesByAge::Entry &Old) {
    Total[Old.Writer].Written += Weight * Old.Size;
  };
  if (Piece.Piece >= 0) // parts of L1 are told apart
    Piece.Piece = Piece.Piece * int(L1.size()) + int(PartOfL1);
  Piece.Size /= double(L2.size());
  double Missed = 0;
  for (PiecesByAge &Part : L2)
    if (!Part.use(Piece, left))
      Missed += Piece.Size;
  return Missed;
}

void Waves::run(double Blocks, double Weight,
                std::map<unsigned, AccessBytes> &Total) {
  double Parts[] = {std::min(Blocks, Last), Blocks - std::min(Blocks, Last)};
  for (const Touch &T : Order) {
    for (unsigned Part = 0; Part < L1.size(); ++Part) {
      auto left = [&](PiecesByAge::Entry Piece) {
        Piece.Size *= Caches;
        Total[Piece.Writer].ToL2 += Weight * Piece.Size;
        useL2(Piece, Part, Weight, Total);
      };
      double Share = 1.0 / double(L1.size());
      if (T.Word < 0) {
        if (T.Passing.L1 > 0)
          L1[Part].use(
              {-1, T.Passing.L1 * Blocks / Caches * Share, false, T.Access},
              left);
        if (T.Passing.L2 > 0)
          useL2({-1, T.Passing.L2 * Blocks * Share, false, T.Access}, Part,
                Weight, Total);
        continue;
      }
      AccessBytes &Of = Total[T.Access];
      for (unsigned Turn = 0; Turn < 2; ++Turn) {
        // Those of blocks that the last wave has not are apart.
        PiecesByAge::Entry Piece = {
            2 * T.Word + int(Turn),
            Parts[Turn] * BytesPerBlock / Caches * Share, T.Write, T.Access};
        double Size = Piece.Size * Caches;
        if (Size <= 0)
          continue;
        Of.Asked += Weight * Size;
        if (L1[Part].use(Piece, left) || T.Write)
          continue;
        Of.ToL2 += Weight * Size;
        Piece.Size = Size;
        Of.Read += Weight * useL2(Piece, Part, Weight, Total);
      }
    }
  }
}

using BytesByAccess = std::map<unsigned, AccessBytes>;

/// A launch of blocks that touch words in one order.
static BytesByAccess walkLaunch(const Order &Of, const Launch &L,
                                const CacheView &L1, const CacheView &L2,
                                bool Warm) {
  double Number = std::max(1.0, std::ceil(L2.All / L2.Slots - 1e-9)),
         Full = std::min(L2.Slots, L2.All), Last = L2.All - (Number - 1) * Full;
  Last -= (1 - L2.LastShare) * std::min(L2.LastRow, Last);

  BytesByAccess Total, Before;
  Waves W(Of.Touches, Of.words(), L1, L2, 4.0 * L.threadsPerBlock(), Last);
  // What the launch before has left in L2 is what its last waves did.
  if (Warm) {
    if (Number > 1)
      W.run(Full, 0, Before);
    W.run(Last, 0, Before);
    W.clearL1();
  }
  if (Number > 1)
    W.run(Full, 1, Total);
  if (Number > 2)
    W.run(Full, Number - 2, Total);
  W.run(Last, 1, Total);
  return Total;
}

std::optional<std::map<unsigned, PrivateShares>>
walkPrivateArrays(BoundKernel &Bound, const LaunchSample &Sample,
                  const Launch &L, llvm::ArrayRef<AccessGroup> Groups,
                  llvm::ArrayRef<PassingBytes> Passing, const CacheView &L1,
                  const CacheView &L2, bool Warm) {
  auto totals = [&](const Cut &Of) -> std::optional<BytesByAccess> {
    Order Touched(Bound, Sample, Groups, Passing);
    if (!Touched.walk(Of))
      return std::nullopt;
    return walkLaunch(Touched, L, L1, L2, Warm);
  };
  std::optional<Cut> Part = Order(Bound, Sample, Groups, Passing).find();
  if (!Part)
    return std::nullopt;
  std::optional<BytesByAccess> Total = totals(*Part);
  if (!Total)
    return std::nullopt;
  if (Part->Loop >= 0) {
    // Iterations are alike once the arrays are in the caches.
    Cut Half = *Part;
    Half.Walked = std::floor(Half.Walked / 2);
    std::optional<BytesByAccess> Less = totals(Half);
    if (!Less)
      return std::nullopt;
    double More = (Part->Trips - Part->Walked) / (Part->Walked - Half.Walked);
    for (auto &[Access, Sum] : *Total) {
      const AccessBytes &Of = (*Less)[Access];
      for (double AccessBytes::*Each :
           {&AccessBytes::Asked, &AccessBytes::ToL2, &AccessBytes::Read,
            &AccessBytes::Written})
        Sum.*Each += More * std::max(0.0, Sum.*Each - Of.*Each);
    }
  }

  std::map<unsigned, PrivateShares> Out;
  for (auto &[Access, Sum] : *Total)
    if (Sum.Asked > 0)
      Out[Access] = {Sum.ToL2 / Sum.Asked, Sum.Read / Sum.Asked,
                     Sum.Written / Sum.Asked};
  return Out;
}

} // namespace gpuestimate
