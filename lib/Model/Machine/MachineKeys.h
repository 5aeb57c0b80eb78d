/// \file
/// The keys of the machine files: one row for each, bound to a field.
#ifndef GPU_ESTIMATE_LIB_MODEL_MACHINE_MACHINEKEYS_H
#define GPU_ESTIMATE_LIB_MODEL_MACHINE_MACHINEKEYS_H

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include "gpu-estimate/Model/Machine/Machines.h"

namespace gpuestimate {

struct MachineKey {
  std::string Path;
  GpuDimension Dim = GpuDimension::Count;
  bool Required = true;
  double Min = 0, Max = 0;
  std::string Meaning;
  std::function<void(const GpuValue &)> Store;
};

/// Rows that write into M, which must outlive them.
std::vector<MachineKey> keysOf(CpuModel &M);
std::vector<MachineKey> keysOf(FpgaModel &M);

} // namespace gpuestimate

#endif
