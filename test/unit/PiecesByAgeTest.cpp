/// \file
/// Caches that share one list against the same caches one by one.
#include "Evaluate/Cache/PiecesByAge.h"
#include "gtest/gtest.h"
#include <list>
#include <random>

using namespace gpuestimate;

namespace {

/// One cache, as its definition says.
class OneCache {
public:
  explicit OneCache(double Capacity) : Capacity(Capacity) {}
  bool use(const PiecesByAge::Entry &Use, std::vector<unsigned> &Left) {
    auto At = Pieces.end();
    if (Use.Piece >= 0)
      for (At = Pieces.begin(); At != Pieces.end(); ++At)
        if (At->Piece == Use.Piece)
          break;
    bool Was = At != Pieces.end();
    if (Was) {
      Pieces.splice(Pieces.begin(), Pieces, At);
    } else {
      Pieces.push_front(Use);
      Held += Use.Size;
    }
    if (Use.Dirty) {
      Pieces.front().Dirty = true;
      Pieces.front().Writer = Use.Writer;
    }
    while (Held > Capacity && Pieces.size() > 1) {
      Held -= Pieces.back().Size;
      if (Pieces.back().Dirty)
        Left.push_back(Pieces.back().Writer);
      Pieces.pop_back();
    }
    return Was;
  }

private:
  double Capacity, Held = 0;
  std::list<PiecesByAge::Entry> Pieces; ///< youngest first
};

} // namespace

TEST(PiecesByAge, AreThoseOfEachCacheAlone) {
  const double Capacities[] = {3, 10, 10.5, 40};
  PiecesByAge Together(Capacities, 64);
  std::vector<OneCache> Apart(std::begin(Capacities), std::end(Capacities));
  std::minstd_rand Random(7);
  unsigned Hits = 0, Leaving = 0;
  for (unsigned Step = 0; Step < 20000; ++Step) {
    // Sizes by the piece; the largest is more than the smallest cache holds.
    int Piece = int(Random() % 65) - 1;
    double Size = Piece < 0 ? 0.7 : 0.25 * (1 + Piece % 14);
    PiecesByAge::Entry Use{Piece, Step, Size, Piece >= 0 && Random() % 3 == 0};
    std::vector<std::vector<unsigned>> Left(4), Expected(4);
    unsigned Missing =
        Together.use(Use, [&](unsigned C, const PiecesByAge::Entry &Gone) {
          Left[C].push_back(Gone.Writer);
        });
    for (unsigned C = 0; C < 4; ++C) {
      bool Found = Apart[C].use(Use, Expected[C]);
      ASSERT_EQ(C >= Missing, Found) << "step " << Step << " cache " << C;
      ASSERT_EQ(Left[C], Expected[C]) << "step " << Step << " cache " << C;
      Hits += Found;
      Leaving += Left[C].size();
    }
  }
  EXPECT_GT(Hits, 1000u);
  EXPECT_GT(Leaving, 1000u);
}
