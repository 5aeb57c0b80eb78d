/// \file
/// "Did you mean ...?": the known names nearest to one that is not known.
#ifndef GPU_ESTIMATE_SUPPORT_SUGGEST_H
#define GPU_ESTIMATE_SUPPORT_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Returns at most Max of Names, the nearest first, ties in their order; none
/// if no name is near. A name is near if, ignoring case, it or one of its parts
/// between '-', '_' and '.' is few edits away from Wrong, or if it contains
/// Wrong: "a100" finds "nvidia-a100-80gb".
std::vector<std::string> nearestNames(llvm::StringRef Wrong,
                                      llvm::ArrayRef<std::string> Names,
                                      unsigned Max = 3);

/// "; did you mean 'l2.size' or 'l1.size'?" for the end of an error message,
/// or nothing when no known name is near. At most three names.
std::string didYouMean(llvm::StringRef Wrong,
                       llvm::ArrayRef<std::string> Names);

} // namespace gpuestimate

#endif
