/// \file
/// Which loop of a kernel contains which block, and which block which
/// operation. A loop is named by its index in KernelModel::Loops; -1 is the
/// kernel's body, which contains all loops.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_LOOPTREE_H
#define GPU_ESTIMATE_MODEL_KERNEL_LOOPTREE_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

/// [block] innermost loop around it.
std::vector<int> loopsOfBlocks(const KernelModel &Kernel);

/// [operation] its block.
std::vector<unsigned> blocksOfOperations(const KernelModel &Kernel);

/// Whether Inner is the loop Outer or nested in it.
bool isInLoop(llvm::ArrayRef<Loop> Loops, int Inner, int Outer);

/// The innermost loop that contains both.
int commonLoop(llvm::ArrayRef<Loop> Loops, int A, int B);

} // namespace gpuestimate

#endif
