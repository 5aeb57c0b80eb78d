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
  auto [Major, MinorPart] = StringRef(Gpu.ComputeCapability).split('.');
  unsigned Number = 0;
  (Minor ? MinorPart : Major).getAsInteger(10, Number);
  return Number;
}

using G = const GpuModel &;
// Fields of cudaDeviceProp as the CUDA runtime documents them. The clock rate,
// in kHz, is that of the model, so that a wait of `clockRate * milliseconds`
// cycles lasts as long as it says.
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
    {"clockRate", [](G Gpu) { return Gpu.CoreClock.value() / 1e3; }},
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
  const auto *Row =
      find_if(Properties, [&](const Property &P) { return P.Field == Field; });
  if (Row == std::end(Properties))
    return std::nullopt;
  // 0 means that the model file lacks the value; only a minor version may be 0.
  double Value = Row->Value(Gpu);
  bool MayBeZero = Row->Field == "minor" && !Gpu.ComputeCapability.empty();
  return Value > 0 || MayBeZero ? std::optional(Value) : std::nullopt;
}

} // namespace gpuestimate
