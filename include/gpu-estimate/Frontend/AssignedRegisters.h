/// \file
/// How a kernel's function tells the registers that the user's own compiler has
/// assigned to a thread, where a file beside the code states them.
#ifndef GPU_ESTIMATE_FRONTEND_ASSIGNEDREGISTERS_H
#define GPU_ESTIMATE_FRONTEND_ASSIGNEDREGISTERS_H

#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

/// Attribute of the function, with the number as its value.
inline constexpr llvm::StringLiteral AssignedRegistersMark =
    "gpu-estimate-registers";

} // namespace gpuestimate

#endif
