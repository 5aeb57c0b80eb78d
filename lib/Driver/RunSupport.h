/// \file
/// What the subcommands that analyse sources have in common.
#ifndef GPU_ESTIMATE_LIB_DRIVER_RUNSUPPORT_H
#define GPU_ESTIMATE_LIB_DRIVER_RUNSUPPORT_H

#include "gpu-estimate/Driver/Driver.h"

namespace gpuestimate {

/// The architecture to compile for: "sm_80" for compute capability 8.0; empty
/// for AMD, where HIP files have their own default.
std::string archOf(const GpuModel &Gpu);

/// A UsageError for a name that is none of termTable().
llvm::Error checkTerms(llvm::ArrayRef<std::string> Without);

/// To the options' file or Out, all at once.
ExitStatus writeOutput(const Options &O, const std::string &Text,
                       llvm::raw_ostream &Out, llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
