/// \file
/// Parallel scans (prefix sums).
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_SCANTRANSFORM_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_SCANTRANSFORM_H

#include "OutlinedKernel.h"

namespace gpuestimate {

/// Turns an outlined kernel with one iteration per thread into a scan. An error
/// says why this is not possible: the value that an iteration adds depends on
/// the result of the previous one.
llvm::Error transformToScan(OutlinedKernel &Nest,
                            const ReductionUpdate &Update);

/// Emits the exclusive scan over all threads of the grid: the combination of
/// First and the Parts of all threads with a smaller index. All threads must
/// reach the insertion point of Builder. Words: look-back words in global
/// memory, one per block, initially 0.
llvm::Value *emitGridScan(llvm::IRBuilder<> &Builder,
                          const AssociativeOperator &Operator,
                          llvm::Value *Part, llvm::Value *First,
                          llvm::Value *Words);

/// Bytes of a look-back word, which holds the state of a block and a value.
unsigned scanWordBytes(const AssociativeOperator &Operator);

} // namespace gpuestimate

#endif
