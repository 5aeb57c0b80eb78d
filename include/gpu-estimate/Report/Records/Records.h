/// \file
/// What many compiles left in a folder: files *.jsonl, each line the object of
/// printJson() for one source. A file is written elsewhere and then renamed, so
/// it is whole; a compile that is repeated replaces its file.
#ifndef GPU_ESTIMATE_REPORT_RECORDS_RECORDS_H
#define GPU_ESTIMATE_REPORT_RECORDS_RECORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// One kernel on one GPU, as a summary shows it.
struct EstimateSummary {
  std::string Kernel, Gpu, Bottleneck;
  std::string Place;  ///< file:line, relative to the current directory if below
  std::string Launch; ///< "64x64 of 16x16 threads"
  double Milliseconds = 0;
};

struct Records {
  std::vector<EstimateSummary> Estimates; ///< by GPU, the longest first
  std::vector<std::string> Unresolved;    ///< "place: kernel: reason"
  std::vector<std::string> OverBudget;    ///< "place: kernel: times"
  unsigned Sources = 0;
  /// Lines without any sense, and sources that are no longer there: skipped.
  std::vector<std::string> Problems;
  /// The objects themselves, in the order of the files' names.
  std::vector<llvm::json::Object> Objects;
};

/// Folders, or single files. Errors: one that does not exist, or nothing in
/// any of them. KeepGone: also what sources gave that are no longer there.
llvm::Expected<Records> readRecords(llvm::ArrayRef<std::string> Folders,
                                    bool KeepGone = false);

/// The summary of JSON objects of schema gpu-estimate/1.
void summarise(Records &Into);

void printRecordsText(llvm::raw_ostream &OS, const Records &R);

/// One object of schema gpu-estimate/1 with the estimates of all.
void printRecordsJson(llvm::raw_ostream &OS, Records R,
                      llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
