/// \file
/// Parsers of the options of `gpu-estimate run`.
#ifndef GPU_ESTIMATE_LIB_SESSION_SETTINGS_RUNOPTIONS_H
#define GPU_ESTIMATE_LIB_SESSION_SETTINGS_RUNOPTIONS_H

#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

llvm::Error appendProgramArgument(Options &O, llvm::StringRef Value);
llvm::Error parseExecution(Options &O, llvm::StringRef Value);
llvm::Error parseRunDevices(Options &O, llvm::StringRef Value);
llvm::Error parseExecuteSeconds(Options &O, llvm::StringRef Value);
llvm::Error parseRunThreads(Options &O, llvm::StringRef Value);
llvm::Error parseProgramSocket(Options &O, llvm::StringRef Value);
llvm::Error parseRunChecks(Options &O, llvm::StringRef Value);
llvm::Error parseHostSpeed(Options &O, llvm::StringRef Value);
llvm::Error parseRunFormat(Options &O, llvm::StringRef Value);

} // namespace gpuestimate

#endif
