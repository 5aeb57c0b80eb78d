/// \file
/// Groups model comparisons of one launch on several GPUs.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_LAUNCHGROUPS_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_LAUNCHGROUPS_H

#include "gpu-estimate/Advice/Disagreement.h"
#include "gpu-estimate/Model/Result/Analysis.h"

namespace gpuestimate {

/// The comparisons of one kernel, launch and arguments, one for each GPU.
using LaunchGroup = std::vector<const ModelComparison *>;
/// Returns the groups in the order of their first comparisons.
std::vector<LaunchGroup> groupLaunches(const Analysis &A);

/// "interval 2.1 x: dram +3 us"
std::string describe(const Disagreement &D);

/// "'matmul' (matmul.cu:21), grid 64x64, block 16x16 from host-code, n = 1024"
std::string describeLaunch(const ModelComparison &C);

/// Reasons of models for refusing a launch, each once, with its number of
/// occurrences.
std::vector<std::pair<std::string, unsigned>> refusals(const Analysis &A);

} // namespace gpuestimate

#endif
