/// \file
/// "Did you mean ...?": the known names nearest to one that is not known.
#ifndef GPU_ESTIMATE_SUPPORT_SUGGEST_H
#define GPU_ESTIMATE_SUPPORT_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// At most Max names of Known, the nearest first, ties in the order of Known;
/// none when nothing is near. Near means, without regard to case, few edits
/// away from the whole name or from one of its parts between '-', '_' and
/// '.', or that the name contains Wrong: "a100" finds "nvidia-a100-80gb".
std::vector<std::string> nearestNames(llvm::StringRef Wrong,
                                      llvm::ArrayRef<std::string> Known,
                                      unsigned Max = 3);

/// "; did you mean 'l2.size' or 'l1.size'?" for the end of an error message,
/// or nothing when no known name is near. At most three names.
std::string didYouMean(llvm::StringRef Wrong,
                       llvm::ArrayRef<std::string> Known);

} // namespace gpuestimate

#endif
