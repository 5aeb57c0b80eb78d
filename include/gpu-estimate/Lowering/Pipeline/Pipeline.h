/// \file
/// The passes that run over a device module before its kernels are lowered, and
/// the source lines of its instructions.
#ifndef GPU_ESTIMATE_LOWERING_PIPELINE_PIPELINE_H
#define GPU_ESTIMATE_LOWERING_PIPELINE_PIPELINE_H

#include "gpu-estimate/Support/SourceLocation.h"

namespace llvm {
class DebugLoc;
class Function;
class Module;
} // namespace llvm

namespace gpuestimate {

/// Is F an entry point of a device program (NVPTX or AMDGPU)?
bool isKernel(const llvm::Function &F);

/// Runs the fixed pipeline once on the device module: the passes of an -O3
/// device compilation without those that would hide a trip count. Every
/// function is inlined into the kernels except recursive and very large ones;
/// kernels are kept, whatever their linkage.
void prepareForAnalysis(llvm::Module &M);

/// The source line that costs are charged to; for code that was inlined from a
/// header of the SDK or of the compiler, the line of the call.
SourceLocation locate(const llvm::DebugLoc &Loc);

} // namespace gpuestimate

#endif
