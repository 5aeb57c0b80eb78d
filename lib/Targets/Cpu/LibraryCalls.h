/// \file
/// What calls that the simulation of a core cannot follow take.
#ifndef GPU_ESTIMATE_LIB_TARGETS_CPU_LIBRARYCALLS_H
#define GPU_ESTIMATE_LIB_TARGETS_CPU_LIBRARYCALLS_H

#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

/// Core cycles of one of many independent calls of the function. Of the C
/// library's mathematics: measured on a Xeon of the Emerald Rapids generation
/// (2.9 GHz, glibc 2.36, arguments around 1, the fastest of 60 runs); others:
/// llvm-mca's number for any call.
double callCycles(llvm::StringRef Function);

} // namespace gpuestimate

#endif
