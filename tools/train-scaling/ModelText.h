/// \file
/// Writes the text that lib/Scaling/ClusterFile.h reads.
#ifndef GPU_ESTIMATE_TOOLS_TRAINSCALING_MODELTEXT_H
#define GPU_ESTIMATE_TOOLS_TRAINSCALING_MODELTEXT_H

#include "gpu-estimate/Scaling/Clusters.h"
#include <string>

namespace gpuestimate {

/// The first lines of a file.
std::string fileHeader();

/// One model, from `model NAME` to `end`.
std::string textOf(const ClusterModel &Model);

} // namespace gpuestimate

#endif
