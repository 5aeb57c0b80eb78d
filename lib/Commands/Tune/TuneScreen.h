/// \file
/// Times of very many launches: measured at some values of an argument, and
/// interpolated between them (LaunchSweep.h).
#ifndef GPU_ESTIMATE_LIB_COMMANDS_TUNE_TUNESCREEN_H
#define GPU_ESTIMATE_LIB_COMMANDS_TUNE_TUNESCREEN_H

#include "TuneLaunchPlanner.h"

namespace gpuestimate {

/// The choices of a point among macros and arguments, as results name them.
std::vector<uint32_t> namedChoices(llvm::ArrayRef<SpaceAxis> Axes,
                                   const SpacePoint &Point);

/// Places [First, End) so that points of a line, which differ in the value of
/// one argument alone, stand together.
std::vector<size_t> groupBySweep(llvm::ArrayRef<SpaceAxis> Axes,
                                 llvm::ArrayRef<SpacePoint> Points,
                                 size_t First, size_t End);

/// Fills in all outcomes of a slice on GPUs for which the launches are the
/// same, for places that stand in lines. With: evaluators of the default model
/// for each. Advance hears of launches that are done.
void screenBatch(const TuneBatch &Batch, llvm::ArrayRef<SpaceAxis> Axes,
                 llvm::ArrayRef<SpacePoint> Points, TuneLaunchPlanner &Planner,
                 llvm::ArrayRef<TunedGpu *> Gpus,
                 llvm::ArrayRef<std::unique_ptr<LaunchEvaluators>> With,
                 llvm::function_ref<void(size_t Count)> Advance);

} // namespace gpuestimate

#endif
