/// \file
/// What programs ask a GPU for before they launch: fields of cudaDeviceProp
/// (hipDeviceProp_t) and device attributes, as numbers of the model.
///
/// A launch that follows one has a parameter with the field's name, which is no
/// unknown: `<<<32 * gpu.multiProcessorCount, 256>>>`.
#ifndef GPU_ESTIMATE_GPUMODEL_DEVICEPROPERTIES_H
#define GPU_ESTIMATE_GPUMODEL_DEVICEPROPERTIES_H

#include "gpu-estimate/GpuModel/GpuModel.h"

namespace gpuestimate {

/// Name of the parameter for a field ("gpu.warpSize", "gpu.maxGridSize[0]").
std::string devicePropertyParameter(llvm::StringRef Field);
bool isDeviceProperty(llvm::StringRef Parameter);

/// The property with the name of a parameter, sizes in bytes; nullopt where the
/// model does not know it.
std::optional<double> deviceProperty(const GpuModel &Gpu,
                                     llvm::StringRef Parameter);

/// The field that has the value of a device attribute, which is named as in
/// CUDA's or HIP's enumeration (cudaDevAttrMultiProcessorCount,
/// hipDeviceAttributeMultiprocessorCount); nullopt where no field is known.
std::optional<llvm::StringRef>
fieldOfDeviceAttribute(llvm::StringRef Enumerator);

} // namespace gpuestimate

#endif
