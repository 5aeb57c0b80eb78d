/// \file
/// Makes a module of another LLVM version such as clang 19 would have made it:
/// intrinsics by the names of LLVM 19, one architecture for all functions, and
/// launch bounds as annotations.
#ifndef GPU_ESTIMATE_LIB_FOREIGNIR_MODULEADAPTER_H
#define GPU_ESTIMATE_LIB_FOREIGNIR_MODULEADAPTER_H

#include "gpu-estimate/ForeignIr/KernelFunction.h"
#include <string>

namespace llvm {
class Module;
class Triple;
} // namespace llvm

namespace gpuestimate {

/// The data layout of clang 19 for NVPTX or AMDGPU.
std::string dataLayoutFor(const llvm::Triple &Target);

/// Renames intrinsics that later versions have renamed, replaces what LLVM 19
/// no longer has, and takes the prefix `llvm.` from those whose types differ,
/// so that the verifier takes them for unknown functions.
void adaptIntrinsics(llvm::Module &M);

/// Sets the target attributes of all functions and returns the architecture
/// that the first of them had, "" if none.
std::string setArchitecture(llvm::Module &M, const std::string &Arch);

/// Is F a kernel by its calling convention or by `nvvm.annotations`?
bool isKernelFunction(const llvm::Function &F);

/// The bounds of a kernel's attributes ("nvvm.reqntid", LLVM 21;
/// "amdgpu-flat-work-group-size"), its metadata (`reqd_work_group_size`), and
/// of `nvvm.annotations`.
LaunchBounds launchBoundsOf(const llvm::Function &F);

} // namespace gpuestimate

#endif
