/// \file
/// Relations between the values of one GPU that hold for real hardware. A value
/// out of its range is an error of the loader; a violated relation is only
/// listed, because a what-if may violate it on purpose.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_PLAUSIBILITY_H
#define GPU_ESTIMATE_MODEL_MACHINE_PLAUSIBILITY_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// One sentence for each relation that does not hold, each naming the keys:
/// "l1.latency (500 cycles) is not below l2.latency (200 cycles)". Empty for
/// a plausible model.
std::vector<std::string> checkPlausibility(const GpuModel &Model);

} // namespace gpuestimate

#endif
