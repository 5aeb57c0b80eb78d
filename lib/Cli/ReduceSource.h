/// \file
/// Makes the smallest source that fails as a given one does, by C-Reduce or
/// cvise.
#ifndef GPU_ESTIMATE_LIB_CLI_REDUCESOURCE_H
#define GPU_ESTIMATE_LIB_CLI_REDUCESOURCE_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// A command that fails on a source, and how it fails.
struct FailingCommand {
  std::vector<std::string> Words; ///< program and arguments; one is File
  std::string File;               ///< the source, as Words spell it
  int Status = 0;                 ///< exit status; -1: a signal ends it
  std::string Message;            ///< part of what it prints
};

struct ReducedSource {
  std::string Program; ///< path of the reducer
  std::string Text;
};

/// Reduces the source for at most Minutes. The error says what to install where
/// there is no reducer, or that the command does not fail in the same way on a
/// copy of the source.
llvm::Expected<ReducedSource> reduceSource(const FailingCommand &Command,
                                           unsigned Minutes);

} // namespace gpuestimate

#endif
