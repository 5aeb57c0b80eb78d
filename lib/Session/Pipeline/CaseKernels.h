/// \file
/// The kernels that a measured case names.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_CASEKERNELS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_CASEKERNELS_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// The kernel of a name; of plain C, all loop nests of the function.
llvm::Expected<std::vector<const KernelSource *>>
findKernels(const TranslationUnit &Unit, llvm::StringRef Function);

/// ": " and the first line of clang's output that is an error, or "".
std::string firstError(llvm::StringRef Diagnostics);

} // namespace gpuestimate

#endif
