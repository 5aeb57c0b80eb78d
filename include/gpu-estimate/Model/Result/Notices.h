/// \file
/// Lists of notices in which each is once.
#ifndef GPU_ESTIMATE_MODEL_RESULT_NOTICES_H
#define GPU_ESTIMATE_MODEL_RESULT_NOTICES_H

#include "gpu-estimate/Model/Result/Analysis.h"

namespace gpuestimate {

/// Adds the notice unless the list has one of its text and place: launches,
/// kernels, files and GPUs come to the same one several times.
void addNotice(std::vector<Notice> &List, Notice N);

} // namespace gpuestimate

#endif
