/// \file
/// A launch through an L1 for each multiprocessor, one L2 and DRAM: every
/// request of every thread, one after the other.
///
/// Order: blocks are dealt to the multiprocessors in turn and replaced as they
/// end; the multiprocessors take turns, and so do the warps of a
/// multiprocessor, by one request and the loads after it that need not wait for
/// it. A warp waits at a barrier for its block.
///
/// L1: loads allocate by sectors; stores are written through, update a line
/// that is there and allocate none; atomics and bypassing loads do not look
/// into it; private arrays are written back. L2: written back, a store fills
/// the bytes that it writes; DRAM reads for a partly written sector either at
/// once (memory whose error-correcting code covers whole pieces) or when it is
/// read.
#ifndef GPU_ESTIMATE_TEST_ORACLE_LAUNCHSIMULATOR_H
#define GPU_ESTIMATE_TEST_ORACLE_LAUNCHSIMULATOR_H

#include "Evaluate/Cache/SectoredCache.h"
#include "LaunchTrace.h"

namespace gpuestimate::test {

struct SimulatedMachine {
  const GpuModel &Gpu; ///< multiprocessors, roles of the caches
  unsigned BlocksPerSm = 1;
  CacheShape L1, L2;
  unsigned Fetch = 32;   ///< bytes that a load which misses L2 reads
  unsigned Launches = 1; ///< the last one is reported
  uint64_t Draw = 0;     ///< of the places that blocks get when some have ended
};

/// Sectors of one access.
struct SimulatedAccess {
  double Asked = 0; ///< summed over the requests
  double ToL2 = 0;  ///< pass L1
  double Read = 0;  ///< from DRAM
};

struct SimulatedTraffic {
  std::vector<SimulatedAccess> Accesses;
  double LocalWritten = 0; ///< private arrays: sectors that L1 writes back
  double Written = 0;      ///< to DRAM, while the launch runs
};

SimulatedTraffic simulate(const KernelModel &Kernel, const LaunchTrace &Trace,
                          const SimulatedMachine &M);

} // namespace gpuestimate::test

#endif
