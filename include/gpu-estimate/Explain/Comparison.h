/// \file
/// Several models on one launch and GPU, and which of their terms sets them
/// apart. Models name the parts of their time alike (CpiStack.h), so parts can
/// be compared.
#ifndef GPU_ESTIMATE_EXPLAIN_COMPARISON_H
#define GPU_ESTIMATE_EXPLAIN_COMPARISON_H

#include "gpu-estimate/Evaluate/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace gpuestimate {

/// What one model says.
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

/// How far a model is from the first one, and the part of the time that
/// contributes most.
struct Disagreement {
  std::string Model;
  double Ratio = 1;      ///< of its time to that of the first model
  std::string Component; ///< the part with the largest difference
  Seconds Difference;    ///< of that part, above 0 where the model has more
};

/// M against the first model; nothing where one of the two has no estimate or
/// no time.
std::optional<Disagreement> disagreement(const ModelComparison &C,
                                         const ModelEstimate &M);
/// The largest, by the logarithm of the ratio.
std::optional<Disagreement> largestDisagreement(const ModelComparison &C);

} // namespace gpuestimate

#endif
