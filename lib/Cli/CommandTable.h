/// \file
/// The rows beside the option table that help, docs/cli.md, the manual page and
/// the completions of shells are made from.
#ifndef GPU_ESTIMATE_LIB_CLI_COMMANDTABLE_H
#define GPU_ESTIMATE_LIB_CLI_COMMANDTABLE_H

#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

/// One way to call the command; a subcommand may have several.
struct Subcommand {
  unsigned Command; ///< whose options help shows; 0: none of its own
  llvm::StringLiteral Usage, Help;
  /// In a few words, for the list of commands; empty where the row is another
  /// way to call a command.
  llvm::StringLiteral Brief = "";

  /// "analyze"; empty for what is no subcommand.
  llvm::StringRef name() const;
};
llvm::ArrayRef<Subcommand> subcommandTable();

/// An option of `gpu-estimate cc`, or an environment variable.
struct WrapperOption {
  llvm::StringLiteral Spelling, Help;
};
llvm::ArrayRef<WrapperOption> wrapperOptions();
llvm::ArrayRef<WrapperOption> wrapperEnvironment();

/// Meaning of each exit status, by its number.
llvm::ArrayRef<llvm::StringLiteral> exitStatuses();

/// In the order of the help.
llvm::ArrayRef<OptionSection> optionSections();

} // namespace gpuestimate

#endif
