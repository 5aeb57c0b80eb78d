/// \file
/// LRU replay of local memory that misses L1, from the access trace of a warp.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_LOCALMEMORYREPLAY_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_LOCALMEMORYREPLAY_H

#include "CacheView.h"
#include "ReferenceGroup.h"
#include "gpu-estimate/Evaluate/Cache/LocalMemoryReplayCache.h"

namespace gpuestimate {

/// Bytes of one access to local memory, as fractions of the requested bytes.
struct LocalMemoryFractions {
  double L1Miss = 0; ///< loads: fetched from L2; stores: written back to L2
  double DramRead = 0;
  double DramWrite = 0;
};

/// Bytes per block that a group whose words are not replayed brings to L1 (0 if
/// it bypasses that) and to L2.
struct OtherBytes {
  double L1 = 0, L2 = 0;
};

/// Replays the local memory accesses of a launch through L1 and L2.
///
/// All resident warps access their local arrays in the same order, and word w
/// of all of them is one entry of the caches (local memory is interleaved by
/// threads). So the LRU stack distances (Mattson et al. 1970) follow from the
/// words that one warp accesses, however large the launch is: in L1, where an
/// entry is a word of the threads of one SM, and in L2, which sees the misses
/// and write-backs of L1. Other groups, also those of local memory whose
/// address depends on data, bring their bytes in between.
///
/// The last wave of blocks has a part of each entry; waves between the first
/// and the last are alike.
///
/// Other: [group]. The result is by access, without those whose words are not
/// known: their address depends on data, or differs between lanes. nullopt if
/// there are no others, or the trace is too long.
std::optional<std::map<unsigned, LocalMemoryFractions>>
replayLocalMemory(const LaunchProgram &Bound, const LaunchSample &Sample,
                  const Launch &L, llvm::ArrayRef<ReferenceGroup> Groups,
                  llvm::ArrayRef<OtherBytes> Other, const CacheView &L1,
                  const CacheView &L2, bool Warm, LocalMemoryReplayCache &Memo);

} // namespace gpuestimate

#endif
