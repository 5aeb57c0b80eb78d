/// \file
/// When values that are computed from data are equal (Unknown::Key).
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_VALUEKEYS_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_VALUEKEYS_H

#include "Values.h"

namespace gpuestimate {

/// Combines everything that the value is computed from: addresses of loads, and
/// closed forms of coordinates, arguments and loop counters,
///
///   key = sum over these of weight * value,
///
/// with powers of pi as weights, so that whole numbers which differ make
/// different keys. Null where the
/// value depends on something else (a path, an atomic operation, a call), or on
/// too much.
Expr keyOfValue(const llvm::Instruction &I, Values &V, Unknowns &Names,
                ExprContext &Ctx);

} // namespace gpuestimate

#endif
