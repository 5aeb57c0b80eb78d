/// \file
/// Output of the commands: reports, and JSON files that are replaced as a
/// whole.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_OUTPUTFILES_H
#define GPU_ESTIMATE_SESSION_PIPELINE_OUTPUTFILES_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Report/Json/Json.h"
#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// The tool's version, as in "tool_version".
llvm::StringRef toolVersion();

/// Writes Text to the options' file, or to Out, all at once.
ExitStatus writeOutput(const Options &O, const std::string &Text,
                       llvm::raw_ostream &Out, llvm::raw_ostream &Err);

/// Replaces File by Text: a reader at any moment finds the old file or the new
/// one. Errors are UsageErrors.
llvm::Error writeWhole(const std::string &File, llvm::StringRef Text);

/// Replaces File by the result as JSON. A name that ends in .jsonl makes one
/// line that also tells Origin. Errors are UsageErrors.
llvm::Error writeJsonFile(const std::string &File, const Analysis &A,
                          const RecordOrigin &Origin);

/// Fills in BudgetCheck::Kept from the record that is about to be replaced.
void recallBudgets(std::vector<BudgetCheck> &Budgets,
                   llvm::StringRef RecordFile);

/// The origin of a record of Source, compiled in the current directory.
RecordOrigin originOf(llvm::StringRef Source);

} // namespace gpuestimate

#endif
