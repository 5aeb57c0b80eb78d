/// \file
/// Kernels and launches of a CUDA source whose device code clang does not
/// generate.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_DECLARATIONS_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_DECLARATIONS_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// Creates a consumer that calls back once, with a unit that has no module:
/// kernels are those that the source declares, whether or not clang found
/// errors in it. Launches are those of host functions that could be parsed.
std::unique_ptr<clang::ASTConsumer>
createDeclarationConsumer(clang::CompilerInstance &Compiler,
                          AnalysisCallback Callback);

} // namespace gpuestimate

#endif
