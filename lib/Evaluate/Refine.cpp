#include "gpu-estimate/Evaluate/Refine.h"
#include <algorithm>

namespace gpuestimate {

RefineResult refineLatency(llvm::function_ref<double(double)> Time,
                           double UnloadedLatency, double Demand,
                           const RefineOptions &Options) {
  RefineResult R;
  R.Latency = UnloadedLatency;
  R.Time = Time(R.Latency);
  while (R.Time < Demand * (1 - Options.Tolerance) &&
         R.Iterations < Options.MaxIterations) {
    ++R.Iterations;
    double Ratio = Demand / std::max(R.Time, 1e-9);
    double Raised = R.Latency * (1 + Options.Damping * (Ratio - 1));
    double Before = R.Time;
    double After = Time(Raised);
    // Other waiting may hide a little more of it; a latency as long as all of
    // the demand shows whether the kernel waits for this level at all.
    if (After <= Before && Time(std::max(Raised, Demand)) <= Before)
      break;
    R.Latency = Raised;
    R.Time = After;
  }
  R.Converged = R.Time >= Demand * (1 - Options.Tolerance);
  R.Time = std::max(R.Time, Demand);
  return R;
}

} // namespace gpuestimate
