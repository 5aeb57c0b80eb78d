/// \file
/// A CUDA source whose device code is the PTX that nvcc makes of it.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_VIAPTX_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_VIAPTX_H

#include "CommandLine.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// Compiles the command's file by nvcc, and gives the kernels of the PTX the
/// names, arguments and launches of the source. ReadDeclarations parses these
/// meanwhile (createDeclarationConsumer()); without an answer the kernels are
/// those of the PTX alone. Fails when there is no nvcc, when nvcc does not
/// compile the file in time, or when its PTX is not known here.
llvm::Expected<TranslationUnit> readViaPtx(
    const ParseRequest &Request, const CompileCommand &Command,
    llvm::function_ref<std::optional<TranslationUnit>()> ReadDeclarations);

} // namespace gpuestimate

#endif
