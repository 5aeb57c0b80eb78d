/// \file
/// A bound on how deep terms are nested.
#ifndef GPU_ESTIMATE_SYMBOLIC_TERMDEPTH_H
#define GPU_ESTIMATE_SYMBOLIC_TERMDEPTH_H

#include "gpu-estimate/Symbolic/Expr.h"

namespace gpuestimate {

/// Terms are walked by recursion, so their depth is bounded: 2000 levels take
/// some 2 MB of stack. Sums and products count once, however many operands they
/// have.
inline constexpr unsigned MaxTermDepth = 2000;

/// True if a deeper term was requested from Context; it was replaced by NaN
/// ("unknown").
bool refusedDeepTerms(ExprContext &Context);

} // namespace gpuestimate

#endif
