/// \file
/// Merges assumptions with equal text.
#include "gpu-estimate/Advice/AssumptionGroups.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {

std::vector<AssumptionGroup>
groupAssumptions(llvm::ArrayRef<Assumption> Assumptions) {
  std::vector<AssumptionGroup> Groups;
  for (const Assumption &A : Assumptions) {
    auto Group = llvm::find_if(Groups, [&](const AssumptionGroup &G) {
      return G.Shown.What == A.What && G.Shown.Value == A.Value &&
             G.Shown.Location == A.Location;
    });
    if (Group == Groups.end()) {
      Groups.push_back({A, 1});
      continue;
    }
    Group->Shown.Sensitivity += A.Sensitivity;
    Group->Shown.Share += A.Share;
    ++Group->Count;
  }
  llvm::stable_sort(Groups, [](const auto &A, const auto &B) {
    return std::pair(A.Shown.Share, std::fabs(A.Shown.Sensitivity)) >
           std::pair(B.Shown.Share, std::fabs(B.Shown.Sensitivity));
  });
  return Groups;
}

} // namespace gpuestimate
