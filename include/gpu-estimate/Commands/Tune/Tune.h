/// \file
/// `gpu-estimate tune`.
#ifndef GPU_ESTIMATE_COMMANDS_TUNE_TUNE_H
#define GPU_ESTIMATE_COMMANDS_TUNE_TUNE_H

#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Ranks configurations of one kernel. NotAnalysed if none has an estimate.
ExitStatus runTune(const Options &O, llvm::raw_ostream &Out,
                   llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
