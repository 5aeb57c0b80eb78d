/// \file
/// argv to Options. The one file that knows CLI11, which reports errors by
/// exceptions: none leaves parseCommandLine.
#ifndef GPU_ESTIMATE_TOOLS_COMMANDLINE_H
#define GPU_ESTIMATE_TOOLS_COMMANDLINE_H

#include "gpu-estimate/Session/Settings/Options.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct Command {
  enum KindType : uint8_t {
    Analyze,
    Compare,
    Tune,
    Sweep,
    Run,
    Serve,
    ListGpus, ///< or one GPU, when GpuName is not empty
    CheckGpu,
    DeriveGpu,
    ScaleGpus,
    Validate,
    Measure,
    BugReport,
    AnalyzeCommand, ///< what `gpu-estimate cc` asks for
    BuildCommand,   ///< what `gpu-estimate cc --run` asks for
    Report,
    Golden,
    Diff,
    Doctor,
    Print,    ///< Text to standard output: help, version
    Complain, ///< Text is what was wrong with the command line
    Remark,   ///< the same, where a build goes on
  } Kind = Print;
  Options Opts;
  std::string GpuName;
  std::string GpuFile;                 ///< CheckGpu
  std::vector<std::string> ScaledGpus; ///< two names for ScaleGpus
  std::string DerivedFrom;             ///< the sibling for DeriveGpu
  std::string FactSource;              ///< who states the facts of DeriveGpu
  std::string Text;
};

/// Parses the command line. Arguments after "--" become
/// Options::ClangArguments, or Options::CompilerCommand of analyze-command and
/// build-command.
Command parseCommandLine(int ArgCount, const char *const *Args);

} // namespace gpuestimate

#endif
