/// \file
/// Sources on several GPUs: each file is parsed once for the architectures that
/// see the same code, and files and architectures are analysed at the same
/// time.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_UNITRUNS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_UNITRUNS_H

#include "gpu-estimate/Session/Pipeline/Driver.h"

namespace gpuestimate {

/// One file with what became of it.
struct FileResult {
  llvm::Expected<Analysis> Result;
  std::string Diagnostics; ///< of the compiler
};

/// All files of O, in their order. Models: of a comparison; empty for the
/// options' model.
std::vector<FileResult> analyzeFiles(const Options &O,
                                     llvm::ArrayRef<std::string> Models);

/// Adds the results of another file or architecture; what is said for each of
/// them is said once.
void append(Analysis &Into, Analysis From);

} // namespace gpuestimate

#endif
