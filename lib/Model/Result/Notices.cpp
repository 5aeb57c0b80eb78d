#include "gpu-estimate/Model/Result/Notices.h"

#include "llvm/ADT/STLExtras.h"

namespace gpuestimate {

void addNotice(std::vector<Notice> &List, Notice N) {
  if (llvm::none_of(List, [&](const Notice &Other) {
        return Other.Text == N.Text && Other.Location == N.Location;
      }))
    List.push_back(std::move(N));
}

} // namespace gpuestimate
