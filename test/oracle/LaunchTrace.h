/// \file
/// Every request of every thread of a launch, as sectors: what the caches are
/// given.
#ifndef GPU_ESTIMATE_TEST_ORACLE_LAUNCHTRACE_H
#define GPU_ESTIMATE_TEST_ORACLE_LAUNCHTRACE_H

#include "WarpRunner.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate::test {

struct Piece {
  uint64_t Sector; ///< address / 32; of private arrays within the block's
  uint32_t Bytes;  ///< a bit for each byte that is asked for
};

struct WarpRequest {
  int Access;          ///< -1: a barrier
  unsigned First, End; ///< of WarpTrace::Pieces
};

struct WarpTrace {
  std::vector<WarpRequest> Requests;
  std::vector<Piece> Pieces;
};

struct LaunchTrace {
  LaunchTrace(const KernelModel &Kernel, const Launch &L,
              const Bindings &Values, const GpuModel &Gpu,
              const ArrayContents &Contents = {});

  std::vector<std::vector<WarpTrace>> Blocks; ///< in the order of the grid
  std::vector<double> BankPasses;             ///< [access] of shared memory
  uint64_t LocalSectors = 0;                  ///< of one block's private arrays

private:
  void add(WarpTrace &W, const Request &R, unsigned Warp);

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  std::vector<uint64_t> Bases; ///< [access] address of its object
  uint64_t LocalBytes = 0;     ///< private arrays of one thread
};

} // namespace gpuestimate::test

#endif
