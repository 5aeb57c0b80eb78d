/// \file
/// `gpu-estimate sweep`.
#ifndef GPU_ESTIMATE_SESSION_SWEEP_SWEEP_H
#define GPU_ESTIMATE_SESSION_SWEEP_SWEEP_H

#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Predicts the kernels of a file over the configurations of Options::Sweep.
/// WrongUsage for a configuration that a card cannot have, NotAnalysed if no
/// point has an estimate.
ExitStatus runSweep(const Options &O, llvm::raw_ostream &Out,
                    llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
