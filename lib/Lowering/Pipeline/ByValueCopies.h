/// \file
/// Copies of by-value arguments in local memory.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_BYVALUECOPIES_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_BYVALUECOPIES_H

#include "Analyses.h"

#include "gpu-estimate/Model/Kernel/DeviceCompiler.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpuestimate {

/// Attribute of a by-value argument that is read where it lies, as LLVM 20 has
/// it for __grid_constant__ and lib/Ptx gives it to those of PTX.
inline constexpr llvm::StringLiteral GridConstantMark = "nvvm.grid_constant";

/// Functions that the source keeps out of line, or forces inline.
struct InlineRequests {
  explicit InlineRequests(const llvm::Module &M);
  llvm::SmallPtrSet<const llvm::Function *, 8> Never, Always;
};

/// Marks the structures that kernels take by value and whose address goes to a
/// function that the user's compiler does not inline: one that the source keeps
/// out of line, or that LLVM's inliner finds too large at -O3
/// (llvm/Analysis/InlineCost.h). Before everything is inlined.
void markEscapingArguments(llvm::Module &M, const InlineRequests &Source,
                           AnalysisManagers &Managers);

/// Lets Kernel read the structures that it takes by value where they lie, in
/// place of copies of more than CompilerHabits::CopiedStructure bytes that are
/// only read. Copies of copies, too. After everything is inlined and before
/// scalar replacement, which would split the copies.
void forwardByValueCopies(llvm::Function &Kernel, DeviceCompiler Compiler);

/// Makes what the compiler makes of a structure that Kernel takes by value.
/// nvcc copies it to local memory if it is written, if its address goes to a
/// call, or if a variable selects a part of a structure of at most
/// CompilerHabits::CopiedStructure bytes. With clang it is the NVPTX back end:
/// where its address goes through anything but offsets and loads (a pointer
/// that a loop advances, a choice between two members, a call), each thread
/// copies the structure to local memory, scalar by scalar, and reads the copy.
/// Source: handleByValParam of LLVM 19's NVPTXLowerArgs.cpp.
///
/// A __grid_constant__ argument is never copied, as far as the IR tells them
/// (Clang 19 drops the word in CUDA, except that tensor maps are known).
///
/// Loads at constant offsets, which hit L1, still read the argument: their
/// values are those of the launch.
void copyByValueArguments(llvm::Function &Kernel, DeviceCompiler Compiler);

} // namespace gpuestimate

#endif
