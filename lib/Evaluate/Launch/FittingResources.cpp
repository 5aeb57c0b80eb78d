#include "Evaluate/Launch/FittingResources.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

uint64_t blocksByRegisters(const GpuModel &Gpu, unsigned Registers,
                           uint64_t Warps) {
  uint64_t Granularity = std::max(1u, Gpu.WarpAllocationGranularity);
  uint64_t PerWarp = alignTo(uint64_t(Registers) * Gpu.WarpSize,
                             std::max(1u, Gpu.RegisterAllocationUnit));
  uint64_t Fit = alignDown(Gpu.RegistersPerSm / PerWarp, Granularity);
  return Fit < alignTo(Warps, Granularity) ? 0 : Fit / Warps;
}

Resources fittingResources(const GpuModel &Gpu, const Resources &Res,
                           const Launch &L) {
  uint64_t Warps = divideCeil(L.threadsPerBlock(), uint64_t(Gpu.WarpSize));
  if (Res.RegistersSource != "ptxas" || Res.RegistersPerThread == 0 ||
      Warps == 0 || blocksByRegisters(Gpu, Res.RegistersPerThread, Warps) > 0)
    return Res;
  // RegistersAtLeast is still the estimate.
  Resources Estimated = Res;
  Estimated.RegistersSource = "estimate";
  Estimated.Spills = {};
  return Estimated;
}

std::optional<Assumption> registerAssumption(const KernelModel &Kernel,
                                             const GpuModel &Gpu,
                                             const Launch &L) {
  Resources Res = fittingResources(Gpu, Kernel.Res, L);
  if (Res.RegistersSource == Kernel.Res.RegistersSource)
    return std::nullopt;
  Assumption A;
  A.What = "registers per thread of '" + Kernel.Name + "'";
  A.Why = formatv("ptxas needs {0} for the code of our front end, with which "
                  "no block of {1} threads fits; they are estimated",
                  Kernel.Res.RegistersPerThread, L.threadsPerBlock())
              .str();
  A.Settle = "--registers N";
  A.Value = registersOn(Gpu, Res);
  A.Location = Kernel.Location;
  return A;
}

} // namespace gpuestimate
