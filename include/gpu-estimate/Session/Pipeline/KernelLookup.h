/// \file
/// Lookup of kernels by the names that users write.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_KERNELLOOKUP_H
#define GPU_ESTIMATE_SESSION_PIPELINE_KERNELLOOKUP_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// The kernel called Function; for plain C, all loop nests of that function.
llvm::Expected<std::vector<const KernelSource *>>
findKernels(const TranslationUnit &Unit, llvm::StringRef Function);

/// ": " and the first line of clang's output that is an error, or "".
std::string firstError(llvm::StringRef Diagnostics);

} // namespace gpuestimate

#endif
