/// \file
/// Completes fitted values to a GPU model.
#ifndef GPU_ESTIMATE_MEASURE_WRITE_H
#define GPU_ESTIMATE_MEASURE_WRITE_H

#include "gpu-estimate/Measure/Fit.h"

namespace gpuestimate {

/// The model of a folder that is nearest to the measured GPU: the same product,
/// else the same compute capability (or AMD target), and of those the nearest
/// number of multiprocessors. An error when there is none.
llvm::Expected<GpuModel> nearestModel(const MeasuredIdentity &Id,
                                      llvm::StringRef Folder);

/// "NVIDIA H100 PCIe" -> "nvidia-h100-pcie".
std::string modelIdOf(llvm::StringRef Name);

/// Returns a model with the measured values, under the name of the measured
/// GPU, or of Base if that is the same product. All other keys take Base's
/// value, marked as inherited with its source.
llvm::Expected<GpuModel> measuredModel(const MeasuredIdentity &Id,
                                       const Fit &Fitted, const GpuModel &Base);

} // namespace gpuestimate

#endif
