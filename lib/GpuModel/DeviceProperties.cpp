#include "gpu-estimate/GpuModel/DeviceProperties.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringRef Prefix = "gpu.";

namespace {
struct Property {
  StringRef Field;
  StringRef Attribute; ///< without the prefix of its enumeration
  double (*Value)(const GpuModel &);
};
} // namespace

static double capability(const GpuModel &Gpu, bool Minor) {
  auto [Before, After] = StringRef(Gpu.ComputeCapability).split('.');
  unsigned Number = 0;
  (Minor ? After : Before).getAsInteger(10, Number);
  return Number;
}

using G = const GpuModel &;
// Fields and attributes as CUDA's runtime documents them (cudaDeviceProp,
// cudaDeviceAttr). Clocks are left out: what a device reports is not what it
// runs at.
static const Property Properties[] = {
    {"multiProcessorCount", "MultiProcessorCount",
     [](G Gpu) { return double(Gpu.SmCount); }},
    {"warpSize", "WarpSize", [](G Gpu) { return double(Gpu.WarpSize); }},
    {"maxThreadsPerBlock", "MaxThreadsPerBlock",
     [](G Gpu) { return double(Gpu.MaxThreadsPerBlock); }},
    {"maxThreadsPerMultiProcessor", "MaxThreadsPerMultiProcessor",
     [](G Gpu) { return double(Gpu.MaxWarpsPerSm) * Gpu.WarpSize; }},
    {"maxBlocksPerMultiProcessor", "MaxBlocksPerMultiprocessor",
     [](G Gpu) { return double(Gpu.MaxBlocksPerSm); }},
    {"regsPerBlock", "MaxRegistersPerBlock",
     [](G Gpu) { return double(Gpu.RegistersPerSm); }},
    {"regsPerMultiprocessor", "MaxRegistersPerMultiprocessor",
     [](G Gpu) { return double(Gpu.RegistersPerSm); }},
    {"sharedMemPerBlock", "MaxSharedMemoryPerBlock",
     [](G Gpu) { return Gpu.SharedPerBlockDefault.value(); }},
    {"sharedMemPerBlockOptin", "MaxSharedMemoryPerBlockOptin",
     [](G Gpu) { return Gpu.SharedPerBlockMax.value(); }},
    {"sharedMemPerMultiprocessor", "MaxSharedMemoryPerMultiprocessor",
     [](G Gpu) { return Gpu.SharedPerSm.value(); }},
    {"l2CacheSize", "L2CacheSize", [](G Gpu) { return Gpu.L2.Size.value(); }},
    {"totalGlobalMem", "", [](G Gpu) { return Gpu.DramSize.value(); }},
    {"major", "ComputeCapabilityMajor",
     [](G Gpu) { return capability(Gpu, false); }},
    {"minor", "ComputeCapabilityMinor",
     [](G Gpu) { return capability(Gpu, true); }},
    {"maxThreadsDim[0]", "MaxBlockDimX",
     [](G Gpu) { return double(Gpu.MaxBlock[0]); }},
    {"maxThreadsDim[1]", "MaxBlockDimY",
     [](G Gpu) { return double(Gpu.MaxBlock[1]); }},
    {"maxThreadsDim[2]", "MaxBlockDimZ",
     [](G Gpu) { return double(Gpu.MaxBlock[2]); }},
    {"maxGridSize[0]", "MaxGridDimX",
     [](G Gpu) { return double(Gpu.MaxGrid[0]); }},
    {"maxGridSize[1]", "MaxGridDimY",
     [](G Gpu) { return double(Gpu.MaxGrid[1]); }},
    {"maxGridSize[2]", "MaxGridDimZ",
     [](G Gpu) { return double(Gpu.MaxGrid[2]); }},
};

std::string devicePropertyParameter(StringRef Field) {
  return (Twine(Prefix) + Field).str();
}

bool isDeviceProperty(StringRef Parameter) {
  return Parameter.starts_with(Prefix);
}

std::optional<double> deviceProperty(const GpuModel &Gpu,
                                     StringRef Parameter) {
  if (!Parameter.consume_front(Prefix))
    return std::nullopt;
  const auto *Found = find_if(
      Properties, [&](const Property &P) { return P.Field == Parameter; });
  if (Found == std::end(Properties))
    return std::nullopt;
  // What a model file leaves out is 0; the second half of a version may be.
  double Value = Found->Value(Gpu);
  bool MayBeZero = Found->Field == "minor" && !Gpu.ComputeCapability.empty();
  return Value > 0 || MayBeZero ? std::optional(Value) : std::nullopt;
}

std::optional<StringRef> fieldOfDeviceAttribute(StringRef Enumerator) {
  if (!Enumerator.consume_front("cudaDevAttr") &&
      !Enumerator.consume_front("hipDeviceAttribute"))
    return std::nullopt;
  // HIP writes some of them in other cases.
  const auto *Found = find_if(Properties, [&](const Property &P) {
    return P.Attribute.equals_insensitive(Enumerator);
  });
  if (Found == std::end(Properties) || Enumerator.empty())
    return std::nullopt;
  return Found->Field;
}

} // namespace gpuestimate
