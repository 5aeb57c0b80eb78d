/// \file
/// Rows of cases.csv to cases.
#ifndef GPU_ESTIMATE_LIB_VALIDATE_CASES_H
#define GPU_ESTIMATE_LIB_VALIDATE_CASES_H

#include "gpu-estimate/Validate/Dataset.h"

namespace gpuestimate {

/// What dataset.yaml says for every row that says nothing else.
struct CaseDefaults {
  std::string File;
  CacheState Caches = CacheState::Warm;
  LaunchTiming Timing = LaunchTiming::BackToBack;
};

std::optional<CacheState> parseCacheState(llvm::StringRef Text);
inline constexpr const char *CacheStates = "warm or cold";
inline constexpr const char *LaunchTimings = "back-to-back, single or graph";

/// Errors say "File:line:column: ", all of them at once.
llvm::Expected<std::vector<MeasuredCase>>
readCases(llvm::StringRef File, llvm::StringRef Text,
          const CaseDefaults &Defaults);

} // namespace gpuestimate

#endif
