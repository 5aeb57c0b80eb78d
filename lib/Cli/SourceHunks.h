/// \file
/// Differences of sources, as `git diff --unified=0` prints them.
#ifndef GPU_ESTIMATE_LIB_CLI_SOURCEHUNKS_H
#define GPU_ESTIMATE_LIB_CLI_SOURCEHUNKS_H

#include "gpu-estimate/Report/Records/Snapshot.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Lines that were replaced by others.
struct SourceHunk {
  std::string File;                  ///< below the root of the repository
  unsigned OldLine = 0, NewLine = 0; ///< from 1; in front of which, if none is
                                     ///< replaced: behind OldLine
  std::vector<std::string> Old, New; ///< without line ends

  /// The words that differ; both are empty where only blanks and comments do.
  SourceChange change() const;
  /// Text with the old lines replaced.
  std::string applyTo(llvm::StringRef Text) const;
};

std::vector<SourceHunk> parseHunks(llvm::StringRef Diff);

} // namespace gpuestimate

#endif
