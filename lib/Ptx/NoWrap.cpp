#include "NoWrap.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class NoWrapMarker {
public:
  /// Marks what V is a sum of. Unsigned: V is extended by zeros.
  void mark(Value *V, bool Unsigned) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Visited.insert({I, Unsigned}).second)
      return;
    switch (I->getOpcode()) {
    case Instruction::Add:
    case Instruction::Mul:
    case Instruction::Shl:
      I->setHasNoSignedWrap();
      if (Unsigned && !hasNegativePart(*I))
        I->setHasNoUnsignedWrap();
      return markOperands(*I, Unsigned);
    case Instruction::Sub:
      I->setHasNoSignedWrap();
      return markOperands(*I, /*Unsigned=*/false);
    case Instruction::Or: // of parts without common bits, as Triton writes
    case Instruction::PHI:
    case Instruction::Select:
      return markOperands(*I, Unsigned);
    case Instruction::SExt:
      return mark(I->getOperand(0), /*Unsigned=*/false);
    case Instruction::ZExt:
      return mark(I->getOperand(0), /*Unsigned=*/true);
    default:
      return;
    }
  }

  /// A comparison that bounds the counter of a loop.
  void markCounter(ICmpInst &Compare) {
    if (Compare.isEquality())
      return;
    for (Value *Side : Compare.operands()) {
      // The counter before its increment, or behind it.
      SmallVector<Value *> Sums = {Side};
      if (auto *Phi = dyn_cast<PHINode>(Side))
        Sums.append(Phi->op_begin(), Phi->op_end());
      for (Value *V : Sums)
        if (auto *Sum = dyn_cast<BinaryOperator>(V))
          markStep(*Sum, Compare.isUnsigned());
    }
  }

  /// The low word of a 64-bit counter, which LLVM compares with the bound after
  /// strength reduction: the counter itself is compared.
  void widen(ICmpInst &Compare) {
    auto *Low = dyn_cast<TruncInst>(Compare.getOperand(0));
    if (!Low || !isStep(Low->getOperand(0)))
      return;
    auto &Counter = cast<Instruction>(*Low->getOperand(0));
    IRBuilder<> B(&Compare);
    Value *Bound = Compare.getOperand(1);
    Bound = Compare.isUnsigned() ? B.CreateZExt(Bound, Counter.getType())
                                 : B.CreateSExt(Bound, Counter.getType());
    Compare.setOperand(0, &Counter);
    Compare.setOperand(1, Bound);
    Counter.setHasNoSignedWrap();
  }

private:
  /// Is V a negative constant, a difference, or a sum with one of these? LLVM
  /// extends an index by zeros if it is not negative as a whole; in `block - 1
  /// - lane` the parts are, so that the sum wraps around as an unsigned number.
  static bool mayBeNegative(const Value *V, unsigned Depth = 0) {
    constexpr unsigned MaxDepth = 4;
    if (const auto *C = dyn_cast<ConstantInt>(V))
      return C->isNegative();
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth > MaxDepth)
      return false;
    switch (I->getOpcode()) {
    case Instruction::Sub:
      return true;
    case Instruction::Xor:
      return PatternMatch::match(V,
                                 PatternMatch::m_Not(PatternMatch::m_Value()));
    case Instruction::Add:
    case Instruction::Mul:
    case Instruction::Shl:
    case Instruction::Or:
    case Instruction::PHI:
    case Instruction::Select:
      return any_of(I->operands(),
                    [&](const Use &U) { return mayBeNegative(U, Depth + 1); });
    default:
      return false;
    }
  }
  static bool hasNegativePart(const Instruction &I) {
    return any_of(I.operands(), [](const Use &U) { return mayBeNegative(U); });
  }

  void markOperands(Instruction &I, bool Unsigned) {
    for (Value *V : I.operands())
      mark(V, Unsigned);
  }

  /// Is V what a loop adds to its counter at every iteration?
  static bool isStep(const Value *V) {
    const auto *Sum = dyn_cast<BinaryOperator>(V);
    return Sum && Sum->getOpcode() == Instruction::Add &&
           any_of(Sum->operands(), [&](const Value *Of) {
             const auto *Phi = dyn_cast<PHINode>(Of);
             return Phi && is_contained(Phi->operand_values(), Sum);
           });
  }

  static void markStep(BinaryOperator &Sum, bool Unsigned) {
    if (!isStep(&Sum))
      return;
    if (!Unsigned)
      Sum.setHasNoSignedWrap();
    else if (!hasNegativePart(Sum))
      Sum.setHasNoUnsignedWrap();
  }

  SmallSet<std::pair<Instruction *, bool>, 32> Visited;
};

} // namespace

void markNoWrap(Function &F) {
  NoWrapMarker Marker;
  for (Instruction &I : instructions(F)) {
    if (auto *Address = dyn_cast<GetElementPtrInst>(&I)) {
      for (Value *Index : Address->indices())
        Marker.mark(Index, /*Unsigned=*/false);
    } else if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
      Marker.widen(*Compare);
      Marker.markCounter(*Compare);
    }
  }
}

} // namespace gpuestimate
