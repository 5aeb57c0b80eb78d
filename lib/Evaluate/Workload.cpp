#include "gpu-estimate/Evaluate/Workload.h"
#include "gpu-estimate/Evaluate/BindParameters.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace gpuestimate {
namespace {

/// An address that neither a coordinate, nor a loop, nor loaded data moves is
/// one word for the whole launch.
bool isOneWord(const KernelModel &Kernel, const MemoryAccess &A) {
  auto Moves = [&](const std::string &Name) {
    return isCoordinate(Name) || llvm::any_of(Kernel.Loops, [&](const Loop &L) {
             return L.Counter == Name;
           });
  };
  return A.Address && !A.DataDependent &&
         llvm::none_of(A.Address.parameters(), Moves);
}

/// Thread-level atomics of one access and how many of them meet at the
/// busiest address.
double globalAtomicCycles(const KernelModel &Kernel, const MemoryAccess &A,
                          const AccessTotals &T, const GpuModel &Gpu) {
  double Spread = T.Threads / Gpu.GlobalAtomicRate;
  double Serial = isOneWord(Kernel, A)
                      ? T.Threads / Gpu.GlobalAtomicSameAddressRate
                      : T.SameAddress / Gpu.GlobalAtomicRate;
  return std::max(Spread, Serial);
}

void addAccess(Workload &W, const KernelModel &Kernel, const MemoryAccess &A,
               const AccessTotals &T, const GpuModel &Gpu) {
  switch (A.Space) {
  case MemorySpace::Shared: {
    double PassBytes = Gpu.SharedBanks * Gpu.SharedBankWidth.value();
    W.SharedCycles += T.Wavefronts * PassBytes / Gpu.SharedBandwidth.value();
    W.Count.SharedWavefronts += T.Wavefronts;
    if (A.Kind == AccessKind::Atomic)
      W.SharedAtomicCycles += T.SameAddress / Gpu.SharedAtomicSameAddressRate;
    break;
  }
  case MemorySpace::Global:
  case MemorySpace::Local:
  case MemorySpace::Texture:
    W.L1Cycles += std::max(T.Wavefronts, T.Sectors * Gpu.L1.Sector.value() /
                                             Gpu.L1Bandwidth.value());
    W.ExtraPasses += std::max(0.0, T.Wavefronts - T.Requests);
    if (A.Kind == AccessKind::Atomic)
      W.GlobalAtomicCycles += globalAtomicCycles(Kernel, A, T, Gpu);
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
  case MemorySpace::Constant:
    break;
  }
}

} // namespace

Workload measureWorkload(const KernelModel &Kernel, const GpuModel &Gpu,
                         const LaunchSample &Sample, const Traffic &Flow,
                         const OperationCosts &Costs,
                         llvm::ArrayRef<unsigned> CopiesOfBlock) {
  Workload W;
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B) {
    double Warps = Sample.BlockWarps[B], Threads = Sample.BlockThreads[B];
    for (unsigned I = Kernel.Blocks[B].FirstOp; I < Kernel.Blocks[B].EndOp;
         ++I) {
      const Operation &Op = Kernel.Operations[I];
      double Share = Op.LoopOverhead ? 1.0 / CopiesOfBlock[B] : 1.0;
      double Instructions = Warps * Op.Count * Share;
      W.Count.WarpInstructions += Instructions;
      W.Count.ByClass[static_cast<unsigned>(Op.Class)] += Instructions;
      W.Count.FlopFp16 += Threads * Op.FlopFp16;
      W.Count.FlopFp32 += Threads * Op.FlopFp32;
      W.Count.FlopFp64 += Threads * Op.FlopFp64;
      if (Op.Class == OpClass::Barrier)
        W.Count.Barriers += Warps;
      W.IssueCycles += Instructions * Costs.slot() / Gpu.SchedulersPerSm;
      W.PipeCycles[static_cast<unsigned>(Costs.pipe(Op))] +=
          Instructions * Costs.pipeCycles(Op);
    }
  }
  for (unsigned I = 0; I < Kernel.Accesses.size(); ++I)
    addAccess(W, Kernel, Kernel.Accesses[I], Sample.Accesses[I], Gpu);
  W.L2ReadBytes = Flow.L2ReadBytes;
  W.L2WriteBytes = Flow.L2WriteBytes;
  W.DramReadBytes = Flow.DramReadBytes;
  W.DramWriteBytes = Flow.DramWriteBytes;
  W.Count.L2Bytes = Flow.L2ReadBytes + Flow.L2WriteBytes;
  W.Count.DramReadBytes = Flow.DramReadBytes;
  W.Count.DramWriteBytes = Flow.DramWriteBytes;
  W.Count.DramBytes = Flow.DramReadBytes + Flow.DramWriteBytes;
  return W;
}

} // namespace gpuestimate
