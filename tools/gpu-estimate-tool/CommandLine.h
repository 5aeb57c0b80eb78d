/// \file
/// argv to Options. The one file that knows CLI11, which reports errors by
/// exceptions: none leaves parseCommandLine.
#ifndef GPU_ESTIMATE_TOOLS_COMMANDLINE_H
#define GPU_ESTIMATE_TOOLS_COMMANDLINE_H

#include "gpu-estimate/Cli/Commands.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// What the command line asks for.
struct Command {
  /// Executes it and returns the exit status of the process.
  using Function = int (*)(const Command &, llvm::raw_ostream &Out,
                           llvm::raw_ostream &Err);
  Function Run = nullptr;
  /// "analyze"; empty for help, version and what is wrong.
  std::string Name;
  Options Opts;
  std::string GpuName;                 ///< gpus ID
  std::string GpuFile;                 ///< gpus --check
  std::vector<std::string> ScaledGpus; ///< two names of gpus --scale
  std::string DerivedFrom;             ///< the sibling of gpus --derive
  std::string FactSource;              ///< who states the facts of --derive
  std::string Text; ///< help or version, or what is wrong with the command line
};

/// Parses the command line. Arguments after "--" become
/// Options::ClangArguments, or Options::CompilerCommand of analyze-command and
/// build-command.
Command parseCommandLine(int ArgCount, const char *const *Args);

} // namespace gpuestimate

#endif
