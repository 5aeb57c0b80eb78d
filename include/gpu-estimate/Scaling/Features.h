/// \file
/// What a program that learns how kernels scale knows of a launch at the base
/// point. Each feature is a share between 0 and about 1, or a logarithm, so
/// that it means the same on every GPU.
#ifndef GPU_ESTIMATE_SCALING_FEATURES_H
#define GPU_ESTIMATE_SCALING_FEATURES_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace gpuestimate {

using NamedFeatures = std::vector<std::pair<std::string, double>>;

/// Features of a prediction of the default model on Gpu, without a profile:
/// for each resource the time for which it alone would hold the launch, by the
/// predicted time; shares of the launch and of the tail; occupancy, waves, hit
/// rates, active lanes.
NamedFeatures staticFeatures(const Prediction &P, const GpuModel &Gpu);

/// Counters of one profiled run on Gpu, with the names of namedCounts(), and
/// its time. The features are rates by the peak rates of Gpu: bytes of DRAM and
/// L2, warp instructions, passes of shared memory, floating-point operations.
/// Nothing if a counter is absent.
std::optional<NamedFeatures>
counterFeatures(llvm::ArrayRef<std::pair<std::string, double>> Counters,
                Seconds Measured, const GpuModel &Gpu);

} // namespace gpuestimate

#endif
