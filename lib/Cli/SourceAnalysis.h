/// \file
/// Analyses that several commands share.
#ifndef GPU_ESTIMATE_LIB_CLI_SOURCEANALYSIS_H
#define GPU_ESTIMATE_LIB_CLI_SOURCEANALYSIS_H

#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Pipeline/UnitAnalysis.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// One source of a compiler's command: the input of `gpu-estimate cc`, and of
/// the analysis of a compilation database.
struct CommandSource {
  std::vector<std::string> CommandLine;
  std::string Directory; ///< absolute
  std::string Source;    ///< absolute, or relative to Directory
};

/// Analyses C as the plugin does, with the set-up of its source. FilesRead may
/// complete the origin after the source was parsed.
llvm::Expected<std::vector<Diagnostic>> analyzeCommandSource(
    Setup S, const CommandSource &C, RecordOrigin Origin,
    llvm::function_ref<void(RecordOrigin &, llvm::ArrayRef<std::string>)>
        FilesRead);

/// Adds the results of all of the options' files to All; remarks of the
/// compiler and of the analysis go to Err. Models: as for analyzeFiles().
ExitStatus analyzeAll(const Options &O, llvm::ArrayRef<std::string> Models,
                      Analysis &All, llvm::raw_ostream &Err);
void printNotices(llvm::raw_ostream &Err, const Analysis &A);

/// `gpu-estimate analyze -p DIR` without a file: every CUDA, HIP or offloaded
/// source of the compilation database, and one table of the results.
ExitStatus runDatabase(const Options &O, llvm::raw_ostream &Out,
                       llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
