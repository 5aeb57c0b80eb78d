/// \file
/// What PTX does not say of its integers: that the index of an address, and the
/// counter of a loop that is compared with a bound, do not wrap around. In C
/// and CUDA the types say so. Without it no address of a loop has a stride.
/// Values that are masked, shifted right or divided, as hashes are, are not
/// touched.
#ifndef GPU_ESTIMATE_LIB_PTX_NOWRAP_H
#define GPU_ESTIMATE_LIB_PTX_NOWRAP_H

#include "llvm/IR/Function.h"

namespace gpuestimate {

/// Marks the sums, products and shifts in the indices of getelementptr, and
/// the increments of loop counters that a comparison bounds. A comparison of
/// the low 32 bits of a counter becomes one of the counter.
void markNoWrap(llvm::Function &F);

} // namespace gpuestimate

#endif
