/// \file
/// Suggestions for a misspelt name.
#ifndef GPU_ESTIMATE_SUPPORT_SUGGEST_H
#define GPU_ESTIMATE_SUPPORT_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// "; did you mean 'l2.size' or 'l1.size'?", or nothing when no known name is
/// near. At most three names, nearest first.
std::string didYouMean(llvm::StringRef Name, llvm::ArrayRef<std::string> Known);

} // namespace gpuestimate

#endif
