#include "BarrierQueueingModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>

namespace gpuestimate {

double cycleTime(double ThinkTime, llvm::ArrayRef<Station> Stations) {
  // Converges from below: responses and period grow, to n * demand at most.
  constexpr unsigned MaxRounds = 1000;
  llvm::SmallVector<double, 4> Response;
  double Period = ThinkTime;
  for (const Station &S : Stations) {
    Response.push_back(S.Demand);
    Period += S.Demand;
  }
  for (unsigned Round = 0; Round < MaxRounds && Period > 0; ++Round) {
    double NextPeriod = ThinkTime;
    for (auto [S, R] : llvm::zip_equal(Stations, Response)) {
      R = S.Demand * (1 + (S.Blocks - 1) * R / Period);
      NextPeriod += R;
    }
    bool Converged = std::abs(NextPeriod - Period) <= 1e-12 * NextPeriod;
    Period = NextPeriod;
    if (Converged)
      break;
  }
  return Period;
}

} // namespace gpuestimate
