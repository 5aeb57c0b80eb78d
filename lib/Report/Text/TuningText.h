/// \file
/// Text that all forms of a ranking share.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_TUNINGTEXT_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_TUNINGTEXT_H

#include "gpu-estimate/Advice/Tuning.h"

namespace gpuestimate {

/// The columns of a ranking, and the cells of one configuration. Names with a
/// single value have no column.
std::vector<std::string> tuningHeads(const Tuning &T);
std::vector<std::string> tuningCells(const Tuning &T,
                                     const TunedConfiguration &C);

/// Number of rows to show: Top, and the rest of a tie at its end unless the tie
/// is longer than Top.
size_t shownRows(const Tuning &T, size_t Top);

/// "'matmul' (matmul.cu:21) on NVIDIA V100: 96 configurations, the sum of 2
/// launches"
std::string tuningTitle(const Tuning &T);
/// Sentences below the table: omitted rows, the unchanged source, ties,
/// refusals, assumptions.
std::vector<std::string> tuningRemarks(const Tuning &T, size_t Shown);

/// The time relative to the fastest: "2.10 x".
std::string againstBest(const Tuning &T, const TunedConfiguration &C);

} // namespace gpuestimate

#endif
