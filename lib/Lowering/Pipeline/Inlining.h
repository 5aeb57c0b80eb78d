/// \file
/// Inlining of everything that a kernel calls, as device compilers do.
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_INLINING_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_INLINING_H

#include "Analyses.h"

namespace gpuestimate {

/// Inlines the calls of every function, callees first, and simplifies a
/// function when inlining has doubled it. Wrappers of one line, of which a CuTe
/// or CUTLASS kernel has thousands, therefore cost the instructions that are
/// left of them, not those that clang has written.
///
/// A function with all that is inlined into it may have 8,000 instructions
/// unless the source forces it inline, and the module may grow by 200,000: a
/// chain of N functions that each call the next one twice would grow to 2^N
/// copies. Where not all calls of a function fit, those of its largest callees
/// stay calls, as does a call of a function that calls itself. A kernel that
/// calls a kernel (dynamic parallelism of HIP) keeps the call, too.
void inlineCalls(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace gpuestimate

#endif
