#include "PrivateWaves.h"

#include "PiecesByAge.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace gpuestimate {

namespace {

using BytesByAccess = PrivateWalks::Result;

/// What L2 is asked for.
struct Request {
  enum KindType : uint8_t { Passing, Load, WriteBack } Kind;
  PiecesByAge::Entry Piece; ///< size: in all multiprocessors
};

/// Waves of blocks, one after the other, in caches of some size.
class Waves {
public:
  /// What a cache captures of a distance is the chance that its room is larger:
  /// parts of it have rooms of their own, and each piece lies in all of them.
  Waves(llvm::ArrayRef<Touch> Order, unsigned Words, const CacheView &L1,
        const CacheView &L2, double BytesPerBlock, double Last);
  /// One wave in L1, which does not depend on L2.
  std::vector<Request> throughL1(double Blocks);
  /// Does L2 hold all of them, and once more?
  bool holds(llvm::ArrayRef<Request> Requests) const;
  /// The same wave in L2, or with everything in it; it stands for Weight of
  /// them.
  void throughL2(double Blocks, llvm::ArrayRef<Request> Requests, double Weight,
                 BytesByAccess &Total, bool InL2 = false);
  /// The same, for what it leaves in L2.
  void fillL2(llvm::ArrayRef<Request> Requests);
  void run(double Blocks, double Weight, BytesByAccess &Total) {
    throughL2(Blocks, throughL1(Blocks), Weight, Total);
  }

  PiecesByAge L1;

private:
  static constexpr unsigned PartsOfL1 = 6, PartsOfL2 = 3;
  static PiecesByAge rooms(const CacheView &Cache, unsigned Most,
                           unsigned Pieces);
  /// A word of some blocks in all parts of L1.
  struct Use {
    PiecesByAge::Entry Piece;
    unsigned Missing = 0; ///< parts, the first of them, that it was not in
    /// What left a part for it, in the order of the parts.
    llvm::SmallVector<std::pair<unsigned, PiecesByAge::Entry>, 16> Left;
    unsigned Passed = 0; ///< of Left, to L2
  };
  void use(Use &Of);
  /// What left a part of L1 for it.
  void passOn(Use &Of, unsigned Part, std::vector<Request> &Out) const {
    while (Of.Passed < Of.Left.size() && Of.Left[Of.Passed].first == Part)
      writeBack(Of.Left[Of.Passed++].second, Part, Out);
  }
  void writeBack(PiecesByAge::Entry Gone, unsigned Part,
                 std::vector<Request> &Out) const {
    Gone.Size *= Caches;
    Gone.Dirty = true;
    ask(Request::WriteBack, Gone, Part, Out);
  }
  /// In one part of L2, of which each has the same share.
  PiecesByAge::Entry inL2(const Request &Of) const {
    PiecesByAge::Entry Piece = Of.Piece;
    Piece.Size /= double(L2.caches());
    return Piece;
  }
  void ask(Request::KindType Kind, PiecesByAge::Entry Piece, unsigned Part,
           std::vector<Request> &Out) const;
  /// Of each turn, those of blocks that the last wave has not being apart: a
  /// word in one part of one L1.
  std::array<double, 2> sizes(double Blocks) const;

  llvm::ArrayRef<Touch> Order;
  PiecesByAge L2;
  double Caches;        ///< L1
  double BytesPerBlock; ///< of a word
  double Last;          ///< blocks of the last wave
};

} // namespace

Waves::Waves(llvm::ArrayRef<Touch> Order, unsigned Words, const CacheView &L1,
             const CacheView &L2, double BytesPerBlock, double Last)
    : L1(rooms(L1, PartsOfL1, 2 * Words)), Order(Order),
      L2(rooms(L2, PartsOfL2, 2 * Words * this->L1.caches())),
      Caches(L1.Blocks / L1.All), BytesPerBlock(BytesPerBlock), Last(Last) {}

PiecesByAge Waves::rooms(const CacheView &Cache, unsigned Most,
                         unsigned Pieces) {
  unsigned Count = Cache.Full < Cache.Gone ? Most : 1;
  llvm::SmallVector<double, PartsOfL1> Rooms;
  for (unsigned Part = 0; Part < Count; ++Part)
    Rooms.push_back(
        (Cache.Full + (Cache.Gone - Cache.Full) * (Part + 0.5) / Count) /
        Count);
  return PiecesByAge(Rooms, Pieces);
}

std::array<double, 2> Waves::sizes(double Blocks) const {
  double Both = std::min(Blocks, Last), Share = 1.0 / double(L1.caches());
  return {Both * BytesPerBlock / Caches * Share,
          (Blocks - Both) * BytesPerBlock / Caches * Share};
}

void Waves::use(Use &Of) {
  Of.Left.clear();
  Of.Passed = 0;
  Of.Missing =
      L1.use(Of.Piece, [&](unsigned Part, const PiecesByAge::Entry &Gone) {
        Of.Left.push_back({Part, Gone});
      });
}

void Waves::ask(Request::KindType Kind, PiecesByAge::Entry Piece, unsigned Part,
                std::vector<Request> &Out) const {
  if (Piece.Piece >= 0) // parts of L1 are told apart
    Piece.Piece = Piece.Piece * int(L1.caches()) + int(Part);
  Out.push_back({Kind, Piece});
}

std::vector<Request> Waves::throughL1(double Blocks) {
  std::vector<Request> Out;
  if (!spendWork(Order.size() * L1.caches()))
    return Out;
  std::array<double, 2> Sizes = sizes(Blocks);
  double Share = 1.0 / double(L1.caches());
  Use Passing, Uses[2];
  for (const Touch &T : Order) {
    if (T.Word < 0) {
      if (T.Passing.L1 > 0) {
        Passing.Piece = {-1, T.Access, T.Passing.L1 * Blocks / Caches * Share,
                         false};
        use(Passing);
      }
      for (unsigned Part = 0; Part < L1.caches(); ++Part) {
        passOn(Passing, Part, Out);
        if (T.Passing.L2 > 0)
          ask(Request::Passing,
              {-1, T.Access, T.Passing.L2 * Blocks * Share, false}, Part, Out);
      }
      continue;
    }
    for (unsigned Turn = 0; Turn < 2; ++Turn) {
      Uses[Turn].Piece = {2 * T.Word + int(Turn), T.Access, Sizes[Turn],
                          T.Write};
      if (Sizes[Turn] > 0)
        use(Uses[Turn]);
    }
    for (unsigned Part = 0; Part < L1.caches(); ++Part)
      for (Use &Each : Uses) {
        if (Each.Piece.Size <= 0)
          continue;
        passOn(Each, Part, Out);
        if (Part >= Each.Missing || T.Write)
          continue;
        PiecesByAge::Entry Piece = Each.Piece;
        Piece.Size *= Caches;
        ask(Request::Load, Piece, Part, Out);
      }
  }
  return Out;
}

bool Waves::holds(llvm::ArrayRef<Request> Requests) const {
  double Sum = 0;
  for (const Request &R : Requests)
    Sum += R.Piece.Size;
  // Sums in another order may differ by their last digits.
  return 2.001 * Sum / double(L2.caches()) <= L2.leastCapacity();
}

void Waves::throughL2(double Blocks, llvm::ArrayRef<Request> Requests,
                      double Weight, BytesByAccess &Total, bool InL2) {
  if (!spendWork(Order.size() + Requests.size()))
    return;
  std::array<double, 2> Sizes = sizes(Blocks);
  for (const Touch &T : Order)
    for (unsigned Part = 0; T.Word >= 0 && Part < L1.caches(); ++Part)
      for (double Size : Sizes)
        Total[T.Access].Asked += Weight * (Size * Caches);
  for (const Request &R : Requests) {
    const PiecesByAge::Entry Piece = inL2(R);
    auto left = [&](unsigned, const PiecesByAge::Entry &Old) {
      Total[Old.Writer].Written += Weight * Old.Size;
    };
    const unsigned Missing = InL2 ? 0 : L2.use(Piece, left);
    if (R.Kind == Request::Passing)
      continue;
    PrivateBytes &Of = Total[Piece.Writer];
    Of.ToL2 += Weight * R.Piece.Size;
    if (R.Kind != Request::Load || !Missing)
      continue;
    double Missed = 0;
    for (unsigned Part = 0; Part < Missing; ++Part)
      Missed += Piece.Size;
    Of.Read += Weight * Missed;
  }
}

void Waves::fillL2(llvm::ArrayRef<Request> Requests) {
  if (!spendWork(Requests.size()))
    return;
  for (const Request &R : Requests)
    L2.use(inL2(R), [](unsigned, const PiecesByAge::Entry &) {});
}

LaunchWaves::LaunchWaves(const Launch &L, const CacheView &L1,
                         const CacheView &L2, bool Warm)
    : L1(L1), L2(L2), Warm(Warm),
      Number(std::max(1.0, std::ceil(L2.All / L2.Slots - 1e-9))),
      Full(std::min(L2.Slots, L2.All)), Last(L2.All - (Number - 1) * Full),
      BytesPerBlock(4.0 * L.threadsPerBlock()) {
  Last -= (1 - L2.LastShare) * std::min(L2.LastRow, Last);
}

PrivateWalks::Result LaunchWaves::walk(llvm::ArrayRef<Touch> Order,
                                       unsigned Words, size_t Accesses) const {
  PrivateWalks::Result Total(Accesses);
  Waves W(Order, Words, L1, L2, BytesPerBlock, Last);
  double First = Number > 1 ? Full : Last;
  std::vector<Request> OfFirst = W.throughL1(First);
  // What the launch before has left in L2 is what its last waves did. L1 begins
  // anew, and with the same wave.
  bool InL2 = Warm && Number <= 1 && W.holds(OfFirst);
  if (Warm && !InL2) {
    W.fillL2(OfFirst);
    if (Number > 1) {
      PiecesByAge AfterFirst = W.L1;
      W.fillL2(W.throughL1(Last));
      W.L1 = std::move(AfterFirst);
    }
  }
  W.throughL2(First, OfFirst, 1, Total, InL2);
  if (Number > 2)
    W.run(Full, Number - 2, Total);
  if (Number > 1)
    W.run(Last, 1, Total);
  return Total;
}

std::string LaunchWaves::bytes(llvm::ArrayRef<Touch> Order,
                               size_t Accesses) const {
  std::string Out;
  auto take = [&](auto Value) {
    Out.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  };
  for (double Value :
       {Number, Full, Last, BytesPerBlock, L1.Full, L1.Gone, L1.Blocks / L1.All,
        L2.Full, L2.Gone, double(Warm), double(Accesses)})
    take(Value);
  for (const Touch &T : Order) {
    take(T.Access << 1 | unsigned(T.Write));
    take(T.Word);
    if (T.Word < 0) {
      take(T.Passing.L1);
      take(T.Passing.L2);
    }
  }
  return Out;
}

} // namespace gpuestimate
