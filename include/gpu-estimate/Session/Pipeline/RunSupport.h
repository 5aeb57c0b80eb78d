/// \file
/// What the subcommands that analyse sources have in common.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_RUNSUPPORT_H
#define GPU_ESTIMATE_SESSION_PIPELINE_RUNSUPPORT_H

#include "gpu-estimate/Evaluate/Models/Models.h"
#include "gpu-estimate/Report/Json/Json.h"
#include "gpu-estimate/Session/Pipeline/Driver.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// The architecture to compile for: "sm_80" for compute capability 8.0; empty
/// for AMD, where HIP files have their own default.
std::string archOf(const GpuModel &Gpu);

/// A UsageError for a name that is no term of the model (termsOf).
llvm::Error checkTerms(llvm::ArrayRef<std::string> Without,
                       const ModelInfo &Model);

/// To the options' file or Out, all at once.
ExitStatus writeOutput(const Options &O, const std::string &Text,
                       llvm::raw_ostream &Out, llvm::raw_ostream &Err);

/// The result as JSON, whole or not at all: a reader at any moment finds the
/// old file or the new one. With the ending .jsonl it is one line that also
/// tells Origin. Errors are UsageErrors.
llvm::Error writeJsonFile(const std::string &File, const Analysis &A,
                          const RecordOrigin &Origin);

/// Fills in BudgetCheck::Kept from the record that is about to be replaced.
void recallBudgets(std::vector<BudgetCheck> &Budgets,
                   llvm::StringRef RecordFile);

/// Of Source, compiled in the current directory.
RecordOrigin originOf(llvm::StringRef Source);

/// analyzeForPlugin() with a set-up at hand, and an origin for the JSON file.
llvm::Expected<std::vector<Diagnostic>>
analyzeUnit(TranslationUnit &&Unit, Setup S, const RecordOrigin &Origin);

/// What `gpu-estimate cc` and a whole database analyse: one source of a
/// compiler's command.
struct CommandSource {
  std::vector<std::string> CommandLine;
  std::string Directory; ///< absolute
  std::string Source;    ///< absolute, or from Directory
};

/// Just as the plugin would, with the set-up of its source. FilesRead may
/// complete the origin when the source was parsed.
llvm::Expected<std::vector<Diagnostic>> analyzeCommandSource(
    Setup S, const CommandSource &C, RecordOrigin Origin,
    llvm::function_ref<void(RecordOrigin &, llvm::ArrayRef<std::string>)>
        FilesRead);

/// The results of all of the options' files in one; what the compiler and the
/// analysis remark goes to Err. Models: as for analyzeFiles().
ExitStatus analyzeAll(const Options &O, llvm::ArrayRef<std::string> Models,
                      Analysis &All, llvm::raw_ostream &Err);
void printNotices(llvm::raw_ostream &Err, const Analysis &A);

/// `gpu-estimate analyze -p DIR` without a file: every source of the database
/// that is worth it, and what they gave as one table.
ExitStatus runDatabase(const Options &O, llvm::raw_ostream &Out,
                       llvm::raw_ostream &Err);

/// Text to File, whole or not at all.
llvm::Error writeWhole(const std::string &File, llvm::StringRef Text);

} // namespace gpuestimate

#endif
