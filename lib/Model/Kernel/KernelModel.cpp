#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

bool Operation::renumberAccess(llvm::ArrayRef<std::optional<unsigned>> New) {
  unsigned *Access = nullptr;
  if (auto *Performed = std::get_if<PerformedAccess>(&Effect))
    Access = &Performed->Access;
  else if (auto *Arrival = std::get_if<CopyArrival>(&Effect))
    Access = &Arrival->Access;
  if (!Access)
    return true;
  if (!New[*Access]) {
    Effect = {};
    return false;
  }
  *Access = *New[*Access];
  return true;
}

} // namespace gpuestimate
