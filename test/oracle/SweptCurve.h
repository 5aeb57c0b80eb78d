/// \file
/// What a simulated cache keeps of an array that is swept again and again.
#ifndef GPU_ESTIMATE_TEST_ORACLE_SWEPTCURVE_H
#define GPU_ESTIMATE_TEST_ORACLE_SWEPTCURVE_H

#include "Evaluate/Cache/SectoredCache.h"
#include "gpu-estimate/Evaluate/Cache/Traffic.h"

namespace gpuestimate::test {

/// Measured as benchmarks measure it on a GPU: arrays of growing size, and the
/// share of lines that the third sweep finds, on the mean over Caches of equal
/// size. Some sets are full before others; but a line leaves when as many
/// others have come to its set as that has ways, which takes the capacity on
/// average, so that the curve goes as far beyond the capacity as it begins
/// before it. As much is lost up to the capacity as was measured.
CacheCurve sweptCurve(llvm::ArrayRef<CacheShape> Caches);

} // namespace gpuestimate::test

#endif
