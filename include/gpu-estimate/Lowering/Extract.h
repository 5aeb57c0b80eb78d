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
#ifndef GPU_ESTIMATE_LOWERING_EXTRACT_H
#define GPU_ESTIMATE_LOWERING_EXTRACT_H

#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
} // namespace llvm

namespace gpuestimate {

struct IrPlaces;

/// The model of F, a kernel of a module that prepareForAnalysis() has seen.
/// An error when F has no body or cannot be analysed at all. Places, if given,
/// is filled.
llvm::Expected<KernelModel> extractKernel(llvm::Function &F,
                                          const KernelSource &Source,
                                          IrPlaces *Places = nullptr);

} // namespace gpuestimate

#endif
