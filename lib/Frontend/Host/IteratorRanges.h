/// \file
/// Numbers of items between two iterators of host code.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_ITERATORRANGES_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_ITERATORRANGES_H

#include "HostValue.h"

namespace gpuestimate {

struct HostAnalysis;

/// The distance of two iterators or pointers into one sequence: `v.begin()` and
/// `v.end()` (the size of the container), `p` and `p + n`, two counting
/// iterators. Null: unknown.
Expr distanceBetween(HostAnalysis &Host, const clang::Expr *First,
                     const clang::Expr *Last, const CallFrame &Frame,
                     ProgramPoint Point);

} // namespace gpuestimate

#endif
