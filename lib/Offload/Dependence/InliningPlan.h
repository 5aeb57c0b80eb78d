/// \file
/// Calls that must be inlined before the loops of a function are analyzed.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_INLININGPLAN_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_INLININGPLAN_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gpuestimate {

/// Decides which callees are inlined into the analyzed function. Inlining
/// ignores `noinline`, because only the effect of the code matters.
///
/// A call outside the analyzed loops stays a call if it cannot change what is
/// known about these loops: its result is unused, it receives no address of a
/// local variable (which could then not be promoted to a register), and it
/// stores to no global variable by name.
class InliningPlan {
public:
  /// Loops: locations of the analyzed loops; none: all loops.
  InliningPlan(const llvm::Function &F, llvm::ArrayRef<SourceLocation> Loops);

  /// Is Value, of the original module, the function or a callee to inline?
  bool reach(const llvm::GlobalValue *Value) const {
    return Reached.contains(Value);
  }
  /// Inlines into Clone, the clone of the function.
  void inlineInto(llvm::Function &Clone,
                  llvm::ValueToValueMapTy &CloneOf) const;

private:
  llvm::SmallPtrSet<const llvm::GlobalValue *, 16> Reached;
  llvm::SmallVector<const llvm::CallBase *> KeptCalls;
};

} // namespace gpuestimate

#endif
