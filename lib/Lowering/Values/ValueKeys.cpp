#include "ValueKeys.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>
#include <numbers>

using namespace llvm;

namespace gpuestimate {

/// Whether equal operands give equal results.
static bool isFunctionOfOperands(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallInst>(&I))
    return Call->doesNotAccessMemory() && !Call->isConvergent() &&
           !Call->isInlineAsm();
  return isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst, ExtractValueInst, ExtractElementInst,
             FreezeInst>(I);
}

Expr keyOfValue(const Instruction &Value, Values &V, Unknowns &Names,
                ExprContext &Ctx) {
  constexpr unsigned MaxInstructions = 64, MaxParts = 8;
  SmallVector<Expr, MaxParts> Parts;
  SmallPtrSet<const Instruction *, 16> Seen = {&Value};
  SmallVector<const Instruction *> Work = {&Value};
  // A value of its own, or a part of the key.
  auto Take = [&](Expr E) {
    if (!E || Names.contains(E))
      return false;
    if (!E.asConstant())
      Parts.push_back(E);
    return true;
  };
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (!spendWork() || Parts.size() > MaxParts)
      return {};
    if (const auto *Load = dyn_cast<LoadInst>(I)) {
      if (Load->isVolatile() || Load->isAtomic() ||
          !Take(V.pointer(Load->getPointerOperand()).Offset))
        return {};
      continue;
    }
    if (I != &Value && I->getType()->isIntegerTy() && Take(V.of(I)))
      continue;
    if (!isFunctionOfOperands(*I))
      return {};
    for (const Use &Operand : I->operands())
      if (const auto *Next = dyn_cast<Instruction>(Operand))
        if (Seen.insert(Next).second) {
          if (Seen.size() > MaxInstructions)
            return {};
          Work.push_back(Next);
        }
  }
  // Powers of a transcendental number: no sum of whole multiples of them is 0.
  constexpr double Base = std::numbers::pi;
  Expr Key = Ctx.constant(0);
  for (auto [N, Part] : enumerate(Parts))
    Key = Key + std::pow(Base, double(N)) * Part;
  return Key;
}

} // namespace gpuestimate
