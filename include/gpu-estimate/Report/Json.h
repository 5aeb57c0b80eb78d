/// \file
/// The report for programs: the object of schema "gpu-estimate/1". Every field
/// of the schema is present in every estimate, in a fixed order.
#ifndef GPU_ESTIMATE_REPORT_JSON_H
#define GPU_ESTIMATE_REPORT_JSON_H

#include "gpu-estimate/Explain/Analysis.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// ToolVersion goes into "tool_version".
void printJson(llvm::raw_ostream &OS, const Analysis &A,
               llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
