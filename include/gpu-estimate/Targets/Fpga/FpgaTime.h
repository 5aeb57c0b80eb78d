/// \file
/// A loop nest as a pipeline on an FPGA, as high-level synthesis makes it:
/// arrays lie in DRAM, reused data are kept on the chip as far as they fit, the
/// innermost loops are pipelined. A pipelined loop takes
///
///   II = max( recurrence: the largest, over the circuits of the body's
///             dependences, of latencies of the circuit / its distance in
///             iterations,
///             DSP: slices of all operators of the body / slices there are,
///             memory: accesses of the body / (blocks x ports) )
///   cycles = entries x ( II x (ceil(T / U) - 1) + depth )
///
/// (Rau & Glaeser 1981; the names are those of Vivado HLS). U is the unrolling:
/// of the innermost loop where nothing but sums goes round its circuits, which
/// are then gathered in a tree of log2(U) levels; and of the innermost spread
/// loop, whose iterations are independent. Powers of two are tried, the fastest
/// pair is taken. The order of the loops stays as it is written and there is no
/// tiling. Beside the pipeline runs DRAM:
///
///   cycles >= max( read / ports, written / ports, (read + written) / DRAM )
///
/// with the bytes of Reuse.h beyond the memory of the chip. The longer one is
/// the time: transfers are double-buffered.
#ifndef GPU_ESTIMATE_TARGETS_FPGA_FPGATIME_H
#define GPU_ESTIMATE_TARGETS_FPGA_FPGATIME_H

#include "gpu-estimate/Model/Machine/Machines.h"
#include "gpu-estimate/Model/Result/TargetComparison.h"
#include "gpu-estimate/Targets/Nest/Nest.h"

namespace gpuestimate {

struct FpgaTime {
  Seconds Time;
  std::string Bottleneck; ///< "recurrence", "dsp", "memory ports", "fill",
                          ///< "axi" or "dram"
  std::vector<FpgaPipeline> Pipelines;
  Seconds Pipeline, Axi, Dram; ///< time of each alone
  Bytes DramBytes;
};

/// Returns the time of the nest. Kernel must not contain fused multiply-adds,
/// for which an FPGA has no unit (clear the `contract` flags before Lowering).
FpgaTime timeOnFpga(const KernelModel &Kernel, const LoopNestNumbers &Nest,
                    const FpgaModel &Fpga);

/// An edge of a dependence graph: To may start Latency cycles after From of the
/// iteration that is Distance iterations earlier.
struct DependenceEdge {
  unsigned From, To;
  double Latency;
  double Distance;
};

/// The smallest whole II for which no circuit is violated: max over circuits
/// of ceil(sum of latencies / sum of distances); at least 1. Every circuit
/// must have a distance.
double recurrenceInterval(unsigned Nodes, llvm::ArrayRef<DependenceEdge> Edges);

} // namespace gpuestimate

#endif
