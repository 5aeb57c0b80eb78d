/// \file
/// Parameters that stand for real numbers, such as a `float` argument of a
/// kernel. A parameter is an integer unless its name says otherwise
/// (isRealParameterName) or its context was told that it is real.
#ifndef GPU_ESTIMATE_SYMBOLIC_REALPARAMETERS_H
#define GPU_ESTIMATE_SYMBOLIC_REALPARAMETERS_H

#include "gpu-estimate/Symbolic/Expr.h"

namespace gpuestimate {

/// States that the parameter Name of C is a real number, before terms with it
/// are built. ExprContext::import carries it over.
void assumeReal(ExprContext &C, llvm::StringRef Name);

} // namespace gpuestimate

#endif
