#include "PiecesByAge.h"

namespace gpuestimate {

PiecesByAge::PiecesByAge(llvm::ArrayRef<double> Capacities, unsigned Pieces)
    : Where(Pieces, -1) {
  for (double Capacity : Capacities)
    Caches.push_back({Capacity, 0, -1});
}

int PiecesByAge::putFirst(const Entry &Use) {
  int At = Use.Piece >= 0 ? Where[Use.Piece] : -1;
  if (At < 0) {
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
  } else {
    if (At == Youngest)
      return At;
    for (unsigned C = 0; C < Caches.size(); ++C)
      if (Caches[C].Oldest == At)
        Caches[C].Oldest = youngerIn(C, At);
    int Older = Nodes[At].Older, Younger = Nodes[At].Younger;
    Nodes[Younger].Older = Older;
    if (Older >= 0)
      Nodes[Older].Younger = Younger;
  }
  Nodes[At].Older = Youngest;
  Nodes[At].Younger = -1;
  if (Youngest >= 0)
    Nodes[Youngest].Younger = At;
  return Youngest = At;
}

void PiecesByAge::drop(int At) {
  const Node &Gone = Nodes[At];
  Nodes[Gone.Younger].Older = Gone.Older;
  if (Gone.Older >= 0)
    Nodes[Gone.Older].Younger = Gone.Younger;
  if (Gone.Is.Piece >= 0)
    Where[Gone.Is.Piece] = -1;
  Free.push_back(At);
}

} // namespace gpuestimate
