/// \file
/// Predictions as the service tells them: what a program chooses by, not all
/// that a report has.
#ifndef GPU_ESTIMATE_LIB_SERVE_ESTIMATEJSON_H
#define GPU_ESTIMATE_LIB_SERVE_ESTIMATEJSON_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

llvm::json::Value placeJson(const SourceLocation &Location); ///< null: invalid
llvm::json::Object launchJson(const Launch &L);
/// Why nobody should choose by the predicted time; "" where one can.
std::string whyDefer(const ExplainedPrediction &E);
llvm::json::Object estimateJson(const Analysis &A,
                                const ExplainedPrediction &E);
/// Kernels without an estimate, with the reason.
llvm::json::Array unresolvedJson(const Analysis &A);
llvm::json::Object analysisJson(const Analysis &A);

} // namespace gpuestimate

#endif
