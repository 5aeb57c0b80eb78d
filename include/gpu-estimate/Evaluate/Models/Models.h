/// \file
/// The performance models that evaluate() knows by name.
#ifndef GPU_ESTIMATE_EVALUATE_MODELS_MODELS_H
#define GPU_ESTIMATE_EVALUATE_MODELS_MODELS_H

#include "gpu-estimate/Model/Result/EvaluateOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuestimate {

struct ModelInputs;
struct Prediction;
struct TermInfo;

struct ModelInfo {
  llvm::StringRef Name, Meaning;
  /// Sets times, breakdown and bottleneck of a Prediction that has its counts
  /// and occupancy. Error: a ModelRefusal if the model lacks a value.
  llvm::Error (*Fill)(Prediction &P, const ModelInputs &In);
  /// The terms of termTable() can be switched off.
  bool HasTerms = false;
};
/// All models, the default model first.
llvm::ArrayRef<ModelInfo> modelTable();

/// Null for a name that no model has.
const ModelInfo *findModel(llvm::StringRef Name);
inline bool isModel(llvm::StringRef Name) { return findModel(Name); }
/// "latency-bandwidth, roofline"
std::string modelNames();

/// The terms that EvaluateOptions::Without can switch off in a model: all of
/// termTable() in the default model, none in the published models, which are
/// evaluated as their papers state them.
llvm::ArrayRef<TermInfo> termsOf(const ModelInfo &Model);
/// A ModelRefusal that names the model, the term and the terms that there are,
/// if Without holds a name that is not a term of the model.
llvm::Error checkTerms(const ModelInfo &Model,
                       const llvm::StringSet<> &Without);

} // namespace gpuestimate

#endif
