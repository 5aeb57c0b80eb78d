/// \file
/// Which instructions of the IR a multiprocessor issues as what.
///
/// IR is finer and coarser than machine code: a product that feeds one sum is
/// one FMA, an extension inside an index is part of the wide multiply-add,
/// and the index arithmetic of a loop disappears when its pointers walk along.
/// The plan says for every instruction whether it is dead, free (its users
/// wait for its operands), or a row of the operation table.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_PLAN_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_PLAN_H

#include "Lowering/Values/Values.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace gpuestimate {

/// A pointer that walks through a loop: one set of instructions an iteration
/// serves every access at a constant distance from it.
struct WalkingPointer {
  const llvm::Loop *L = nullptr;
  const llvm::Value *Base = nullptr;
  Expr Start, Step; ///< bytes from Base less the constant part; per iteration
  bool Is64Bit = true;
  bool hasConstantStep() const { return Step.asConstant().has_value(); }
  /// The start is the object itself: an operand that needs no instruction.
  bool startsAtBase() const { return Start.isConstant(0); }
  /// Values from outside of the loop that the start waits for.
  llvm::SmallVector<const llvm::Value *, 4> Leaves;
};

class Plan {
public:
  Plan(KernelAnalyses &A, Values &V, llvm::Function &F);

  bool isDead(const llvm::Instruction &I) const { return !Needed.contains(&I); }
  bool isFree(const llvm::Instruction &I) const { return Free.contains(&I); }
  /// The table's name for I, without a vector's length.
  std::string key(const llvm::Instruction &I) const;
  /// How often the row is issued for the elements of a vector.
  unsigned repeat(const llvm::Instruction &I) const;
  /// Counter increment, exit compare or back branch: amortised by unrolling.
  bool isLoopOverhead(const llvm::Instruction &I) const {
    return Overhead.contains(&I);
  }
  /// Index of the walking pointer that an access uses, or -1.
  int walkingPointer(const llvm::Instruction &Access) const {
    auto At = Walking.find(&Access);
    return At == Walking.end() ? -1 : static_cast<int>(At->second);
  }
  const std::vector<WalkingPointer> &walkingPointers() const {
    return Pointers;
  }
  /// The earlier address computation that this one differs from by a constant
  /// only, or null.
  const llvm::Instruction *sameAddress(const llvm::Instruction &Gep) const {
    return Same.lookup(&Gep);
  }

private:
  void findWalkingPointers();
  void findNeeded();
  void fuseReals();
  void fuseIntegers();
  void freeConversions();
  void shareAddresses();
  void findOverhead();
  /// Is it a comparison of a value that steps by a constant with one that
  /// stays, so that the trip count is known when the loop starts?
  bool isCountedTest(const llvm::ICmpInst &Test, const llvm::Loop *L) const;
  void planBranches();
  /// Code that runs from one block to another without a jump, once the
  /// conditions inside it have become predicates.
  struct StraightCode {
    const llvm::BasicBlock *Next = nullptr; ///< where it goes on
    unsigned Size = 0;                      ///< instructions under predicates
  };
  /// Instructions of a block, if a predicate can take the place of a jump over
  /// it.
  std::optional<unsigned> sizeToPredicate(const llvm::BasicBlock &BB) const;
  /// The sides of the branch that ends a block, if predicates take its place:
  /// of at most Most instructions.
  std::optional<StraightCode> predicatedSides(const llvm::BasicBlock &BB,
                                              unsigned Most) const;
  /// A block and, where it ends with a branch, that branch's sides: conditions
  /// in conditions (`if (a && b)`) become one predicate.
  std::optional<StraightCode> straightened(const llvm::BasicBlock &BB,
                                           unsigned Most) const;

  Expr withoutConstant(Expr E) const;

  KernelAnalyses &A;
  Values &V;
  llvm::Function &F;
  llvm::SmallPtrSet<const llvm::Instruction *, 32> Needed, Free, Overhead;
  llvm::DenseMap<const llvm::Instruction *, std::string>
      Replaced; ///< keys that differ from the opcode's
  llvm::DenseMap<const llvm::Instruction *, unsigned> Walking;
  llvm::DenseMap<const llvm::Instruction *, const llvm::Instruction *> Same;
  std::vector<WalkingPointer> Pointers;
};

/// The pointer operand of a memory access, or null.
const llvm::Value *accessPointer(const llvm::Instruction &I);

/// "i32", "f64", "v2f16", ...: the table's name of a (scalar) type; integers
/// of fewer bits than 32 count as i32 except i1.
std::string typeKey(const llvm::Type *T, bool Narrow = false);

/// Is T a packed pair of 16-bit floating-point values?
bool isPackedHalf(const llvm::Type *T);

} // namespace gpuestimate

#endif
