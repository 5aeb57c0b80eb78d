/// \file
/// Analysis of several source files on several GPUs. Each file is parsed once
/// for the architectures that compile equal code; files and architectures are
/// analysed in parallel.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_ANALYZEFILES_H
#define GPU_ESTIMATE_SESSION_PIPELINE_ANALYZEFILES_H

#include "gpu-estimate/Session/Pipeline/Setup.h"

namespace gpuestimate {

struct FileResult {
  llvm::Expected<Analysis> Result;
  std::string Diagnostics; ///< of the compiler
};

/// Analyses O.Files; results are in their order. Models: the performance models
/// of a comparison; empty: O.Model.
std::vector<FileResult> analyzeFiles(const Options &O,
                                     llvm::ArrayRef<std::string> Models);

/// Appends the results of another file or architecture; repeated notices and
/// reasons are left out.
void append(Analysis &Into, Analysis Part);

} // namespace gpuestimate

#endif
