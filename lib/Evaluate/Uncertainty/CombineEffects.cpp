#include "gpu-estimate/Evaluate/Uncertainty/CombineEffects.h"

#include "gpu-estimate/Evaluate/Uncertainty/ModelError.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static double variance(const TimeFactors &Effect) {
  double Width = std::log(Effect.High / Effect.Low);
  return Width * Width;
}

void combineEffects(Prediction &P) {
  DenseMap<int, unsigned> Members; // by variation
  TimeFactors All;
  double Sum = 0;
  for (const Assumption &A : P.Assumptions) {
    if (A.Variation < 0 || ++Members[A.Variation] > 1)
      continue;
    All = All * A.Effect;
    Sum += variance(A.Effect);
  }
  for (Assumption &A : P.Assumptions)
    if (A.Variation >= 0 && Sum > 0)
      A.Share = variance(A.Effect) / Sum / Members[A.Variation];
  stable_sort(P.Assumptions, [](const Assumption &A, const Assumption &B) {
    return std::pair(A.Share, std::abs(A.Sensitivity)) >
           std::pair(B.Share, std::abs(B.Sensitivity));
  });
  if (P.Interval)
    P.Interval->Inputs = atLevel(All, P.Interval->Level);
}

} // namespace gpuestimate
