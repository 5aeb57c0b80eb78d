/// \file
/// Instruction selection: which IR instructions become machine instructions.
///
/// IR is both finer and coarser than machine code: a product that feeds one sum
/// is one FMA, an extension inside an index is part of the wide multiply-add,
/// and strength reduction replaces the index arithmetic of a loop by induction
/// pointers. The selection says for every instruction whether it is dead, free
/// (its users depend on its operands), or a row of the operation table.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_INSTRUCTIONSELECTION_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_INSTRUCTIONSELECTION_H

#include "Lowering/Values/Values.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace gpuestimate {

/// A pointer induction variable: one increment per iteration serves every
/// access at a constant distance from it.
struct InductionPointer {
  const llvm::Loop *L = nullptr;
  const llvm::Value *Base = nullptr;
  Expr Start,
      Step; ///< bytes from Base without the constant part; bytes per iteration
  bool Is64Bit = true;
  bool hasConstantStep() const { return Step.asConstant().has_value(); }
  /// Is the start the object itself, an operand that needs no instruction?
  bool startsAtBase() const { return Start.isConstant(0); }
  /// Values defined outside of the loop that the start depends on.
  llvm::SmallVector<const llvm::Value *, 4> Leaves;
};

class InstructionSelection {
public:
  InstructionSelection(KernelAnalyses &A, Values &V, llvm::Function &F);

  bool isDead(const llvm::Instruction &I) const { return !Needed.contains(&I); }
  bool isFree(const llvm::Instruction &I) const { return Free.contains(&I); }
  /// Is the function PTX, whose addresses are computed as they are written?
  bool isPtx() const { return IsPtx; }
  /// The table's name for I, without a vector's length.
  std::string key(const llvm::Instruction &I) const;
  /// Number of times the row is issued for the elements of a vector.
  unsigned repeat(const llvm::Instruction &I) const;
  /// Counter increment, exit compare or back branch: amortised by unrolling.
  bool isLoopOverhead(const llvm::Instruction &I) const {
    return Overhead.contains(&I);
  }
  /// Is the step of L's counter a variable? Only an optimisation of IR unrolls
  /// such a loop, not ptxas.
  bool hasVariableStep(const llvm::Loop &L) const {
    return VariableSteps.contains(&L);
  }
  /// May L's counter of constant step wrap around, so that nvcc computes no
  /// trip count? Only ptxas unrolls such a loop, not an optimisation of IR.
  bool mayWrapAround(const llvm::Loop &L) const {
    return WithoutTripCount.contains(&L);
  }
  /// Index of the induction pointer that an access uses, or -1.
  int inductionPointer(const llvm::Instruction &Access) const {
    auto Entry = PointerOf.find(&Access);
    return Entry == PointerOf.end() ? -1 : static_cast<int>(Entry->second);
  }
  const std::vector<InductionPointer> &inductionPointers() const {
    return Pointers;
  }
  /// A dominating address computation that differs from Gep by a constant, or
  /// null.
  const llvm::Instruction *sameAddress(const llvm::Instruction &Gep) const {
    return SharedAddress.lookup(&Gep);
  }

  /// The condition of the predicate that guards each instruction of BB in
  /// place of a branch, or null. Nested predicates imply the outer ones.
  const llvm::Value *guard(const llvm::BasicBlock &BB) const {
    return Guards.lookup(&BB);
  }

private:
  void findInductionPointers();
  void findNeeded();
  void fuseReals();
  void fuseIntegers();
  /// Instructions that have absorbed an operand.
  using InstructionSet = llvm::SmallPtrSet<const llvm::Instruction *, 16>;
  /// The instruction that computes V, or what V extends, if it has no other use
  /// and is of the kind that Matches; null otherwise.
  const llvm::Instruction *
  absorbable(const llvm::Value *V,
             llvm::function_ref<bool(const llvm::Instruction &)> Matches) const;
  /// A sum absorbs a product (IMAD), a shift (LEA) or another sum (IADD3).
  void fuseSum(const llvm::Instruction &Sum, InstructionSet &Fused);
  /// A comparison combines its result with another predicate.
  void fuseComparison(const llvm::Instruction &Logic);
  /// One instruction is any function of three operands (LOP3).
  void fuseBitwise(const llvm::Instruction &Logic, InstructionSet &Fused);
  /// A wide value lies in registers of 32 bits: one of them is no shift, and a
  /// part that begins inside of one is a funnel shift of two.
  void selectPartOfWide(const llvm::Instruction &Shift);
  /// A 16-bit number that packed arithmetic takes twice, or halves in another
  /// order, are modifiers of an operand.
  void selectHalves();
  /// Bytes and halves of registers: a conversion to floating point takes one
  /// (I2F.U8 of R1.B2), and one byte permutation (PRMT) puts two registers
  /// together.
  void selectBytes();
  void foldExtensions();
  void mergeAddresses();
  void findOverhead();
  /// Does Test compare an induction variable of constant step with an invariant
  /// of L, so that the trip count is known on entry?
  bool isCountedTest(const llvm::ICmpInst &Test, const llvm::Loop *L) const;
  /// Does Test compare an induction variable of variable step with an invariant
  /// of L, such that LLVM computes the trip count on entry?
  bool isCountedByVariable(const llvm::ICmpInst &Test,
                           const llvm::Loop *L) const;
  void selectBranches();
  Expr withoutConstant(Expr E) const;

  KernelAnalyses &A;
  Values &V;
  llvm::Function &F;
  bool IsPtx, IsAmd;
  llvm::SmallPtrSet<const llvm::Instruction *, 32> Needed, Free, Overhead;
  llvm::DenseMap<const llvm::Instruction *, std::string>
      Keys; ///< keys that differ from the opcode's
  llvm::DenseMap<const llvm::Instruction *, unsigned> PointerOf;
  llvm::DenseMap<const llvm::Instruction *, const llvm::Instruction *>
      SharedAddress;
  std::vector<InductionPointer> Pointers;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::Value *> Guards;
  llvm::SmallPtrSet<const llvm::Loop *, 8> VariableSteps, WithoutTripCount;
};

/// The pointer operand of a memory access, or null.
const llvm::Value *accessPointer(const llvm::Instruction &I);

/// "i32", "f64", "v2f16", ...: the table's name of a (scalar) type; integers
/// of fewer bits than 32 count as i32 except i1.
std::string typeKey(const llvm::Type *T, bool Narrow = false);

/// Number of F's NVIDIA architecture ("sm_86": 86), 0 for others.
unsigned smOf(const llvm::Function &F);

/// Does T consist of packed pairs of 16-bit floating-point values?
bool isPackedHalf(const llvm::Type *T);

} // namespace gpuestimate

#endif
