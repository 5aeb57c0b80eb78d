/// \file
/// Lowers the LLVM IR of one kernel to its KernelModel.
///
/// prepareForAnalysis() runs once on the device module, lowerKernel() on each
/// kernel. The transformations of a device compiler are either applied
/// (inlining, promotion to registers, full unrolling of short constant loops,
/// FMA contraction) or modelled (partial unrolling, address strength reduction,
/// predication), so that loops stay countable.
///
/// Conventions of the model's expressions:
///   - integers are mathematical integers: wrap-around at 32 or 64 bits is
///     assumed not to happen;
///   - a trip count is the number of executions of the loop body; a last,
///     partial iteration of a loop with an exit in its middle counts as one;
///   - a value that the source does not determine is an Unknown, never a
///     silently chosen number.
#ifndef GPU_ESTIMATE_LOWERING_LOWERKERNEL_H
#define GPU_ESTIMATE_LOWERING_LOWERKERNEL_H

#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "gpu-estimate/Lowering/Values/IrOrigins.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
} // namespace llvm

namespace gpuestimate {

/// The model of F, a kernel of a module after prepareForAnalysis(). Fails when
/// F has no body or cannot be analysed at all. Origins, if given, is filled.
/// Special: what an execution has shown, or null; divisions that it lacks were
/// not executed.
llvm::Expected<KernelModel>
lowerKernel(llvm::Function &F, const KernelSource &Source,
            IrOrigins *Origins = nullptr,
            const SpecialDivisions *Special = nullptr);

} // namespace gpuestimate

#endif
