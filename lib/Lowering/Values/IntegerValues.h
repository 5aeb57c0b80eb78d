/// \file
/// Integers, conditions and reals of the IR as symbolic expressions.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_INTEGERVALUES_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_INTEGERVALUES_H

#include "ValueContext.h"

namespace gpuestimate {

struct Join;
class ObjectNames;
class PointerValues;
class Recurrences;

/// Translates integer values. Integers are mathematical: no wrap-around at 32
/// or 64 bits, division rounds down, a condition is 0 or 1. A value without a
/// closed form in coordinates, arguments and loop counters becomes an unknown.
class IntegerValues {
public:
  IntegerValues(ValueContext &Context, PointerValues &Pointers,
                Recurrences &Recurrent, ObjectNames &Objects)
      : Context(Context), A(Context.A), Names(Context.Names), Ctx(Context.Ctx),
        Pointers(Pointers), Recurrent(Recurrent), Objects(Objects) {}

  /// The value of V; never null.
  Expr of(const llvm::Value *V);
  /// The unknown that stands for V.
  Expr opaque(const llvm::Value *V);
  /// The condition of a join as a 0/1 term.
  Expr conditionOf(const Join &J);
  /// conditionOf() of a condition on data: 1 in all threads if it holds for
  /// half of them or more, else 0. The share is an unknown. Where lanes differ,
  /// the address on the likelier path stands for both.
  Expr likelierSide(const Join &J);
  /// The value that E, in terms of L's counter, has in the last iteration of
  /// L; null while the trip count of L is being computed.
  Expr atExit(Expr E, const llvm::Loop *L);
  /// The value that E, the term of Definition, has in the block Outside, after
  /// the loops around Definition that do not contain Outside; null if it is not
  /// known, because a loop with several exits may leave in any iteration.
  Expr outsideLoops(Expr E, const llvm::Value *Definition,
                    const llvm::BasicBlock *Outside);
  /// Does the term's range or LLVM's value tracking prove E >= 0?
  bool isNonNegative(const llvm::Value *V, Expr E);

private:
  Expr compute(const llvm::Value *V);
  Expr computeInstruction(const llvm::Instruction &I);
  Expr computeBinary(const llvm::BinaryOperator &I);
  Expr computeIntrinsic(const llvm::CallInst &I);
  /// fshl or fshr by a constant; null for other amounts.
  Expr computeFunnelShift(const llvm::CallInst &I, bool Left);
  /// prmt by a constant selector that repeats no sign; null for others.
  Expr computeBytePermutation(const llvm::CallInst &I);
  /// A shuffle from a lane that is the same for all; null for other shuffles.
  Expr computeShuffle(const llvm::CallInst &I);
  /// The number of the thread in its block.
  Expr linearThread();
  /// Whether the thread is the first of its warp, 0 or 1: the one that
  /// elect.sync chooses of whole warps.
  Expr isFirstLane();
  Expr computeLoad(const llvm::LoadInst &I);
  Expr computePhi(const llvm::PHINode &Phi);
  Expr compare(const llvm::CmpInst &I);
  /// A kernel argument or a member of one.
  Expr parameterOf(llvm::StringRef Name, llvm::Type &Type);

  // Reals (RealValues.cpp).
  /// The values of the operands; nothing if one depends on an unknown.
  std::optional<llvm::SmallVector<Expr, 3>>
  knownOperands(llvm::ArrayRef<const llvm::Value *> Operands);
  Expr computeReal(const llvm::Instruction &I);
  /// A call of a rounding, minimum, ... of reals; null for another call.
  Expr computeRealCall(const llvm::CallInst &Call);
  /// A conversion to an integer.
  Expr truncated(const llvm::Instruction &Conversion);
  Expr compareReals(const llvm::CmpInst &I);

  ValueContext &Context;
  KernelAnalyses &A;
  Unknowns &Names;
  ExprContext &Ctx;
  PointerValues &Pointers;
  Recurrences &Recurrent;
  ObjectNames &Objects;
  llvm::DenseMap<const llvm::Value *, Expr> Memo;
  llvm::DenseMap<const llvm::Value *, Expr> OpaqueMemo;
  /// likelierSide(), by condition and case.
  llvm::DenseMap<std::pair<const llvm::Value *, const llvm::Value *>, Expr>
      Sides;
};

} // namespace gpuestimate

#endif
