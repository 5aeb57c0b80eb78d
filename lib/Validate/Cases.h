/// \file
/// Reads the rows of cases.csv as cases.
#ifndef GPU_ESTIMATE_LIB_VALIDATE_CASES_H
#define GPU_ESTIMATE_LIB_VALIDATE_CASES_H

#include "gpu-estimate/Validate/Dataset.h"

namespace gpuestimate {

/// Defaults of dataset.yaml for rows that leave a column empty.
struct CaseDefaults {
  std::string File;
  std::string Repository;
  CacheState Caches = CacheState::Warm;
  LaunchTiming Timing = LaunchTiming::BackToBack;
};

std::optional<CacheState> parseCacheState(llvm::StringRef Text);
inline constexpr const char *CacheStates = "warm or cold";
inline constexpr const char *LaunchTimings = "back-to-back, single or graph";

/// True for owner/name.
bool isRepository(llvm::StringRef Text);

/// Reads cases. The error holds all problems, each with "File:line:column: ".
llvm::Expected<std::vector<MeasuredCase>>
readCases(llvm::StringRef File, llvm::StringRef Text,
          const CaseDefaults &Defaults);

} // namespace gpuestimate

#endif
