#include "gpu-estimate/Evaluate/Cache/PrivateWalks.h"

namespace gpuestimate {

PrivateWalks::Result PrivateWalks::find(llvm::StringRef Bytes,
                                        llvm::function_ref<Result()> Walk) {
  if (auto At = Known.find(Bytes); At != Known.end())
    return At->second;
  if (Known.size() >= Most)
    Known.clear();
  return Known[Bytes] = Walk();
}

} // namespace gpuestimate
