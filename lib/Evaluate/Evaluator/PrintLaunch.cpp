#include "gpu-estimate/Evaluate/Evaluator/PrintLaunch.h"

#include "Evaluate/Access/LaneState.h"
#include "Evaluate/Launch/LaunchTime.h"
#include "Evaluate/Sampling/WarpSampler.h"
#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Evaluate/Launch/Spills.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Evaluate/Warp/Schedule.h"
#include "gpu-estimate/Model/Kernel/PrintKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

/// "12", "0.5", "1.23e+06".
static std::string number(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.4g", Value);
  return Text;
}

/// Number / Count, or 0 of nothing.
static double ratio(double Number, double Count) {
  return Count > 0 ? Number / Count : 0;
}

/// Cells are aligned to the right, below headers of the same columns.
static void printRow(raw_ostream &OS, ArrayRef<StringRef> Headers,
                     ArrayRef<std::string> Cells) {
  for (auto [Header, Cell] : zip_equal(Headers, Cells))
    OS << right_justify(Cell, std::max<size_t>(Header.size(), 9) + 2);
  OS << '\n';
}

static void printHeaders(raw_ostream &OS, ArrayRef<StringRef> Headers) {
  printRow(OS, Headers,
           std::vector<std::string>(Headers.begin(), Headers.end()));
}

/// Number, place, and kind of an access: the first cells of its row.
static std::vector<std::string> accessCells(const KernelModel &Kernel,
                                            size_t Index) {
  const MemoryAccess &Access = Kernel.Accesses[Index];
  return {std::to_string(Index), std::to_string(Access.Location.Line),
          name(Access.Space).str(), name(Access.Kind).str(),
          std::to_string(Access.BytesPerThread)};
}

static size_t countDistinctPaths(ArrayRef<WarpPath> Paths) {
  std::vector<const WarpPath *> Distinct;
  for (const WarpPath &Path : Paths)
    if (none_of(Distinct, [&](const WarpPath *Other) {
          return haveEqualControlFlow(*Other, Path);
        }))
      Distinct.push_back(&Path);
  return Distinct.size();
}

static void printRequests(raw_ostream &OS, const KernelModel &Kernel,
                          const LaunchSample &Sample) {
  OS << "  " << number(Sample.Warps)
     << " warps; distinct paths: " << countDistinctPaths(Sample.Paths) << "\n";
  constexpr StringRef Headers[] = {
      "access",   "line",  "space",   "kind",       "bytes/thread",
      "requests", "lanes", "sectors", "wavefronts", "same address"};
  printHeaders(OS, Headers);
  for (auto [Index, Access] : enumerate(Sample.Accesses)) {
    std::vector<std::string> Cells = accessCells(Kernel, Index);
    Cells.push_back(number(Access.Requests));
    for (double Total : {Access.Threads, Access.Sectors, Access.Wavefronts,
                         Access.SameAddress})
      Cells.push_back(number(ratio(Total, Access.Requests)));
    printRow(OS, Headers, Cells);
  }
}

static void printTraffic(raw_ostream &OS, const KernelModel &Kernel,
                         const Traffic &Flow) {
  constexpr StringRef Headers[] = {
      "access", "line",   "space",    "kind",      "bytes/thread",
      "L1 hit", "L2 hit", "L2 bytes", "DRAM read", "DRAM written"};
  printHeaders(OS, Headers);
  for (auto [Index, Access] : enumerate(Flow.Accesses)) {
    std::vector<std::string> Cells = accessCells(Kernel, Index);
    for (double Value : {Access.L1Hit, Access.L2Hit, Access.L2Bytes,
                         Access.DramReadBytes, Access.DramWriteBytes})
      Cells.push_back(number(Value));
    printRow(OS, Headers, Cells);
  }
  OS << "  all: L1 hit " << number(Flow.L1Hit) << ", L2 hit "
     << number(Flow.L2Hit) << ", L2 read " << number(Flow.L2ReadBytes)
     << " B, L2 written " << number(Flow.L2WriteBytes) << " B, DRAM read "
     << number(Flow.DramReadBytes) << " B, DRAM written "
     << number(Flow.DramWriteBytes) << " B\n";
}

static void printSchedule(raw_ostream &OS, const KernelModel &Kernel,
                          ArrayRef<BlockSchedule> Schedules) {
  for (auto [Index, Schedule] : enumerate(Schedules)) {
    OS << "  basic block " << Index << ": ";
    if (Schedule.Hyperblock != Index) {
      OS << "laid out with basic block " << Schedule.Hyperblock << '\n';
      continue;
    }
    OS << "operations " << Schedule.Slots.size();
    if (Schedule.Copies > 1)
      OS << ", unrolled iterations " << Schedule.Copies;
    OS << '\n';
    for (const Slot &S : Schedule.Slots) {
      const Operation &Op = Kernel.Operations[S.Op];
      OS << "    " << S.Op << ": " << info(Op.Class).Name;
      if (Schedule.Copies > 1)
        OS << ", iteration " << S.Copy;
      if (Op.Count != 1)
        OS << " x" << number(Op.Count);
      if (Op.access())
        OS << ", access " << *Op.access();
      if (Op.Location.isValid())
        OS << "  ; line " << Op.Location.Line;
      OS << '\n';
    }
  }
}

/// Cycles that each resource needs for the whole launch: a resource of the chip
/// for all blocks, one of a multiprocessor for the largest share of them.
static void printBounds(raw_ostream &OS, const Workload &Work,
                        const GpuModel &Gpu, const Launch &L) {
  double Blocks = 1;
  for (uint64_t Size : L.Grid)
    Blocks *= static_cast<double>(Size);
  double Share = std::ceil(Blocks / Gpu.SmCount);
  OS << "  " << left_justify("bound", 24) << left_justify("scope", 16)
     << right_justify("cycles", 12) << '\n';
  for (const BoundInfo &Bound : boundTable()) {
    bool IsChip = Bound.Scope == BoundScope::Chip;
    OS << "  " << left_justify(Bound.name(), 24)
       << left_justify(IsChip ? "chip" : "multiprocessor", 16)
       << right_justify(number(Bound.Cycles(Work, Gpu,
                                            {IsChip ? Blocks : Share, Blocks})),
                        12)
       << '\n';
  }
}

/// What the bandwidth loops make of the latencies, and the time of the waves
/// that they reach.
static void printLatencies(raw_ostream &OS, LatencyBandwidthModel &Model,
                           const GpuModel &Gpu,
                           const EvaluateOptions &Options) {
  TermSet Without = switchedOff(Options);
  MemoryLatencies Idle = idleLatencies(Gpu, Without);
  LoadedLatencies Loaded = Model.loadedLatencies(Without);
  OS << "  " << left_justify("latency", 16) << right_justify("idle", 12)
     << right_justify("loaded", 12) << right_justify("iterations", 12) << '\n';
  for (MemoryLevel Level : AllMemoryLevels)
    if (Level != MemoryLevel::L3 || Gpu.L3Latency)
      OS << "  " << left_justify(name(Level), 16)
         << right_justify(number(Idle[Level]), 12)
         << right_justify(number(Loaded.FirstWave[Level]), 12)
         << right_justify(std::to_string(Loaded.Iterations[Level]), 12)
         << (Loaded.Converged[Level] ? "" : "  not converged") << '\n';
  OS << "  waves at these latencies: " << number(Loaded.Cycles)
     << " cycles; launch: " << number(Model.cycles(Without)) << " cycles\n";
}

Error printLaunch(raw_ostream &OS, LaunchDump What, const KernelModel &Given,
                  const GpuModel &Gpu, const Launch &L, const Bindings &Values,
                  const EvaluateOptions &Options) {
  Expected<Occupancy> Occ = computeOccupancy(Gpu, Given.Res, L);
  if (!Occ)
    return Occ.takeError();
  std::optional<KernelModel> Spilling;
  if (RegisterSpills Spills = spilledRegisters(Gpu, Given.Res))
    Spilling = withSpills(Given, Spills);
  const KernelModel &Kernel = Spilling ? *Spilling : Given;
  Bindings All = bindParameters(Given, L, Values).All;
  const LaunchProgram Program(Kernel, Gpu, L, All);
  LaneState Lanes(Program);
  LaunchSample Sample =
      sampleLaunch(Lanes, Gpu, L, Options.SampleEffort, Options.Executed);
  if (What == LaunchDump::Requests) {
    printRequests(OS, Kernel, Sample);
    return Error::success();
  }
  std::vector<BlockSchedule> Schedules = scheduleBlocks(Kernel);
  if (What == LaunchDump::Schedule) {
    printSchedule(OS, Kernel, Schedules);
    return Error::success();
  }
  Traffic Flow =
      estimateTraffic(Lanes, Gpu, L, All, Sample, Occ->BlocksPerSm, Options,
                      /*Curves=*/{}, /*Shared=*/nullptr,
                      What == LaunchDump::Cache ? &OS : nullptr);
  if (What == LaunchDump::Cache)
    return Error::success();
  if (What == LaunchDump::Traffic) {
    printTraffic(OS, Kernel, Flow);
    return Error::success();
  }
  OperationCosts Costs(Kernel, Gpu, Sample, Flow, Schedules,
                       divideCeil(L.threadsPerBlock(), Gpu.WarpSize),
                       Occ->WarpsPerSm);
  Workload Work = measureWorkload(Kernel, Gpu, L, All, Sample, Flow, Costs,
                                  Schedules, Options.Executed);
  printBounds(OS, Work, Gpu, L);
  LatencyBandwidthModel Model(Kernel, Gpu, L, *Occ, Sample, Costs, Schedules,
                              Work);
  printLatencies(OS, Model, Gpu, Options);
  return Error::success();
}

} // namespace gpuestimate
