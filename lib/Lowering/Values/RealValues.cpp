/// \file
/// Real numbers of the IR as symbolic expressions, as far as they decide
/// addresses and conditions: `(int)((x + 0.5f) * scale)`, `r * r < limit`.
/// They are evaluated in double precision and without rounding in between, so a
/// value next to a whole number may be rounded to the other side.
#include "IntegerValues.h"
#include "Joins.h"
#include "ObjectNames.h"
#include "PointerValues.h"
#include "RealFunctions.h"
#include "Recurrences.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuestimate {

namespace {

enum class RealFunction : uint8_t {
  None,
  Floor,
  Ceil,
  Truncate,
  Round, ///< to the nearest; halves go up
  Absolute,
  Minimum,
  Maximum,
  Fused, ///< a * b + c
  SquareRoot,
};

} // namespace

/// The operation in the name of "llvm.floor.f32", "llvm.nvvm.floor.ftz.f",
/// "__nv_floorf" and
/// "__ocml_floor_f32".
static RealFunction realFunction(const llvm::CallInst &Call) {
  const llvm::Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return RealFunction::None;
  llvm::StringRef Name = Callee->getName();
  bool IsDeviceLibrary =
      Name.consume_front("__nv_") || Name.consume_front("__ocml_");
  bool IsIntrinsic = !IsDeviceLibrary && Name.consume_front("llvm.");
  if (!IsDeviceLibrary && !IsIntrinsic)
    return RealFunction::None;
  Name.consume_front("nvvm.");
  Name = Name.take_until([](char C) { return C == '.' || C == '_'; });
  using enum RealFunction;
  return llvm::StringSwitch<RealFunction>(Name)
      .Cases("floor", "floorf", Floor)
      .Cases("ceil", "ceilf", Ceil)
      .Cases("trunc", "truncf", Truncate)
      .Cases("round", "roundf", "rint", "rintf", "nearbyint", "nearbyintf",
             Round)
      .Cases("roundeven", "lround", "lrint", "llround", "llrint", Round)
      .Cases("lroundf", "llroundf", "lrintf", "llrintf", Round)
      .Cases("fabs", "fabsf", Absolute)
      .Cases("fmin", "fminf", "minnum", "minimum", Minimum)
      .Cases("fmax", "fmaxf", "maxnum", "maximum", Maximum)
      .Cases("fma", "fmaf", "fmuladd", Fused)
      .Cases("sqrt", "sqrtf", "fsqrt", "dsqrt", SquareRoot)
      .Default(None);
}

/// Conversions of a real by name: "__nv_float2int_rd", "llvm.nvvm.d2i.rn".
static RealFunction conversion(const llvm::CallInst &Call) {
  const llvm::Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return RealFunction::None;
  llvm::StringRef Name = Callee->getName();
  bool IsDeviceLibrary = Name.consume_front("__nv_");
  if (!IsDeviceLibrary && !Name.consume_front("llvm.nvvm."))
    return RealFunction::None;
  if (!Name.starts_with("float2") && !Name.starts_with("double2") &&
      !Name.starts_with("f2") && !Name.starts_with("d2"))
    return RealFunction::None;
  using enum RealFunction;
  Name.consume_back(".ftz");
  return llvm::StringSwitch<RealFunction>(Name.take_back(2))
      .Case("rz", Truncate)
      .Cases("rd", "rm", Floor)
      .Cases("ru", "rp", Ceil)
      .Case("rn", Round)
      .Default(None);
}

static Expr applied(ExprContext &C, RealFunction Function,
                    llvm::ArrayRef<Expr> X) {
  Expr One = C.constant(1), Zero = C.constant(0);
  switch (Function) {
  case RealFunction::Floor:
    return C.floorDiv(X[0], One);
  case RealFunction::Ceil:
    return C.ceilDiv(X[0], One);
  case RealFunction::Truncate:
    // Toward zero: the floor of a positive number, the ceiling of another.
    return C.floorDiv(C.max({X[0], Zero}), One) +
           C.ceilDiv(C.min({X[0], Zero}), One);
  case RealFunction::Round:
    return C.floorDiv(X[0] + 0.5, One);
  case RealFunction::Absolute:
    return X[0].range().Low >= 0 ? X[0] : C.max({X[0], -1.0 * X[0]});
  case RealFunction::Minimum:
    return C.min({X[0], X[1]});
  case RealFunction::Maximum:
    return C.max({X[0], X[1]});
  case RealFunction::Fused:
    return X[0] * X[1] + X[2];
  case RealFunction::SquareRoot:
    return C.squareRoot(X[0]);
  case RealFunction::None:
    break;
  }
  return {};
}

static unsigned operandsOf(RealFunction Function) {
  switch (Function) {
  case RealFunction::None:
    return 0;
  case RealFunction::Minimum:
  case RealFunction::Maximum:
    return 2;
  case RealFunction::Fused:
    return 3;
  default:
    return 1;
  }
}

std::optional<llvm::SmallVector<Expr, 3>>
IntegerValues::knownOperands(llvm::ArrayRef<const llvm::Value *> Operands) {
  llvm::SmallVector<Expr, 3> Values;
  for (const llvm::Value *V : Operands) {
    Expr E = of(V);
    if (Names.contains(E))
      return std::nullopt;
    Values.push_back(E);
  }
  return Values;
}

/// The function of a call, or the conversion to an integer.
static RealFunction functionOf(const llvm::CallInst &Call) {
  RealFunction Function = realFunction(Call);
  return Function == RealFunction::None && Call.getType()->isIntegerTy()
             ? conversion(Call)
             : Function;
}

unsigned operandsOfRealCall(const llvm::CallInst &Call) {
  unsigned Count = operandsOf(functionOf(Call));
  return Count > 0 && Call.arg_size() >= Count &&
                 Call.getArgOperand(0)->getType()->isFloatingPointTy()
             ? Count
             : 0;
}

Expr realCall(ExprContext &Context, const llvm::CallInst &Call,
              llvm::ArrayRef<Expr> Operands) {
  return applied(Context, functionOf(Call), Operands);
}

Expr truncatedReal(ExprContext &Context, Expr X) {
  return applied(Context, RealFunction::Truncate, X);
}

Expr IntegerValues::computeRealCall(const llvm::CallInst &Call) {
  llvm::SmallVector<const llvm::Value *, 3> Operands;
  for (unsigned I = 0, Count = operandsOfRealCall(Call); I < Count; ++I)
    Operands.push_back(Call.getArgOperand(I));
  auto X = Operands.empty() ? std::nullopt : knownOperands(Operands);
  return X ? realCall(Ctx, Call, *X) : Expr();
}

Expr IntegerValues::truncated(const llvm::Instruction &Conversion) {
  auto X = knownOperands({Conversion.getOperand(0)});
  return X ? truncatedReal(Ctx, X->front()) : opaque(&Conversion);
}

Expr IntegerValues::computeReal(const llvm::Instruction &I) {
  if (const auto *Call = llvm::dyn_cast<llvm::CallInst>(&I)) {
    Expr E = computeRealCall(*Call);
    return E ? E : opaque(&I);
  }
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I))
    return computeLoad(*Load);
  if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(&I)) {
    const llvm::Loop *L = A.LI.getLoopFor(Phi->getParent());
    bool IsRecurrence = L && L->getHeader() == Phi->getParent();
    return IsRecurrence ? opaque(&I) : computePhi(*Phi);
  }
  switch (I.getOpcode()) {
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::FNeg:
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::Select:
    break;
  default:
    return opaque(&I);
  }
  llvm::SmallVector<const llvm::Value *, 3> Operands(I.operand_values());
  auto Values = knownOperands(Operands);
  if (!Values)
    return opaque(&I);
  llvm::ArrayRef<Expr> X = *Values;
  switch (I.getOpcode()) {
  case llvm::Instruction::FNeg:
    return -1.0 * X[0];
  case llvm::Instruction::FAdd:
    return X[0] + X[1];
  case llvm::Instruction::FSub:
    return X[0] - X[1];
  case llvm::Instruction::FMul:
    return X[0] * X[1];
  case llvm::Instruction::FDiv:
    return X[1].isConstant(0) ? opaque(&I) : Ctx.div(X[0], X[1]);
  case llvm::Instruction::Select:
    return Ctx.select(X[0], X[1], X[2]);
  default: // conversions
    return X[0];
  }
}

Expr IntegerValues::compareReals(const llvm::CmpInst &I) {
  auto Values = knownOperands({I.getOperand(0), I.getOperand(1)});
  if (!Values)
    return opaque(&I);
  Expr L = (*Values)[0], R = (*Values)[1];
  // No value here is a NaN, so that ordered and unordered are the same.
  switch (I.getPredicate()) {
  case llvm::CmpInst::FCMP_OEQ:
  case llvm::CmpInst::FCMP_UEQ:
    return Ctx.equal(L, R);
  case llvm::CmpInst::FCMP_ONE:
  case llvm::CmpInst::FCMP_UNE:
    return Ctx.notEqual(L, R);
  case llvm::CmpInst::FCMP_OLT:
  case llvm::CmpInst::FCMP_ULT:
    return Ctx.less(L, R);
  case llvm::CmpInst::FCMP_OLE:
  case llvm::CmpInst::FCMP_ULE:
    return Ctx.lessEqual(L, R);
  case llvm::CmpInst::FCMP_OGT:
  case llvm::CmpInst::FCMP_UGT:
    return Ctx.less(R, L);
  case llvm::CmpInst::FCMP_OGE:
  case llvm::CmpInst::FCMP_UGE:
    return Ctx.lessEqual(R, L);
  default:
    return opaque(&I);
  }
}

} // namespace gpuestimate
