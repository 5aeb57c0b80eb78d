/// \file
/// What would make a run shorter, and by how much. Each gain is the difference
/// to the schedule of a changed copy of the records, never a rule of thumb.
#ifndef GPU_ESTIMATE_TIMELINE_SUGGESTIONS_H
#define GPU_ESTIMATE_TIMELINE_SUGGESTIONS_H

#include "gpu-estimate/Timeline/Timeline.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuestimate {

/// A record as Timeline::add takes it.
struct PricedRecord {
  const RunRecord *Record = nullptr;
  std::optional<LaunchCost> Cost;
};

struct Suggestion {
  std::string What;   ///< "use pinned memory for copies"
  double SavedNs = 0; ///< of the wall time
  /// SavedNs as a fraction of the wall time without the program's own work.
  double Gain = 0;
};

/// The smallest gain that is worth a sentence.
inline constexpr double MinSuggestedGain = 0.05;

/// Changes are tried on this many records from the start, which takes a few
/// hundred megabytes; a suggestion says so where the run has more.
inline constexpr size_t MaxJudgedRecords = 200000;

/// Suggestions, the largest gain first. Totals are those of the records.
std::vector<Suggestion> suggest(const TimelineCosts &Costs,
                                llvm::ArrayRef<PricedRecord> Records,
                                const TimelineTotals &Totals);

} // namespace gpuestimate

#endif
