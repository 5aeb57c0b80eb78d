/// \file
/// If-conversion: the branches whose short sides device compilers make
/// predicated instructions, so that they are laid out without a branch.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_IFCONVERSION_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_IFCONVERSION_H

#include "InstructionSelection.h"
#include <optional>

namespace llvm {
class PostDominatorTree;
}

namespace gpuestimate {

class IfConversion {
public:
  IfConversion(KernelAnalyses &A, const InstructionSelection &Selection,
               llvm::Function &F);

  /// The block behind the sides of Branch, which is conditional and leaves
  /// neither its loop nor the kernel, if they are predicated; else null.
  const llvm::BasicBlock *joinOf(const llvm::BranchInst &Branch) const;

private:
  struct PredicatedCode {
    const llvm::BasicBlock *Next = nullptr; ///< the block that follows
    unsigned Size = 0;                      ///< machine instructions
    bool LoadsGlobal = false;               ///< one loads from global memory
    bool Accesses = false;                  ///< one accesses memory
  };
  /// Adds what I costs; false if a compiler does not predicate it.
  bool add(const llvm::Instruction &I, PredicatedCode &To) const;
  /// Machine instructions up to which a side of Branch is predicated.
  unsigned maxSize(const llvm::BranchInst &Branch,
                   const PredicatedCode &Side) const;
  /// Successor number Which of Branch if it is predicated with at most Budget
  /// instructions.
  std::optional<PredicatedCode> side(const llvm::BranchInst &Branch,
                                     unsigned Which, unsigned Budget) const;
  /// Both successors of Branch; none where the branch stays.
  std::optional<PredicatedCode> sides(const llvm::BranchInst &Branch,
                                      unsigned Budget) const;
  /// Is BB executed under a condition of its loop's body, or of the kernel's,
  /// other than that of leaving it?
  bool isConditional(const llvm::BasicBlock &BB) const;

  const KernelAnalyses &A;
  const InstructionSelection &Selection;
  const llvm::PostDominatorTree &PDT;
  bool IsAmd;
};

} // namespace gpuestimate

#endif
