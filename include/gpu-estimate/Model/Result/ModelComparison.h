/// \file
/// Several models on one launch and GPU, as plain data.
#ifndef GPU_ESTIMATE_MODEL_RESULT_MODELCOMPARISON_H
#define GPU_ESTIMATE_MODEL_RESULT_MODELCOMPARISON_H

#include "gpu-estimate/Model/Result/Prediction.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// The prediction of one model, or its refusal.
struct ModelEstimate {
  std::string Model;
  std::optional<Prediction> Estimate; ///< nothing: it refuses
  std::string Refusal;
};

/// The models on one launch of a kernel on one GPU, the default model first.
struct ModelComparison {
  std::string Kernel, Name; ///< mangled, demangled
  SourceLocation Location;
  std::string Gpu, GpuName;
  Launch Used;
  std::vector<std::pair<std::string, double>> Arguments;
  std::vector<ModelEstimate> Models;
};

} // namespace gpuestimate

#endif
