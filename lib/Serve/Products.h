/// \file
/// The method `products`: kernels of a matrix product, from their tilings.
#ifndef GPU_ESTIMATE_LIB_SERVE_PRODUCTS_H
#define GPU_ESTIMATE_LIB_SERVE_PRODUCTS_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

/// Adds the schema of each parameter; the result are those that are required.
llvm::json::Array addProductParameters(llvm::json::Object &Properties);

/// {"products": [{"id", "time_ms", "bottleneck", "shape"} or {"id", "problem"},
/// ...]}, in the order of the parameter `tiles`.
llvm::Expected<llvm::json::Value>
productsJson(const Options &Defaults, const llvm::json::Object &Parameters);

} // namespace gpuestimate

#endif
