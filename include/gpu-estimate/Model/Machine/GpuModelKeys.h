/// \file
/// The one table of everything that a GPU model file can say. A row names the
/// key (its path in the file, such as `l2.size`), what kind of quantity it is,
/// whether a file must have it, which values are believable, what it means,
/// and how to reach it in a GpuModel. Loading, `--set`, printing, writing and
/// the reference page all walk this table; nothing else lists keys.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_GPUMODELKEYS_H
#define GPU_ESTIMATE_MODEL_MACHINE_GPUMODELKEYS_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Machine/MachineKeys.h"

namespace gpuestimate {

using GpuKey = KeyOf<GpuModel>;

/// All keys in the order in which files and tables list them.
llvm::ArrayRef<GpuKey> gpuKeys();

/// The key with exactly this path; null if there is none.
const GpuKey *findGpuKey(llvm::StringRef Path);

} // namespace gpuestimate

#endif
