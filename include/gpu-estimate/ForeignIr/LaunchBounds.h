/// \file
/// Limits of a kernel's launches that its code states.
#ifndef GPU_ESTIMATE_FOREIGNIR_LAUNCHBOUNDS_H
#define GPU_ESTIMATE_FOREIGNIR_LAUNCHBOUNDS_H

#include <array>

namespace gpuestimate {

/// Threads of a block and blocks of a multiprocessor, as directives of PTX and
/// attributes of LLVM IR state them; 0 = not stated.
struct LaunchBounds {
  std::array<unsigned, 3> MaxThreads = {};      ///< .maxntid
  std::array<unsigned, 3> RequiredThreads = {}; ///< .reqntid
  unsigned MinBlocks = 0;                       ///< .minnctapersm
  std::array<unsigned, 3> Cluster = {};         ///< .reqnctapercluster

  /// Threads of a block, 0 if neither is stated.
  unsigned threads() const;
};

} // namespace gpuestimate

#endif
