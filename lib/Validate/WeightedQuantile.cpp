#include "WeightedQuantile.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

double weightedQuantile(std::vector<WeightedValue> Values, double Q) {
  llvm::sort(Values, [](const WeightedValue &A, const WeightedValue &B) {
    return A.Value < B.Value;
  });
  double All = 0, Below = 0;
  for (const WeightedValue &V : Values)
    All += V.Weight;
  for (const WeightedValue &V : Values) {
    Below += V.Weight;
    if (Below >= Q * All)
      return V.Value;
  }
  return 0;
}

} // namespace gpuestimate
