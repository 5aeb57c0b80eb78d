/// \file
/// A loop nest of the source in the unoptimized IR of its function.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_IRLOOPNEST_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_IRLOOPNEST_H

#include "Offload/Dependence/LoopDependences.h"
#include "gpu-estimate/Frontend/HostLoopNest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace gpuestimate {

/// The source variable that an alloca holds; null for a temporary.
const llvm::DILocalVariable *declaredVariable(llvm::Value *Address);

/// Finds the loops of a nest in the IR of a host function before any pass:
/// variables are allocas, and a `for` has a header with its condition, a body,
/// and a latch with its step.
class IrLoopNest {
public:
  IrLoopNest(llvm::Function &F, const HostLoopNest &Nest);

  /// Null if the compiler has made no loop of it (`for (;0;)`).
  const llvm::Loop *loop(unsigned Index) const { return Loops[Index]; }
  /// Why the form of the loop does not allow to map it to threads, as a clause
  /// that follows "the loop over 'i' at line 12 cannot be mapped to threads: ";
  /// "" if it does.
  std::string obstacle(unsigned Index) const;
  /// Is the nest of the two loops perfect: has Outer's body no effect that is
  /// visible outside an iteration, except in Inner? The threads of Inner's
  /// iterations would repeat such an effect. Variables of Shared are visible.
  bool isPerfect(unsigned Outer, unsigned Inner,
                 llvm::ArrayRef<ReductionUpdate> Shared) const;
  /// Does control reach the nest from After, the exit block of another nest,
  /// through nothing but assignments to local variables?
  bool follows(const llvm::BasicBlock *After) const;

  llvm::Function &function() const { return F; }
  const HostLoopNest &nest() const { return Nest; }

private:
  llvm::Function &F;
  const HostLoopNest &Nest;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  std::vector<const llvm::Loop *> Loops;
};

} // namespace gpuestimate

#endif
