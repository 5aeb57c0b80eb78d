/// \file
/// Arrays of a thread: in local memory where an index is not a constant, else
/// in registers.
#ifndef GPU_ESTIMATE_MODEL_TRANSFORM_PRIVATEARRAYS_H
#define GPU_ESTIMATE_MODEL_TRANSFORM_PRIVATEARRAYS_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Names of the arrays in local memory, each once, in the order of their first
/// access.
std::vector<std::string> localArrays(const KernelModel &Kernel);

/// The kernel with an array in registers: accesses to it become moves.
KernelModel withArrayInRegisters(const KernelModel &Kernel,
                                 llvm::StringRef Array);

/// The innermost loop whose counter selects the elements of an array in local
/// memory, if nothing else does: a compiler that lays it out knows every index.
/// Null where data select one.
const Loop *loopOverArray(const KernelModel &Kernel, llvm::StringRef Array);

} // namespace gpuestimate

#endif
