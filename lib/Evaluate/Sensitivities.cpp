#include "gpu-estimate/Evaluate/Sensitivities.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// Parameters: of equal value.
static double sensitivity(Bindings All, ArrayRef<StringRef> Parameters,
                          Seconds Base,
                          function_ref<Seconds(const Bindings &)> Time) {
  double Value = All.lookup(Parameters.front());
  bool Probability = Parameters.front().starts_with("p(");
  double Raised = Probability ? std::min(1.0, Value * 1.1)
                              : std::max(Value + 1, std::round(Value * 1.1));
  if (Value <= 0 || Raised == Value || Base.value() <= 0)
    return 0;
  for (StringRef Each : Parameters)
    All[Each] = Raised;
  return std::log(Time(All) / Base) / std::log(Raised / Value);
}

void fillSensitivities(std::vector<Assumption> &Assumptions,
                       const BoundParameters &Bound,
                       function_ref<Seconds(const Bindings &All)> Time) {
  std::optional<Seconds> Base;
  std::vector<bool> Done(Assumptions.size());
  for (unsigned I = 0; I < Assumptions.size(); ++I) {
    if (Done[I] || Bound.Parameters[I].empty())
      continue;
    SmallVector<unsigned> Alike;
    SmallVector<StringRef> Parameters;
    for (unsigned J = I; J < Assumptions.size(); ++J) {
      const Assumption &A = Assumptions[I], &B = Assumptions[J];
      if (Bound.Parameters[J].empty() || A.What != B.What ||
          A.Value != B.Value || !(A.Location == B.Location))
        continue;
      Done[J] = true;
      Alike.push_back(J);
      Parameters.push_back(Bound.Parameters[J]);
    }
    if (!Base)
      Base = Time(Bound.All);
    double Together = sensitivity(Bound.All, Parameters, *Base, Time);
    for (unsigned J : Alike)
      Assumptions[J].Sensitivity = Together / double(Alike.size());
  }
  std::stable_sort(Assumptions.begin(), Assumptions.end(),
                   [](const Assumption &A, const Assumption &B) {
                     return std::abs(A.Sensitivity) > std::abs(B.Sensitivity);
                   });
}

} // namespace gpuestimate
