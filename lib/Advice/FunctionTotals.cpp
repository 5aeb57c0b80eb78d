#include "gpu-estimate/Model/Result/Analysis.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

/// Whether a size is not known that decides the time of a nest of the function:
/// the function has no total then.
static bool hasCurve(const Analysis &A, const Prediction &P) {
  return llvm::any_of(A.Estimates, [&](const ExplainedPrediction &E) {
    return E.Curve && E.Estimate.HostFunction == P.HostFunction &&
           E.Estimate.Gpu == P.Gpu;
  });
}

std::vector<FunctionTotal> functionTotals(const Analysis &A) {
  std::vector<FunctionTotal> Totals;
  for (const ExplainedPrediction &E : A.Estimates) {
    const Prediction &P = E.Estimate;
    if (P.HostFunction.empty() || hasCurve(A, P))
      continue;
    auto Total = llvm::find_if(Totals, [&](const FunctionTotal &T) {
      return T.Function == P.HostFunction && T.Gpu == P.Gpu;
    });
    if (Total == Totals.end())
      Total = Totals.insert(Totals.end(),
                            {P.HostFunction, P.Gpu, P.GpuName, {}, 0, {}});
    Total->Time = Total->Time + P.Time * P.Repeats;
    Total->Launches += P.Repeats;
    auto Part = llvm::find_if(Total->Parts, [&](const FunctionTotal::Part &K) {
      return K.Kernel == P.Kernel;
    });
    if (Part == Total->Parts.end())
      Part = Total->Parts.insert(Total->Parts.end(), {P.Kernel, P.Name, 0, {}});
    Part->Launches += P.Repeats;
    Part->Time = Part->Time + P.Time * P.Repeats;
  }
  return Totals;
}

} // namespace gpuestimate
