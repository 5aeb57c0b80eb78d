/// \file
/// Device properties that programs query (cudaDeviceProp), from the GPU model.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_DEVICEPROPERTY_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_DEVICEPROPERTY_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// Value of the device property that a kernel parameter stands for
/// (Model/Kernel/DeviceProperties.h), sizes in bytes; nullopt if the GPU model
/// lacks it.
std::optional<double> deviceProperty(const GpuModel &Gpu,
                                     llvm::StringRef Parameter);

} // namespace gpuestimate

#endif
