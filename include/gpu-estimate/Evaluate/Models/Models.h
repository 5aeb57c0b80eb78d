/// \file
/// The performance models that evaluate() knows by name.
#ifndef GPU_ESTIMATE_EVALUATE_MODELS_MODELS_H
#define GPU_ESTIMATE_EVALUATE_MODELS_MODELS_H

#include "gpu-estimate/Model/Result/EvaluateOptions.h"
#include "gpu-estimate/Model/Result/Term.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct ModelInputs;
struct Prediction;

struct ModelInfo {
  llvm::StringRef Name, Meaning;
  /// Sets times, breakdown and bottleneck of a Prediction that has its counts
  /// and occupancy. Error: a ModelRefusal if the model lacks a value.
  llvm::Error (*Fill)(Prediction &P, const ModelInputs &In);
  /// Whether `--without` can switch it off.
  bool (*HasTerm)(Term T) = [](Term) { return false; };
  /// False for what a paper only compares its model with: `compare` and
  /// `validate --model all` leave it out unless it is named.
  bool IsCompared = true;
};
/// All models, the default model first.
llvm::ArrayRef<ModelInfo> modelTable();

/// Null for a name that no model has.
const ModelInfo *findModel(llvm::StringRef Name);
inline bool isModel(llvm::StringRef Name) { return findModel(Name); }
/// "latency-bandwidth, roofline"
std::string modelNames();

/// The models of a list "interval,roofline", in the order of modelTable();
/// "all", and "" if EmptyIsAll: those that are compared. Error: a name that no
/// model has.
llvm::Expected<std::vector<std::string>> modelsOfList(llvm::StringRef List,
                                                      bool EmptyIsAll);

/// A ModelRefusal that names the model, the term and the terms that there are,
/// if Without holds a name that is not a term of the model.
llvm::Error checkTerms(const ModelInfo &Model,
                       const llvm::StringSet<> &Without);

} // namespace gpuestimate

#endif
