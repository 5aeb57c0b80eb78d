/// \file
/// What all rankings say in the same words.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_TUNINGTEXT_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_TUNINGTEXT_H

#include "gpu-estimate/Advice/Tuning.h"

namespace gpuestimate {

/// The columns of a ranking, and one configuration in them. Names with a single
/// value have none.
std::vector<std::string> tuningHeads(const Tuning &T);
std::vector<std::string> tuningCells(const Tuning &T,
                                     const TunedConfiguration &C);

/// Rows that Top leaves: a tie at its end is not cut unless it is longer than
/// Top itself.
size_t shownRows(const Tuning &T, size_t Top);

/// "'matmul' (matmul.cu:21) on NVIDIA V100: 96 configurations, the sum of 2
/// launches"
std::string tuningTitle(const Tuning &T);
/// Sentences below the table: what is left out, the source as it stands, ties,
/// refusals, assumptions.
std::vector<std::string> tuningRemarks(const Tuning &T, size_t Shown);

/// "2.10 x" the time of the fastest.
std::string againstBest(const Tuning &T, const TunedConfiguration &C);

} // namespace gpuestimate

#endif
