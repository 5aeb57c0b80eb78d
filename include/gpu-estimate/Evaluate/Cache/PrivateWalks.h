/// \file
/// A memory of walks over private arrays.
#ifndef GPU_ESTIMATE_EVALUATE_CACHE_PRIVATEWALKS_H
#define GPU_ESTIMATE_EVALUATE_CACHE_PRIVATEWALKS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace gpuestimate {

/// Bytes of one access to a private array, over the launch.
struct PrivateBytes {
  double Asked = 0, ToL2 = 0;   ///< to L2: loaded from there or written back
  double Read = 0, Written = 0; ///< DRAM
};

/// A walk follows thousands of words through the caches, and most changes of a
/// kernel or a launch leave all that it depends on as it was.
class PrivateWalks {
public:
  using Result = std::vector<PrivateBytes>; ///< [access]
  /// What Walk gives. Bytes: of everything that it depends on.
  Result find(llvm::StringRef Bytes, llvm::function_ref<Result()> Walk);

private:
  /// Walks beyond which all are forgotten: each has tens of kilobytes.
  static constexpr unsigned Most = 256;
  llvm::StringMap<Result> Known;
};

} // namespace gpuestimate

#endif
