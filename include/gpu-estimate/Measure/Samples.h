/// \file
/// Output of the microbenchmarks: one measurement per JSON line.
/// microbench/bench.h describes the format.
#ifndef GPU_ESTIMATE_MEASURE_SAMPLES_H
#define GPU_ESTIMATE_MEASURE_SAMPLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace gpuestimate {

struct Measurement {
  std::string Group, Name, Unit;
  std::map<std::string, double> Numbers;    ///< parameters that are numbers
  std::map<std::string, std::string> Words; ///< parameters that are words
  double Value = 0;                         ///< median, in Unit
  std::string Text;                         ///< a fact that is a word
  unsigned Samples = 0;
  double Spread = 0; ///< between the quartiles, as a fraction of Value
};

/// Reads every line of Text; Where names it in errors ("barrier.jsonl:3: ...").
llvm::Expected<std::vector<Measurement>>
parseMeasurements(llvm::StringRef Text, llvm::StringRef Where);

/// The raw files NAME.jsonl of all groups that Folder holds, in the order of
/// the group table. No file at all is an error.
llvm::Expected<std::vector<Measurement>> readRawFolder(llvm::StringRef Folder);

} // namespace gpuestimate

#endif
