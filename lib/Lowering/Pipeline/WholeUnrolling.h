/// \file
/// Complete unrolling of loops with a constant trip count, as the device's
/// compiler does it: innermost loops first, with clean-up passes between the
/// levels of a nest. LLVM's own pass unrolls a whole nest first: addresses and
/// private arrays that a clean-up removes count against its limit, so that
/// nests which nvcc lays out would stay loops, and one loop that stays is
/// enough to put a register tile into local memory.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_WHOLEUNROLLING_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_WHOLEUNROLLING_H

#include "gpu-estimate/Model/Kernel/DeviceCompiler.h"

namespace llvm {
class Loop;
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuestimate {

/// Does a pragma demand that L is unrolled?
bool hasUnrollPragma(const llvm::Loop &L);

/// Unrolls the loops of constant trip count up to the limits of Compiler in
/// functions that have an array in private memory whose elements a variable
/// selects; LLVM's passes unroll the loops of other functions. TM may be null.
void unrollOverArrays(llvm::Module &M, DeviceCompiler Compiler,
                      llvm::TargetMachine *TM);

/// Unrolls loops in functions that have one with a pragma, too. Removes the
/// pragma where the trip count is not constant.
void unrollWhole(llvm::Module &M, DeviceCompiler Compiler,
                 llvm::TargetMachine *TM);

} // namespace gpuestimate

#endif
