#include "gpu-estimate/Evaluate/Launch/Workload.h"

#include "gpu-estimate/Evaluate/Access/Request.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {
namespace {

/// Number of cache lines between the smallest and the largest address of an
/// atomic access in the launch: 1 for a constant address, infinite for an
/// address that depends on loaded data.
double linesReached(const KernelModel &Kernel, const MemoryAccess &A,
                    const Launch &L, const Bindings &All, Bytes Line) {
  if (!A.Address)
    return INFINITY;
  if (A.DataDependent)
    return A.BaseBytes ? std::max(1.0, *A.BaseBytes / Line.value()) : INFINITY;
  IntervalBindings Ranges;
  for (const auto &Entry : All)
    Ranges[Entry.first()] = {Entry.second, Entry.second};
  static constexpr const char *Axis[] = {"x", "y", "z"};
  for (unsigned D = 0; D < 3; ++D) {
    Ranges[std::string("threadIdx.") + Axis[D]] = {0, L.Block[D] - 1.0};
    Ranges[std::string("blockIdx.") + Axis[D]] = {0, L.Grid[D] - 1.0};
  }
  for (const Loop &InnerLoop : Kernel.Loops) {
    double Trips = bound(InnerLoop.TripCount, Ranges).High;
    Ranges[InnerLoop.Counter] = {0, std::max(0.0, Trips - 1)};
  }
  Interval Reached = bound(A.Address, Ranges);
  return std::floor((Reached.High - Reached.Low) / Line.value()) + 1;
}

/// Thread-level atomics at the rate of the lines that they touch, at most the
/// rate of the chip; lanes that the compiler combines reach memory as one.
double globalAtomicCycles(const KernelModel &Kernel, const MemoryAccess &A,
                          const AccessTotals &T, const GpuModel &Gpu,
                          const Launch &L, const Bindings &All) {
  double Lines = linesReached(Kernel, A, L, All, Gpu.L2.Line);
  bool Combined = A.CombinesLanes && Lines == 1;
  double PerLine = Combined ? Gpu.GlobalAtomicAggregatedRate
                            : Gpu.GlobalAtomicSameAddressRate;
  return T.Threads /
         std::min(std::max(Gpu.GlobalAtomicRate, PerLine), Lines * PerLine);
}

void addAccess(Workload &W, const KernelModel &Kernel, const MemoryAccess &A,
               const AccessTotals &T, const GpuModel &Gpu, const Launch &L,
               const Bindings &All) {
  switch (A.Space) {
  case MemorySpace::Shared: {
    W.SharedCycles += dataStageCycles(A, T, Gpu);
    W.Count.SharedWavefronts += T.Wavefronts;
    if (A.Kind == AccessKind::Atomic)
      W.SharedAtomicCycles += T.SameAddress / Gpu.SharedAtomicSameAddressRate;
    break;
  }
  case MemorySpace::Global:
  case MemorySpace::Local:
  case MemorySpace::Texture: {
    W.L1Cycles += dataStageCycles(A, T, Gpu);
    W.ExtraPasses += std::max(0.0, T.Wavefronts - T.Requests);
    if (A.Kind == AccessKind::Atomic)
      W.GlobalAtomicCycles += globalAtomicCycles(Kernel, A, T, Gpu, L, All);
    if (A.Space != MemorySpace::Global)
      break;
    if (A.Kind == AccessKind::Store) {
      W.Count.GlobalStoreRequests += T.Requests;
      W.Count.GlobalStoreSectors += T.Sectors;
    } else if (A.Kind != AccessKind::Atomic) {
      W.Count.GlobalLoadRequests += T.Requests;
      W.Count.GlobalLoadSectors += T.Sectors;
    }
    break;
  }
  case MemorySpace::Constant:
    break;
  }
}

} // namespace

double pipeRounds(const KernelModel &Kernel, const LaunchSample &Sample,
                  const Operation &Op) {
  if (Op.Access < 0 ||
      Kernel.Accesses[Op.Access].Space != MemorySpace::Constant)
    return 1;
  const AccessTotals &T = Sample.Accesses[Op.Access];
  double Words = std::max(1.0, Kernel.Accesses[Op.Access].BytesPerThread / 4.0);
  return T.Requests > 0 ? std::max(1.0, T.Wavefronts / T.Requests / Words) : 1;
}

Workload measureWorkload(const KernelModel &Kernel, const GpuModel &Gpu,
                         const Launch &L, const Bindings &All,
                         const LaunchSample &Sample, const Traffic &Flow,
                         const OperationCosts &Costs,
                         llvm::ArrayRef<BlockSchedule> Schedule) {
  Workload W;
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B) {
    double Warps = Sample.BlockWarps[B], Threads = Sample.BlockThreads[B];
    for (unsigned I = Kernel.Blocks[B].FirstOp; I < Kernel.Blocks[B].EndOp;
         ++I) {
      const Operation &Op = Kernel.Operations[I];
      double Share = Op.LoopOverhead ? 1.0 / Schedule[B].Copies : 1.0;
      double Instructions = Warps * Op.Count * Share;
      W.Count.WarpInstructions += Instructions;
      W.Count.ByClass[static_cast<unsigned>(Op.Class)] += Instructions;
      W.Count.FlopFp16 += Threads * Op.FlopFp16;
      W.Count.FlopFp32 += Threads * Op.FlopFp32;
      W.Count.FlopFp64 += Threads * Op.FlopFp64;
      if (Op.Class == OpClass::Barrier)
        W.Count.Barriers += Warps;
      W.IssueCycles += Instructions * Costs.slot() / Gpu.SchedulersPerSm;
      W.RegisterCycles +=
          Instructions * Costs.operandCycles(Op) / Gpu.SchedulersPerSm;
      W.PipeCycles[static_cast<unsigned>(Costs.pipe(Op))] +=
          Instructions * Costs.pipeCycles(Op) * pipeRounds(Kernel, Sample, Op);
    }
  }
  for (unsigned I = 0; I < Kernel.Accesses.size(); ++I)
    addAccess(W, Kernel, Kernel.Accesses[I], Sample.Accesses[I], Gpu, L, All);
  W.L2ReadBytes = Flow.L2ReadBytes;
  W.L2WriteBytes = Flow.L2WriteBytes;
  W.L3Bytes = Flow.L3Bytes;
  W.DramReadBytes = Flow.DramReadBytes;
  W.DramWriteBytes = Flow.DramWriteBytes;
  W.Count.L2Bytes = Flow.L2ReadBytes + Flow.L2WriteBytes;
  W.Count.DramReadBytes = Flow.DramReadBytes;
  W.Count.DramWriteBytes = Flow.DramWriteBytes;
  W.Count.DramBytes = Flow.DramReadBytes + Flow.DramWriteBytes;
  return W;
}

} // namespace gpuestimate
