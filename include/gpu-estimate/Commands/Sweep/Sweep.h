/// \file
/// `gpu-estimate sweep`.
#ifndef GPU_ESTIMATE_COMMANDS_SWEEP_SWEEP_H
#define GPU_ESTIMATE_COMMANDS_SWEEP_SWEEP_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Scaling/Surface.h"
#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// The kernels of a file over the configurations of Options::Sweep.
struct FileSweep {
  std::vector<Surface> Surfaces;
  std::vector<Notice> Notices;
  /// Kernels without a surface: name and reason.
  std::vector<std::pair<std::string, std::string>> Unresolved;
};

/// Errors: a UsageError for options that are wrong, or a configuration that a
/// card cannot have; else the source does not compile.
llvm::Expected<FileSweep> sweepFile(const Options &O);

/// Predicts the kernels of a file over the configurations of Options::Sweep.
/// WrongUsage for a configuration that a card cannot have, NotAnalysed if no
/// point has an estimate.
ExitStatus runSweep(const Options &O, llvm::raw_ostream &Out,
                    llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
