#include "gpu-estimate/Evaluate/Cache/LocalMemoryReplayCache.h"

namespace gpuestimate {

LocalMemoryReplayCache::Result
LocalMemoryReplayCache::find(llvm::StringRef Key,
                             llvm::function_ref<Result()> Replay) {
  if (auto Entry = Results.find(Key); Entry != Results.end())
    return Entry->second;
  if (Results.size() >= MaxEntries)
    Results.clear();
  return Results[Key] = Replay();
}

} // namespace gpuestimate
