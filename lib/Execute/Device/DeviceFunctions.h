/// \file
/// The functions that kernels may call: CUDA's and AMD's device libraries, and
/// the operations for which CallLowering has no LLVM instruction.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_DEVICE_DEVICEFUNCTIONS_H
#define GPU_ESTIMATE_LIB_EXECUTE_DEVICE_DEVICEFUNCTIONS_H

#include "gpu-estimate/Execute/Executor.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <vector>

namespace gpuestimate {

/// Adds them by their names in device code ("__nv_sinf", "malloc") and those of
/// CallLowering ("ge.prmt").
void addDeviceFunctions(llvm::StringMap<void *> &Table);

/// The function that a launch in device code calls, and the number of arguments
/// that stand before those of the kernel: kernel, grid, block, bytes of dynamic
/// shared memory.
inline constexpr char DeviceLaunchFunction[] = "ge.device_launch";
inline constexpr unsigned DeviceLaunchArguments = 8;

/// The launches that kernels have made since the last call, in their order.
std::vector<ChildLaunch> takeChildLaunches();

/// Adds printf: vprintf and the __ockl_printf_* of AMD.
void addPrintFunctions(llvm::StringMap<void *> &Table);

/// Adds texture fetches and surface accesses.
void addTextureFunctions(llvm::StringMap<void *> &Table);

/// Has the phase of an mbarrier that Token was made in ended?
bool barrierPhaseEnded(uint64_t *Barrier, uint64_t Token);
/// Has the phase with this parity ended, so that one of the other goes on?
bool barrierParityEnded(uint64_t *Barrier, uint64_t Parity);

/// The bits of the nearest half-precision number, ties to even.
uint16_t halfOfReal(float A);
/// The value of an IEEE half-precision number by its bits.
float realOfHalf(uint16_t H);

} // namespace gpuestimate

#endif
