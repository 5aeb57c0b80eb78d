/// \file
/// What no launch can do on a GPU, whatever the kernel: laws that each
/// prediction of the default model obeys, with t the time of execution in
/// seconds and c = t * core clock in cycles.
///
///   DRAM     bytes read and written <= peak bandwidth * t
///   L2       bytes <= (read bandwidth + write bandwidth) * t, since the two
///            directions do not wait for each other
///   shared   passes * 128 bytes <= bandwidth of all multiprocessors * c
///   issue    warp instructions <= multiprocessors * schedulers * rate * c
///   flops    of fp64 and fp32 <= 2 * c * multiply-adds per cycle of all
///            multiprocessors, by their fastest unit
///   latency  where every load comes from DRAM, t is one DRAM latency at least
///
/// Example: 268 MB in 25.6 us are 10.5 TB/s, on an H200 of 4.8 TB/s. A launch
/// that violates a law is a fault of the model and never an input's.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_PHYSICALLAWS_H
#define GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_PHYSICALLAWS_H

#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// "", or the first law that P, a prediction for Gpu with all terms of the
/// model, violates.
std::string checkPhysicalLaws(const Prediction &P, const GpuModel &Gpu);

} // namespace gpuestimate

#endif
