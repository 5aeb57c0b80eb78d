#include "Refine.h"
#include <algorithm>
#include <optional>
#include <utility>

namespace gpuestimate {

namespace {
struct Point {
  double Latency = 0, Time = 0;
};
} // namespace

/// Where the line through two points takes so much time.
static double latencyAt(double Time, const Point &A, const Point &B) {
  return A.Latency +
         (Time - A.Time) * (B.Latency - A.Latency) / (B.Time - A.Time);
}

RefineResult refineLatency(llvm::function_ref<double(double)> Time,
                           double UnloadedLatency, double Demand,
                           const RefineOptions &Options) {
  RefineResult R;
  Point Now = {UnloadedLatency, Time(UnloadedLatency)};
  // The step before, and a latency that is too long.
  std::optional<Point> Before, Above;
  double Pull = 1;
  // The shortest latency that is enough, and a little for what is rounded.
  const double Enough = Demand * (1 - Options.Tolerance),
               Aim = Demand * (1 - 0.9 * Options.Tolerance);
  while (Now.Time < Enough && R.Iterations < Options.MaxIterations) {
    ++R.Iterations;
    double Ratio = Demand / std::max(Now.Time, 1e-9);
    double Raised = Now.Latency * (1 + Options.Damping * (Ratio - 1));
    if (Above) {
      // Times can jump: then the first latency behind it is the end.
      if (Above->Latency - Now.Latency <= Options.Tolerance * Now.Latency) {
        Now = *Above;
        break;
      }
      double Drawn = Demand + Pull * (Above->Time - Demand);
      Raised = latencyAt(Aim, Now, {Above->Latency, Drawn});
    } else if (Options.Secants && Before && Before->Time < Now.Time) {
      Raised = std::min(latencyAt(Aim, *Before, Now), std::max(Raised, Demand));
    }
    Point After = {Raised, Time(Raised)};
    // Other waiting may hide a little more of it; a latency as long as all of
    // the demand shows whether the kernel waits for this level at all.
    if (!Above && After.Time <= Now.Time &&
        Time(std::max(Raised, Demand)) <= Now.Time)
      break;
    if (Options.Secants && After.Time > Demand) {
      Above = After;
      Pull = 1;
      continue;
    }
    Pull /= 2; // of a line with a bend the near end would stay behind
    Before = std::exchange(Now, After);
  }
  R.Latency = Now.Latency;
  R.Converged = Now.Time >= Enough;
  R.Time = std::max(Now.Time, Demand);
  return R;
}

} // namespace gpuestimate
