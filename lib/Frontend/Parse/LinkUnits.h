/// \file
/// Device code of several source files.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_LINKUNITS_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_LINKUNITS_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Adds the functions and variables of From's device code that Into declares
/// but does not define, and what these use, as a device linker does (`nvcc
/// -dc`, then `nvcc -dlink`). Kernels and launches of From are not added.
/// Errors: Into has no device code, or a symbol is defined twice.
llvm::Error linkDeviceCode(TranslationUnit &Into, TranslationUnit &&From);

} // namespace gpuestimate

#endif
