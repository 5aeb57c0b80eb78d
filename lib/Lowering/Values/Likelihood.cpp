#include "Likelihood.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace gpuestimate {

static constexpr double Fails = 0.16;

Likelihood equalityWithConstant() {
  return {Fails,
          "equality with a constant rarely holds (Wu & Larus 1994: 16%)"};
}

Likelihood likelihood(const llvm::Value *Condition) {
  if (const auto *C = llvm::dyn_cast<llvm::ICmpInst>(Condition)) {
    bool Constant = llvm::isa<llvm::Constant>(C->getOperand(1));
    bool Zero = llvm::isa<llvm::ConstantInt>(C->getOperand(1)) &&
                llvm::cast<llvm::ConstantInt>(C->getOperand(1))->isZero();
    switch (C->getPredicate()) {
    case llvm::CmpInst::ICMP_EQ:
      if (Constant)
        return equalityWithConstant();
      break;
    case llvm::CmpInst::ICMP_NE:
      if (Constant)
        return {
            1 - Fails,
            "inequality with a constant mostly holds (Wu & Larus 1994: 84%)"};
      break;
    case llvm::CmpInst::ICMP_SLT:
      if (Zero)
        return {Fails, "data is rarely negative (Wu & Larus 1994: 16%)"};
      break;
    case llvm::CmpInst::ICMP_SGT: {
      const auto *Bound = llvm::dyn_cast<llvm::ConstantInt>(C->getOperand(1));
      if (Bound && Bound->isMinusOne())
        return {1 - Fails,
                "data is mostly not negative (Wu & Larus 1994: 84%)"};
      break;
    }
    default:
      break;
    }
  }
  if (const auto *C = llvm::dyn_cast<llvm::FCmpInst>(Condition)) {
    if (C->getPredicate() == llvm::CmpInst::FCMP_OEQ ||
        C->getPredicate() == llvm::CmpInst::FCMP_UEQ)
      return {0, "two reals are taken not to be equal"};
    if (C->getPredicate() == llvm::CmpInst::FCMP_UNE ||
        C->getPredicate() == llvm::CmpInst::FCMP_ONE)
      return {1, "two reals are taken not to be equal"};
    if (C->getPredicate() == llvm::CmpInst::FCMP_UNO)
      return {0, "a result that is not a number is taken not to occur"};
    if (C->getPredicate() == llvm::CmpInst::FCMP_ORD)
      return {1, "a result that is not a number is taken not to occur"};
  }
  return {};
}

} // namespace gpuestimate
