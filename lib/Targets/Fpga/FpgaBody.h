/// \file
/// The body of one loop as a data path: operators, their latencies and slices,
/// and its recurrences.
#ifndef GPU_ESTIMATE_LIB_TARGETS_FPGA_FPGABODY_H
#define GPU_ESTIMATE_LIB_TARGETS_FPGA_FPGABODY_H

#include "gpu-estimate/Targets/Fpga/FpgaTime.h"

namespace gpuestimate {

struct FpgaBody {
  double Depth = 0;    ///< cycles along the longest path
  double Dsp = 0;      ///< slices if every operation has its own operator
  double Interval = 1; ///< of the recurrences
  /// All recurrences are sums (or products, minima, ...) of one kind, so that
  /// copies of the body can reduce theirs in a tree; TreeLatency is the latency
  /// of one level of the tree in cycles.
  bool Reassociates = true;
  double TreeLatency = 0;
};

/// The operations of Blocks, which are executed once for each iteration of
/// Around (index into Nest.Loops; -1: of no loop).
FpgaBody describeBody(const KernelModel &Kernel, const LoopNestNumbers &Nest,
                      llvm::ArrayRef<unsigned> Blocks, int Around,
                      const FpgaModel &Fpga);

} // namespace gpuestimate

#endif
