/// \file
/// Memo table of replays of local memory.
#ifndef GPU_ESTIMATE_EVALUATE_CACHE_LOCALMEMORYREPLAYCACHE_H
#define GPU_ESTIMATE_EVALUATE_CACHE_LOCALMEMORYREPLAYCACHE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace gpuestimate {

/// Bytes of one access to local memory, over the launch.
struct LocalMemoryBytes {
  double Requested = 0;
  double L1Miss = 0; ///< loads: fetched from L2; stores: written back to L2
  double DramRead = 0;
  double DramWrite = 0;
};

/// Results of LRU replays. A replay sends thousands of words through the
/// caches, and most changes of a kernel or a launch leave its inputs alone.
class LocalMemoryReplayCache {
public:
  using Result = std::vector<LocalMemoryBytes>; ///< [access]
  /// The result of Replay. Key: the bytes of all inputs of the replay.
  Result find(llvm::StringRef Key, llvm::function_ref<Result()> Replay);

private:
  /// Each entry has tens of kilobytes; a full table is cleared.
  static constexpr unsigned MaxEntries = 256;
  llvm::StringMap<Result> Results;
};

} // namespace gpuestimate

#endif
