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
  /// Sets times, breakdown and bottleneck of a Prediction whose counts and
  /// occupancy are there; a ModelRefusal where the model does not know what it
  /// needs. Null for the default model, which evaluate() asks for more.
  llvm::Error (*Fill)(Prediction &P, const ModelInputs &In);
};
/// The default one first.
llvm::ArrayRef<ModelInfo> modelTable();

/// Null for a name that no model has.
const ModelInfo *findModel(llvm::StringRef Name);
inline bool isModel(llvm::StringRef Name) { return findModel(Name); }
/// "latency-bandwidth, roofline"
std::string modelNames();

/// The terms that EvaluateOptions::Without can switch off in a model: all of
/// termTable() in the default one, none in the published ones, which are
/// evaluated as their papers give them.
llvm::ArrayRef<TermInfo> termsOf(const ModelInfo &Model);
/// A ModelRefusal that names the model, the term and the terms that there are,
/// if Without holds a name that is none of the model's terms.
llvm::Error checkTerms(const ModelInfo &Model,
                       const llvm::StringSet<> &Without);

} // namespace gpuestimate

#endif
