/// \file
/// Values of the JSON contract as a table shows them.
#ifndef GPU_ESTIMATE_LIB_REPORT_JSON_JSONTEXT_H
#define GPU_ESTIMATE_LIB_REPORT_JSON_JSONTEXT_H

#include "llvm/Support/JSON.h"
#include <string>

namespace gpuestimate {

/// "64x64 of 16x16", of the object "launch"; "" of none.
std::string launchText(const llvm::json::Object *Launch);

} // namespace gpuestimate

#endif
