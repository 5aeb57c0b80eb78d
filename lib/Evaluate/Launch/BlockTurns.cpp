#include "BlockTurns.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>

namespace gpuestimate {

double turnsPeriod(double Think, llvm::ArrayRef<Station> Stations) {
  // From below: responses and period only grow, to n * demand at most.
  constexpr unsigned MaxRounds = 1000;
  llvm::SmallVector<double, 4> Response;
  double Period = Think;
  for (const Station &S : Stations) {
    Response.push_back(S.Demand);
    Period += S.Demand;
  }
  for (unsigned Round = 0; Round < MaxRounds && Period > 0; ++Round) {
    double Next = Think;
    for (auto [S, R] : llvm::zip_equal(Stations, Response)) {
      R = S.Demand * (1 + (S.Blocks - 1) * R / Period);
      Next += R;
    }
    bool Settled = std::abs(Next - Period) <= 1e-12 * Next;
    Period = Next;
    if (Settled)
      break;
  }
  return Period;
}

} // namespace gpuestimate
