/// \file
/// Device properties that host code queries before a launch: fields of
/// cudaDeviceProp (hipDeviceProp_t) and device attributes.
///
/// A launch size that depends on a property has a parameter with the field's
/// name: `<<<32 * gpu.multiProcessorCount, 256>>>`. The parameter takes the
/// value of the GPU that is estimated (Evaluate/Access/DeviceProperty.h).
#ifndef GPU_ESTIMATE_MODEL_KERNEL_DEVICEPROPERTIES_H
#define GPU_ESTIMATE_MODEL_KERNEL_DEVICEPROPERTIES_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gpuestimate {

/// Name of the parameter for a field ("gpu.warpSize", "gpu.maxGridSize[0]").
std::string devicePropertyParameter(llvm::StringRef Field);
bool isDeviceProperty(llvm::StringRef Parameter);
/// The field of a parameter for which isDeviceProperty holds.
llvm::StringRef deviceField(llvm::StringRef Parameter);

/// The field that has the value of a device attribute, which is named as in
/// CUDA's or HIP's enumeration (cudaDevAttrMultiProcessorCount,
/// hipDeviceAttributeMultiprocessorCount); nullopt where no field is known.
std::optional<llvm::StringRef>
fieldOfDeviceAttribute(llvm::StringRef Enumerator);

} // namespace gpuestimate

#endif
