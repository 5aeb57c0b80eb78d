/// \file
/// Cycles of library calls, which the simulation of a core cannot follow.
#ifndef GPU_ESTIMATE_LIB_TARGETS_CPU_LIBRARYCALLS_H
#define GPU_ESTIMATE_LIB_TARGETS_CPU_LIBRARYCALLS_H

#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

/// Core cycles of one of many independent calls of Function. Functions of the C
/// library's mathematics were measured on a Xeon of the Emerald Rapids
/// generation (2.9 GHz, glibc 2.36, arguments around 1, the fastest of 60
/// runs); other functions take llvm-mca's number for any call.
double callCycles(llvm::StringRef Function);

} // namespace gpuestimate

#endif
