/// \file
/// Launches of one compiled kernel that `gpu-estimate tune` evaluates on one
/// thread.
#ifndef GPU_ESTIMATE_LIB_SESSION_TUNE_TUNESLICE_H
#define GPU_ESTIMATE_LIB_SESSION_TUNE_TUNESLICE_H

#include "Session/Pipeline/KernelReader.h"
#include "gpu-estimate/Advice/Tuning.h"
#include "gpu-estimate/Session/Settings/TuningSpace.h"
#include <cmath>
#include <mutex>

namespace gpuestimate {

/// What became of one point on one GPU. Written by one thread.
struct TuneOutcome {
  TunedConfiguration Found;
  std::string Refusal; ///< "" where there is a time
};

/// The fastest of a slice, with what it rests on.
struct FastestPoint {
  Seconds Time = Seconds(INFINITY);
  std::string Kernel, Name;
  SourceLocation Location;
  size_t Launches = 1;
  bool IsNest = false;
  std::vector<Assumption> Assumptions;
  std::vector<std::string> Premises;
};

/// One GPU with all of its outcomes.
struct TunedGpu {
  GpuModel Gpu;
  std::vector<TuneOutcome> Outcomes; ///< by point
  TuneOutcome AsWritten;
  FastestPoint Best;
  std::mutex Lock; ///< of Best
};

/// Some points with a kernel of their own, whose expressions no other thread
/// touches.
struct TuneSlice {
  KernelReading Read;
  LaunchInputs Inputs;
  std::vector<size_t> Places; ///< of the points among all
  bool AsWritten;             ///< also the source as it stands
  std::mutex &SitesLock;      ///< slices share the expressions of host code
};

/// Fewer points are not worth a thread of their own.
inline constexpr size_t SmallestSlice = 256;

/// A slice with more points than that is screened: all of it with the samples
/// of a what-if, then with all samples what came close to the fastest.
inline constexpr size_t ScreenedSlice = 1024;

/// Fills in the slice's outcomes on each GPU. Advance hears of evaluations that
/// are done.
void evaluateSlice(const TuneSlice &Of, const TuningRequest &Request,
                   llvm::ArrayRef<TuningPoint> Points,
                   llvm::ArrayRef<TunedGpu *> Gpus,
                   llvm::function_ref<void(size_t Count)> Advance);

} // namespace gpuestimate

#endif
