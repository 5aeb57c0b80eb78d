/// \file
/// docs/fitted.md: what was computed from, or chosen in view of, the cases of
/// validation/.
#ifndef GPU_ESTIMATE_TOOLS_FITTEDPAGE_H
#define GPU_ESTIMATE_TOOLS_FITTEDPAGE_H

#include <string>

namespace gpuestimate {

/// The page; exits with an error where the shipped GPU models cannot be read.
std::string fittedReference();

} // namespace gpuestimate

#endif
