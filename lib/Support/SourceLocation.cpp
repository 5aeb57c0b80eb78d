/// \file
/// Printing of a source place.
#include "gpu-estimate/Support/SourceLocation.h"

#include "llvm/Support/Path.h"

namespace gpuestimate {

std::string SourceLocation::brief() const {
  if (!isValid())
    return "?";
  return llvm::sys::path::filename(File).str() + ":" + std::to_string(Line);
}

} // namespace gpuestimate
