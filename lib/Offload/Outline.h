/// \file
/// The code of one loop nest, cut out of its function.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_H
#define GPU_ESTIMATE_LIB_OFFLOAD_OUTLINE_H

#include "gpu-estimate/Frontend/HostNest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Where the loops of a nest are in the raw code of a host function: variables
/// are still places in memory, and a `for` is the block that tests its
/// condition, its body, and the block that takes the step.
class NestCode {
public:
  NestCode(llvm::Function &F, const HostNest &Nest);

  /// Null when the compiler has made no loop of it (`for (;0;)`).
  const llvm::Loop *loop(unsigned Index) const { return Loops[Index]; }
  /// Why the loop cannot be spread over threads by its form; "" if it can.
  std::string obstacle(unsigned Index) const;
  /// Does Outer's body do anything that others see, outside of Inner?
  bool isPerfect(unsigned Outer, unsigned Inner) const;
  /// Does the nest begin where control arrives from After, the block behind
  /// another nest, with nothing in between but settings of local variables?
  bool follows(const llvm::BasicBlock *After) const;

  llvm::Function &function() const { return F; }
  const HostNest &nest() const { return Nest; }

private:
  llvm::Function &F;
  const HostNest &Nest;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  std::vector<const llvm::Loop *> Loops;
};

/// Makes a kernel in F's module: loop Mapped[0] runs over threads and blocks in
/// x, Mapped[1] in y, Mapped[2] in z. They must be a chain of nested loops that
/// begins with loop 0 of the nest. Source gets the arguments; their names are
/// those of the variables.
llvm::Expected<llvm::Function *> outlineNest(const NestCode &Code,
                                             llvm::ArrayRef<unsigned> Mapped,
                                             KernelSource &Source);

} // namespace gpuestimate

#endif
