/// \file
/// Caches of pieces of memory that are used as a whole.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_PIECESBYAGE_H
#define GPU_ESTIMATE_LIB_EVALUATE_PIECESBYAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace gpuestimate {

/// Pieces by age in caches of different capacities that are all asked for the
/// same ones in the same order: what each of them holds is the beginning of one
/// list (Mattson et al. 1970), so that they share it. The oldest pieces leave
/// as a whole: of one that has begun to leave, each line that is fetched again
/// puts out the next one before its use.
class PiecesByAge {
public:
  struct Entry {
    int Piece = -1;      ///< number, -1: never asked for again
    unsigned Writer = 0; ///< access that wrote it last
    double Size = 0;     ///< of a piece always the same
    bool Dirty = false;
  };
  /// Eight caches at most. Pieces: numbers up to it.
  PiecesByAge(llvm::ArrayRef<double> Capacities, unsigned Pieces);
  unsigned caches() const { return unsigned(Caches.size()); }
  double leastCapacity() const {
    double Least = Caches.front().Capacity;
    for (const Cache &C : Caches)
      Least = std::min(Least, C.Capacity);
    return Least;
  }

  /// Bit c: the piece was in cache c. It becomes the youngest of all. For what
  /// was written and has to leave for it, Left(c, entry) is called, cache by
  /// cache.
  template <typename Function>
  unsigned use(const Entry &Use, const Function &Left);

private:
  struct Cache {
    double Capacity = 0, Held = 0;
    int Oldest = -1;
  };
  struct Node {
    Entry Is; ///< dirty in some cache
    int Older = -1, Younger = -1;
    uint8_t In = 0, DirtyIn = 0; ///< bit c: cache c
  };
  /// The node of the piece, which is put in front of all others.
  int putFirst(const Entry &Use);
  /// The next younger node in a cache.
  int youngerIn(unsigned Cache, int At) const {
    do
      At = Nodes[At].Younger;
    while (!(Nodes[At].In >> Cache & 1));
    return At;
  }
  void drop(int At);

  llvm::SmallVector<Cache, 6> Caches;
  std::vector<Node> Nodes;
  std::vector<int> Free;  ///< unused nodes
  std::vector<int> Where; ///< node of each piece, -1: none
  int Youngest = -1;      ///< which all caches hold
};

template <typename Function>
unsigned PiecesByAge::use(const Entry &Use, const Function &Left) {
  const int At = putFirst(Use);
  const unsigned All = (1u << Caches.size()) - 1, Was = Nodes[At].In;
  Nodes[At].In = uint8_t(All);
  if (Use.Dirty) {
    Nodes[At].DirtyIn = uint8_t(All);
    Nodes[At].Is.Writer = Use.Writer;
  }
  if (Was == All)
    return Was;
  for (unsigned Index = 0; Index < Caches.size(); ++Index) {
    const uint8_t Bit = uint8_t(1u << Index);
    if (Was & Bit)
      continue;
    Cache &C = Caches[Index];
    C.Held += Use.Size;
    if (C.Oldest < 0)
      C.Oldest = At;
    while (C.Held > C.Capacity && C.Oldest != At) {
      const int Leaves = C.Oldest;
      C.Oldest = youngerIn(Index, Leaves);
      Node &Gone = Nodes[Leaves];
      C.Held -= Gone.Is.Size;
      if (Gone.DirtyIn & Bit)
        Left(Index, Gone.Is);
      Gone.DirtyIn &= uint8_t(~Bit);
      Gone.In &= uint8_t(~Bit);
      if (!Gone.In)
        drop(Leaves);
    }
  }
  return Was;
}

} // namespace gpuestimate

#endif
