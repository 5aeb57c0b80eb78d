/// \file
/// The table of measurement groups: one program of microbench/ each.
#ifndef GPU_ESTIMATE_MEASURE_GROUPS_H
#define GPU_ESTIMATE_MEASURE_GROUPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

struct MeasureGroup {
  llvm::StringLiteral Name; ///< source NAME.cu, raw samples NAME.jsonl
  llvm::StringLiteral What;
  /// Expected seconds of the run alone, for the progress display.
  unsigned QuickSeconds, FullSeconds;
};

/// In the order in which they run; the first one finds out whether there is a
/// GPU at all.
llvm::ArrayRef<MeasureGroup> measureGroups();

/// Null for an unknown name.
const MeasureGroup *findMeasureGroup(llvm::StringRef Name);

/// All names, separated by ", ".
std::string measureGroupNames();

} // namespace gpuestimate

#endif
