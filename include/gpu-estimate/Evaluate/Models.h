/// \file
/// The performance models that evaluate() knows by name.
#ifndef GPU_ESTIMATE_EVALUATE_MODELS_H
#define GPU_ESTIMATE_EVALUATE_MODELS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// The model that is used when none is named.
inline constexpr llvm::StringLiteral DefaultModel = "latency-bandwidth";

struct ModelInfo {
  llvm::StringRef Name, Meaning;
};
/// The default one first.
llvm::ArrayRef<ModelInfo> modelTable();

/// Is there a model of this name?
bool isModel(llvm::StringRef Name);
/// "latency-bandwidth, roofline"
std::string modelNames();

} // namespace gpuestimate

#endif
