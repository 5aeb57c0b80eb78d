/// \file
/// Formats values of the JSON contract for tables.
#ifndef GPU_ESTIMATE_LIB_REPORT_JSON_JSONTEXT_H
#define GPU_ESTIMATE_LIB_REPORT_JSON_JSONTEXT_H

#include "llvm/Support/JSON.h"
#include <string>

namespace gpuestimate {

/// Formats the object "launch" as "64x64 of 16x16"; "" if it is null.
std::string launchText(const llvm::json::Object *Launch);

} // namespace gpuestimate

#endif
