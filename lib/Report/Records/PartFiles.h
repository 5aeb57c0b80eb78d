/// \file
/// Files of parts of one space, as `tune` and `sweep` write them with
/// `--shard`.
#ifndef GPU_ESTIMATE_LIB_REPORT_RECORDS_PARTFILES_H
#define GPU_ESTIMATE_LIB_REPORT_RECORDS_PARTFILES_H

#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace gpuestimate {

/// Is File a JSON file of this schema?
bool hasSchema(llvm::StringRef File, llvm::StringRef Schema);

/// The object of a JSON file. Command: "tune". Errors name the file.
llvm::Expected<llvm::json::Object> readResult(llvm::StringRef File,
                                              llvm::StringRef Schema,
                                              llvm::StringRef Command);

/// Which part of which space a file is; a whole space is part 1 of 1.
struct PartFile {
  std::string File;
  int64_t Index = 1, Count = 1;
  std::string Space;

  PartFile(llvm::StringRef File, const llvm::json::Object &Result);
};

/// Parts: sorted by their indices. Errors: they are of different spaces, one is
/// there twice, or one is missing.
llvm::Error checkParts(llvm::ArrayRef<PartFile> Parts);

/// The text of an attribute; "" where there is none.
std::string textOf(const llvm::json::Object &O, llvm::StringRef Key);
/// The place of a text: "a.cu:3".
SourceLocation placeOf(llvm::StringRef Text);
/// Fields that ResultFields.h writes.
std::vector<Assumption> assumptionsOf(const llvm::json::Object &O);
std::optional<std::pair<double, double>>
intervalOf(const llvm::json::Object &O);
/// An array of texts.
std::vector<std::string> textsOf(const llvm::json::Object &O,
                                 llvm::StringRef Key);

} // namespace gpuestimate

#endif
