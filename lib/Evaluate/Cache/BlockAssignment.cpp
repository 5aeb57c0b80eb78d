#include "BlockAssignment.h"

#include <algorithm>

namespace gpuestimate {

BlockAssignment assignBlocks(const GpuModel &Gpu, const Launch &L,
                             const LaunchSample &Sample, unsigned BlocksPerSm) {
  BlockAssignment A;
  double Sms = std::max(1u, Gpu.SmCount), Slots = std::max(1u, BlocksPerSm);
  A.LaunchedBlocks = double(L.Grid[0]) * double(L.Grid[1]) * double(L.Grid[2]);
  for (unsigned D = 0; D < 3; ++D) {
    A.Grid[D] = std::clamp<uint64_t>(Sample.ActiveGrid[D], 1, L.Grid[D]);
    A.Blocks *= double(A.Grid[D]);
  }
  A.Sms = std::min(Sms, A.Blocks);
  A.SmStride = Sms;
  A.FirstWaveFraction = std::min(1.0, Slots * Sms / A.LaunchedBlocks);
  A.ActiveFraction =
      std::min(1.0, Sample.ActiveBlockFraction * A.LaunchedBlocks / A.Blocks);
  A.BlocksPerSm = Slots * A.LaunchedBlocks / (A.ActiveFraction * A.Blocks);
  A.BlocksPerWave = Slots * A.Sms / A.ActiveFraction;
  return A;
}

} // namespace gpuestimate
