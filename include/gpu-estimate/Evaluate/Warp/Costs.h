/// \file
/// Cycles of single operations on one GPU, for one launch: the table that the
/// schedule, the timing and the throughput bounds share.
///
///   issue(op)   = max(WarpSize / throughput * schedulers, 1 / IssueRate)
///                 cycles that one warp instruction holds its pipe in a
///                 processing block (Kleimenov & Popova 2021, delay_inst (a))
///   latency(op) = Chain * latency(class), or the access's latency
///                 + operand cycles beyond issue(op) (OperandReads.h)
///   memory latency = sum over the levels of hit fraction * level latency
///                    + (passes - 1) * pass delay
/// where passes are the bank or tag passes of one request; the pass delay is
/// the departure delay of Hong & Kim 2009 (Mem_L_uncoal = Mem_LD + (n-1) *
/// Departure_del_uncoal), the cycles of one pass on an idle load/store unit.
#ifndef GPU_ESTIMATE_EVALUATE_WARP_COSTS_H
#define GPU_ESTIMATE_EVALUATE_WARP_COSTS_H

#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include <vector>

namespace gpuestimate {

/// Latencies of the memory levels, in cycles; the bandwidth loops raise them.
struct MemoryLatencies {
  double L1 = 0, L2 = 0, Dram = 0, Shared = 0;
  double PassDelay = 1; ///< each further pass of a request, in pass cycles
  double L3 = 0;        ///< where the GPU has one
  static MemoryLatencies unloaded(const GpuModel &Gpu);
};

/// Cycles of the data stage for one pass of a request (bankPasses,
/// globalPasses): one word of every bank where L1 and shared memory are one
/// array, so that a conflict costs both the same; else one line of L1.
double sharedPassCycles(const GpuModel &Gpu);
double globalPassCycles(const GpuModel &Gpu);

/// Cycles of the data stage for all requests of an access, 0 for constant
/// memory. Only what lanes ask for leaves the array, not the rest of its
/// sectors (gpu-strides on A100, A40 and H200); of one word for all, once.
double dataStageCycles(const MemoryAccess &A, const AccessTotals &T,
                       const GpuModel &Gpu);

class OperationCosts {
public:
  OperationCosts(const KernelModel &Kernel, const GpuModel &Gpu,
                 const LaunchSample &Sample, const Traffic &Flow,
                 unsigned WarpsPerBlock, unsigned WarpsPerSm = 1);

  /// Recomputes the access latencies.
  void setLatencies(const MemoryLatencies &Latencies);
  /// Arithmetic results available at once: what is left is issue and memory.
  void setDependencyLatencies(bool On) { DependencyLatencies = On; }

  /// Register operands are there at once.
  void setOperandReads(bool On) { OperandReads = On; }

  /// Whether one unit serves all schedulers of the multiprocessor: that for
  /// loads and stores, and any with fewer lanes than there are schedulers.
  bool servesAllSchedulers(const Operation &Op) const {
    return Op.Access >= 0 ||
           Gpu.cost(Op.Class).Throughput < Gpu.SchedulersPerSm;
  }
  /// Cycles that one warp instruction of Op holds its pipe, seen by one warp.
  double issue(const Operation &Op) const;
  /// The same, of the multiprocessor's whole pipe: issue / schedulers.
  double pipeCycles(const Operation &Op) const;
  /// Cycles that one request of Op holds the data stage of shared memory or
  /// L1, 0 where it makes none.
  double dataStageCycles(const Operation &Op) const;
  /// Issue slot cycles of one instruction: 1 / IssueRate.
  double slot() const { return 1 / Gpu.IssueRate; }
  /// Cycles that it holds the read ports of the registers of its block.
  double operandCycles(const Operation &Op) const {
    return ReadCycles[&Op - Kernel.Operations.data()];
  }
  double latency(const Operation &Op) const;
  /// [access] at the latencies of the levels that are set.
  llvm::ArrayRef<double> accessLatencies() const { return AccessLatency; }
  Pipe pipe(const Operation &Op) const { return Gpu.cost(Op.Class).On; }

  const GpuModel &gpu() const { return Gpu; }

private:
  double passes(unsigned Access) const;

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const LaunchSample &Sample;
  const Traffic &Flow;
  double BarrierLatency;
  bool DependencyLatencies = true, OperandReads = true;
  std::vector<double> ReadCycles;
  /// [operation] latency that reading operands adds where warps take turns, so
  /// that none is kept from the warp's instruction before.
  std::vector<double> ReadLatency;
  /// [access] iterations that its loop lays out as one.
  std::vector<unsigned> Copies;
  std::vector<double> AccessLatency;
};

} // namespace gpuestimate

#endif
