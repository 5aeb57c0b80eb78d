/// \file
/// The model `roofline` is the roofline of 2009: every byte at the peak rate of
/// the pins, or every floating-point operation at the peak rate of its pipe,
/// whichever takes longer; nothing else costs time, launches included. The
/// baseline of validations is SustainedRoofline.h.
///
///   time = max( DRAM bytes / peak DRAM bandwidth,
///               max over fp16, fp32, fp64 of flop / peak flop rate )
///   peak flop rate = 2 * FMA throughput * multiprocessors * core clock
///
/// Williams, Waterman, Patterson 2009. The DRAM bytes are those of our traffic
/// model, so the baseline is given caches and coalescing for nothing: a launch
/// whose data stay in L2 has no bytes at all. Operations of tensor cores are
/// not among the floating-point counts and cost nothing here.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_ROOFLINE_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_ROOFLINE_H

#include "gpu-estimate/Evaluate/Launch/Bounds.h"
#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// The two or more roofs over the work C, in cycles of the core clock:
/// "dram-bandwidth", "fp16", "fp32", "fp64".
std::vector<Bound> rooflineBounds(const Counts &C, const GpuModel &Gpu);

/// Refuses nothing.
llvm::Error fillRoofline(Prediction &P, const ModelInputs &In);

} // namespace gpuestimate

#endif
