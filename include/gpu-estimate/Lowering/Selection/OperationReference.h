/// \file
/// The documentation of the operation table.
#ifndef GPU_ESTIMATE_LOWERING_SELECTION_OPERATIONREFERENCE_H
#define GPU_ESTIMATE_LOWERING_SELECTION_OPERATIONREFERENCE_H

#include <string>

namespace gpuestimate {

/// The table from instructions, intrinsics and library functions to operation
/// classes, as Markdown: docs/operations.md is this text.
std::string operationReference();

} // namespace gpuestimate

#endif
