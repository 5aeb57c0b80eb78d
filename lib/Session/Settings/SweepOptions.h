/// \file
/// Parsers of the options of `gpu-estimate sweep`.
#ifndef GPU_ESTIMATE_LIB_SESSION_SETTINGS_SWEEPOPTIONS_H
#define GPU_ESTIMATE_LIB_SESSION_SETTINGS_SWEEPOPTIONS_H

#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

llvm::Error appendSweptAxis(Options &O, llvm::StringRef Value);
llvm::Error parsePowerCap(Options &O, llvm::StringRef Value);
llvm::Error parseEnergyBudget(Options &O, llvm::StringRef Value);
llvm::Error parseTimeLimit(Options &O, llvm::StringRef Value);
llvm::Error parseScaling(Options &O, llvm::StringRef Value);

} // namespace gpuestimate

#endif
