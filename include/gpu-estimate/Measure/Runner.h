/// \file
/// Builds and runs the microbenchmarks. Raw samples stay in the work folder,
/// so that an interrupted run goes on where it stopped.
#ifndef GPU_ESTIMATE_MEASURE_RUNNER_H
#define GPU_ESTIMATE_MEASURE_RUNNER_H

#include "gpu-estimate/Measure/Groups.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct RunnerOptions {
  std::string Compiler;         ///< path or name; empty: searched on PATH
  std::string MicrobenchFolder; ///< empty: the shipped one
  std::string WorkFolder;
  std::vector<std::string> Only; ///< groups; empty: all. "device" always runs
  bool Quick = false;
  bool Terminal = false; ///< redraw one progress line
};

struct RunnerResult {
  std::string RawFolder;           ///< holds NAME.jsonl of each group
  std::vector<std::string> Failed; ///< groups without samples, and why
};

/// The compiler to use: the given one, else nvcc, hipcc or clang++ of PATH.
llvm::Expected<std::string> findGpuCompiler(llvm::StringRef Given);

/// Arguments that build Source to Program with this compiler.
std::vector<std::string> compilerArguments(llvm::StringRef Compiler,
                                           llvm::StringRef Source,
                                           llvm::StringRef Program);

/// Runs every chosen group whose raw samples are not there yet. A group that
/// fails is reported and left out. Errors: no compiler, no GPU (the first
/// group's program says so by exit status 3), a source that does not compile,
/// a folder that cannot be written.
llvm::Expected<RunnerResult> runGroups(const RunnerOptions &O,
                                       llvm::raw_ostream &Progress);

} // namespace gpuestimate

#endif
