/// \file
/// Source names of IR values, for messages.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_VALUENAMES_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_VALUENAMES_H

#include "llvm/Analysis/ScalarEvolution.h"
#include <string>

namespace gpuestimate {

/// The name of the source variable that a value belongs to; "" if it has none.
std::string nameOf(const llvm::Value *V);
/// The name of a symbol of scalar evolution; "" if it has none.
std::string nameOf(const llvm::SCEV *Symbol);
/// "'A'", or "an array" for a value without a name.
std::string quotedName(const llvm::Value *V);

} // namespace gpuestimate

#endif
