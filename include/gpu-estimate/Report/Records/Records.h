/// \file
/// Records of compiles in a folder: files *.jsonl, each line the object of
/// printJson() for one source. Writers rename complete files, so readers see no
/// partial ones; a repeated compile replaces its file.
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
  /// Skipped lines that could not be read, and sources that no longer exist.
  std::vector<std::string> Problems;
  /// The JSON objects, in the order of the files' names.
  std::vector<llvm::json::Object> Objects;
};

/// Reads the records of folders or single files. Errors: a folder that does not
/// exist, no record at all. KeepGone: keeps records of sources that no longer
/// exist.
llvm::Expected<Records> readRecords(llvm::ArrayRef<std::string> Folders,
                                    bool KeepGone = false);

/// Computes the summary from Records::Objects, of schema gpu-estimate/1.
void summarise(Records &Into);

void printRecordsText(llvm::raw_ostream &OS, const Records &R);

/// Prints one object of schema gpu-estimate/1 with all estimates.
void printRecordsJson(llvm::raw_ostream &OS, Records R,
                      llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
