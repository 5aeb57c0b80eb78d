/// \file
/// A loop nest of plain C or C++ that became a kernel.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_OFFLOADEDNEST_H
#define GPU_ESTIMATE_MODEL_KERNEL_OFFLOADEDNEST_H

#include "gpu-estimate/Support/SourceLocation.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// A loop of host code whose iterations became threads.
struct ParallelLoop {
  std::string Counter; ///< as the source names it
  SourceLocation Location;
};

struct OffloadedNest {
  std::string Function; ///< of the host that contains the nest
  /// The loop of threadIdx.x first. Empty for the second launch of a
  /// reduction, which combines what the blocks of the first have left.
  std::vector<ParallelLoop> Loops = {};
  /// Mangled name of the kernel of the nest that stands directly before this
  /// one, with no statement between them; "" if there is none.
  std::string Predecessor = {};
  bool Proposed = false; ///< by --offload auto, not by a directive
  /// Arrays that are staged in shared memory, in tiles of Tile iterations (see
  /// SharedTile.h).
  std::vector<std::string> Shared = {};
  unsigned Tile = 0;
};

} // namespace gpuestimate

#endif
