#include "gpu-estimate/Evaluate/Warp/Costs.h"
#include "OperandReads.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include <algorithm>
#include <map>

namespace gpuestimate {

MemoryLatencies MemoryLatencies::unloaded(const GpuModel &Gpu) {
  double L2 = Gpu.L2.Latency.value();
  // Half of the slices are in the other partition of a two-partition L2.
  if (Gpu.L2FarLatency)
    L2 += (Gpu.L2FarLatency->value() - L2) * (1 - 1.0 / Gpu.L2Partitions);
  MemoryLatencies Lat;
  double Dram = std::max(L2, Gpu.DramLatency.value());
  Lat[MemoryLevel::Shared] = Gpu.SharedLatency.value();
  Lat[MemoryLevel::L1] = Gpu.L1.Latency.value();
  Lat[MemoryLevel::L2] = L2;
  Lat[MemoryLevel::L3] =
      Gpu.L3Latency ? std::max(L2, Gpu.L3Latency->value()) : Dram;
  Lat[MemoryLevel::Dram] = Dram;
  return Lat;
}

double sharedPassCycles(const GpuModel &Gpu) {
  return Gpu.SharedBanks * Gpu.SharedBankWidth.value() /
         Gpu.SharedBandwidth.value();
}

double globalPassCycles(const GpuModel &Gpu) {
  return Gpu.L1UnifiedWithShared
             ? sharedPassCycles(Gpu)
             : Gpu.L1.Line.value() / Gpu.L1Bandwidth.value();
}

double dataStageCycles(const MemoryAccess &A, const AccessTotals &T,
                       const GpuModel &Gpu) {
  switch (A.Space) {
  case MemorySpace::Shared:
    return T.Wavefronts * sharedPassCycles(Gpu);
  case MemorySpace::Constant:
    return 0;
  case MemorySpace::Global:
  case MemorySpace::Local:
  case MemorySpace::Texture:
    break;
  }
  double MovedBytes =
      std::min(T.Threads * A.BytesPerThread, T.Sectors * sectorBytes(A, Gpu));
  return std::max(T.Wavefronts * globalPassCycles(Gpu),
                  MovedBytes / Gpu.L1Bandwidth.value());
}

bool combinesLanes(const MemoryAccess &A, const GpuModel &Gpu) {
  return A.CombinesLanes &&
         Gpu.GlobalAtomicAggregatedRate > Gpu.GlobalAtomicSameAddressRate;
}

double casRounds(const MemoryAccess &A, const AccessTotals &T,
                 const GpuModel &Gpu) {
  if (!A.CasLoop || T.Requests <= 0 || combinesLanes(A, Gpu))
    return 1;
  double Passes = A.Space == MemorySpace::Shared
                      ? std::max(T.Wavefronts, T.Requests)
                      : T.Requests;
  return std::max(1.0, (T.SameAddress + Passes) / T.Requests - 1);
}

/// Cycles of the operations between the value that the swap expects, which is
/// read in this round or came from the last one, and the operation Op; nothing
/// if Op does not depend on that value.
std::optional<double>
OperationCosts::updateCycles(unsigned Op, const MemoryAccess &Cas,
                             const BasicBlock &Body) const {
  std::optional<double> Longest;
  for (const Operand &O : Kernel.Operations[Op].Operands) {
    const Operation &Producer = Kernel.Operations[O.Producer];
    std::optional<double> Cycles;
    if (O.Carried)
      Cycles = 0;
    else if (O.Producer < Body.FirstOp || O.Producer >= Body.EndOp)
      continue;
    else if (!Producer.access())
      Cycles = updateCycles(O.Producer, Cas, Body);
    else if (const MemoryAccess &A = Kernel.Accesses[*Producer.access()];
             A.Base == Cas.Base && A.Address == Cas.Address)
      Cycles = 0;
    if (!Cycles)
      continue;
    if (!O.Carried && !Producer.access())
      *Cycles += Gpu.cost(Producer.Class).Latency.value() * Producer.Chain;
    Longest = std::max(Longest.value_or(0), *Cycles);
  }
  return Longest;
}

double OperationCosts::casWindow(unsigned Access) const {
  const MemoryAccess &A = Kernel.Accesses[Access];
  double Update = 0;
  const BasicBlock &Body = Kernel.Blocks[A.Block];
  for (unsigned I : Body.operations())
    if (Kernel.Operations[I].access() == Access)
      Update = updateCycles(I, A, Body).value_or(0);
  if (A.Space == MemorySpace::Shared)
    return Gpu.SharedLatency.value() + Update + Gpu.SharedAtomicLatency.value();
  return Update +
         std::max(Gpu.GlobalAtomicLatency.value(), Gpu.L2.Latency.value());
}

OperationCosts::OperationCosts(const KernelModel &Kernel, const GpuModel &Gpu,
                               const LaunchSample &Sample, const Traffic &Flow,
                               const std::vector<BlockSchedule> &Schedule,
                               unsigned WarpsPerBlock, unsigned WarpsPerSm)
    : Kernel(Kernel), Gpu(Gpu), Sample(Sample), Flow(Flow),
      BarrierLatency(Gpu.BarrierLatency.value() +
                     Gpu.BarrierPerWarp.value() * (WarpsPerBlock - 1.0)),
      ResidentBlocks(
          std::max(1.0, double(WarpsPerSm) / std::max(1u, WarpsPerBlock))),
      ReadCycles(operandReadCycles(Kernel, Gpu)),
      ReadLatency(Kernel.Operations.size()),
      IssuedTogether(loadsIssuedTogether(Kernel, Schedule)) {
  fillSwitchCycles();
  std::vector<double> ActiveShare = activeWarps(Kernel, Sample);
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
    if (ActiveShare[B] * WarpsPerSm > Gpu.SchedulersPerSm)
      for (unsigned I : Kernel.Blocks[B].operations())
        ReadLatency[I] =
            std::max(0.0, ReadCycles[I] - issue(Kernel.Operations[I]));
  Pages = pages();
}

void OperationCosts::fillSwitchCycles() {
  if (!Gpu.Fp64Switch)
    return;
  double All = 0;
  std::array<double, NumOpClasses> Executed{};
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
    for (unsigned I : Kernel.Blocks[B].operations()) {
      const Operation &Op = Kernel.Operations[I];
      // Conversions between additions do not make the unit idle.
      bool IsArithmetic = Op.Class == OpClass::Fp64Add ||
                          Op.Class == OpClass::Fp64Mul ||
                          Op.Class == OpClass::Fp64Fma;
      if (!IsArithmetic || !servesAllSchedulers(Op))
        continue;
      double Count = Sample.BlockWarps[B] * Op.Count;
      Executed[static_cast<unsigned>(Op.Class)] += Count;
      All += Count;
    }
  // Warps are at different places of the code, so the instruction before is of
  // a class with the probability of the class.
  for (unsigned C = 0; C < NumOpClasses; ++C)
    if (Executed[C] > 0)
      SwitchCycles[C] = Gpu.Fp64Switch->value() * (1 - Executed[C] / All);
}

std::vector<int> OperationCosts::pages() const {
  std::vector<int> Result(Kernel.Accesses.size(), -1);
  if (!Gpu.TlbPage)
    return Result;
  std::map<llvm::StringRef, double> Bytes; // of an object, at most
  for (unsigned I = 0; I < Result.size(); ++I)
    Bytes[Kernel.Accesses[I].Base] += Flow.Accesses[I].L2Bytes;
  std::map<llvm::StringRef, int> Own;
  for (unsigned I = 0; I < Result.size(); ++I) {
    const MemoryAccess &A = Kernel.Accesses[I];
    if (A.Space == MemorySpace::Shared || A.Space == MemorySpace::Constant)
      continue;
    bool IsSmall = Bytes[A.Base] < Gpu.TlbPage->value();
    Result[I] =
        IsSmall ? 0 : Own.try_emplace(A.Base, Own.size() + 1).first->second;
  }
  return Result;
}

double OperationCosts::passes(unsigned Access) const {
  const AccessTotals &T = Sample.Accesses[Access];
  return T.Requests > 0 ? std::max(1.0, T.Wavefronts / T.Requests) : 1;
}

WarpConditions OperationCosts::conditions(const MemoryLatencies &Lat,
                                          TermSet Without) const {
  const double L1 = Lat[MemoryLevel::L1], L2 = Lat[MemoryLevel::L2];
  WarpConditions Result;
  Result.Without =
      Without & TermSet{Term::Dependency, Term::Registers, Term::Barrier,
                        Term::Shared,     Term::L1,        Term::Wait};
  Result.AccessLatency.resize(Kernel.Accesses.size());
  for (unsigned I = 0; I < Kernel.Accesses.size(); ++I) {
    const MemoryAccess &A = Kernel.Accesses[I];
    const AccessTraffic &F = Flow.Accesses[I];
    double Beyond =
        F.L3Hit * Lat[MemoryLevel::L3] + (1 - F.L3Hit) * Lat[MemoryLevel::Dram];
    double WaitsBeyond =
        F.L2MissWaitFraction * (1 - F.NeighbourFetchedFraction);
    double Miss = (1 - WaitsBeyond) * L2 + WaitsBeyond * Beyond;
    double L1Hit = F.L1Hit - F.L1PendingHit;
    if (F.SectorCrossingPhases > 0 && F.L1Hit < 1) {
      // A warp waits for the last of its lanes, and for all iterations that are
      // issued together.
      double Waits = (1 - L1Hit) * F.SectorCrossingPhases * IssuedTogether[I];
      double ToL2 = std::min(1.0, Waits);
      double ToBeyond = std::min(1.0, Waits * WaitsBeyond);
      L1Hit = 1 - ToL2;
      Miss = L2 + ToBeyond / ToL2 * (Beyond - L2);
    }
    double Cycles = 0, Pass = globalPassCycles(Gpu);
    switch (A.Space) {
    case MemorySpace::Shared:
      Pass = sharedPassCycles(Gpu);
      Cycles = A.Kind == AccessKind::Atomic ? Gpu.SharedAtomicLatency.value()
                                            : Lat[MemoryLevel::Shared];
      break;
    case MemorySpace::Constant:
      Cycles = Gpu.ConstantLatency.value();
      break;
    case MemorySpace::Texture:
      Cycles = F.L1Hit * Gpu.TextureLatency.value() + (1 - F.L1Hit) * Miss;
      break;
    case MemorySpace::Global:
    case MemorySpace::Local:
      if (A.Kind != AccessKind::Atomic) {
        Cycles = L1Hit * L1 + (1 - L1Hit) * Miss;
        break;
      }
      // An atomic is performed in L2: its round trip, or that of the miss.
      Cycles =
          F.L2Hit * std::max(Gpu.GlobalAtomicLatency.value(), L2) +
          (1 - F.L2Hit) * std::max(Gpu.GlobalAtomicLatency.value(), Beyond);
      break;
    }
    if (A.Kind == AccessKind::Atomic && A.CasLoop)
      Cycles += (casRounds(A, Sample.Accesses[I], Gpu) - 1) * casWindow(I);
    Result.AccessLatency[I] = Cycles + (passes(I) - 1) * Pass * Lat.PassDelay;
  }
  return Result;
}

double OperationCosts::pipeCycles(const Operation &Op) const {
  double Throughput = Gpu.cost(Op.Class).Throughput;
  if (Op.arrival())
    return 0;
  if (Op.TensorMultiplyAdds > 0) {
    double Reached =
        Op.Scope == MatrixScope::Warp ? Gpu.WarpMatrixRate.value_or(1) : 1;
    return Op.TensorMultiplyAdds / (Throughput * Reached);
  }
  return Gpu.WarpSize / Throughput +
         SwitchCycles[static_cast<unsigned>(Op.Class)];
}

double OperationCosts::dataStageCycles(const Operation &Op) const {
  if (!Op.access())
    return 0;
  const AccessTotals &T = Sample.Accesses[*Op.access()];
  return T.Requests > 0 ? gpuestimate::dataStageCycles(
                              Kernel.Accesses[*Op.access()], T, Gpu) /
                              T.Requests
                        : 0;
}

double OperationCosts::issue(const Operation &Op) const {
  double Share = pipeCycles(Op);
  // The arithmetic pipes are divided among the processing blocks.
  if (!servesAllSchedulers(Op))
    Share *= Gpu.SchedulersPerSm;
  return std::max(Share, slot());
}

double OperationCosts::instructions(const Operation &Op) const {
  int Capability = std::atoi(Gpu.ComputeCapability.c_str());
  bool HasXmad = Capability == 5 || Capability == 6;
  return HasXmad && Op.Class == OpClass::IntMul ? 3.0 * Op.Count : Op.Count;
}

double OperationCosts::latency(const Operation &Op,
                               const WarpConditions &Conditions) const {
  if (Op.access())
    return Conditions.AccessLatency[*Op.access()];
  if (Op.wait())
    return 0; // a value of the path
  if (Op.arrival())
    return Conditions.Without.contains(Term::Wait)
               ? 0
               : Conditions.AccessLatency[Op.arrival()->Access] /
                     Op.arrival()->CopiesAhead;
  if (Op.Class == OpClass::Barrier)
    return BarrierLatency;
  if (Conditions.Without.contains(Term::Dependency))
    return 0;
  double Read = Conditions.Without.contains(Term::Registers)
                    ? 0
                    : ReadLatency[&Op - Kernel.Operations.data()];
  // The sum of an asynchronous matrix instruction is there when all of it has
  // been executed.
  double Execution = Op.Scope == MatrixScope::Warp ? 0 : issue(Op);
  return Gpu.cost(Op.Class).Latency.value() * Op.Chain + Read + Execution;
}

} // namespace gpuestimate
