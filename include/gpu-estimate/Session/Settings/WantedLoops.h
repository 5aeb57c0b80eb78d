/// \file
/// Loops of plain C that are to be offloaded; needed before a file is parsed.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_WANTEDLOOPS_H
#define GPU_ESTIMATE_SESSION_SETTINGS_WANTEDLOOPS_H

#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

/// The loops named by the options, or else by the source file's configuration.
/// An error of the configuration is a UsageError.
llvm::Expected<OffloadRequest> wantedLoops(const Options &O,
                                           llvm::StringRef SourceFile);

} // namespace gpuestimate

#endif
