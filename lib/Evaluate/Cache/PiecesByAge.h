/// \file
/// Caches of pieces of memory that are used as a whole.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_PIECESBYAGE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_PIECESBYAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace gpuestimate {

/// Pieces by age in caches of different capacities that are all asked for the
/// same ones in the same order: what each of them holds is the end of one
/// sequence of uses (Mattson et al. 1970), so that they share it. The oldest
/// pieces leave as a whole: of one that has begun to leave, each line that is
/// fetched again puts out the next one before its use.
class PiecesByAge {
public:
  struct Entry {
    int Piece = -1;      ///< number, -1: never asked for again
    unsigned Writer = 0; ///< access that wrote it last
    double Size = 0;     ///< of a piece always the same
    bool Dirty = false;
  };
  /// Eight caches at most, the smallest first. Pieces: numbers up to it.
  PiecesByAge(llvm::ArrayRef<double> Capacities, unsigned Pieces);
  unsigned caches() const { return unsigned(Caches.size()); }
  double leastCapacity() const { return Caches.front().Capacity; }

  /// How many caches, from the first one on, the piece was not in; the larger
  /// ones have whatever they have. It becomes the youngest of all. For what was
  /// written and has to leave for it, Left(c, entry) is called, cache by cache.
  template <typename Function>
  unsigned use(const Entry &Use, const Function &Left);

private:
  struct Cache {
    double Capacity = 0, Held = 0;
    unsigned Oldest = 0; ///< no earlier use is of a piece in it
  };
  struct PastUse {
    int Piece;
    unsigned Writer;
    double Size;
    uint8_t DirtyIn; ///< bit c: cache c
    bool IsLast;     ///< of its piece
  };
  static constexpr unsigned Never = ~0U;
  /// Adds a use, the last one of its piece. As use().
  unsigned append(const Entry &Use);
  /// Forgets uses that are not the last of a piece in some cache.
  void compact();

  llvm::SmallVector<Cache, 6> Caches;
  std::vector<PastUse> Uses;   ///< the youngest is the last
  std::vector<unsigned> Where; ///< last use of each piece, or Never
  uint8_t All;                 ///< a bit for each cache
};

inline unsigned PiecesByAge::append(const Entry &Use) {
  unsigned Before = Use.Piece >= 0 ? Where[Use.Piece] : Never,
           Missing = unsigned(Caches.size());
  PastUse Now{Use.Piece, Use.Writer, Use.Size, 0, true};
  if (Before != Never) {
    PastUse &Old = Uses[Before];
    Old.IsLast = false;
    while (Missing > 0 && Before >= Caches[Missing - 1].Oldest)
      --Missing;
    Now.DirtyIn = uint8_t(Old.DirtyIn & All << Missing);
    if (Now.DirtyIn && !Use.Dirty)
      Now.Writer = Old.Writer;
  }
  if (Use.Dirty)
    Now.DirtyIn = All;
  if (Uses.size() == Uses.capacity())
    compact();
  if (Use.Piece >= 0)
    Where[Use.Piece] = unsigned(Uses.size());
  Uses.push_back(Now);
  return Missing;
}

template <typename Function>
unsigned PiecesByAge::use(const Entry &Use, const Function &Left) {
  const unsigned Missing = append(Use), At = unsigned(Uses.size()) - 1;
  const PastUse *Of = Uses.data();
  for (unsigned Index = 0; Index < Missing; ++Index) {
    Cache &C = Caches[Index];
    double Held = C.Held + Use.Size;
    unsigned Oldest = C.Oldest;
    while (Held > C.Capacity && Oldest < At) {
      const PastUse &Leaves = Of[Oldest++];
      if (!Leaves.IsLast)
        continue;
      Held -= Leaves.Size;
      if (Leaves.DirtyIn >> Index & 1)
        Left(Index, Entry{Leaves.Piece, Leaves.Writer, Leaves.Size, true});
    }
    C.Held = Held;
    C.Oldest = Oldest;
  }
  return Missing;
}

} // namespace gpuestimate

#endif
