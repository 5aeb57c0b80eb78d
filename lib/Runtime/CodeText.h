/// \file
/// Modules that a program loads as text: PTX, and LLVM IR of AMD's GPUs.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_CODETEXT_H
#define GPU_ESTIMATE_LIB_RUNTIME_CODETEXT_H

#include "gpu-estimate/Run/DeviceFacts.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuestimate {

/// Is Image the text of PTX or of LLVM IR?
bool isCodeText(llvm::StringRef Image);

/// The bitcode that executes. The error names the line of the text.
llvm::Expected<std::string> translateToBitcode(llvm::StringRef Text,
                                               const DeviceFacts &For);

} // namespace gpuestimate

#endif
