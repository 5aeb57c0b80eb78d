#include "gpu-estimate/Model/Kernel/DeviceProperties.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringRef Prefix = "gpu.";

namespace {
struct Attribute {
  StringRef Name; ///< without the prefix of its enumeration
  StringRef Field;
};
} // namespace

// Source: documentation of CUDA's runtime (cudaDeviceAttr, cudaDeviceProp).
static constexpr Attribute Attributes[] = {
    {"MultiProcessorCount", "multiProcessorCount"},
    {"WarpSize", "warpSize"},
    {"MaxThreadsPerBlock", "maxThreadsPerBlock"},
    {"MaxThreadsPerMultiProcessor", "maxThreadsPerMultiProcessor"},
    {"MaxBlocksPerMultiprocessor", "maxBlocksPerMultiProcessor"},
    {"MaxRegistersPerBlock", "regsPerBlock"},
    {"MaxRegistersPerMultiprocessor", "regsPerMultiprocessor"},
    {"MaxSharedMemoryPerBlock", "sharedMemPerBlock"},
    {"MaxSharedMemoryPerBlockOptin", "sharedMemPerBlockOptin"},
    {"MaxSharedMemoryPerMultiprocessor", "sharedMemPerMultiprocessor"},
    {"L2CacheSize", "l2CacheSize"},
    {"ClockRate", "clockRate"},
    {"ComputeCapabilityMajor", "major"},
    {"ComputeCapabilityMinor", "minor"},
    {"MaxBlockDimX", "maxThreadsDim[0]"},
    {"MaxBlockDimY", "maxThreadsDim[1]"},
    {"MaxBlockDimZ", "maxThreadsDim[2]"},
    {"MaxGridDimX", "maxGridSize[0]"},
    {"MaxGridDimY", "maxGridSize[1]"},
    {"MaxGridDimZ", "maxGridSize[2]"},
};

std::string devicePropertyParameter(StringRef Field) {
  return (Twine(Prefix) + Field).str();
}

bool isDeviceProperty(StringRef Parameter) {
  return Parameter.starts_with(Prefix);
}

StringRef deviceField(StringRef Parameter) {
  return Parameter.drop_front(Prefix.size());
}

std::optional<StringRef> fieldOfDeviceAttribute(StringRef Enumerator) {
  if (!Enumerator.consume_front("cudaDevAttr") &&
      !Enumerator.consume_front("hipDeviceAttribute"))
    return std::nullopt;
  // HIP's names differ in upper and lower case.
  const auto *Row = find_if(Attributes, [&](const Attribute &A) {
    return A.Name.equals_insensitive(Enumerator);
  });
  return Row == std::end(Attributes) ? std::nullopt : std::optional(Row->Field);
}

} // namespace gpuestimate
