/// \file
/// The values that special registers of NVIDIA GPUs can have, so that the
/// passes know which index arithmetic does not wrap around.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_SPECIALREGISTERS_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_SPECIALREGISTERS_H

#include "llvm/IR/Module.h"

namespace gpuestimate {

/// Gives each read of a special register in M the range of its values: the
/// limits of all NVIDIA GPUs (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability") and, in a kernel, its launch bounds.
///
/// LLVM 19's pass nvvm-intr-range does the same, but asks the NVPTX target for
/// the annotations of the module. The target remembers them by the module's
/// address until it prints the module's assembly, so that a later module at
/// the same address gets the launch bounds of an earlier one.
void limitSpecialRegisters(llvm::Module &M);

} // namespace gpuestimate

#endif
