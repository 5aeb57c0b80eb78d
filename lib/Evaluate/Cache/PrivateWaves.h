/// \file
/// Waves of blocks that touch words of private arrays in one order.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_CACHE_PRIVATEWAVES_H
#define GPU_ESTIMATE_LIB_EVALUATE_CACHE_PRIVATEWAVES_H

#include "TrafficPrivate.h"
#include <string>

namespace gpuestimate {

/// A word of a private array, or what a group brings that is none.
struct Touch {
  unsigned Access = 0;
  int Word = -1; ///< number of a private word, -1: none
  bool Write = false;
  PassingBytes Passing; ///< per block, where it is not private
};

/// Launches of blocks, one after the other, each as many waves. The views stay
/// owned by the caller.
class LaunchWaves {
public:
  LaunchWaves(const Launch &L, const CacheView &L1, const CacheView &L2,
              bool Warm);
  /// Words: numbers of private words up to it.
  PrivateWalks::Result walk(llvm::ArrayRef<Touch> Order, unsigned Words,
                            size_t Accesses) const;
  /// All that walk() depends on.
  std::string bytes(llvm::ArrayRef<Touch> Order, size_t Accesses) const;

private:
  const CacheView &L1, &L2;
  bool Warm;
  double Number, Full, Last; ///< waves, and blocks of two of them
  double BytesPerBlock;      ///< of a word
};

} // namespace gpuestimate

#endif
