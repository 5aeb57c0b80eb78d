#include "gpu-estimate/Advice/Tuning.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

void Tuning::rank() {
  // Equal times stay in the order in which the user gave the values.
  stable_sort(Ranked,
              [](const TunedConfiguration &A, const TunedConfiguration &B) {
                return A.Time < B.Time;
              });
  for (size_t First = 0, End; First < Ranked.size(); First = End) {
    for (End = First + 1;
         End < Ranked.size() &&
         Ranked[End].Time.value() <= Ranked[First].Time.value() * (1 + Tie);)
      ++End;
    for (size_t I = First; I < End; ++I) {
      Ranked[I].Rank = First + 1;
      Ranked[I].Tied = End - First > 1;
    }
  }
}

} // namespace gpuestimate
