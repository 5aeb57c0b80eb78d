/// \file
/// Invariants of results, for atBorder() (Support/Invariants.h).
#ifndef GPU_ESTIMATE_MODEL_RESULT_CONSISTENCY_H
#define GPU_ESTIMATE_MODEL_RESULT_CONSISTENCY_H

#include "gpu-estimate/Model/Result/Analysis.h"

namespace gpuestimate {

/// A prediction with the assumptions of its launch: counts add up, what an
/// outer memory level moves an inner one has asked for, intervals hold the
/// values that they are about.
std::string checkFinished(const Prediction &P);

/// Findings name a group and a place, and no change saves more than all.
std::string checkFindings(llvm::ArrayRef<Finding> Findings);

/// Kernels, copies and idle time cover a sequence, its parts have all launches;
/// the terms of a budget make its time.
std::string checkTotals(const Analysis &A);

} // namespace gpuestimate

#endif
