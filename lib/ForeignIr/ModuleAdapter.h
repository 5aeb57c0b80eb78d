/// \file
/// Makes a module of another LLVM version such as clang 19 would have made it:
/// intrinsics by the names of LLVM 19 and one architecture for all functions.
#ifndef GPU_ESTIMATE_LIB_FOREIGNIR_MODULEADAPTER_H
#define GPU_ESTIMATE_LIB_FOREIGNIR_MODULEADAPTER_H

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

} // namespace gpuestimate

#endif
