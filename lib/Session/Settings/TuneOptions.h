/// \file
/// Parsers of the options of `gpu-estimate tune`.
#ifndef GPU_ESTIMATE_LIB_SESSION_SETTINGS_TUNEOPTIONS_H
#define GPU_ESTIMATE_LIB_SESSION_SETTINGS_TUNEOPTIONS_H

#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

llvm::Error parseTuneFormat(Options &O, llvm::StringRef Value);
llvm::Error appendMacro(Options &O, llvm::StringRef Value);
llvm::Error appendTunedParameter(Options &O, llvm::StringRef Value);
llvm::Error parseTunedBlocks(Options &O, llvm::StringRef Value);
llvm::Error parseTunedGrid(Options &O, llvm::StringRef Value);
llvm::Error parseTunedShared(Options &O, llvm::StringRef Value);
llvm::Error parseTuneCondition(Options &O, llvm::StringRef Value);
llvm::Error parseTie(Options &O, llvm::StringRef Value);
llvm::Error parseTop(Options &O, llvm::StringRef Value);

} // namespace gpuestimate

#endif
