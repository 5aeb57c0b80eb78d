#include "DataForms.h"

#include "RealFunctions.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/RealParameters.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <cmath>

namespace gpuestimate {

/// Value, a whole number, as the unsigned number with the same Bits bits.
static Expr asUnsigned(ExprContext &Ctx, Expr Value, unsigned Bits) {
  return Ctx.mod(Value, Ctx.constant(std::ldexp(1.0, static_cast<int>(Bits))));
}

DataForms::Form DataForms::of(const llvm::Value *Value) {
  return of({Value}, [](llvm::ArrayRef<Expr> X) { return X[0]; });
}

DataForms::Form
DataForms::of(llvm::ArrayRef<const llvm::Value *> Operands,
              llvm::function_ref<Expr(llvm::ArrayRef<Expr>)> Combine) {
  Form Result;
  llvm::SmallVector<Expr, 2> Translated;
  for (const llvm::Value *Operand : Operands) {
    Expr E = translate(Operand, Result, 0);
    if (!E)
      return {};
    Translated.push_back(E);
  }
  Result.Value = Combine(Translated);
  return Result;
}

Expr DataForms::address(const llvm::Value *Pointer, std::string &Buffer,
                        Form &Into, unsigned Depth) {
  PointerValue P = V.pointer(Pointer);
  std::optional<unsigned> Argument;
  if (P.Base && !Names.contains(P.Offset)) {
    Buffer = V.nameOf(P.Base, Argument);
    return !Argument || Buffer.empty() ? Expr() : P.Offset;
  }
  // The element's number is loaded itself.
  const auto *Step = llvm::dyn_cast<llvm::GEPOperator>(Pointer);
  if (!Step)
    return {};
  Expr Offset = address(Step->getPointerOperand(), Buffer, Into, Depth + 1);
  if (!Offset)
    return {};
  for (auto Index = llvm::gep_type_begin(Step), End = llvm::gep_type_end(Step);
       Index != End; ++Index) {
    if (Index.isStruct()) {
      const llvm::StructLayout *Fields =
          Layout.getStructLayout(Index.getStructType());
      auto Field = llvm::cast<llvm::ConstantInt>(Index.getOperand());
      Offset =
          Offset +
          double(
              Fields->getElementOffset(Field->getZExtValue()).getFixedValue());
      continue;
    }
    Expr Number = translate(Index.getOperand(), Into, Depth + 1);
    if (!Number)
      return {};
    Offset = Offset +
             double(Index.getSequentialElementStride(Layout).getFixedValue()) *
                 Number;
  }
  return Offset;
}

Expr DataForms::load(const llvm::LoadInst &Load, Form &Into, unsigned Depth) {
  auto Known = LoadNames.find(&Load);
  if (Known != LoadNames.end() && llvm::is_contained(Into.Places, &Load))
    return Ctx.parameter(Known->second);
  llvm::Type *Type = Load.getType();
  if (Load.isVolatile() || Load.isAtomic() || Into.Loads.size() >= MaxLoads ||
      (!Type->isIntegerTy() && !Type->isFloatingPointTy()))
    return {};
  DataLoad Found;
  Found.Address = address(Load.getPointerOperand(), Found.Buffer, Into, Depth);
  if (!Found.Address)
    return {};
  // A load in the address has named itself: the map may have moved.
  auto [Entry, IsNew] = LoadNames.try_emplace(&Load);
  if (IsNew) {
    // A control character separates the name from the user's parameters.
    Entry->second = "\x04load" + std::to_string(LoadNames.size() - 1);
    if (Type->isFloatingPointTy())
      assumeReal(Ctx, Entry->second);
  }
  Found.Name = Entry->second;
  Found.Bytes = static_cast<unsigned>(Layout.getTypeStoreSize(Type));
  Into.Loads.push_back(std::move(Found));
  Into.Places.push_back(&Load);
  return Ctx.parameter(Into.Loads.back().Name);
}

Expr DataForms::counter(const llvm::PHINode &Phi, Form &Into, unsigned Depth) {
  const llvm::Loop *L = A.LI.getLoopFor(Phi.getParent());
  const llvm::BasicBlock *Before = L && L->getHeader() == Phi.getParent()
                                       ? L->getLoopPredecessor()
                                       : nullptr;
  Recurrence R = Before ? V.recurrence(&Phi) : Recurrence();
  if (R.Kind != Recurrence::Affine || Names.contains(R.Step))
    return {};
  Expr Start = translate(Phi.getIncomingValueForBlock(Before), Into, Depth + 1);
  return Start ? Start + R.Step * V.counter(L) : Expr();
}

Expr DataForms::compare(const llvm::CmpInst &C, Form &Into, unsigned Depth) {
  using llvm::CmpInst;
  if (C.getOperand(0)->getType()->isPointerTy())
    return {};
  Expr L = translate(C.getOperand(0), Into, Depth + 1);
  Expr R = L ? translate(C.getOperand(1), Into, Depth + 1) : Expr();
  if (!R)
    return {};
  // LLVM makes x - 1 < 3 of the range 1 <= x < 4, with x - 1 unsigned.
  if (C.isUnsigned()) {
    unsigned Bits = C.getOperand(0)->getType()->getScalarSizeInBits();
    L = asUnsigned(Ctx, L, Bits);
    R = asUnsigned(Ctx, R, Bits);
  }
  switch (C.getPredicate()) {
  case CmpInst::ICMP_EQ:
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_UEQ:
    return Ctx.equal(L, R);
  case CmpInst::ICMP_NE:
  case CmpInst::FCMP_ONE:
  case CmpInst::FCMP_UNE:
    return Ctx.notEqual(L, R);
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
    return Ctx.less(L, R);
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULE:
    return Ctx.lessEqual(L, R);
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_UGT:
    return Ctx.less(R, L);
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGE:
    return Ctx.lessEqual(R, L);
  default:
    return {};
  }
}

Expr DataForms::binary(const llvm::Instruction &I, Expr L, Expr R,
                       unsigned Bits) {
  switch (I.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::FAdd:
    return L + R;
  case llvm::Instruction::Sub:
  case llvm::Instruction::FSub:
    return L - R;
  case llvm::Instruction::Mul:
  case llvm::Instruction::FMul:
    return L * R;
  case llvm::Instruction::FDiv:
    return R.isConstant(0) ? Expr() : Ctx.div(L, R);
  case llvm::Instruction::UDiv:
    return R.isConstant(0) ? Expr()
                           : Ctx.floorDiv(asUnsigned(Ctx, L, Bits),
                                          asUnsigned(Ctx, R, Bits));
  case llvm::Instruction::SDiv:
    return R.isConstant(0) ? Expr() : truncatedReal(Ctx, Ctx.div(L, R));
  case llvm::Instruction::URem:
    return R.isConstant(0)
               ? Expr()
               : Ctx.mod(asUnsigned(Ctx, L, Bits), asUnsigned(Ctx, R, Bits));
  case llvm::Instruction::SRem:
    return R.isConstant(0) ? Expr() : L - R * truncatedReal(Ctx, Ctx.div(L, R));
  case llvm::Instruction::Shl:
    return Ctx.shiftLeft(L, R);
  case llvm::Instruction::LShr:
    L = asUnsigned(Ctx, L, Bits);
    [[fallthrough]];
  case llvm::Instruction::AShr:
    return Ctx.floorDiv(L, Ctx.shiftLeft(Ctx.constant(1), R));
  case llvm::Instruction::And:
    return Bits == 1 ? L * R : Ctx.bitAnd(L, R);
  case llvm::Instruction::Or:
    return Bits == 1 ? 1.0 - (1.0 - L) * (1.0 - R) : Ctx.bitOr(L, R);
  case llvm::Instruction::Xor:
    return Bits == 1 ? Ctx.notEqual(L, R) : Ctx.bitXor(L, R);
  default:
    return {};
  }
}

Expr DataForms::translate(const llvm::Value *Value, Form &Into,
                          unsigned Depth) {
  if (Depth > MaxDepth || !spendWork())
    return {};
  Expr Closed = V.of(Value);
  if (!Names.contains(Closed))
    return Closed;
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(Value))
    return load(*Load, Into, Depth);
  if (const auto *C = llvm::dyn_cast<llvm::CmpInst>(Value))
    return compare(*C, Into, Depth);
  if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(Value))
    return counter(*Phi, Into, Depth);
  const auto *I = llvm::dyn_cast<llvm::Instruction>(Value);
  if (!I || I->getNumOperands() == 0)
    return {};
  auto Operand = [&](unsigned N) {
    return translate(I->getOperand(N), Into, Depth + 1);
  };
  unsigned Bits =
      I->getType()->isIntegerTy() ? I->getType()->getIntegerBitWidth() : 0;
  switch (I->getOpcode()) {
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
    // An i1 that is extended by its sign is -1.
    if (I->getOperand(0)->getType()->isIntegerTy(1) &&
        I->getOpcode() == llvm::Instruction::SExt)
      return {};
    if (I->getOpcode() == llvm::Instruction::ZExt) {
      Expr X = Operand(0);
      return X ? asUnsigned(Ctx, X,
                            I->getOperand(0)->getType()->getScalarSizeInBits())
               : Expr();
    }
    return Operand(0);
  case llvm::Instruction::Trunc:
    return Bits >= 32 ? Operand(0) : Expr();
  case llvm::Instruction::Freeze:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
    return Operand(0);
  case llvm::Instruction::UIToFP: {
    Expr X = Operand(0);
    return X ? asUnsigned(Ctx, X,
                          I->getOperand(0)->getType()->getScalarSizeInBits())
             : Expr();
  }
  case llvm::Instruction::FNeg: {
    Expr X = Operand(0);
    return X ? -1.0 * X : Expr();
  }
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI: {
    Expr X = Operand(0);
    return X ? truncatedReal(Ctx, X) : Expr();
  }
  default:
    break;
  }
  if (const auto *Call = llvm::dyn_cast<llvm::CallInst>(I)) {
    llvm::SmallVector<Expr, 3> Operands;
    for (unsigned N = 0, Count = operandsOfRealCall(*Call); N < Count; ++N) {
      Operands.push_back(Operand(N));
      if (!Operands.back())
        return {};
    }
    return Operands.empty() ? Expr() : realCall(Ctx, *Call, Operands);
  }
  if (llvm::isa<llvm::SelectInst>(I)) {
    Expr C = Operand(0), X = C ? Operand(1) : Expr(),
         Y = X ? Operand(2) : Expr();
    return Y ? Ctx.select(C, X, Y) : Expr();
  }
  if (!llvm::isa<llvm::BinaryOperator>(I))
    return {};
  Expr L = Operand(0), R = L ? Operand(1) : Expr();
  return R ? binary(*I, L, R, Bits) : Expr();
}

} // namespace gpuestimate
