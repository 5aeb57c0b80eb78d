/// \file
/// The words that a warp touches, and two lists of them by age.
#include "TrafficPrivate.h"
#include "AddressProbe.h"
#include "gpu-estimate/Evaluate/TrafficRuns.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace gpuestimate {

/// Longer orders are not walked.
static constexpr unsigned MostTouches = 1024;

namespace {

/// A word of a private array, or what a group brings that is none.
struct Touch {
  unsigned Access = 0;
  int Word = -1; ///< number of a private word, -1: none
  bool Write = false;
  PassingBytes Passing; ///< per block, where it is not private
};

/// The touches of one block, in their order.
class Order {
public:
  Order(BoundKernel &Bound, const LaunchSample &Sample,
        llvm::ArrayRef<AccessGroup> Groups,
        llvm::ArrayRef<PassingBytes> Passing);
  /// False if they are not known, or too many.
  bool walk();
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
  llvm::DenseMap<uint64_t, unsigned> Numbers;        ///< of words, by place
  std::vector<std::pair<unsigned, double>> Counters; ///< of the loops around
};

/// Pieces by age. The oldest leave as a whole: of one that has begun to leave,
/// each line that is fetched again puts out the next one before its use.
class Ages {
public:
  struct Entry {
    int Piece = -1; ///< number, -1: never asked for again
    double Size = 0;
    bool Dirty = false;
    unsigned Writer = 0; ///< access that wrote it last
  };
  Ages(double Capacity, unsigned Pieces)
      : Capacity(Capacity), Where(Pieces, -1) {}

  /// True if the piece is there. It becomes the youngest; Left is called with
  /// what has to leave for it and has been written.
  bool use(const Entry &Use, llvm::function_ref<void(const Entry &)> Left);
  void clear() {
    Nodes.clear();
    Free.clear();
    std::fill(Where.begin(), Where.end(), -1);
    Youngest = Oldest = -1;
    Held = 0;
  }

private:
  struct Node {
    Entry Is;
    int Older = -1, Younger = -1;
  };
  void putFirst(int At);
  void takeOut(int At);

  double Capacity, Held = 0;
  std::vector<Node> Nodes;
  std::vector<int> Free;  ///< unused nodes
  std::vector<int> Where; ///< node of each piece, -1: none
  int Youngest = -1, Oldest = -1;
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
    for (Ages &Part : L1)
      Part.clear();
  }

private:
  static unsigned parts(const CacheView &Cache) {
    return Cache.Full < Cache.Gone ? 4 : 1;
  }
  static std::vector<Ages> rooms(const CacheView &Cache, unsigned Pieces);
  /// Size: of the piece in all multiprocessors, of which each part of L2 has
  /// the same share; how much of it was not there.
  double useL2(Ages::Entry Piece, unsigned PartOfL1, double Weight,
               std::map<unsigned, AccessBytes> &Total);

  llvm::ArrayRef<Touch> Order;
  std::vector<Ages> L1, L2;
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

bool Order::walk() {
  double Touches = 0;
  for (const AccessGroup &G : Groups) {
    const AccessPattern &P = G.Pattern;
    if (P.Role != CacheRole::Private)
      continue;
    // Lanes side by side, all of them, at places that no data decide.
    double Words = 0, Trips = 1;
    for (unsigned A : G.Members)
      Words += (Bound.kernel().Accesses[A].BytesPerThread + 3) / 4;
    for (double T : P.Trips)
      Trips *= T;
    Touches += Words * Trips;
    if (P.DrawnSectors > 0 || G.Executed < 0.9 || P.Lanes.empty() ||
        P.Lanes.front().Stride != 4 || P.Lanes.front().Extent < Bound.lanes())
      return false;
  }
  return Touches > 0 && Touches <= MostTouches && add(Bound.kernel().Body);
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
    return Touches.size() <= 4 * MostTouches;
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
    double Trips = Walked ? std::round(meanTrips(Sample, I.Index)) : 1;
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

void Ages::putFirst(int At) {
  Nodes[At].Older = Youngest;
  Nodes[At].Younger = -1;
  (Youngest >= 0 ? Nodes[Youngest].Younger : Oldest) = At;
  Youngest = At;
}

void Ages::takeOut(int At) {
  int Older = Nodes[At].Older, Younger = Nodes[At].Younger;
  (Younger >= 0 ? Nodes[Younger].Older : Youngest) = Older;
  (Older >= 0 ? Nodes[Older].Younger : Oldest) = Younger;
}

bool Ages::use(const Entry &Use, llvm::function_ref<void(const Entry &)> Left) {
  int At = Use.Piece >= 0 ? Where[Use.Piece] : -1;
  bool New = At < 0;
  if (New) {
    if (Free.empty()) {
      At = int(Nodes.size());
      Nodes.emplace_back();
    } else {
      At = Free.back();
      Free.pop_back();
    }
    Nodes[At].Is = Use;
    if (Use.Piece >= 0)
      Where[Use.Piece] = At;
    Held += Use.Size;
    putFirst(At);
  } else {
    if (At != Youngest) {
      takeOut(At);
      putFirst(At);
    }
    if (Use.Dirty) {
      Nodes[At].Is.Dirty = true;
      Nodes[At].Is.Writer = Use.Writer;
    }
  }
  while (Held > Capacity && Oldest != Youngest) {
    const Entry Gone = Nodes[Oldest].Is;
    Free.push_back(Oldest);
    takeOut(Oldest);
    if (Gone.Piece >= 0)
      Where[Gone.Piece] = -1;
    Held -= Gone.Size;
    if (Gone.Dirty)
      Left(Gone);
  }
  return !New;
}

Waves::Waves(llvm::ArrayRef<Touch> Order, unsigned Words, const CacheView &L1,
             const CacheView &L2, double BytesPerBlock, double Last)
    : Order(Order), L1(rooms(L1, 2 * Words)),
      L2(rooms(L2, 2 * Words * parts(L1))), Caches(L1.Blocks / L1.All),
      BytesPerBlock(BytesPerBlock), Last(Last) {}

std::vector<Ages> Waves::rooms(const CacheView &Cache, unsigned Pieces) {
  unsigned Count = parts(Cache);
  std::vector<Ages> Out;
  for (unsigned Part = 0; Part < Count; ++Part) {
    double Room = Cache.Full + (Cache.Gone - Cache.Full) * (Part + 0.5) / Count;
    Out.emplace_back(Room / Count, Pieces);
  }
  return Out;
}

double Waves::useL2(Ages::Entry Piece, unsigned PartOfL1, double Weight,
                    std::map<unsigned, AccessBytes> &Total) {
  auto left = [&](const Ages::Entry &Old) {
    Total[Old.Writer].Written += Weight * Old.Size;
  };
  if (Piece.Piece >= 0) // parts of L1 are told apart
    Piece.Piece = Piece.Piece * int(L1.size()) + int(PartOfL1);
  Piece.Size /= double(L2.size());
  double Missed = 0;
  for (Ages &Part : L2)
    if (!Part.use(Piece, left))
      Missed += Piece.Size;
  return Missed;
}

void Waves::run(double Blocks, double Weight,
                std::map<unsigned, AccessBytes> &Total) {
  double Parts[] = {std::min(Blocks, Last), Blocks - std::min(Blocks, Last)};
  for (const Touch &T : Order) {
    for (unsigned Part = 0; Part < L1.size(); ++Part) {
      auto left = [&](Ages::Entry Piece) {
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
        Ages::Entry Piece = {2 * T.Word + int(Turn),
                             Parts[Turn] * BytesPerBlock / Caches * Share,
                             T.Write, T.Access};
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

std::optional<std::map<unsigned, PrivateShares>>
walkPrivateArrays(BoundKernel &Bound, const LaunchSample &Sample,
                  const Launch &L, llvm::ArrayRef<AccessGroup> Groups,
                  llvm::ArrayRef<PassingBytes> Passing, const CacheView &L1,
                  const CacheView &L2, bool Warm) {
  Order Of(Bound, Sample, Groups, Passing);
  if (!Of.walk())
    return std::nullopt;
  double Number = std::max(1.0, std::ceil(L2.All / L2.Slots - 1e-9)),
         Full = std::min(L2.Slots, L2.All), Last = L2.All - (Number - 1) * Full;
  Last -= (1 - L2.LastShare) * std::min(L2.LastRow, Last);

  std::map<unsigned, AccessBytes> Total, Before;
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

  std::map<unsigned, PrivateShares> Out;
  for (auto &[Access, Sum] : Total)
    if (Sum.Asked > 0)
      Out[Access] = {Sum.ToL2 / Sum.Asked, Sum.Read / Sum.Asked,
                     Sum.Written / Sum.Asked};
  return Out;
}

} // namespace gpuestimate
