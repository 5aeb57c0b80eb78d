/// \file
/// Reads JSON that somebody else has written.
#ifndef GPU_ESTIMATE_SUPPORT_JSONOBJECT_H
#define GPU_ESTIMATE_SUPPORT_JSONOBJECT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

/// Parses a text that holds one object. Unlike json::parse, it refuses text
/// that is not UTF-8, and nesting so deep that a parser which recurses would
/// end the process.
llvm::Expected<llvm::json::Object> parseJsonObject(llvm::StringRef Text);

} // namespace gpuestimate

#endif
