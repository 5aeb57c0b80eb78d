/// \file
/// Divisions by constants. A compiler writes x / 5 as the high half of x times
/// 2^34 / 5 (Granlund & Montgomery, PLDI 1994), and x / 4 of a signed x as a
/// shift of x + (x < 0 ? 3 : 0). An address of such terms has no stride.
#ifndef GPU_ESTIMATE_LIB_PTX_DIVISIONS_H
#define GPU_ESTIMATE_LIB_PTX_DIVISIONS_H

#include "llvm/IR/Function.h"

namespace gpuestimate {

/// Replaces such products and shifts by udiv and sdiv, and what subtracts the
/// multiple of the quotient by urem and srem. A product is a division where it
/// gives the same quotient for every value that the dividend can have.
void recoverDivisions(llvm::Function &F);

} // namespace gpuestimate

#endif
