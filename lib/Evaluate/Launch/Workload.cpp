#include "gpu-estimate/Evaluate/Launch/Workload.h"

#include "Evaluate/Access/BufferBytes.h"
#include "Evaluate/Warp/OperandReads.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace gpuestimate {
namespace {

/// Bytes between the smallest and the largest address of an atomic access in
/// the launch, its width for a constant address. An address that depends on
/// loaded data reaches the whole buffer, or less where the range of the data is
/// known (`bins[x & 15]`, or a given x). Infinite if nothing limits it.
double bytesReached(const KernelModel &Kernel, const MemoryAccess &A,
                    const Launch &L, const Bindings &All) {
  double Width = std::max(1u, A.BytesPerThread);
  double Buffer =
      std::max(Width, bufferBytes(Kernel, A, All).value_or(INFINITY));
  if (!A.Address)
    return Buffer;
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
  double Span = Reached.High - Reached.Low + Width;
  return A.DataDependent ? std::fmin(Buffer, Span) : Span;
}

/// The bytes over which as many lanes as the traced ones would spread evenly,
/// if one piece of PieceBytes were used as often as the busiest one: PieceBytes
/// over its share of the lanes. nullopt if the access was not traced.
std::optional<double> bytesReached(const ExecutedLaunch *Executed,
                                   unsigned Access, double PieceBytes) {
  if (!Executed || Access >= Executed->Requests.size())
    return std::nullopt;
  double All = 0, Busiest = 0;
  std::map<double, double> Lanes; // by piece
  for (auto [R, Request] : llvm::enumerate(Executed->Requests[Access]))
    for (double Address : Request) {
      if (std::isnan(Address))
        continue;
      double &OfPiece = Lanes[std::floor(Address / PieceBytes)];
      OfPiece += Executed->weight(Access, R);
      All += Executed->weight(Access, R);
      Busiest = std::max(Busiest, OfPiece);
    }
  if (All <= 0)
    return std::nullopt;
  return PieceBytes * All / Busiest;
}

/// Length of the contiguous pieces of memory that lie in one slice of L2. A
/// fit: with it one sector rate explains the histogram of small-kernels, whose
/// 1 KiB of bins keep two slices busy (Titan V, RTX 2080 Ti, RTX 4070), and
/// atomicAggregate of hecbench-rtx3080, which has one line.
constexpr double SliceStretch = 512;

/// Slices of L2 that share the atomics on the addresses reached:
///   min(ceil(bytes reached / SliceStretch), all slices)
double slicesReached(const GpuModel &Gpu, double SectorRate, double Reached) {
  double Slices = std::max(1.0, Gpu.GlobalAtomicRate / SectorRate);
  return std::clamp(std::ceil(Reached / SliceStretch), 1.0, Slices);
}

/// Cycles of the busiest slice of L2 for the atomics of one access.
///
///   cycles = (S / sector rate + E / same-address rate) / slices reached
///
/// S: sectors of all requests. A slice applies the lanes of a sector that have
/// addresses of their own at once. E: lanes that find another lane of their
/// request on their address, min(S * (lanes on one address - 1), lanes - S);
/// they follow one by one. Additions of reals have a rate of their own. An
/// address takes no more than that rate from all requests together:
///
///   cycles >= (S + E) / addresses / same-address rate
///
/// Where the compiler combines the lanes of a warp, each request is one
/// operation.
/// Example (RTX 3080): 32 lanes add reals to one address in 32 / 0.31 = 103
/// cycles, where the first bound gives 1 / 0.755 + 31 / 0.31 = 101.
double globalAtomicCycles(const MemoryAccess &A, const AccessTotals &T,
                          const GpuModel &Gpu, double Reached) {
  double SectorRate =
      Gpu.GlobalAtomicSectorRate.value_or(Gpu.GlobalAtomicSameAddressRate);
  double Slices = slicesReached(Gpu, SectorRate, Reached);
  if (combinesLanes(A, Gpu))
    return T.Requests * Gpu.WarpSize / Gpu.GlobalAtomicAggregatedRate / Slices;
  double LaneRate =
      A.RealAtomic
          ? Gpu.GlobalAtomicRealRate.value_or(Gpu.GlobalAtomicSameAddressRate)
          : Gpu.GlobalAtomicSameAddressRate;
  double LanesPerAddress =
      T.Requests > 0 ? std::max(1.0, T.SameAddress / T.Requests) : 1;
  double Followers = std::max(
      0.0, std::min(T.Sectors * (LanesPerAddress - 1), T.Threads - T.Sectors));
  double OfSlice = (T.Sectors / SectorRate + Followers / LaneRate) / Slices;
  double Addresses = std::max(1.0, Reached / std::max(1u, A.BytesPerThread));
  return std::max(OfSlice, (T.Sectors + Followers) / Addresses / LaneRate);
}

/// Operations of the busiest address that a compare-and-swap loop does one
/// after the other: at most one thread succeeds in each window from a read to
/// its compare-and-swap, because its success makes all other reads stale.
double casChain(const MemoryAccess &A, const AccessTotals &T,
                const GpuModel &Gpu, double Reached) {
  if (combinesLanes(A, Gpu))
    return T.Requests;
  double Addresses = Reached / std::max(1u, A.BytesPerThread);
  return std::min(std::max(T.SameAddress, T.Requests), T.Threads / Addresses);
}

/// Cycles until all warps of a block have left a compare-and-swap loop on
/// shared memory that they enter together, as they do after a barrier or at the
/// end of loops of one length:
///   max(rounds of one warp, successes on one address * warps) * window
/// Example: 256 threads add a float to one word, H200: 256 * 51 cycles = 6.6
/// us, in which the eight warps wait for each other and do nothing else.
double blockRetryCycles(const MemoryAccess &A, const AccessTotals &T,
                        const GpuModel &Gpu, double Window, double Reached,
                        double Warps) {
  if (T.Requests <= 0)
    return 0;
  double Chain = casChain(A, T, Gpu, Reached) / T.Requests * Warps;
  return std::max(casRounds(A, T, Gpu), Chain) * Window;
}

/// What the retries of a compare-and-swap loop cost beyond its first round:
/// instructions, and passes through shared memory.
void addRetries(Workload &W, const MemoryAccess &A, const AccessTotals &T,
                const GpuModel &Gpu, const OperationCosts &Costs) {
  // Read, operation, compare-and-swap, comparison and branch.
  constexpr double Instructions = 5, Accesses = 2;
  double Retries = (casRounds(A, T, Gpu) - 1) * T.Requests;
  OpClass Class = A.Space == MemorySpace::Shared ? OpClass::AtomicShared
                                                 : OpClass::AtomicGlobal;
  W.Count.WarpInstructions += Retries * Instructions;
  W.Count.ByClass[static_cast<unsigned>(Class)] += Retries * Instructions;
  W.IssueCycles += Retries * Instructions * Costs.slot() / Gpu.SchedulersPerSm;
  W.PipeCycles[static_cast<unsigned>(Gpu.cost(OpClass::AtomicShared).On)] +=
      Retries * Accesses * Gpu.WarpSize /
      Gpu.cost(OpClass::AtomicShared).Throughput;
  if (A.Space == MemorySpace::Shared)
    W.SharedCycles += Retries * Accesses * sharedPassCycles(Gpu);
}

void addSharedAtomic(Workload &W, const MemoryAccess &A, const AccessTotals &T,
                     const GpuModel &Gpu, const OperationCosts &Costs,
                     double Window, double Reached) {
  if (A.CasLoop) // each resident block has a word of its own
    W.SharedAtomicCycles +=
        casChain(A, T, Gpu, Reached) * Window / Costs.residentBlocks();
  else if (combinesLanes(A, Gpu) || A.MergesLanes)
    W.SharedAtomicCycles += T.Requests / Gpu.SharedAtomicSameAddressRate;
  else
    W.SharedAtomicCycles += T.SameAddress / Gpu.SharedAtomicSameAddressRate;
}

void addAccess(Workload &W, const KernelModel &Kernel, const MemoryAccess &A,
               const AccessTotals &T, const GpuModel &Gpu, const Launch &L,
               const Bindings &All, const OperationCosts &Costs,
               const ExecutedLaunch *Executed, double WarpsTogether) {
  bool Atomic = A.Kind == AccessKind::Atomic;
  double Reached = 0;
  if (Atomic)
    Reached =
        bytesReached(A.DataDependent ? Executed : nullptr,
                     &A - Kernel.Accesses.data(),
                     A.CasLoop ? std::max(1u, A.BytesPerThread) : SliceStretch)
            .value_or(bytesReached(Kernel, A, L, All));
  double Window = A.CasLoop ? Costs.casWindow(&A - Kernel.Accesses.data()) : 0;
  if (Atomic && A.CasLoop)
    addRetries(W, A, T, Gpu, Costs);
  switch (A.Space) {
  case MemorySpace::Shared: {
    W.SharedCycles += dataStageCycles(A, T, Gpu);
    W.Count.SharedWavefronts += T.Wavefronts;
    if (Atomic)
      addSharedAtomic(W, A, T, Gpu, Costs, Window, Reached);
    if (Atomic && A.CasLoop)
      W.RetryCycles[&A - Kernel.Accesses.data()] =
          blockRetryCycles(A, T, Gpu, Window, Reached, WarpsTogether);
    break;
  }
  case MemorySpace::Global:
  case MemorySpace::Local:
  case MemorySpace::Texture: {
    W.L1Cycles += dataStageCycles(A, T, Gpu);
    W.ExtraPasses += std::max(0.0, T.Wavefronts - T.Requests);
    if (Atomic)
      W.GlobalAtomicCycles +=
          A.CasLoop ? std::max(globalAtomicCycles(A, T, Gpu, Reached),
                               casChain(A, T, Gpu, Reached) * Window)
                    : globalAtomicCycles(A, T, Gpu, Reached);
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
  if (!Op.access() ||
      Kernel.Accesses[*Op.access()].Space != MemorySpace::Constant)
    return 1;
  const AccessTotals &T = Sample.Accesses[*Op.access()];
  double Words =
      std::max(1.0, Kernel.Accesses[*Op.access()].BytesPerThread / 4.0);
  return T.Requests > 0 ? std::max(1.0, T.Wavefronts / T.Requests / Words) : 1;
}

Workload measureWorkload(const KernelModel &Kernel, const GpuModel &Gpu,
                         const Launch &L, const Bindings &All,
                         const LaunchSample &Sample, const Traffic &Flow,
                         const OperationCosts &Costs,
                         llvm::ArrayRef<BlockSchedule> Schedule,
                         const ExecutedLaunch *Executed) {
  if (Executed && !Executed->isAbout(Kernel))
    Executed = nullptr;
  Workload W;
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B) {
    double Warps = Sample.BlockWarps[B], Threads = Sample.BlockThreads[B];
    // Warps that skip a predicated block issue it all the same, and hold the
    // pipes with instructions that do nothing.
    double IssuingWarps = Kernel.Blocks[B].Predicated
                              ? Sample.BlockWarps[Schedule[B].Hyperblock]
                              : Warps;
    for (unsigned I : Kernel.Blocks[B].operations()) {
      const Operation &Op = Kernel.Operations[I];
      double Share = Op.LoopOverhead ? 1.0 / Schedule[B].Copies : 1.0;
      double Operations = Warps * Op.Count * Share;
      double Instructions = IssuingWarps * Costs.instructions(Op) * Share;
      W.Count.WarpInstructions += Instructions;
      W.Count.ByClass[static_cast<unsigned>(Op.Class)] += Instructions;
      W.Count.FlopFp16 += Threads * Op.FlopFp16;
      W.Count.FlopFp32 += Threads * Op.FlopFp32;
      W.Count.FlopFp64 += Threads * Op.FlopFp64;
      if (Op.Class == OpClass::Barrier)
        W.Count.Barriers += Warps;
      W.IssueCycles += Instructions * Costs.slot() / Gpu.SchedulersPerSm;
      W.RegisterCycles +=
          Operations * Costs.operandCycles(Op) / Gpu.SchedulersPerSm;
      W.PipeCycles[static_cast<unsigned>(Costs.pipe(Op))] +=
          IssuingWarps * Op.Count * Share * Costs.pipeCycles(Op) *
          pipeRounds(Kernel, Sample, Op);
    }
  }
  W.RetryCycles.resize(Kernel.Accesses.size());
  double WarpsPerBlock = llvm::divideCeil(L.threadsPerBlock(), Gpu.WarpSize);
  std::vector<double> ActiveShare = activeWarps(Kernel, Sample);
  for (auto [I, A] : llvm::enumerate(Kernel.Accesses))
    addAccess(W, Kernel, A, Sample.Accesses[I], Gpu, L, All, Costs, Executed,
              std::max(1.0, WarpsPerBlock * ActiveShare[A.Block]));
  static_cast<MemoryDemand &>(W) = Flow;
  W.Count.L2Bytes = Flow.L2ReadBytes + Flow.L2WriteBytes;
  W.Count.DramReadBytes = Flow.DramReadBytes;
  W.Count.DramWriteBytes = Flow.DramWriteBytes;
  W.Count.DramBytes = Flow.DramReadBytes + Flow.DramWriteBytes;
  return W;
}

} // namespace gpuestimate
