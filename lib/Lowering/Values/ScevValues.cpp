#include "ScevValues.h"

#include "IntegerValues.h"
#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

namespace gpuestimate {

Expr ScevValues::of(const llvm::SCEV *S) {
  Memo Translated;
  return of(S, Translated);
}

Expr ScevValues::of(const llvm::SCEV *S, Memo &Translated) {
  // Subterms may be shared; the operands of a too deep term are not translated.
  if (Expr Cached = Translated.lookup(S))
    return Cached;
  ++Context.ChainDepth;
  Expr E = compute(S, Translated);
  --Context.ChainDepth;
  return Translated[S] = E;
}

Expr ScevValues::compute(const llvm::SCEV *S, Memo &Translated) {
  auto Translate = [&](const llvm::SCEV *Operand) {
    return of(Operand, Translated);
  };
  if (Context.ChainDepth > ValueContext::MaxDepth || !spendWork())
    return unknownBound();
  switch (S->getSCEVType()) {
  case llvm::scConstant:
    return Integers.of(llvm::cast<llvm::SCEVConstant>(S)->getValue());
  case llvm::scUnknown:
    return Integers.of(llvm::cast<llvm::SCEVUnknown>(S)->getValue());
  case llvm::scTruncate:
  case llvm::scZeroExtend:
  case llvm::scSignExtend:
  case llvm::scPtrToInt:
    return Translate(llvm::cast<llvm::SCEVCastExpr>(S)->getOperand());
  case llvm::scUDivExpr: {
    const auto *D = llvm::cast<llvm::SCEVUDivExpr>(S);
    return Ctx.floorDiv(Translate(D->getLHS()), Translate(D->getRHS()));
  }
  case llvm::scAddRecExpr: {
    const auto *R = llvm::cast<llvm::SCEVAddRecExpr>(S);
    if (!R->isAffine())
      break;
    return Translate(R->getStart()) +
           Translate(R->getOperand(1)) * Context.counter(R->getLoop());
  }
  case llvm::scAddExpr:
  case llvm::scMulExpr:
  case llvm::scSMaxExpr:
  case llvm::scUMaxExpr:
  case llvm::scSMinExpr:
  case llvm::scUMinExpr:
  case llvm::scSequentialUMinExpr: {
    llvm::SmallVector<Expr> Terms;
    for (const llvm::SCEV *Operand : S->operands())
      Terms.push_back(Translate(Operand));
    if (S->getSCEVType() == llvm::scAddExpr)
      return Ctx.add(Terms);
    if (S->getSCEVType() == llvm::scMulExpr)
      return Ctx.mul(Terms);
    if (S->getSCEVType() == llvm::scSMaxExpr ||
        S->getSCEVType() == llvm::scUMaxExpr)
      return Ctx.max(Terms);
    return Ctx.min(Terms);
  }
  default:
    break;
  }
  return unknownBound();
}

Expr ScevValues::unknownBound() {
  Unknown U;
  U.What = "a loop bound";
  U.Why = "its form is not known to the analysis";
  return Names.add(std::move(U), nullptr);
}

} // namespace gpuestimate
