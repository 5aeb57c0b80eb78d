#include "gpu-estimate/Evaluate/Access/DeviceProperty.h"

#include "gpu-estimate/Model/Kernel/DeviceProperties.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

namespace {
struct Property {
  StringRef Field;
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
// As CUDA's runtime documents them (cudaDeviceProp). Clocks are left out: what
// a device reports is not what it runs at.
static const Property Properties[] = {
    {"multiProcessorCount", [](G Gpu) { return double(Gpu.SmCount); }},
    {"warpSize", [](G Gpu) { return double(Gpu.WarpSize); }},
    {"maxThreadsPerBlock",
     [](G Gpu) { return double(Gpu.MaxThreadsPerBlock); }},
    {"maxThreadsPerMultiProcessor",
     [](G Gpu) { return double(Gpu.MaxWarpsPerSm) * Gpu.WarpSize; }},
    {"maxBlocksPerMultiProcessor",
     [](G Gpu) { return double(Gpu.MaxBlocksPerSm); }},
    {"regsPerBlock", [](G Gpu) { return double(Gpu.RegistersPerSm); }},
    {"regsPerMultiprocessor", [](G Gpu) { return double(Gpu.RegistersPerSm); }},
    {"sharedMemPerBlock",
     [](G Gpu) { return Gpu.SharedPerBlockDefault.value(); }},
    {"sharedMemPerBlockOptin",
     [](G Gpu) { return Gpu.SharedPerBlockMax.value(); }},
    {"sharedMemPerMultiprocessor",
     [](G Gpu) { return Gpu.SharedPerSm.value(); }},
    {"l2CacheSize", [](G Gpu) { return Gpu.L2.Size.value(); }},
    {"totalGlobalMem", [](G Gpu) { return Gpu.DramSize.value(); }},
    {"major", [](G Gpu) { return capability(Gpu, false); }},
    {"minor", [](G Gpu) { return capability(Gpu, true); }},
    {"maxThreadsDim[0]", [](G Gpu) { return double(Gpu.MaxBlock[0]); }},
    {"maxThreadsDim[1]", [](G Gpu) { return double(Gpu.MaxBlock[1]); }},
    {"maxThreadsDim[2]", [](G Gpu) { return double(Gpu.MaxBlock[2]); }},
    {"maxGridSize[0]", [](G Gpu) { return double(Gpu.MaxGrid[0]); }},
    {"maxGridSize[1]", [](G Gpu) { return double(Gpu.MaxGrid[1]); }},
    {"maxGridSize[2]", [](G Gpu) { return double(Gpu.MaxGrid[2]); }},
};

std::optional<double> deviceProperty(const GpuModel &Gpu, StringRef Parameter) {
  if (!isDeviceProperty(Parameter))
    return std::nullopt;
  StringRef Field = deviceField(Parameter);
  const auto *Found =
      find_if(Properties, [&](const Property &P) { return P.Field == Field; });
  if (Found == std::end(Properties))
    return std::nullopt;
  // What a model file leaves out is 0; the second half of a version may be.
  double Value = Found->Value(Gpu);
  bool MayBeZero = Found->Field == "minor" && !Gpu.ComputeCapability.empty();
  return Value > 0 || MayBeZero ? std::optional(Value) : std::nullopt;
}

} // namespace gpuestimate
