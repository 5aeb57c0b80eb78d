/// \file
/// Registers that ptxas tells and that the launch contradicts: programs run, so
/// where not one block fits with them, the user's compiler makes other code.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_FITTINGRESOURCES_H
#define GPU_ESTIMATE_LIB_EVALUATE_LAUNCH_FITTINGRESOURCES_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// Blocks of Warps warps for which a multiprocessor has Registers per thread.
uint64_t blocksByRegisters(const GpuModel &Gpu, unsigned Registers,
                           uint64_t Warps);

/// Res, with the estimate in place of registers of ptxas with which not one
/// block of the launch fits.
Resources fittingResources(const GpuModel &Gpu, const Resources &Res,
                           const Launch &L);

/// What fittingResources takes for granted; nothing where it changes nothing.
std::optional<Assumption> registerAssumption(const KernelModel &Kernel,
                                             const GpuModel &Gpu,
                                             const Launch &L);

} // namespace gpuestimate

#endif
