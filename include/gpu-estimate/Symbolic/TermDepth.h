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

/// Was a term asked for that is nested deeper? NaN ("unknown") stands in its
/// place.
bool refusedDeepTerms(ExprContext &Context);

} // namespace gpuestimate

#endif
