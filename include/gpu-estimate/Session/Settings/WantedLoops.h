/// \file
/// Which loops of plain C are meant for a GPU has to be known before a file is
/// parsed.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_WANTEDLOOPS_H
#define GPU_ESTIMATE_SESSION_SETTINGS_WANTEDLOOPS_H

#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

/// Those of the options, or else of the source file's configuration. An error
/// of the configuration is a UsageError.
llvm::Expected<OffloadRequest> wantedLoops(const Options &O,
                                           llvm::StringRef SourceFile);

} // namespace gpuestimate

#endif
