/// \file
/// Kernel, traffic and GPU model in the terms of mwp-cwp.
#include "Evaluate/Access/StrideClass.h"
#include "MwpCwp.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Model/Machine/InlineEcc.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {
namespace {

bool isModelled(const MemoryAccess &A) {
  return A.Space == MemorySpace::Global || A.Space == MemorySpace::Texture;
}

/// [access] loads of global memory whose value a store puts into shared memory
/// as it is, or chosen or converted.
std::vector<bool> tileLoads(const KernelModel &Kernel) {
  std::vector<bool> Result(Kernel.Accesses.size());
  std::vector<unsigned> Work;
  for (const Operation &Op : Kernel.Operations)
    if (Op.Class == OpClass::StoreShared)
      for (const Operand &O : Op.Operands)
        Work.push_back(O.Producer);
    else if (Op.Class == OpClass::AsyncCopy && Op.access())
      Result[*Op.access()] = true;
  std::vector<bool> Seen(Kernel.Operations.size());
  while (!Work.empty()) {
    unsigned I = Work.back();
    Work.pop_back();
    if (Seen[I])
      continue;
    Seen[I] = true;
    const Operation &Op = Kernel.Operations[I];
    if (Op.Class == OpClass::LoadGlobal && Op.access())
      Result[*Op.access()] = true;
    else if (Op.Class == OpClass::Select || Op.Class == OpClass::Move ||
             Op.Class == OpClass::Convert32)
      for (const Operand &O : Op.Operands)
        Work.push_back(O.Producer);
  }
  return Result;
}

/// Cycles between two transactions of one multiprocessor where all that are in
/// use share the chip's bandwidth evenly.
double departure(const ModelInputs &In, BytesPerSecond Bandwidth) {
  BytesPerCycle SmBandwidth =
      BytesPerSecond(Bandwidth.value() / smsInUse(In.Gpu, In.L)) /
      In.Gpu.CoreClock;
  return (In.Gpu.L2.Sector / SmBandwidth).value();
}

std::vector<NeededValue> valuesForMwpCwp(const GpuModel &Gpu) {
  return {{"l2.latency", Gpu.L2.Latency.value()},
          {"dram.latency", Gpu.DramLatency.value()},
          {"l2.sector", Gpu.L2.Sector.value()},
          {"l2.read_bandwidth", Gpu.L2Bandwidth.value()},
          {"dram.read_bandwidth", Gpu.DramReadBandwidth.value()}};
}

} // namespace

MwpCwpMachine mwpCwpMachine(const ModelInputs &In) {
  MwpCwpMachine M;
  double Instructions = In.Work.Count.WarpInstructions;
  M.CyclesPerInstruction =
      Instructions > 0 ? In.computeCycles() / Instructions : 0;
  M.LatencyL2 = In.Gpu.L2.Latency.value();
  M.LatencyDram = In.Gpu.DramLatency.value();
  M.LatencyShared = In.Gpu.SharedLatency.value();
  M.DepartureL2 = departure(In, In.Gpu.L2Bandwidth);
  M.DepartureDram =
      departure(In, In.Gpu.DramReadBandwidth / dramBytesPerByte(In.Gpu, 0));
  M.SharedLoadLatency = M.LatencyL2 + M.LatencyDram + M.DepartureDram;
  return M;
}

MwpCwpWork mwpCwpWork(const ModelInputs &In) {
  MwpCwpWork W;
  double Warps = std::max(1.0, In.Sample.Warps);
  std::vector<StrideClass> Classes =
      strideClasses(In.Kernel, In.Gpu, In.L, In.All);
  std::vector<bool> Tiles = tileLoads(In.Kernel);
  for (unsigned I = 0; I < In.Kernel.Accesses.size(); ++I) {
    const MemoryAccess &A = In.Kernel.Accesses[I];
    const AccessTotals &T = In.Sample.Accesses[I];
    const AccessTraffic &F = In.Flow.Accesses[I];
    if (!isModelled(A) || T.Requests <= 0)
      continue;
    double Instructions = T.Requests / Warps;
    if (Tiles[I] && In.Work.Count.SharedWavefronts > 0) {
      W.SharedLoads += Instructions;
      continue;
    }
    MwpCwpClass &C = Classes[I] == StrideClass::Coalesced  ? W.Coalesced
                     : Classes[I] == StrideClass::Constant ? W.Constant
                                                           : W.Uncoalesced;
    double Unit = In.Gpu.L2.Sector.value();
    double L2 = T.Sectors * sectorBytes(A, In.Gpu) / Unit;
    double Dram = (F.DramReadBytes + F.DramWriteBytes) / Unit;
    // Means over the instructions of the class.
    double Total = C.Instructions + Instructions;
    C.L2Transactions = (C.L2Transactions * C.Instructions + L2 / Warps) / Total;
    C.DramTransactions =
        (C.DramTransactions * C.Instructions + Dram / Warps) / Total;
    C.Instructions = Total;
  }
  W.Instructions = In.Work.Count.WarpInstructions / Warps;
  W.SharedPasses = In.Work.Count.SharedWavefronts / Warps;
  W.Barriers = In.Work.Count.Barriers / Warps;
  W.Warps = In.Occ.WarpsPerSm;
  W.Blocks = In.Occ.BlocksPerSm;
  double L2Bytes = In.Work.L2ReadBytes + In.Work.L2WriteBytes;
  double DramBytes = In.Work.DramReadBytes + In.Work.DramWriteBytes;
  W.L2Miss = L2Bytes > 0 ? std::min(1.0, DramBytes / L2Bytes) : 0;
  W.Batches = In.L.blocks() / (W.Blocks * smsInUse(In.Gpu, In.L));
  return W;
}

/// The memory part by what sets it: the slower of L2's and DRAM's departures
/// where warps queue, their latencies where all overlap.
static void addMemoryParts(std::vector<TimePart> &Parts, const MwpCwpMachine &M,
                           const MwpCwpWork &W, const MwpCwpResult &R) {
  bool Queue = R.Case == MwpCwpResult::MemoryBound && R.Mwp < W.Warps;
  double L2 = 0, Dram = 0;
  for (auto [Class, Constant] : {std::pair{&W.Coalesced, false},
                                 {&W.Constant, true},
                                 {&W.Uncoalesced, false}}) {
    double N = Class->Instructions;
    double CyclesL2 = Class->L2Transactions * M.DepartureL2;
    double CyclesDram = Class->DramTransactions * M.DepartureDram;
    if (!Queue) {
      CyclesL2 = M.LatencyL2;
      CyclesDram = mwpCwpLatency(M, *Class, Constant) - CyclesL2;
    } else if (!Constant) {
      (CyclesL2 < CyclesDram ? CyclesL2 : CyclesDram) = 0;
    }
    L2 += N * CyclesL2;
    Dram += N * CyclesDram;
  }
  L2 += W.SharedLoads * M.LatencyL2;
  Dram += W.SharedLoads * (M.SharedLoadLatency - M.LatencyL2);
  if (L2 + Dram <= 0)
    return;
  Parts.push_back({Term::L2, R.MemoryPart * L2 / (L2 + Dram)});
  Parts.push_back({Term::Dram, R.MemoryPart * Dram / (L2 + Dram)});
}

static std::string bottleneck(const Prediction &P, const MwpCwpWork &W,
                              const MwpCwpResult &R) {
  StringRef Largest = P.Breakdown.front().first;
  if (Largest == name(Term::Issue))
    return name(Resource::Issue).str();
  bool Queue = R.Case == MwpCwpResult::MemoryBound && R.Mwp < W.Warps;
  if (Queue && Largest == name(Term::L2))
    return name(Resource::L2Bandwidth).str();
  if (Queue && Largest == name(Term::Dram))
    return name(Resource::DramBandwidth).str();
  return "latency";
}

static Error fill(Prediction &P, const ModelInputs &In, StringRef Model,
                  MwpCwpRules Rules) {
  std::vector<NeededValue> Needed = valuesForMwpCwp(In.Gpu);
  if (In.Work.Count.SharedWavefronts > 0)
    Needed.push_back({"shared.latency", In.Gpu.SharedLatency.value()});
  if (Error E = checkValues(Model, In.Gpu, Needed))
    return E;
  MwpCwpMachine M = mwpCwpMachine(In);
  MwpCwpWork W = mwpCwpWork(In);
  MwpCwpResult R = mwpCwp(M, W, Rules);

  std::vector<TimePart> Parts;
  addMemoryParts(Parts, M, W, R);
  double Shared = R.ComputeCycles > 0
                      ? R.ComputePart * R.SharedCycles / R.ComputeCycles
                      : 0;
  Parts.push_back({Term::Shared, Shared});
  Parts.push_back({Term::Issue, R.ComputePart - Shared});
  Parts.push_back({Term::Barrier, R.SyncCycles});
  setParts(P, In.Gpu, Parts);
  P.Bottleneck = bottleneck(P, W, R);
  P.Intermediates = {{"MWP", R.Mwp},
                     {"CWP", R.Cwp},
                     {"mem_l", R.MemoryLatency},
                     {"departure_delay", R.DepartureDelay},
                     {"mem_cycles", R.MemoryCycles},
                     {"comp_cycles", R.ComputeCycles},
                     {"batch", W.Batches}};
  if (In.Flow.L1Hit > 0)
    P.Premises.push_back(Model.str() + " has no L1: the " +
                         formatPercent(In.Flow.L1Hit) +
                         " of the sectors that L1 would serve cost as much as "
                         "hits of L2");
  stateInherited(P, In.Gpu, Needed);
  return Error::success();
}

Error fillMwpCwp(Prediction &P, const ModelInputs &In) {
  return fill(P, In, "mwp-cwp", MwpCwpRules::Refined);
}
Error fillMwpCwpPrinted(Prediction &P, const ModelInputs &In) {
  return fill(P, In, "mwp-cwp-printed", MwpCwpRules::Printed);
}
Error fillMwpCwpBaseline(Prediction &P, const ModelInputs &In) {
  return fill(P, In, "mwp-cwp-baseline", MwpCwpRules::Baseline);
}

} // namespace gpuestimate
