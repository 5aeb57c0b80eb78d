/// \file
/// Launches of one compiled kernel that `gpu-estimate tune` evaluates on one
/// thread.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_TUNE_TUNEBATCH_H
#define GPU_ESTIMATE_LIB_COMMANDS_TUNE_TUNEBATCH_H

#include "gpu-estimate/Advice/Tuning.h"
#include "gpu-estimate/Model/Result/LaunchTotal.h"
#include "gpu-estimate/Session/Pipeline/KernelPipeline.h"
#include "gpu-estimate/Session/Settings/SearchSpace.h"
#include <cmath>
#include <mutex>

namespace gpuestimate {

/// Result of one point on one GPU. Written by one thread.
struct TuneOutcome {
  TunedConfiguration Found;
  std::string Refusal; ///< "" where there is a time
};

/// The fastest point of a batch, with its assumptions.
struct FastestPoint {
  Seconds Time = Seconds(INFINITY);
  std::string Kernel, Name;
  SourceLocation Location;
  size_t Launches = 1;
  bool IsNest = false;
  LaunchTotal Total;
  std::vector<OpenSize> Unknown;
};

/// One GPU with all of its outcomes.
struct TunedGpu {
  GpuModel Gpu;
  std::vector<TuneOutcome> Outcomes; ///< by point
  TuneOutcome AsWritten;
  LaunchTotal Written; ///< the launches of AsWritten
  FastestPoint Best;
  std::mutex Lock; ///< of Best
};

/// Points that one thread evaluates on its own copy of the kernel, because
/// expressions are not thread-safe.
struct TuneBatch {
  KernelReading Reading;
  LaunchInputs Inputs;
  std::vector<size_t> Places; ///< of the points among all
  bool AsWritten;             ///< also the source as it stands
  std::mutex &SitesLock;      ///< slices share the expressions of host code
  llvm::ArrayRef<std::string>
      Overrides; ///< of the GPUs, as the user wrote them
};

/// Smallest number of points for which a thread is started.
inline constexpr size_t MinBatchSize = 256;

/// A batch with more points is screened: all points are evaluated with few
/// samples (WhatIfEffort), then those close to the fastest with all samples.
inline constexpr size_t MaxUnscreenedBatch = 1024;

/// Fills in the outcomes of the batch on each GPU. Advance is called with the
/// number of finished evaluations.
void evaluateBatch(const TuneBatch &Batch, const TuningRequest &Request,
                   llvm::ArrayRef<SpacePoint> Points,
                   llvm::ArrayRef<TunedGpu *> Gpus,
                   llvm::function_ref<void(size_t Count)> Advance);

} // namespace gpuestimate

#endif
