/// \file
/// The table of a kernel's time over a size that is not known. Its points are
/// launches like any other: plan, bind(), evaluation (LaunchPipeline.h).
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_SIZETABLE_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_SIZETABLE_H

#include "Session/Plan/UnknownSizes.h"
#include "gpu-estimate/Model/Result/SizeCurve.h"
#include "gpu-estimate/Session/Pipeline/LaunchEvaluators.h"

namespace gpuestimate {

/// A table, and the launch that the rest of the report is about: that of its
/// last point.
struct SizeTable {
  SizeCurve Curve;
  LaunchPlan Shown;
};

/// The table over the unknown size that moves the time most. Nothing where no
/// size of Plan is unknown, none moves the time, or no value makes a launch
/// that can be evaluated. On: with the options of the report. It costs one
/// what-if evaluation for each unknown size and three, and an evaluation for
/// each of three to five points.
std::optional<SizeTable> sizeTable(const LaunchPlan &Plan, KernelCopies &Copies,
                                   LaunchEvaluators &On);

/// The intervals of the points. Last: the record of the last one, with the
/// effects of its assumptions; where it has no interval, no point has one.
void addIntervals(SizeCurve &Curve, const Prediction &Last);

/// Why warps of Plan cannot be executed: "its launch depends on thread blocks,
/// which is not known (no launch of the kernel was seen); settle with --grid
/// X";
/// "" where the launch is known.
std::string whyNoLaunch(const LaunchPlan &Plan);

} // namespace gpuestimate

#endif
