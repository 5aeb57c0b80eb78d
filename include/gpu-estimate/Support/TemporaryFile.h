/// \file
/// A file that another program writes or reads.
#ifndef GPU_ESTIMATE_SUPPORT_TEMPORARYFILE_H
#define GPU_ESTIMATE_SUPPORT_TEMPORARYFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include <system_error>

namespace gpuestimate {

/// A file that goes when the scope ends.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef Suffix) {
    Problem = llvm::sys::fs::createTemporaryFile("gpu-estimate", Suffix, Path);
  }
  ~TemporaryFile() {
    if (!Problem)
      llvm::sys::fs::remove(Path);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  llvm::SmallString<64> Path;
  std::error_code Problem;
};

} // namespace gpuestimate

#endif
