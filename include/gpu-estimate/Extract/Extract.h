/// \file
/// From the LLVM IR of one kernel to its KernelModel.
///
/// The way in: prepareForAnalysis() once on the device module, then
/// extractKernel() for each kernel. What a device compiler does to a kernel
/// before it runs is either done here (inlining, promotion to registers,
/// full unrolling of short constant loops, FMA contraction) or modelled
/// (partial unrolling, address strength reduction, predication), so that
/// loops stay countable.
///
/// Conventions of the extracted expressions:
///   - integers are mathematical integers: wrap-around at 32 or 64 bits is
///     assumed not to happen;
///   - the trip count is that of loop bodies; where a loop is left from its
///     middle, the last, partial iteration counts as a whole one;
///   - a value that the source does not determine is an Unknown, never a
///     number chosen silently.
#ifndef GPU_ESTIMATE_EXTRACT_EXTRACT_H
#define GPU_ESTIMATE_EXTRACT_EXTRACT_H

#include "gpu-estimate/KernelModel/KernelModel.h"
#include "gpu-estimate/KernelModel/KernelSource.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class DebugLoc;
class Function;
class Module;
} // namespace llvm

namespace gpuestimate {

struct IrPlaces;

/// Is F an entry point of a device program (NVPTX or AMDGPU)?
bool isKernel(const llvm::Function &F);

/// The fixed analysis pipeline, run once on the device module: what -O3 device
/// compilation does to a kernel, less what would hide a trip count. Every
/// function is inlined into the kernels except recursive and very large ones;
/// kernels are kept, whatever their linkage.
void prepareForAnalysis(llvm::Module &M);

/// The model of F, a kernel of a module that prepareForAnalysis() has seen.
/// An error when F has no body or cannot be analysed at all. Places, if given,
/// is filled.
llvm::Expected<KernelModel> extractKernel(llvm::Function &F,
                                          const KernelSource &Source,
                                          IrPlaces *Places = nullptr);

/// The source line to charge: where inlining went through a header of the
/// SDK or of the compiler, the line that called it.
SourceLocation locate(const llvm::DebugLoc &Loc);

/// The table from instructions, intrinsics and library functions to operation
/// classes, as Markdown: docs/operations.md is this text.
std::string operationReference();

} // namespace gpuestimate

#endif
