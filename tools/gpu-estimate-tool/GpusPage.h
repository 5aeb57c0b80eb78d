/// \file
/// The page of all GPU models (docs/gpus.md).
#ifndef GPU_ESTIMATE_TOOLS_GPUSPAGE_H
#define GPU_ESTIMATE_TOOLS_GPUSPAGE_H

#include <string>

namespace gpuestimate {

/// A table of the GPU models: what of each is measured or documented, and how
/// far its predictions were off.
std::string gpuTableReference();

} // namespace gpuestimate

#endif
