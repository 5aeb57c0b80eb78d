/// \file
/// Errors of datasets whose sources are not part of this project, as of the
/// last time that the sources were available. `scripts/update-accuracy
/// --sources DIR` writes the file from the JSON of `gpu-estimate validate`,
/// validation/recorded.json:
///
///   {"schema": "gpu-estimate-recorded/1",
///    "datasets": [
///     {"name": "latency", "date": "2026-11-23", "commit": "6db0ba2",
///      "not_predicted": 0, "rows": [
///       {"model": "latency-bandwidth", "gpu": "", "bottleneck": "",
///        "cases": 91, "mean_ape": 0.2018, ...}]}]}
///
/// A row covers all cases of a model or those of one GPU, one bottleneck,
/// "inputs", "decade", or inputs and decade; the last two are absent from other
/// rows. Its numbers are fractions as in ErrorStatistics.h.
#ifndef GPU_ESTIMATE_VALIDATE_RECORDEDFIGURES_H
#define GPU_ESTIMATE_VALIDATE_RECORDEDFIGURES_H

#include "gpu-estimate/Validate/ErrorStatistics.h"

namespace gpuestimate {

struct RecordedDataset {
  std::string Name;
  std::string Date;          ///< when it was predicted, "2026-11-23"
  std::string Commit;        ///< of this project, abbreviated
  uint64_t NotPredicted = 0; ///< cases that no row counts: an error each
  std::vector<StatisticsRow> Rows;
};

/// Reads the file; one that is missing records nothing. Errors say "file: " and
/// what is wrong.
llvm::Expected<std::vector<RecordedDataset>>
loadRecordedFigures(llvm::StringRef File);

} // namespace gpuestimate

#endif
