/// \file
/// Loops whose iterations build on each other through one operator.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_SCAN_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_SCAN_H

#include "Outline.h"

namespace gpuestimate {

/// Turns the outlined kernel of one iteration per thread into a scan. Refused,
/// with the reason, where what an iteration adds depends on more than itself.
llvm::Error makeScan(OutlinedNest &Nest, const LoopUpdate &Update);

/// What all threads with a smaller index bring, and First, combined: code at
/// Builder's place, at which all threads meet. Words: one for each block, in
/// global memory, cleared beforehand.
llvm::Value *scanThreads(llvm::IRBuilder<> &Builder,
                         const CombineOperator &Operator, llvm::Value *Part,
                         llvm::Value *First, llvm::Value *Words);

/// A word tells how far a block is and its value.
unsigned scanWordBytes(const CombineOperator &Operator);

} // namespace gpuestimate

#endif
