/// \file
/// Where code relies on the lock-step of a warp's lanes instead of
/// __syncwarp().
#ifndef GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_LOCKSTEP_H
#define GPU_ESTIMATE_LIB_EXECUTE_TRANSLATE_LOCKSTEP_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace gpuestimate {

/// The instructions before which the lanes of a warp have to meet, so that
/// executing them one after the other gives what lock-step gives:
/// - volatile stores to shared memory, and what follows them;
/// - a store to shared memory of what other lanes may overwrite before it is
///   loaded, as in `x[a] = x[b]`;
/// - a load of what other lanes have stored since the last barrier. In a kernel
///   with barriers, places that depend on data are taken to be a thread's own.
/// Accesses whose addresses differ by a number that is the same for all lanes
/// and not a whole number of lanes are taken to be a thread's own.
///
/// Copies of small structures within shared memory become loads and stores.
llvm::SmallVector<llvm::Instruction *> lockStepPlaces(llvm::Function &F);

} // namespace gpuestimate

#endif
