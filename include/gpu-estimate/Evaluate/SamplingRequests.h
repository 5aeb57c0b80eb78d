/// \file
/// Counts of one sampled request, with a memory of recent ones.
#ifndef GPU_ESTIMATE_EVALUATE_SAMPLINGREQUESTS_H
#define GPU_ESTIMATE_EVALUATE_SAMPLINGREQUESTS_H

#include "gpu-estimate/Evaluate/Request.h"
#include "gpu-estimate/KernelModel/KernelModel.h"
#include <vector>

namespace gpuestimate {

struct RequestCounts {
  double Sectors = 0, Lines = 0, Wavefronts = 0, SameAddress = 0;
};

/// Counts the requests of one access. What a request costs depends on the
/// distances between its lanes and on where the first one lies within a line
/// and the banks; a regular access repeats both, so counts are kept by that
/// position for as long as the distances stay the same.
class RequestCounter {
public:
  RequestCounter(const MemoryAccess &Access, const GpuModel &Gpu);

  /// Lane addresses as the kernel names them (an offset into the private
  /// object for local memory), NaN where a lane takes no part.
  const RequestCounts &count(llvm::ArrayRef<double> Addresses);
  /// The same when lane l takes part with Probability[l]: expected sectors and
  /// lines, the other counts for the outcome that Seed draws.
  RequestCounts expect(llvm::ArrayRef<double> Addresses,
                       llvm::ArrayRef<double> Probability, uint64_t Seed);

private:
  RequestCounts countNow(llvm::ArrayRef<double> Addresses);
  void place(llvm::ArrayRef<double> Addresses);

  const MemoryAccess &Access;
  const GpuModel &Gpu;
  unsigned Bytes;  ///< of one piece: a word of a private object
  unsigned Pieces; ///< per lane
  unsigned Sector, Line;
  unsigned Period; ///< of positions; 0: no memory
  std::vector<double> Distances, Candidate, Placed;
  std::vector<RequestCounts> Known; ///< [position]; Lines < 0: not counted yet
  RequestCounts Last;
};

} // namespace gpuestimate

#endif
