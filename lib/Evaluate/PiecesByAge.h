/// \file
/// A cache of pieces of memory that are used as a whole.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_PIECESBYAGE_H
#define GPU_ESTIMATE_LIB_EVALUATE_PIECESBYAGE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <vector>

namespace gpuestimate {

/// Pieces by age. The oldest leave as a whole: of one that has begun to leave,
/// each line that is fetched again puts out the next one before its use.
class PiecesByAge {
public:
  struct Entry {
    int Piece = -1; ///< number, -1: never asked for again
    double Size = 0;
    bool Dirty = false;
    unsigned Writer = 0; ///< access that wrote it last
  };
  PiecesByAge(double Capacity, unsigned Pieces)
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

} // namespace gpuestimate

#endif
