/// \file
/// The key tables of CPU and FPGA models, as Model/Machine/GpuModelKeys.h has
/// that of GPU models.
#ifndef GPU_ESTIMATE_LIB_MODEL_MACHINE_CPUFPGAKEYS_H
#define GPU_ESTIMATE_LIB_MODEL_MACHINE_CPUFPGAKEYS_H

#include "gpu-estimate/Model/Machine/MachineKeys.h"
#include "gpu-estimate/Model/Machine/Machines.h"

namespace gpuestimate {

llvm::ArrayRef<KeyOf<CpuModel>> cpuKeys();
llvm::ArrayRef<KeyOf<FpgaModel>> fpgaKeys();

} // namespace gpuestimate

#endif
