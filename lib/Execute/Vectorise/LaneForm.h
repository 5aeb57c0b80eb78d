/// \file
/// The form of a kernel that can be vectorised: no vectors, no switches, loops
/// with one latch whose results leave through phis, and only operations that
/// lanes can execute together.
///
/// Example: a load of a float2 becomes two loads of a float, and a switch of
/// four cases a tree of comparisons.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANEFORM_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANEFORM_H

#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Lanes of a vector: four or two of the widest registers of x86 hold 32-bit
/// values of so many lanes, so that there are registers for the other values.
inline constexpr unsigned FreeLanes = 16, LanesOfAWarp = 32;

/// Gives the kernel the form, where it can have it.
void giveLaneForm(llvm::Function &F);

/// The lanes of a vector, LanesOfAWarp where lanes exchange values; the reason
/// if the kernel has not the form.
llvm::Expected<unsigned> checkLaneForm(const llvm::Function &F);

} // namespace gpuestimate

#endif
