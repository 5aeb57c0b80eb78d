#include "gpu-estimate/Session/Pipeline/AnalysisLimits.h"

#include <algorithm>

namespace gpuestimate {

using std::chrono::milliseconds;

/// More seconds than any analysis takes, few enough to be counted in
/// nanoseconds.
static constexpr double MostSeconds = 1e8;

static constexpr double DefaultMemory = 4.0 * (1ULL << 30);

/// Bytes, UINT64_MAX for no limit.
static uint64_t memoryLimit(const Options &O) {
  double Bytes = O.MemoryLimit.value_or(DefaultMemory);
  return Bytes > 0 && Bytes < 0x1p63 ? static_cast<uint64_t>(Bytes)
                                     : UINT64_MAX;
}

static WorkLimits limitsFor(double Seconds) {
  WorkLimits Limits;
  Limits.Units =
      static_cast<uint64_t>(Seconds * static_cast<double>(UnitsPerSecond));
  Limits.CpuTime =
      std::chrono::nanoseconds(static_cast<int64_t>(Seconds * 1e9));
  return Limits;
}

WorkLimits analysisLimits(const Options &O, size_t Kernels, size_t Gpus) {
  double Seconds = O.Deadline.value_or(DefaultDeadline);
  WorkLimits Limits;
  if (Seconds > 0)
    Limits = limitsFor(
        std::min(MostSeconds,
                 Seconds * static_cast<double>(std::max<size_t>(Kernels, 1) *
                                               std::max<size_t>(Gpus, 1))));
  Limits.MemoryBytes = memoryLimit(O);
  Limits.Cancelled = O.Cancelled.get();
  return Limits;
}

uint64_t backEndInstructions(const Options &O, size_t Kernels) {
  constexpr double InstructionsPerSecond = 2500;
  double Seconds = O.Deadline.value_or(DefaultDeadline);
  if (Seconds <= 0)
    return UINT64_MAX;
  return static_cast<uint64_t>(
      std::min(MostSeconds,
               Seconds * static_cast<double>(std::max<size_t>(Kernels, 1))) *
      InstructionsPerSecond);
}

uint64_t whatIfWork(bool CompileWaits, size_t Kernels, size_t Launches) {
  constexpr uint64_t OfKernelInCompile = 100'000; // 20 ms
  constexpr uint64_t OfFileInReport = UnitsPerSecond;
  constexpr uint64_t OfLaunch = 20'000; // 4 ms
  uint64_t OfKernel = CompileWaits
                          ? OfKernelInCompile
                          : OfFileInReport / std::max<size_t>(Kernels, 1);
  return std::max(OfLaunch, OfKernel / std::max<size_t>(Launches, 1));
}

SampleLimits sampleLimits(const Options &O, bool CompileWaits) {
  SampleLimits Limits;
  Limits.Seconds = O.Deadline.value_or(CompileWaits ? 1 : DefaultDeadline);
  if (Limits.Seconds <= 0)
    Limits.Seconds = MostSeconds;
  Limits.MemoryBytes = memoryLimit(O);
  return Limits;
}

ChildLimits pluginLimits(const Options &O, milliseconds CompileTime) {
  ChildLimits Limits;
  Limits.MemoryBytes = memoryLimit(O);
  double Seconds = O.Deadline.value_or(
      std::max(1.0, static_cast<double>(CompileTime.count()) * 1e-3 / 2));
  if (Seconds <= 0)
    return Limits;
  Limits.CpuTime =
      milliseconds(static_cast<int64_t>(std::min(Seconds, MostSeconds) * 1000));
  // A machine that does much else gives a process a tenth of a processor.
  Limits.WallTime = 10 * Limits.CpuTime + std::chrono::seconds(10);
  return Limits;
}

WorkLimits withinChild(const ChildLimits &Limits) {
  double Seconds = 0.8 * std::chrono::duration<double>(Limits.CpuTime).count();
  return limitsFor(std::min(Seconds, MostSeconds));
}

std::string endedEarly() {
  return "the analysis was ended early: " + workLimitPassed() +
         " (--deadline, --memory-limit)";
}

} // namespace gpuestimate
