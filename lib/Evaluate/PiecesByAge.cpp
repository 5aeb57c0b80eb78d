#include "PiecesByAge.h"

namespace gpuestimate {

void PiecesByAge::putFirst(int At) {
  Nodes[At].Older = Youngest;
  Nodes[At].Younger = -1;
  (Youngest >= 0 ? Nodes[Youngest].Younger : Oldest) = At;
  Youngest = At;
}

void PiecesByAge::takeOut(int At) {
  int Older = Nodes[At].Older, Younger = Nodes[At].Younger;
  (Younger >= 0 ? Nodes[Younger].Older : Youngest) = Older;
  (Older >= 0 ? Nodes[Older].Younger : Oldest) = Younger;
}

bool PiecesByAge::use(const Entry &Use,
                      llvm::function_ref<void(const Entry &)> Left) {
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

} // namespace gpuestimate
