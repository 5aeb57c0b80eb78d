/// \file
/// The kernels of a module: their names, places, parameters, and the launch as
/// far as the IR tells it.
#ifndef GPU_ESTIMATE_LIB_FOREIGNIR_KERNELDESCRIPTION_H
#define GPU_ESTIMATE_LIB_FOREIGNIR_KERNELDESCRIPTION_H

#include "IrFilter.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuestimate {

/// Gives each instruction of a function without debug information its line in
/// File, as if File were the source.
void addPlaces(llvm::Module &M, const std::string &File,
               const llvm::StringMap<IrFunctionLines> &Lines);

/// Describes the kernel F of File.
KernelSource describeKernel(const llvm::Function &F, const std::string &File,
                            const llvm::StringMap<IrFunctionLines> &Lines);

} // namespace gpuestimate

#endif
