/// \file
/// Values of the options of the section Model.
#ifndef GPU_ESTIMATE_LIB_SESSION_SETTINGS_MODELOPTIONS_H
#define GPU_ESTIMATE_LIB_SESSION_SETTINGS_MODELOPTIONS_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/ADT/Twine.h"

namespace gpuestimate {

/// Puts Value into Target, or returns its error.
template <typename T, typename U>
llvm::Error store(T &Target, llvm::Expected<U> Value) {
  if (!Value)
    return Value.takeError();
  Target = static_cast<T>(std::move(*Value));
  return llvm::Error::success();
}

llvm::Error parseCaches(Options &O, llvm::StringRef Value);
llvm::Error parseCacheRule(Options &O, llvm::StringRef Value);
llvm::Error parseTiming(Options &O, llvm::StringRef Value);
llvm::Error parseIntervalLevel(Options &O, llvm::StringRef Value);
llvm::Error parseBudgetWhen(Options &O, llvm::StringRef Value);
llvm::Error parseChangedWhen(Options &O, llvm::StringRef Value);
llvm::Error parseDivisions(Options &O, llvm::StringRef Value);
llvm::Error parseAssume(Options &O, llvm::StringRef Value);
llvm::Error parseWarpOrder(Options &O, llvm::StringRef Value);
llvm::Error parseReference(Options &O, llvm::StringRef Value);
llvm::Error parseSpecialOperations(Options &O, llvm::StringRef Value);
llvm::Error parseTrafficWeight(Options &O, llvm::StringRef Value);
llvm::Error parseRegisters(Options &O, llvm::StringRef Value);

} // namespace gpuestimate

#endif
