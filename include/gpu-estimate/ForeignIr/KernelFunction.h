/// \file
/// What a kernel's LLVM IR tells of it where no source is at hand.
#ifndef GPU_ESTIMATE_FOREIGNIR_KERNELFUNCTION_H
#define GPU_ESTIMATE_FOREIGNIR_KERNELFUNCTION_H

#include "gpu-estimate/ForeignIr/LaunchBounds.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace gpuestimate {

/// "ns::saxpy<float>" of a mangled name, without the parameters; a name that is
/// not mangled stays as it is.
std::string readableName(llvm::StringRef Mangled);

/// Describes a pointer argument: the size of its elements is that of the
/// smallest load or store through it (0: there is none), and it points to
/// constant data if nothing is stored through it.
void describePointer(const llvm::Argument &A, KernelArgument &Into);

/// Sets the bounds of K and, where the shape of the block is fixed, annotates K
/// with it.
void setLaunchBounds(KernelSource &K, const LaunchBounds &Bounds);

/// Is F a kernel by its calling convention or by `nvvm.annotations`?
bool isKernelFunction(const llvm::Function &F);

/// The bounds of a kernel's attributes ("nvvm.reqntid", LLVM 21;
/// "amdgpu-flat-work-group-size"), its metadata (`reqd_work_group_size`), and
/// of `nvvm.annotations`.
LaunchBounds launchBoundsOf(const llvm::Function &F);

/// Marks F as a kernel with these bounds, as clang does (`nvvm.annotations`).
void annotateKernel(llvm::Function &F, const LaunchBounds &Bounds);

/// Marks the kernel F as launched in clusters of so many blocks along each axis
/// (0: no cluster), unless F states its clusters itself.
void annotateCluster(llvm::Function &F, const std::array<unsigned, 3> &Blocks);

} // namespace gpuestimate

#endif
