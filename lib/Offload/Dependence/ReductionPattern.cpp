/// \file
/// Patterns of accumulation: sums, products, minima, maxima, bit operations.
#include "ReductionPattern.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace gpuestimate {

bool isMathCall(const llvm::CallBase &Call,
                const llvm::TargetLibraryInfo &TLI) {
  // Products and quotients of complex numbers, which LLVM does not list.
  const llvm::Function *Callee = Call.getCalledFunction();
  const llvm::StringRef Name = Callee ? Callee->getName() : "";
  if ((Name.starts_with("__mul") || Name.starts_with("__div")) &&
      Name.ends_with("c3") && Name.size() == 8)
    return true;
  llvm::LibFunc Function;
  if (!TLI.getLibFunc(Call, Function) || !Call.getType()->isFloatingPointTy())
    return false;
  return llvm::all_of(Call.args(), [](const llvm::Use &U) {
    return U->getType()->isFloatingPointTy() || U->getType()->isIntegerTy();
  });
}

namespace {

/// Two-operand minimum or maximum by name.
llvm::StringRef minMaxCall(const llvm::CallBase &Call,
                           const llvm::TargetLibraryInfo &TLI) {
  switch (Call.getIntrinsicID()) {
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::maximum:
    return "max";
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::minimum:
    return "min";
  default:
    break;
  }
  llvm::LibFunc Function;
  if (!TLI.getLibFunc(Call, Function))
    return "";
  switch (Function) {
  case llvm::LibFunc_fmax:
  case llvm::LibFunc_fmaxf:
  case llvm::LibFunc_fmaxl:
    return "max";
  case llvm::LibFunc_fmin:
  case llvm::LibFunc_fminf:
  case llvm::LibFunc_fminl:
    return "min";
  default:
    return "";
  }
}

/// x < y ? x : y and its kin.
llvm::StringRef minMaxSelect(const llvm::SelectInst &Select) {
  const auto *Cmp = llvm::dyn_cast<llvm::CmpInst>(Select.getCondition());
  if (!Cmp || !Cmp->hasOneUse())
    return "";
  const llvm::Value *True = Select.getTrueValue();
  const llvm::Value *False = Select.getFalseValue();
  llvm::CmpInst::Predicate Predicate = Cmp->getPredicate();
  if (Cmp->getOperand(0) == False && Cmp->getOperand(1) == True)
    Predicate = llvm::CmpInst::getSwappedPredicate(Predicate);
  else if (Cmp->getOperand(0) != True || Cmp->getOperand(1) != False)
    return "";
  switch (Predicate) {
  case llvm::CmpInst::ICMP_SGT:
  case llvm::CmpInst::ICMP_SGE:
  case llvm::CmpInst::ICMP_UGT:
  case llvm::CmpInst::ICMP_UGE:
  case llvm::CmpInst::FCMP_OGT:
  case llvm::CmpInst::FCMP_OGE:
  case llvm::CmpInst::FCMP_UGT:
  case llvm::CmpInst::FCMP_UGE:
    return "max";
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_SLE:
  case llvm::CmpInst::ICMP_ULT:
  case llvm::CmpInst::ICMP_ULE:
  case llvm::CmpInst::FCMP_OLT:
  case llvm::CmpInst::FCMP_OLE:
  case llvm::CmpInst::FCMP_ULT:
  case llvm::CmpInst::FCMP_ULE:
    return "min";
  default:
    return "";
  }
}

llvm::StringRef binaryOperator(const llvm::BinaryOperator &I,
                               const llvm::Value *V) {
  const bool First = I.getOperand(0) == V;
  switch (I.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::FAdd:
    return "+";
  case llvm::Instruction::Sub:
  case llvm::Instruction::FSub:
    return First ? "+" : "";
  case llvm::Instruction::Mul:
  case llvm::Instruction::FMul:
    return "*";
  case llvm::Instruction::FDiv:
    return First ? "*" : "";
  case llvm::Instruction::And:
    return "&";
  case llvm::Instruction::Or:
    return "|";
  case llvm::Instruction::Xor:
    return "^";
  default:
    return "";
  }
}

} // namespace

llvm::StringRef accumulationStep(const llvm::Instruction &I,
                                 const llvm::Value *V,
                                 const llvm::TargetLibraryInfo &TLI) {
  if (const auto *Select = llvm::dyn_cast<llvm::SelectInst>(&I)) {
    llvm::StringRef Operator = minMaxSelect(*Select);
    if (!Operator.empty())
      return Operator;
    if (Select->getCondition() != V)
      return "=";
    // `ok && x` and `ok || x` on truth values.
    if (llvm::PatternMatch::match(Select->getFalseValue(),
                                  llvm::PatternMatch::m_Zero()))
      return "&";
    if (llvm::PatternMatch::match(Select->getTrueValue(),
                                  llvm::PatternMatch::m_One()))
      return "|";
    return "";
  }
  if (llvm::isa<llvm::CastInst>(I))
    return I.getType()->isPointerTy() || V->getType()->isPointerTy() ||
                   I.getType()->isFPOrFPVectorTy() !=
                       V->getType()->isFPOrFPVectorTy()
               ? ""
               : "=";
  if (llvm::count(I.operand_values(), V) != 1)
    return "";
  if (const auto *Binary = llvm::dyn_cast<llvm::BinaryOperator>(&I))
    return binaryOperator(*Binary, V);
  if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I)) {
    if (Call->getIntrinsicID() == llvm::Intrinsic::fmuladd ||
        Call->getIntrinsicID() == llvm::Intrinsic::fma)
      return Call->getArgOperand(2) == V ? "+" : "";
    return minMaxCall(*Call, TLI);
  }
  return "";
}

namespace {

/// "" when V does not lead to Leaf; "=" when it is Leaf.
llvm::StringRef search(const llvm::Value *Leaf, const llvm::Value *V,
                       bool Strict, unsigned Depth,
                       const llvm::TargetLibraryInfo &TLI) {
  if (V == Leaf)
    return "=";
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I || Depth == 0 || llvm::isa<llvm::LoadInst, llvm::PHINode>(I))
    return "";
  if (const auto *Select = llvm::dyn_cast<llvm::SelectInst>(I))
    if (minMaxSelect(*Select).empty() &&
        (search(Leaf, Select->getTrueValue(), false, Depth - 1, TLI).empty() ||
         search(Leaf, Select->getFalseValue(), false, Depth - 1, TLI).empty()))
      return ""; // one arm forgets the old value
  for (const llvm::Value *Operand : I->operand_values()) {
    llvm::StringRef Below = search(Leaf, Operand, Strict, Depth - 1, TLI);
    if (Below.empty())
      continue;
    if (Strict && llvm::isa<llvm::SelectInst>(I)) {
      // Used by the comparison and by the choice.
      if (!Operand->hasNUses(2) && !Operand->hasOneUse())
        return "";
    } else if (Strict && !Operand->hasOneUse()) {
      return "";
    }
    llvm::StringRef Here = accumulationStep(*I, Operand, TLI);
    if (Below == "=" || Below == Here)
      return Here;
    return Here == "=" ? Below : "";
  }
  return "";
}

} // namespace

bool comparesUnsigned(const llvm::Value &Result) {
  if (const auto *Cast = llvm::dyn_cast<llvm::CastInst>(&Result))
    return comparesUnsigned(*Cast->getOperand(0));
  if (const auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&Result))
    return Call->getIntrinsicID() == llvm::Intrinsic::umin ||
           Call->getIntrinsicID() == llvm::Intrinsic::umax;
  const auto *Select = llvm::dyn_cast<llvm::SelectInst>(&Result);
  const auto *Compare =
      Select ? llvm::dyn_cast<llvm::ICmpInst>(Select->getCondition()) : nullptr;
  return Compare && Compare->isUnsigned();
}

llvm::StringRef accumulationOperator(const llvm::Value *Leaf,
                                     const llvm::Value *Result, bool Strict,
                                     const llvm::TargetLibraryInfo &TLI) {
  llvm::StringRef Operator = search(Leaf, Result, Strict, 8, TLI);
  return Operator == "=" ? "" : Operator;
}

} // namespace gpuestimate
