#include "gpu-estimate/Evaluate/Uncertainty/CombineEffects.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static double variance(const TimeFactors &Effect) {
  double Width = std::log(Effect.High / Effect.Low);
  return Width * Width;
}

TimeFactors combinedEffect(ArrayRef<Assumption> Assumptions) {
  SmallSet<int, 16> Variations;
  TimeFactors All;
  for (const Assumption &A : Assumptions)
    if (A.Variation >= 0 && Variations.insert(A.Variation).second)
      All = All * A.Effect;
  return All;
}

static void fillInterval(Prediction &P, const ErrorTable &Table) {
  TimeInterval &I = *P.Interval;
  if (P.Error)
    I.Model = P.Error->Time;
  I.Inputs = atLevel(combinedEffect(P.Assumptions), I.Level);
  if (any_of(P.Assumptions,
             [](const Assumption &A) { return !A.IsOfCompiler; }))
    for (TimeFactors *Part : {&I.Model, &I.Inputs})
      *Part = whereAssumed(Table, boundPart(P.Bottleneck), I.Level, *Part);
}

void combineEffects(Prediction &P, const ErrorTable &Table) {
  DenseMap<int, unsigned> Members; // by variation
  double Sum = 0;
  for (const Assumption &A : P.Assumptions)
    if (A.Variation >= 0 && ++Members[A.Variation] == 1)
      Sum += variance(A.Effect);
  for (Assumption &A : P.Assumptions)
    if (A.Variation >= 0 && Sum > 0)
      A.Share = variance(A.Effect) / Sum / Members[A.Variation];
  stable_sort(P.Assumptions, [](const Assumption &A, const Assumption &B) {
    return std::pair(A.Share, std::abs(A.Sensitivity)) >
           std::pair(B.Share, std::abs(B.Sensitivity));
  });
  if (P.Interval)
    fillInterval(P, Table);
}

} // namespace gpuestimate
