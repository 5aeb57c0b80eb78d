#include "Values.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <cmath>

namespace gpuestimate {

namespace {

/// Larger terms become unknowns: nobody reads them, and a hash function that
/// was unrolled would grow without bound.
constexpr unsigned MaxWeight = 400;

bool isReal(const llvm::Value *V) { return V->getType()->isFloatingPointTy(); }

} // namespace

Values::Values(KernelAnalyses &A, const KernelSource &Source,
               KernelModel &Model, Unknowns &Names)
    : A(A), Source(Source), Names(Names), Ctx(*Model.Context) {
  constexpr double MaxGrid = 2147483647;
  for (const char *Axis : {"x", "y", "z"}) {
    Ctx.assumeRange(std::string("threadIdx.") + Axis, {0, 1023});
    Ctx.assumeRange(std::string("blockIdx.") + Axis, {0, MaxGrid - 1});
    Ctx.assumeRange(std::string("blockDim.") + Axis, {1, 1024});
    Ctx.assumeRange(std::string("gridDim.") + Axis, {1, MaxGrid});
  }
}

unsigned Values::weight(Expr E) {
  auto [At, New] = Weights.try_emplace(E.node(), 1);
  if (!New)
    return At->second;
  unsigned W = 1;
  for (Expr Operand : E.operands())
    W = std::min(W + weight(Operand), 2 * MaxWeight);
  return Weights[E.node()] = W;
}

bool Values::dependsOnOpenPhi(Expr E) const {
  return llvm::any_of(
      Open, [&](const auto &P) { return E.dependsOn(P.second.name()); });
}

Expr Values::of(const llvm::Value *V) {
  if (auto Known = Memo.find(V); Known != Memo.end())
    return Known->second;
  for (const auto &Scope : OpenMemo)
    if (auto Known = Scope.find(V); Known != Scope.end())
      return Known->second;
  if (Depth > MaxDepth || !spendWork())
    return opaque(V);
  ++Depth;
  Expr E = compute(V);
  --Depth;
  if (weight(E) > MaxWeight)
    E = opaque(V);
  if (!Open.empty() && dependsOnOpenPhi(E))
    OpenMemo.back()[V] = E;
  else
    Memo[V] = E;
  return E;
}

Expr Values::opaque(const llvm::Value *V) {
  if (auto Known = Opaque.find(V); Known != Opaque.end())
    return Known->second;
  Unknown U;
  U.Kind = Unknown::LoadedValue;
  U.LaneVarying = isLaneVarying(V);
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (I)
    U.Location = locate(*I);
  // A phi has no place of its own; the code behind it does, if it was compiled
  // with lines.
  bool HasLines = I && I->getFunction()->getSubprogram();
  for (const llvm::Instruction *Next = HasLines ? I : nullptr;
       Next && !U.Location.isValid() && spendWork(); Next = Next->getNextNode())
    U.Location = locate(*Next);
  std::string Place = placeOf(U.Location);
  if (I && llvm::isa<llvm::LoadInst>(I)) {
    U.What = "value loaded at " + Place;
    U.Why = "it is read from memory";
  } else if (I && llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(I)) {
    U.What = "result of the atomic operation at " + Place;
    U.Why = "it depends on the order in which threads arrive";
  } else if (I && llvm::isa<llvm::CallBase>(I)) {
    U.What = "result of the call at " + Place;
    U.Why = "the called function is not evaluated";
  } else if (I && llvm::isa<llvm::PHINode>(I)) {
    U.What = "value at " + Place;
    U.Why = "it depends on the path taken, or changes from one iteration to "
            "the next in no closed form";
  } else {
    U.What = "value computed at " + Place;
    U.Why = "it is no closed form of coordinates, arguments and loop counters";
  }
  return Opaque[V] = Names.add(std::move(U), V);
}

bool Values::isNonNegative(const llvm::Value *V, Expr E) {
  if (E.range().Low >= 0)
    return true;
  return V && V->getType()->isIntegerTy() &&
         llvm::isKnownNonNegative(V, llvm::SimplifyQuery(A.DL));
}

Expr Values::counter(const llvm::Loop *L) {
  return Ctx.parameter(Counters.lookup(L));
}

bool Values::isInvariant(Expr E, const llvm::Loop *L) {
  for (const llvm::Loop *Inner : L->getLoopsInPreorder())
    if (!spendWork() || E.dependsOn(Counters.lookup(Inner)))
      return false;
  llvm::SmallVector<const llvm::Value *> Sources;
  Names.sources(E, Sources);
  return llvm::none_of(Sources, [&](const llvm::Value *V) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    return I && L->contains(I);
  });
}

Expr Values::compute(const llvm::Value *V) {
  if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(V)) {
    if (C->getBitWidth() == 1)
      return Ctx.constant(C->isOne());
    if (C->getValue().getSignificantBits() <= 64)
      return Ctx.constant(static_cast<double>(C->getSExtValue()));
    return Ctx.constant(C->getValue().signedRoundToDouble());
  }
  if (const auto *C = llvm::dyn_cast<llvm::ConstantFP>(V)) {
    llvm::APFloat F = C->getValueAPF();
    bool Loses = false;
    F.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
              &Loses);
    if (F.isFinite())
      return Ctx.constant(F.convertToDouble());
    return opaque(V);
  }
  // A value that need not be defined may be taken as anything.
  if (llvm::isa<llvm::UndefValue>(V) || llvm::isa<llvm::ConstantPointerNull>(V))
    return Ctx.constant(0);
  if (const auto *Arg = llvm::dyn_cast<llvm::Argument>(V)) {
    if (V->getType()->isIntegerTy() || isReal(V))
      return Ctx.parameter(argumentName(*Arg));
    return opaque(V);
  }
  if (V->getType()->isPointerTy()) {
    // As a number, a pointer is only good for differences within one object.
    PointerValue P = pointer(V);
    return P.Offset;
  }
  if (const auto *I = llvm::dyn_cast<llvm::Instruction>(V)) {
    if (isReal(V))
      return computeReal(*I);
    if (V->getType()->isIntegerTy())
      return computeInstruction(*I);
  }
  return opaque(V);
}

std::string Values::argumentName(const llvm::Argument &Arg) const {
  unsigned Index = Arg.getArgNo();
  if (Index < Source.Arguments.size() && !Source.Arguments[Index].Name.empty())
    return Source.Arguments[Index].Name;
  if (Arg.hasName())
    return Arg.getName().str();
  return "arg" + std::to_string(Index);
}

Expr Values::computeReal(const llvm::Instruction &I) {
  auto Operand = [&](unsigned N) { return of(I.getOperand(N)); };
  Expr E;
  switch (I.getOpcode()) {
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
    E = Operand(0);
    break;
  case llvm::Instruction::FNeg:
    E = -1.0 * Operand(0);
    break;
  default:
    return opaque(&I);
  }
  return Names.contains(E) ? opaque(&I) : E;
}

Expr Values::computeInstruction(const llvm::Instruction &I) {
  auto Operand = [&](unsigned N) { return of(I.getOperand(N)); };
  if (const auto *Binary = llvm::dyn_cast<llvm::BinaryOperator>(&I))
    return computeBinary(*Binary);
  if (const auto *Compare = llvm::dyn_cast<llvm::CmpInst>(&I))
    return compare(*Compare);
  if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I))
    return computeLoad(*Load);
  if (const auto *Phi = llvm::dyn_cast<llvm::PHINode>(&I))
    return computePhi(*Phi);
  if (const auto *Call = llvm::dyn_cast<llvm::CallInst>(&I))
    return computeIntrinsic(*Call);
  switch (I.getOpcode()) {
  case llvm::Instruction::ZExt:
  case llvm::Instruction::PtrToInt:
    return Operand(0);
  case llvm::Instruction::SExt:
    return I.getOperand(0)->getType()->isIntegerTy(1) ? -1.0 * Operand(0)
                                                      : Operand(0);
  case llvm::Instruction::Freeze:
    return Operand(0);
  case llvm::Instruction::Trunc: {
    Expr E = Operand(0);
    unsigned Bits = I.getType()->getIntegerBitWidth();
    if (Bits >= 32 || (E.range().Low >= 0 &&
                       E.range().High < std::ldexp(1.0, Bits - (Bits > 1))))
      return E;
    // Narrow integers do wrap around in practice (bytes of a word).
    return Ctx.mod(E, Ctx.constant(std::ldexp(1.0, Bits)));
  }
  case llvm::Instruction::Select:
    return Ctx.select(Operand(0), Operand(1), Operand(2));
  case llvm::Instruction::ExtractValue: {
    const auto &X = llvm::cast<llvm::ExtractValueInst>(I);
    const auto *With =
        llvm::dyn_cast<llvm::WithOverflowInst>(X.getAggregateOperand());
    if (With && X.getIndices()[0] == 0) {
      Expr L = of(With->getLHS()), R = of(With->getRHS());
      switch (With->getBinaryOp()) {
      case llvm::Instruction::Add:
        return L + R;
      case llvm::Instruction::Sub:
        return L - R;
      case llvm::Instruction::Mul:
        return L * R;
      default:
        break;
      }
    }
    return opaque(&I);
  }
  default:
    return opaque(&I);
  }
}

Expr Values::computeBinary(const llvm::BinaryOperator &I) {
  Expr L = of(I.getOperand(0)), R = of(I.getOperand(1));
  std::optional<double> C = R.asConstant();
  bool IsCondition = I.getType()->isIntegerTy(1);
  switch (I.getOpcode()) {
  case llvm::Instruction::Add:
    return IsCondition ? Ctx.notEqual(L, R) : L + R;
  case llvm::Instruction::Sub:
    return IsCondition ? Ctx.notEqual(L, R) : L - R;
  case llvm::Instruction::Mul:
    return L * R;
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
    return C && *C == 0 ? opaque(&I) : Ctx.floorDiv(L, R);
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    return C && *C == 0 ? opaque(&I) : Ctx.mod(L, R);
  case llvm::Instruction::Shl:
    if (C)
      return *C >= 0 && *C < 64 ? std::ldexp(1.0, *C) * L : Ctx.constant(0);
    return Ctx.shiftLeft(L, R);
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    if (C)
      return *C >= 0 && *C < 64
                 ? Ctx.floorDiv(L, Ctx.constant(std::ldexp(1.0, *C)))
                 : opaque(&I);
    return Ctx.floorDiv(L, Ctx.shiftLeft(Ctx.constant(1), R));
  case llvm::Instruction::And:
    if (IsCondition)
      return L * R;
    if (C && *C >= 0 && std::log2(*C + 1) == std::floor(std::log2(*C + 1)))
      return Ctx.mod(L, Ctx.constant(*C + 1));
    if (C && *C < 0 && std::log2(-*C) == std::floor(std::log2(-*C)))
      return L - Ctx.mod(L, Ctx.constant(-*C));
    return Ctx.bitAnd(L, R);
  case llvm::Instruction::Or:
    if (IsCondition)
      return 1.0 - (1.0 - L) * (1.0 - R);
    if (llvm::cast<llvm::PossiblyDisjointInst>(I).isDisjoint())
      return L + R;
    return Ctx.bitOr(L, R);
  case llvm::Instruction::Xor:
    if (IsCondition)
      return R.isConstant(1) ? 1.0 - L : Ctx.notEqual(L, R);
    if (C && *C == -1)
      return -1.0 - L;
    return Ctx.bitXor(L, R);
  default:
    return opaque(&I);
  }
}

Expr Values::compare(const llvm::CmpInst &I) {
  const llvm::Value *A0 = I.getOperand(0), *B0 = I.getOperand(1);
  if (isReal(A0)) {
    // Order among reals needs reals; parameters are integers by contract.
    bool Equality = I.getPredicate() == llvm::CmpInst::FCMP_OEQ ||
                    I.getPredicate() == llvm::CmpInst::FCMP_UEQ ||
                    I.getPredicate() == llvm::CmpInst::FCMP_UNE ||
                    I.getPredicate() == llvm::CmpInst::FCMP_ONE;
    Expr L = of(A0), R = of(B0);
    if (!Equality || Names.contains(L) || Names.contains(R))
      return opaque(&I);
    bool IsEqual = I.getPredicate() == llvm::CmpInst::FCMP_OEQ ||
                   I.getPredicate() == llvm::CmpInst::FCMP_UEQ;
    return IsEqual ? Ctx.equal(L, R) : Ctx.notEqual(L, R);
  }
  Expr L, R;
  if (A0->getType()->isPointerTy()) {
    PointerValue P = pointer(A0), Q = pointer(B0);
    if (!P.Base || P.Base != Q.Base) {
      // An argument is taken to be a valid pointer.
      bool Null =
          llvm::isa<llvm::ConstantPointerNull>(B0) && P.Base &&
          llvm::isa<llvm::Argument, llvm::GlobalVariable, llvm::AllocaInst>(
              P.Base);
      if (Null && I.isEquality())
        return Ctx.constant(I.getPredicate() == llvm::CmpInst::ICMP_NE);
      return opaque(&I);
    }
    L = P.Offset;
    R = Q.Offset;
  } else if (A0->getType()->isIntegerTy()) {
    L = of(A0);
    R = of(B0);
  } else {
    return opaque(&I);
  }
  // A negative number compared as unsigned is a large one: x <u n checks both
  // ends of 0 .. n-1.
  auto UnsignedLess = [&](Expr X, Expr Y, const llvm::Value *XV,
                          const llvm::Value *YV, bool OrEqual) {
    Expr Less = OrEqual ? Ctx.lessEqual(X, Y) : Ctx.less(X, Y);
    bool XPositive = isNonNegative(XV, X), YPositive = isNonNegative(YV, Y);
    if (XPositive || !YPositive)
      return Less;
    // Only a difference is likely to be negative; a bare argument is a size.
    if (X.kind() != ExprKind::Add)
      return Less;
    return Ctx.lessEqual(Ctx.constant(0), X) * Less;
  };
  switch (I.getPredicate()) {
  case llvm::CmpInst::ICMP_EQ:
    return Ctx.equal(L, R);
  case llvm::CmpInst::ICMP_NE:
    return Ctx.notEqual(L, R);
  case llvm::CmpInst::ICMP_SLT:
    return Ctx.less(L, R);
  case llvm::CmpInst::ICMP_SLE:
    return Ctx.lessEqual(L, R);
  case llvm::CmpInst::ICMP_SGT:
    return Ctx.less(R, L);
  case llvm::CmpInst::ICMP_SGE:
    return Ctx.lessEqual(R, L);
  case llvm::CmpInst::ICMP_ULT:
    return UnsignedLess(L, R, A0, B0, false);
  case llvm::CmpInst::ICMP_ULE:
    return UnsignedLess(L, R, A0, B0, true);
  case llvm::CmpInst::ICMP_UGT:
    return 1.0 - UnsignedLess(L, R, A0, B0, true);
  case llvm::CmpInst::ICMP_UGE:
    return 1.0 - UnsignedLess(L, R, A0, B0, false);
  default:
    return opaque(&I);
  }
}

} // namespace gpuestimate
