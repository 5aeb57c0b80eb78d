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

/// The result as JSON, whole or not at all: a reader at any moment finds the
/// old file or the new one. With the ending .jsonl it is one line that also
/// tells Source and the current directory. Errors are UsageErrors.
llvm::Error writeJsonFile(const std::string &File, const Analysis &A,
                          llvm::StringRef Source);

/// Text to File in the same way.
llvm::Error writeWhole(const std::string &File, llvm::StringRef Text);

} // namespace gpuestimate

#endif
