/// \file
/// Completions of the command line, independent of the shell.
#ifndef GPU_ESTIMATE_LIB_CLI_COMPLETION_H
#define GPU_ESTIMATE_LIB_CLI_COMPLETION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Words or files that are valid at a place of the command line.
struct CompletionValue {
  std::vector<std::string> Words;
  bool Files = false, Folders = false;
  /// Endings of files, "cu"; all files where there are none.
  std::vector<std::string> Endings;
};

struct CompletionOption {
  std::string Spelling; ///< "--gpu", "-p"
  std::string Help;     ///< the first sentence of the table's
  bool TakesValue = false, Repeatable = false;
  /// `gpu-estimate cc` takes options as one word only: --gpu=ID.
  bool OneWord = false;
  CompletionValue Value;
};

struct CompletionCommand {
  std::string Name, Help;
  std::vector<CompletionOption> Options;
  CompletionValue Arguments;
  bool ThenCommand = false; ///< `cc`: a compiler and its arguments
};

/// Every subcommand of the command line, in the order of its help.
std::vector<CompletionCommand> completionCommands();

/// Options that replace a subcommand: --help, --version, --explain.
std::vector<CompletionOption> completionGlobals();

/// "cu,hip": what is joined by Between.
std::string joined(llvm::ArrayRef<std::string> Words, llvm::StringRef Between);

} // namespace gpuestimate

#endif
