/// \file
/// Prints validation records.
#include "gpu-estimate/Model/Machine/ValidationRecord.h"

#include "gpu-estimate/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuestimate {

static constexpr llvm::StringLiteral
    Heading("validation: # written by gpu-estimate validate --record\n");

std::string withValidation(llvm::StringRef FileText,
                           llvm::ArrayRef<ValidationRecord> Records) {
  std::string Out;
  bool Inside = false;
  while (!FileText.empty()) {
    auto [Line, Following] = FileText.split('\n');
    // The list ends with the first line that does not belong to it.
    Inside =
        Line.starts_with("validation:") || (Inside && Line.starts_with("  - "));
    if (!Inside)
      Out += Line.str() + "\n";
    FileText = Following;
  }
  while (llvm::StringRef(Out).ends_with("\n\n"))
    Out.pop_back();
  if (!Records.empty())
    Out += "\n" + Heading.str();
  for (const ValidationRecord &R : Records)
    Out += llvm::formatv(
        "  - {{dataset: {0}, cases: {1}, mean_error: {2:f4}, date: {3}}\n",
        R.Dataset, R.Cases, R.MeanError, R.Date);
  return Out;
}

std::string describeValidation(llvm::ArrayRef<ValidationRecord> Records) {
  double Sum = 0;
  unsigned Cases = 0;
  for (const ValidationRecord &R : Records) {
    Sum += R.MeanError * R.Cases;
    Cases += R.Cases;
  }
  if (!Cases)
    return "not validated";
  return formatPercent(Sum / Cases) + " on " + std::to_string(Cases) +
         (Cases == 1 ? " case" : " cases");
}

} // namespace gpuestimate
