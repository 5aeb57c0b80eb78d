/// \file
/// Launches of a source's kernels that execute in a moment.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_SMALLLAUNCH_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_SMALLLAUNCH_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "llvm/Support/MathExtras.h"

namespace gpuestimate {

/// The block that host code launches it with, or 128 threads; a few blocks.
inline Launch smallLaunch(const TranslationUnit &Unit, const KernelSource &K) {
  Launch L;
  L.Block = {128, 1, 1};
  L.Grid = {3, 1, 1};
  for (const LaunchSite &Site : Unit.Launches) {
    if (Site.Kernel != K.Mangled)
      continue;
    for (unsigned D = 0; D < 3; ++D) {
      if (Site.Block[D])
        if (auto Size = Site.Block[D].asConstant())
          L.Block[D] = static_cast<uint64_t>(*Size);
      // A dimension that is used gets two blocks.
      if (D && Site.Grid[D] && !Site.Grid[D].isConstant(1))
        L.Grid[D] = 2;
    }
    if (Site.DynamicSharedBytes)
      L.DynamicSharedBytes = 16384;
    break;
  }
  // So few warps that the sample is the launch.
  for (unsigned D : {0, 2, 1})
    while (L.Grid[D] > 1 &&
           L.blocks() * llvm::divideCeil(L.threadsPerBlock(), 32) > 24)
      --L.Grid[D];
  return L;
}

} // namespace gpuestimate

#endif
