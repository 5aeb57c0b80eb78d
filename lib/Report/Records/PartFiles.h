/// \file
/// Files of parts of one space, as `tune` and `sweep` write them with
/// `--shard`.
#ifndef GPU_ESTIMATE_LIB_REPORT_RECORDS_PARTFILES_H
#define GPU_ESTIMATE_LIB_REPORT_RECORDS_PARTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace gpuestimate {

/// Is File a JSON file of this schema?
bool hasSchema(llvm::StringRef File, llvm::StringRef Schema);

/// Calls Add with each result in the array Key of each file, in the order of
/// the parts. One file is in memory at a time. Command: "tune". Errors name the
/// file: it is no result of the command, or those of Add; it is a part of
/// another space, or is there twice, or a part is missing.
llvm::Error
readParts(llvm::ArrayRef<std::string> Files, llvm::StringRef Schema,
          llvm::StringRef Command, llvm::StringRef Key,
          llvm::function_ref<llvm::Error(const llvm::json::Object &Result,
                                         const llvm::json::Object &File)>
              Add);

} // namespace gpuestimate

#endif
