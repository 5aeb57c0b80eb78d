#include "gpu-estimate/Model/Result/Analysis.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Adds Time of Launches launches; nothing where one of them has none.
static void add(std::optional<Seconds> &Total, std::optional<Seconds> Time,
                double Launches) {
  if (!Time)
    Total.reset();
  else if (Total)
    *Total += *Time * Launches;
}

std::vector<RecordedTotal> recordedTotals(const Analysis &A) {
  std::vector<RecordedTotal> Totals;
  for (const ExplainedPrediction &E : A.Estimates) {
    const Prediction &P = E.Estimate;
    if (!E.Recorded || E.Curve)
      continue;
    auto Total =
        find_if(Totals, [&](const RecordedTotal &T) { return T.Gpu == P.Gpu; });
    if (Total == Totals.end()) {
      Total = Totals.emplace(Total);
      Total->Gpu = P.Gpu;
      Total->GpuName = P.GpuName;
      Total->MeasuredOn = E.Recorded->GpuName;
      Total->Measured = Total->Transferred = Seconds();
    }
    if (Total->MeasuredOn != E.Recorded->GpuName)
      Total->MeasuredOn = "several cards";
    Total->Rows.push_back(&E);
    Total->Launches += E.Recorded->Launches;
    Total->Predicted += P.Time * E.Recorded->Launches;
    add(Total->Measured, E.Recorded->Time, E.Recorded->Launches);
    add(Total->Transferred,
        E.Transferred ? std::optional(E.Transferred->Time) : std::nullopt,
        E.Recorded->Launches);
  }
  for (RecordedTotal &T : Totals)
    stable_sort(T.Rows, [](const auto *X, const auto *Y) {
      return X->Estimate.Time * X->Recorded->Launches >
             Y->Estimate.Time * Y->Recorded->Launches;
    });
  return Totals;
}

} // namespace gpuestimate
