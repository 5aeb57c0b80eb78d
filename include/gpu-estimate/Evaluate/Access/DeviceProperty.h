/// \file
/// What programs ask the device for, as numbers of the GPU model.
#ifndef GPU_ESTIMATE_EVALUATE_ACCESS_DEVICEPROPERTY_H
#define GPU_ESTIMATE_EVALUATE_ACCESS_DEVICEPROPERTY_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// The property with the name of a parameter (Model/Kernel/DeviceProperties.h),
/// sizes in bytes; nullopt where the model does not know it.
std::optional<double> deviceProperty(const GpuModel &Gpu,
                                     llvm::StringRef Parameter);

} // namespace gpuestimate

#endif
