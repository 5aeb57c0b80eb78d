/// \file
/// The model `sustained-roofline` is the baseline that the default model is
/// held against: a roofline of our own counts at the rates that GPUs sustain,
/// and the launch.
///
///   time = launch + max over roofs of demand / rate
///
///   roof     demand (counted by us)                rate (GPU model)
///   issue    warp instructions                     issue slots of all
///                                                  multiprocessors
///   pipes    warp instructions of each of fp16,    throughput of the pipe on
///            fp32, fp64, int, sfu, tensor          all multiprocessors
///   L2, L3   bytes read and written                measured bandwidths
///   DRAM     bytes read and written                measured bandwidth of the
///                                                  mix (Bounds.h)
///   launch   launch interval or latency in seconds (LaunchTime.h)
///
/// For example, 100 MB read and 100 MB written on a GPU that copies 800 GB/s
/// take 250 us after a launch of 2 us. Every roof is that of the whole chip,
/// whatever the grid. No latency, occupancy, bank conflict, wave or tail has a
/// part in it: the difference of its error to the default model's is what
/// modelling those is worth.
///
/// Sources: roofs of several memory levels, Yang, Kurth and Williams 2020; of
/// instructions, Ding and Williams 2019 (docs/models/sustained-roofline.md).
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_SUSTAINEDROOFLINE_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_SUSTAINEDROOFLINE_H

#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// The lower bounds that the roofs set to the time of Blocks thread blocks, in
/// cycles of the core clock, by their names in the table of bounds.
std::vector<Bound> sustainedRoofs(const Workload &Work, const GpuModel &Gpu,
                                  double Blocks);

/// Predicts every launch: the model has no precondition.
llvm::Error fillSustainedRoofline(Prediction &P, const ModelInputs &In);

} // namespace gpuestimate

#endif
