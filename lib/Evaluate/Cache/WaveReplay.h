/// \file
/// LRU replay of the local memory of a launch, wave by wave.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_WAVEREPLAY_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_WAVEREPLAY_H

#include "LocalMemoryReplay.h"
#include <string>

namespace gpuestimate {

/// One step of the access trace of a block: a word of a local array, or the
/// bytes of another access.
struct ReplayStep {
  unsigned Access = 0;
  int Word = -1; ///< number of the local word; -1: not local memory
  bool IsStore = false;
  OtherBytes Other; ///< per block, if it is not local memory
};

/// Replays the access trace of a block for a launch, as waves of blocks one
/// after the other. The views stay owned by the caller.
class WaveReplay {
public:
  WaveReplay(const Launch &L, const CacheView &L1, const CacheView &L2,
             bool Warm);
  /// Words: one more than the largest number of a local word.
  LocalMemoryReplayCache::Result replay(llvm::ArrayRef<ReplayStep> Trace,
                                        unsigned Words, size_t Accesses) const;
  /// The bytes of all inputs of replay().
  std::string key(llvm::ArrayRef<ReplayStep> Trace, size_t Accesses) const;

private:
  const CacheView &L1, &L2;
  bool Warm;
  double Waves, FullBlocks, LastBlocks; ///< blocks of a full and the last wave
  double WordBytesPerBlock;
};

} // namespace gpuestimate

#endif
