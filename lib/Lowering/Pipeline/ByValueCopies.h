/// \file
/// Copies of by-value arguments in local memory.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_BYVALUECOPIES_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_BYVALUECOPIES_H

#include "Analyses.h"
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

/// Makes what the NVPTX back end makes of a structure that Kernel takes by
/// value: where its address goes through anything but offsets and loads (a
/// pointer that a loop advances, a choice between two members, a call), each
/// thread copies the structure to local memory, scalar by scalar, and reads the
/// copy. Source: handleByValParam of LLVM 19's NVPTXLowerArgs.cpp.
///
/// A __grid_constant__ argument is never copied, as far as the IR tells them
/// (Clang 19 drops the word in CUDA, except that tensor maps are known).
///
/// Loads at constant offsets, which hit L1, still read the argument: their
/// values are those of the launch.
void copyByValueArguments(llvm::Function &Kernel);

} // namespace gpuestimate

#endif
