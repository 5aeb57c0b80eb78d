#include "gpu-estimate/Targets/Cpu/CpuTime.h"
#include "gpu-estimate/Targets/Nest/LimitNames.h"

#include "gpu-estimate/Targets/Nest/Reuse.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

static constexpr MachineLimitInfo CpuLimitTable[] = {
    {"cores", "cycles of the instructions on all cores used"},
    {"l1", "bandwidth of L1"},
    {"l2", "bandwidth of L2"},
    {"l3", "bandwidth of L3"},
    {"dram", "bandwidth of DRAM"},
    {"threads", "starting and joining the threads"},
};

llvm::ArrayRef<MachineLimitInfo> cpuLimitTable() { return CpuLimitTable; }

/// The part of the nest on the busiest of Cores cores: a chunk of the outermost
/// loop.
static LoopNestNumbers chunkOf(LoopNestNumbers Nest, unsigned Cores) {
  if (Nest.Loops.empty() || Cores == 1)
    return Nest;
  double Share = std::ceil(Nest.Loops[0].Extent / Cores) / Nest.Loops[0].Extent;
  Nest.Loops[0].Extent *= Share;
  for (size_t I = 1; I < Nest.Loops.size(); ++I)
    Nest.Loops[I].Entries *= Share;
  for (NestedAccess &A : Nest.Accesses)
    A.Executions *= Share;
  return Nest;
}

static CpuTime timeOnCores(const LoopNestNumbers &Nest, const MachineNest &Code,
                           const CpuModel &Cpu, unsigned Cores, bool Warm) {
  CpuTime T;
  T.Cores = Cores;
  LoopNestNumbers Mine = chunkOf(Nest, T.Cores);
  Hertz Clock =
      Cores == 1 ? Cpu.SingleCoreClock.value_or(Cpu.Clock) : Cpu.Clock;
  T.Limits.push_back({name(CpuLimit::Cores).str(),
                      coreCycles(Mine, Code, T.Premises) / Clock});

  // Bytes that miss a level reach the next present one, or DRAM.
  for (size_t I = 0; I < Cpu.Caches.size(); ++I) {
    const CpuCache &Cache = Cpu.Caches[I];
    if (Cache.Size.value() <= 0)
      continue;
    auto Next = std::find_if(
        Cpu.Caches.begin() + static_cast<ptrdiff_t>(I) + 1, Cpu.Caches.end(),
        [](const CpuCache &C) { return C.Size.value() > 0; });
    unsigned Sharers = std::min(Cache.SharedBy, T.Cores);
    double Line = Cpu.Line.value();
    PassedBytes Passed;
    if (!Warm || touchedBytes(Mine, Line, Sharers) > Cache.Size)
      Passed =
          bytesBeyond(Mine, Cache.Size, Line, /*WriteAllocate=*/true, Sharers);
    if (Next != Cpu.Caches.end()) {
      BytesPerSecond Rate(Next->Bandwidth.value() * Clock.value());
      size_t Level = static_cast<size_t>(CpuLimit::L1) +
                     static_cast<size_t>(Next - Cpu.Caches.begin());
      T.Limits.push_back(
          {name(static_cast<CpuLimit>(Level)).str(), Passed.both() / Rate});
    } else {
      BytesPerSecond Rate =
          std::min(Cpu.DramBandwidth, Cpu.CoreDramBandwidth * T.Cores);
      T.Limits.push_back(
          {name(CpuLimit::Dram).str(), Passed.both() * T.Cores / Rate});
    }
  }
  for (const auto &[Name, Time] : T.Limits)
    if (T.Bottleneck.empty() || Time > T.Time) {
      T.Bottleneck = Name;
      T.Time = Time;
    }
  if (Cores > 1) {
    Seconds Threads = Cpu.CoreToCore * 2 * std::ceil(std::log2(Cores));
    if (Threads > T.Time)
      T.Bottleneck = name(CpuLimit::Threads).str();
    T.Limits.push_back({name(CpuLimit::Threads).str(), Threads});
    T.Time += Threads;
  }
  return T;
}

CpuTime timeOnCpu(const LoopNestNumbers &Nest, const MachineNest &Code,
                  const CpuModel &Cpu, unsigned Cores, bool Warm) {
  bool Spreads = !Nest.Loops.empty() && Nest.Loops[0].Spread;
  double Chunks = Spreads ? std::floor(Nest.Loops[0].Extent) : 1;
  auto MaxCores =
      static_cast<unsigned>(std::max(1.0, std::min<double>(Cores, Chunks)));
  CpuTime Best = timeOnCores(Nest, Code, Cpu, MaxCores, Warm);
  for (unsigned Fewer = 1; Fewer < MaxCores; Fewer *= 2)
    if (CpuTime T = timeOnCores(Nest, Code, Cpu, Fewer, Warm);
        T.Time < Best.Time)
      Best = std::move(T);
  return Best;
}

} // namespace gpuestimate
