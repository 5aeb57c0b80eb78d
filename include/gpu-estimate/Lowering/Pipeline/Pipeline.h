/// \file
/// The passes that run over a device module before its kernels are analysed,
/// and where its instructions come from in the source.
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

/// The fixed analysis pipeline, run once on the device module: what -O3 device
/// compilation does to a kernel, less what would hide a trip count. Every
/// function is inlined into the kernels except recursive and very large ones;
/// kernels are kept, whatever their linkage.
void prepareForAnalysis(llvm::Module &M);

/// The source line to charge: where inlining went through a header of the
/// SDK or of the compiler, the line that called it.
SourceLocation locate(const llvm::DebugLoc &Loc);

} // namespace gpuestimate

#endif
