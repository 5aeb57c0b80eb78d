/// \file
/// Private arrays that L1 does not hold, from the order in which one warp goes
/// over them.
///
/// All resident warps go over their private arrays in the same order, and word
/// w of all of them is one piece of memory (interleaved by threads). So the
/// ages of these pieces follow from the words that one warp touches, one by one
/// (Mattson et al. 1970: stack distances), however large the launch is: in L1,
/// in which a piece is a word of the threads of one multiprocessor, and in L2,
/// which sees what L1 does not hold and what it writes back. Whatever else the
/// kernel brings passes by as it comes.
///
/// The last wave of blocks has a part of the pieces; waves between the first
/// and the last are alike.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_TRAFFICPRIVATE_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_TRAFFICPRIVATE_H

#include "TrafficLevels.h"
#include "gpu-estimate/Evaluate/Cache/PrivateWalks.h"

namespace gpuestimate {

/// One access to a private array, as shares of the bytes that it asks for.
struct PrivateShares {
  double ToL2 = 0; ///< loads: that L1 misses; stores: that it writes back
  double Read = 0, Written = 0; ///< DRAM
};

/// Passing: bytes that each group that is not private brings to L1 (those that
/// use it) and to L2, per block. By access; nullopt where the order is not
/// known (data decide it), too long to be walked, or differs between lanes.
struct PassingBytes {
  double L1 = 0, L2 = 0;
};
std::optional<std::map<unsigned, PrivateShares>>
walkPrivateArrays(BoundKernel &Bound, const LaunchSample &Sample,
                  const Launch &L, llvm::ArrayRef<AccessGroup> Groups,
                  llvm::ArrayRef<PassingBytes> Passing, const CacheView &L1,
                  const CacheView &L2, bool Warm, PrivateWalks &Known);

} // namespace gpuestimate

#endif
