#include "BandwidthRefinement.h"
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

RefinementResult refineLatency(llvm::function_ref<double(double)> Time,
                               double UnloadedLatency, double Demand,
                               const RefinementOptions &Options) {
  RefinementResult R;
  Point Current = {UnloadedLatency, Time(UnloadedLatency)};
  // The previous step, and a latency that is too long.
  std::optional<Point> Previous, Above;
  double Weight = 1;
  // The time that is enough, and a target slightly above it for rounding.
  const double MinTime = Demand * (1 - Options.Tolerance),
               TargetTime = Demand * (1 - 0.9 * Options.Tolerance);
  while (Current.Time < MinTime && R.Iterations < Options.MaxIterations) {
    ++R.Iterations;
    double Ratio = Demand / std::max(Current.Time, 1e-9);
    double Raised = Current.Latency * (1 + Options.Damping * (Ratio - 1));
    if (Above) {
      // Times can jump: then the first latency behind it is the end.
      if (Above->Latency - Current.Latency <=
          Options.Tolerance * Current.Latency) {
        Current = *Above;
        break;
      }
      double DampedTime = Demand + Weight * (Above->Time - Demand);
      Raised = latencyAt(TargetTime, Current, {Above->Latency, DampedTime});
    } else if (Options.Secants && Previous && Previous->Time < Current.Time) {
      Raised = std::min(latencyAt(TargetTime, *Previous, Current),
                        std::max(Raised, Demand));
    }
    Point Next = {Raised, Time(Raised)};
    // Other waiting may hide a little more of it; a latency as long as all of
    // the demand shows whether the kernel waits for this level at all.
    if (!Above && Next.Time <= Current.Time &&
        Time(std::max(Raised, Demand)) <= Current.Time)
      break;
    if (Options.Secants && Next.Time > Demand) {
      Above = Next;
      Weight = 1;
      continue;
    }
    Weight /= 2; // else the near end of a bent curve would never move
    Previous = std::exchange(Current, Next);
  }
  R.Latency = Current.Latency;
  R.Converged = Current.Time >= MinTime;
  R.Time = std::max(Current.Time, Demand);
  return R;
}

} // namespace gpuestimate
