/// \file
/// Resident blocks per multiprocessor.
///
/// blocks = min over the limits
///   threads:   floor(MaxWarpsPerSm / warps), warps = ceil(block / WarpSize)
///   blocks:    MaxBlocksPerSm
///   registers: floor(warpsByRegisters / warps), 0 if warps, rounded up to
///              WarpAllocationGranularity, exceed warpsByRegisters =
///              roundDown(RegistersPerSm / registersPerWarp, granularity),
///              registersPerWarp = roundUp(registers * WarpSize,
///              RegisterAllocationUnit)
///   shared:    floor(SharedPerSm / roundUp(static + dynamic + reserved, unit))
///   grid:      ceil(blocks of the launch / SmCount)
/// Source: CUDA C++ Programming Guide, "Multiprocessor Level"; registers:
/// cudaOccMaxBlocksPerSMRegsLimit of cuda_occupancy.h (CUDA 13). The allocation
/// units are facts of the GPU model.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_OCCUPANCY_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_OCCUPANCY_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Registers per thread of the code that a compiler makes for this GPU: an
/// estimate is reordered (Resources::leastRegisters) as far as a GPU full of
/// threads needs, cut to what one thread can name and to what __launch_bounds__
/// promises to fit (the rest is spilled), which on AMD is the largest block
/// where the code promises none; what ptxas or a user says stands.
unsigned registersOn(const GpuModel &Gpu, const Resources &Res);

/// Errors: a launch that the GPU refuses (zero or too many threads, grid or
/// block dimension out of range, too much shared memory, registers that do
/// not fit a single block).
llvm::Expected<Occupancy>
computeOccupancy(const GpuModel &Gpu, const Resources &Res, const Launch &L);

/// Multiprocessors that get a block.
double smsInUse(const GpuModel &Gpu, const Launch &L);

} // namespace gpuestimate

#endif
