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
#include "gpu-estimate/Evaluate/Warp/Schedule.h"
#include "gpu-estimate/Model/Machine/MemoryLevel.h"
#include "gpu-estimate/Model/Result/Term.h"
#include <array>
#include <optional>
#include <vector>

namespace gpuestimate {

/// Latencies of the memory levels, in cycles; the bandwidth loops raise them.
struct MemoryLatencies : PerMemoryLevel<double> {
  double PassDelay = 1; ///< each further pass of a request, in pass cycles
  /// Latencies of an idle GPU.
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

/// Whether a device compiler lets one lane of a warp do the atomic of all.
bool combinesLanes(const MemoryAccess &A, const GpuModel &Gpu);

/// Rounds of a compare-and-swap loop until all lanes of one request are done:
/// lanes of one address exclude each other, and of the words of a bank one is
/// tried at a time (ATOMS.CAST.SPIN, NVIDIA's opcode reference).
///   lanes on one address + passes - 1, 1 where one lane works for all
double casRounds(const MemoryAccess &A, const AccessTotals &T,
                 const GpuModel &Gpu);

/// Conditions under which a warp is timed.
struct WarpConditions {
  std::vector<double> AccessLatency; ///< [access] cycles
  /// Switched-off terms, of those that change the time of one warp.
  TermSet Without;
  /// The warp is the first one to run: it fetches the code and translates
  /// addresses.
  bool IsFirst = false;
  auto operator<=>(const WarpConditions &) const = default;
};

/// The costs of a launch's operations. Nothing in it changes.
class OperationCosts {
public:
  OperationCosts(const KernelModel &Kernel, const GpuModel &Gpu,
                 const LaunchSample &Sample, const Traffic &Flow,
                 const std::vector<BlockSchedule> &Schedule,
                 unsigned WarpsPerBlock, unsigned WarpsPerSm = 1);

  /// Access latencies at these latencies of the levels. Terms that change the
  /// time of a warp and can be switched off:
  ///   dependency    arithmetic results are available at once
  ///   registers     register operands are read at once
  ///   barrier       barriers cost nothing, no warp waits at them
  ///   shared, l1    requests pass that data stage at once
  ///   wait          clocks that the kernel waits for have advanced
  WarpConditions conditions(const MemoryLatencies &Latencies,
                            TermSet Without = {}) const;

  /// Whether one unit serves all schedulers of the multiprocessor: that for
  /// loads and stores, and any with fewer lanes than there are schedulers; or
  /// one instruction keeps the units of all of them busy.
  bool servesAllSchedulers(const Operation &Op) const {
    return Op.access() || Op.Scope == MatrixScope::Multiprocessor ||
           Gpu.cost(Op.Class).Throughput < Gpu.SchedulersPerSm;
  }
  /// Cycles that one warp instruction of Op holds its pipe, seen by one warp.
  double issue(const Operation &Op) const;
  /// Cycles that one warp instruction of Op holds the pipe of the whole
  /// multiprocessor: issue / schedulers. With the cycles that a shared fp64
  /// unit is idle because the instruction before, of any warp, was of another
  /// class (GpuModel::Fp64Switch).
  double pipeCycles(const Operation &Op) const;
  /// Cycles that one request of Op holds the data stage of shared memory or
  /// L1, 0 where it makes none.
  double dataStageCycles(const Operation &Op) const;
  /// Machine instructions of Op. With compute capability 5 and 6 a 32-bit
  /// multiplication is three of them, XMADs of 16 bits, which the latency and
  /// the throughput of int_mul cover: vectorAdd of the CUDA samples issues 21
  /// instructions a warp there, and 16 on V100.
  double instructions(const Operation &Op) const;
  /// Issue slot cycles of one instruction: 1 / IssueRate.
  double slot() const { return 1 / Gpu.IssueRate; }
  /// Cycles that Op holds the register read ports of its processing block.
  double operandCycles(const Operation &Op) const {
    return ReadCycles[&Op - Kernel.Operations.data()];
  }
  /// Cycles from the issue of Op to its result.
  double latency(const Operation &Op, const WarpConditions &Conditions) const;
  /// Cycles from the read of a compare-and-swap loop to its swap:
  ///   [shared latency +] operations between them + atomic latency
  /// where global memory's swap returns the next value to try. Example: an
  /// addition of floats in shared memory, RTX 3080: 23 + 4 + 46.
  double casWindow(unsigned Access) const;
  /// Number of the page that an access begins in, counted from 0; -1 where no
  /// address is translated. An object that is smaller than a page shares one
  /// with the other small ones, as allocators lay them out.
  int page(unsigned Access) const { return Pages[Access]; }
  Pipe pipe(const Operation &Op) const { return Gpu.cost(Op.Class).On; }

  const GpuModel &gpu() const { return Gpu; }
  /// Thread blocks that are resident on a multiprocessor, at least 1.
  double residentBlocks() const { return ResidentBlocks; }

private:
  double passes(unsigned Access) const;
  std::optional<double> updateCycles(unsigned Op, const MemoryAccess &Cas,
                                     const BasicBlock &Body) const;
  std::vector<int> pages() const;
  void fillSwitchCycles();

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const LaunchSample &Sample;
  const Traffic &Flow;
  double BarrierLatency;
  double ResidentBlocks;
  std::vector<double> ReadCycles; ///< [operation]
  /// [operation] latency that reading operands adds where warps take turns, so
  /// that no operand is kept from the warp's previous instruction.
  std::vector<double> ReadLatency;
  std::vector<double> IssuedTogether; ///< loadsIssuedTogether()
  std::vector<int> Pages;             ///< [access]
  std::array<double, NumOpClasses> SwitchCycles{};
};

} // namespace gpuestimate

#endif
