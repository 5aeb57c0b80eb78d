/// \file
/// What the calls of a kernel do whose device functions were lowered
/// (Translate/CallLowering.h): wait for other threads, give all lanes one
/// result, or only compute.
///
/// Example: `ge.collective(context, Ballot, 0xffffffff, ...)` waits for the
/// threads of the mask and has one result for all of them; `sqrtf(x)` is pure.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LOWEREDCALLS_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LOWEREDCALLS_H

#include "Execute/Device/ThreadContext.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace gpuestimate {

/// The name of the function that is called; "" for another instruction.
llvm::StringRef calleeName(const llvm::Instruction &I);

/// The kind of a call of ge.collective.
CollectiveKind collectiveKind(const llvm::Instruction &Collective);

/// Does the call, at least for its active lanes, have one result? Lanes with
/// the same constant mask take part in the same collective.
bool hasOneResult(const llvm::Instruction &I);

/// Does the call nothing but compute a result from its operands?
bool isPure(const llvm::CallBase &Call);

bool isWaitForMemory(const llvm::Instruction &I);

/// Does the function wait for what other threads write, in a loop?
bool waitsForMemory(const llvm::Function &F);

/// Does the function wait for other threads?
bool waitsForThreads(const llvm::Function &F);

/// Does a loop of the function?
bool waitsInLoops(llvm::Function &F);

} // namespace gpuestimate

#endif
