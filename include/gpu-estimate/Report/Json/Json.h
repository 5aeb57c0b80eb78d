/// \file
/// The report for programs: the object of schema "gpu-estimate/1". Every field
/// of the schema is present in every estimate, in a fixed order.
#ifndef GPU_ESTIMATE_REPORT_JSON_JSON_H
#define GPU_ESTIMATE_REPORT_JSON_JSON_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Origin of the record of one compile.
struct RecordOrigin {
  std::string Source;    ///< as the compile spells it
  std::string Directory; ///< in which it ran, absolute
  /// Hash of everything but the files' contents that the result depends on;
  /// empty: unknown.
  std::string Key;
  /// Files that were read, with a hash of their contents.
  std::vector<std::pair<std::string, std::string>> Inputs;
};

/// Prints the object; ToolVersion goes into "tool_version". With an origin, the
/// object is one line and has "source" and "directory" too: what
/// Report/Records/Records.h reads.
void printJson(llvm::raw_ostream &OS, const Analysis &A,
               llvm::StringRef ToolVersion,
               const RecordOrigin *Origin = nullptr);

} // namespace gpuestimate

#endif
