#include "IntegerValues.h"

#include "ClusterShape.h"
#include "Joins.h"
#include "Likelihood.h"
#include "ObjectNames.h"
#include "PointerValues.h"
#include "Recurrences.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "gpu-estimate/Symbolic/RealParameters.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include <cmath>

namespace gpuestimate {

static bool isReal(const llvm::Value *V) {
  return V->getType()->isFloatingPointTy();
}

Expr IntegerValues::of(const llvm::Value *V) {
  if (auto Entry = Memo.find(V); Entry != Memo.end())
    return Entry->second;
  if (Expr Temporary = Recurrent.findTemporary(V))
    return Temporary;
  if (Context.ExprDepth > ValueContext::MaxDepth || !spendWork())
    return opaque(V);
  ++Context.ExprDepth;
  Expr E = compute(V);
  --Context.ExprDepth;
  if (Context.isTooLarge(E))
    E = opaque(V);
  if (Recurrent.dependsOnOpenPhi(E))
    Recurrent.keepTemporary(V, E);
  else
    Memo[V] = E;
  return E;
}

Expr IntegerValues::opaque(const llvm::Value *V) {
  if (auto Entry = OpaqueMemo.find(V); Entry != OpaqueMemo.end())
    return Entry->second;
  Unknown U;
  U.Kind = Unknown::LoadedValue;
  U.LaneVarying = Pointers.isLaneVarying(V);
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (I)
    U.Location = locate(*I);
  // A phi has no source line; the instruction behind it does, if the module has
  // debug information.
  bool HasLines = I && I->getFunction()->getSubprogram();
  for (const llvm::Instruction *Next = HasLines ? I : nullptr;
       Next && !U.Location.isValid() && spendWork(); Next = Next->getNextNode())
    U.Location = locate(*Next);
  std::string Line = U.Location.brief();
  if (I && llvm::isa<llvm::LoadInst>(I)) {
    U.What = "value loaded at " + Line;
    U.Why = "it is read from memory";
  } else if (I && llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(I)) {
    U.What = "result of the atomic operation at " + Line;
    U.Why = "it depends on the order in which threads arrive";
  } else if (I && llvm::isa<llvm::CallBase>(I)) {
    U.What = "result of the call at " + Line;
    U.Why = "the called function is not evaluated";
  } else if (I && llvm::isa<llvm::PHINode>(I)) {
    U.What = "value at " + Line;
    U.Why = "it depends on the path taken, or changes from one iteration to "
            "the next in no closed form";
  } else {
    U.What = "value computed at " + Line;
    U.Why = "it is no closed form of coordinates, arguments and loop counters";
  }
  return OpaqueMemo[V] = Names.add(std::move(U), V);
}

Expr IntegerValues::parameterOf(llvm::StringRef Name, llvm::Type &Type) {
  if (Type.isFloatingPointTy())
    assumeReal(Ctx, Name);
  return Ctx.parameter(Name);
}

bool IntegerValues::isNonNegative(const llvm::Value *V, Expr E) {
  if (E.range().Low >= 0)
    return true;
  return V && V->getType()->isIntegerTy() &&
         llvm::isKnownNonNegative(V, llvm::SimplifyQuery(A.DL));
}

Expr IntegerValues::compute(const llvm::Value *V) {
  if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(V)) {
    if (C->getBitWidth() == 1)
      return Ctx.constant(C->isOne());
    if (C->getValue().getSignificantBits() <= 64)
      return Ctx.constant(static_cast<double>(C->getSExtValue()));
    return Ctx.constant(C->getValue().signedRoundToDouble());
  }
  if (const auto *C = llvm::dyn_cast<llvm::ConstantFP>(V)) {
    llvm::APFloat F = C->getValueAPF();
    bool LosesInfo = false;
    F.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
              &LosesInfo);
    if (F.isFinite())
      return Ctx.constant(F.convertToDouble());
    return opaque(V);
  }
  // An undefined value is taken as 0.
  if (llvm::isa<llvm::UndefValue>(V) || llvm::isa<llvm::ConstantPointerNull>(V))
    return Ctx.constant(0);
  if (const auto *Arg = llvm::dyn_cast<llvm::Argument>(V)) {
    if (V->getType()->isIntegerTy() || isReal(V))
      return parameterOf(Objects.argumentName(*Arg), *V->getType());
    return opaque(V);
  }
  if (V->getType()->isPointerTy()) {
    // As a number, a pointer is only good for differences within one object.
    PointerValue P = Pointers.of(V);
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

/// Whether I is elect.sync, in assembly or as the intrinsic of LLVM 20.
static bool electsLane(const llvm::CallInst &I) {
  if (const llvm::Function *Callee = I.getCalledFunction())
    return Callee->getName() == "llvm.nvvm.elect.sync";
  return llvm::any_of(
      InlineAssembly(I).instructions(),
      [](const PtxInstruction &P) { return P.Opcode == "elect"; });
}

Expr IntegerValues::computeInstruction(const llvm::Instruction &I) {
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
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
    return truncated(I);
  case llvm::Instruction::Select:
    return Ctx.select(Operand(0), Operand(1), Operand(2));
  case llvm::Instruction::ExtractValue: {
    const auto &X = llvm::cast<llvm::ExtractValueInst>(I);
    if (const auto *Call =
            llvm::dyn_cast<llvm::CallInst>(X.getAggregateOperand());
        Call && electsLane(*Call))
      return X.getIndices()[0] == 0 ? Ctx.constant(0) : isFirstLane();
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

Expr IntegerValues::computeBinary(const llvm::BinaryOperator &I) {
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

Expr IntegerValues::compare(const llvm::CmpInst &I) {
  const llvm::Value *A0 = I.getOperand(0), *B0 = I.getOperand(1);
  if (isReal(A0))
    return compareReals(I);
  Expr L, R;
  if (A0->getType()->isPointerTy()) {
    PointerValue P = Pointers.of(A0), Q = Pointers.of(B0);
    if (!P.Base || P.Base != Q.Base) {
      // An argument is assumed to be a valid pointer.
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

Expr IntegerValues::linearThread() {
  return Ctx.parameter("threadIdx.x") +
         Ctx.parameter("blockDim.x") *
             (Ctx.parameter("threadIdx.y") +
              Ctx.parameter("blockDim.y") * Ctx.parameter("threadIdx.z"));
}

Expr IntegerValues::isFirstLane() {
  return Ctx.equal(Ctx.mod(linearThread(), Ctx.constant(32)), Ctx.constant(0));
}

/// In blocks whose rows are whole warps, the thread that lane l reads from is l
/// less its own lane, plus the lane that is read.
Expr IntegerValues::computeShuffle(const llvm::CallInst &I) {
  const auto *Lane = llvm::dyn_cast<llvm::ConstantInt>(I.getArgOperand(2));
  const auto *Clamp = llvm::dyn_cast<llvm::ConstantInt>(I.getArgOperand(3));
  if (!Lane || !Clamp || Clamp->getZExtValue() != 31)
    return Expr();
  Expr E = of(I.getArgOperand(1));
  if (Names.contains(E))
    return Expr();
  Expr X = Ctx.parameter("threadIdx.x");
  llvm::StringMap<Expr> Read;
  Read["threadIdx.x"] = X - Ctx.mod(X, Ctx.constant(32)) +
                        static_cast<double>(Lane->getZExtValue());
  return Ctx.substitute(E, Read);
}

Expr IntegerValues::computeFunnelShift(const llvm::CallInst &I, bool Left) {
  unsigned Bits = I.getType()->getScalarSizeInBits();
  std::optional<double> By = of(I.getArgOperand(2)).asConstant();
  if (!By || *By < 0)
    return Expr();
  double Amount = std::fmod(*By, Bits);
  if (Amount == 0)
    return of(I.getArgOperand(Left ? 0 : 1));
  if (!Left)
    Amount = Bits - Amount;
  // The high word loses its first bits, and those of the low word follow.
  Expr Weight = Ctx.constant(std::ldexp(1.0, Bits - Amount));
  return std::ldexp(1.0, Amount) * Ctx.mod(of(I.getArgOperand(0)), Weight) +
         Ctx.floorDiv(of(I.getArgOperand(1)), Weight);
}

/// Digits 0 to 3 of the selector are bytes of the first operand, 4 to 7 those
/// of the second one. Bytes that stay together are one term.
Expr IntegerValues::computeBytePermutation(const llvm::CallInst &I) {
  constexpr unsigned BytesOfWord = 4, RepeatsSign = 8;
  const auto *Selector = llvm::dyn_cast<llvm::ConstantInt>(I.getArgOperand(2));
  if (!Selector)
    return Expr();
  auto Digit = [&](unsigned N) {
    return static_cast<unsigned>(Selector->getZExtValue() >> 4 * N & 0xF);
  };
  Expr Result = Ctx.constant(0);
  for (unsigned First = 0, End = 0; First < BytesOfWord; First = End) {
    for (End = First; End < BytesOfWord; ++End)
      if (Digit(End) & RepeatsSign)
        return Expr();
      else if (Digit(End) != Digit(First) + (End - First) ||
               Digit(End) / BytesOfWord != Digit(First) / BytesOfWord)
        break;
    Expr Word = of(I.getArgOperand(Digit(First) / BytesOfWord));
    unsigned FromByte = Digit(First) % BytesOfWord;
    if (FromByte)
      Word = Ctx.floorDiv(Word, Ctx.constant(std::ldexp(1.0, 8 * FromByte)));
    if (End - First < BytesOfWord)
      Word = Ctx.mod(Word, Ctx.constant(std::ldexp(1.0, 8 * (End - First))));
    Result = Result + std::ldexp(1.0, 8 * First) * Word;
  }
  return Result;
}

// NOLINTNEXTLINE(readability-function-size): a case per intrinsic.
Expr IntegerValues::computeIntrinsic(const llvm::CallInst &I) {
  auto Operand = [&](unsigned N) { return of(I.getArgOperand(N)); };
  auto Linear = [&] { return linearThread(); };
  if (I.isInlineAsm() && electsLane(I))
    return I.getType()->isIntegerTy(1) ? isFirstLane() : Ctx.constant(0);
  if (const llvm::Function *Callee = I.getCalledFunction())
    if (llvm::StringRef Name = Callee->getName();
        Name.consume_front("llvm.nvvm.read.ptx.sreg.") &&
        Name.contains("cluster"))
      if (auto Shape = clusterShape(*I.getFunction()))
        if (Expr E = clusterRegister(Ctx, Name, *Shape))
          return E;
  switch (I.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case llvm::Intrinsic::amdgcn_workitem_id_x:
    return Ctx.parameter("threadIdx.x");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case llvm::Intrinsic::amdgcn_workitem_id_y:
    return Ctx.parameter("threadIdx.y");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case llvm::Intrinsic::amdgcn_workitem_id_z:
    return Ctx.parameter("threadIdx.z");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case llvm::Intrinsic::amdgcn_workgroup_id_x:
    return Ctx.parameter("blockIdx.x");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case llvm::Intrinsic::amdgcn_workgroup_id_y:
    return Ctx.parameter("blockIdx.y");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case llvm::Intrinsic::amdgcn_workgroup_id_z:
    return Ctx.parameter("blockIdx.z");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return Ctx.parameter("blockDim.x");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return Ctx.parameter("blockDim.y");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return Ctx.parameter("blockDim.z");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return Ctx.parameter("gridDim.x");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return Ctx.parameter("gridDim.y");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return Ctx.parameter("gridDim.z");
  case llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return Ctx.constant(32);
  case llvm::Intrinsic::amdgcn_wavefrontsize:
    return Ctx.constant(64);
  case llvm::Intrinsic::nvvm_read_ptx_sreg_laneid:
    return Ctx.mod(Linear(), Ctx.constant(32));
  case llvm::Intrinsic::nvvm_read_ptx_sreg_warpid:
    return Ctx.floorDiv(Linear(), Ctx.constant(32));
  case llvm::Intrinsic::nvvm_shfl_sync_idx_i32:
    if (Expr E = computeShuffle(I))
      return E;
    break;
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
    if (Expr E =
            computeFunnelShift(I, I.getIntrinsicID() == llvm::Intrinsic::fshl))
      return E;
    break;
  case llvm::Intrinsic::nvvm_prmt:
    if (Expr E = computeBytePermutation(I))
      return E;
    break;
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::umin:
    return Ctx.min({Operand(0), Operand(1)});
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umax:
    return Ctx.max({Operand(0), Operand(1)});
  case llvm::Intrinsic::abs: {
    Expr E = Operand(0);
    return E.range().Low >= 0 ? E : Ctx.max({E, -1.0 * E});
  }
  case llvm::Intrinsic::ctlz:
    return static_cast<double>(I.getType()->getIntegerBitWidth() - 1) -
           Ctx.floorLog2(Operand(0));
  case llvm::Intrinsic::usub_sat:
    return Ctx.max({Operand(0) - Operand(1), Ctx.constant(0)});
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::sadd_sat:
    return Operand(0) + Operand(1);
  case llvm::Intrinsic::expect:
  case llvm::Intrinsic::ssa_copy:
    return Operand(0);
  default:
    break;
  }
  if (Expr E = computeRealCall(I))
    return E;
  if (const llvm::Function *Callee = I.getCalledFunction()) {
    llvm::StringRef Name = Callee->getName();
    if (Name == "__nv_mul24" || Name == "__nv_umul24")
      return Operand(0) * Operand(1);
    const auto *Axis =
        I.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(I.getArgOperand(0))
                     : nullptr;
    if (Axis && Axis->getValue().ult(3) && Name.consume_front("__ockl_get_")) {
      std::string Suffix = std::string(".") + "xyz"[Axis->getZExtValue()];
      auto Named = [&](const char *What) {
        return Ctx.parameter(What + Suffix);
      };
      if (Name == "local_id")
        return Named("threadIdx");
      if (Name == "group_id")
        return Named("blockIdx");
      if (Name == "local_size")
        return Named("blockDim");
      if (Name == "num_groups")
        return Named("gridDim");
      if (Name == "global_size")
        return Named("gridDim") * Named("blockDim");
      if (Name == "global_id")
        return Named("blockIdx") * Named("blockDim") + Named("threadIdx");
    }
  }
  return opaque(&I);
}

Expr IntegerValues::computeLoad(const llvm::LoadInst &I) {
  PointerValue P = Pointers.of(I.getPointerOperand());
  std::optional<double> Offset = P.Offset.asConstant();
  const auto *Arg = llvm::dyn_cast_or_null<llvm::Argument>(P.Base);
  if (Arg && Arg->hasByValAttr() && Offset) {
    std::optional<unsigned> Argument;
    return parameterOf(Objects.nameOf(&I, Argument), *I.getType());
  }
  // AMDGPU keeps the launch sizes in the dispatch packet (16-bit block sizes
  // at 4, 6, 8; grid sizes in work-items at 12, 16, 20) or behind the implicit
  // arguments (grid sizes in blocks at 0, 4, 8; block sizes at 12, 14, 16).
  if (const auto *Packet = llvm::dyn_cast_or_null<llvm::IntrinsicInst>(P.Base);
      Packet && Offset) {
    static constexpr const char *Axes[] = {"x", "y", "z"};
    auto LaunchSize = [&](int First, int Bytes, const char *Name) -> Expr {
      int N = (static_cast<int>(*Offset) - First) / Bytes;
      if (*Offset < First || N > 2)
        return {};
      return Ctx.parameter(std::string(Name) + Axes[N]);
    };
    if (Packet->getIntrinsicID() == llvm::Intrinsic::amdgcn_dispatch_ptr) {
      if (*Offset >= 12) {
        Expr Blocks = LaunchSize(12, 4, "gridDim."),
             Threads = LaunchSize(12, 4, "blockDim.");
        if (Blocks)
          return Blocks * Threads;
      } else if (Expr E = LaunchSize(4, 2, "blockDim.")) {
        return E;
      }
    }
    if (Packet->getIntrinsicID() == llvm::Intrinsic::amdgcn_implicitarg_ptr) {
      if (Expr E = *Offset < 12 ? LaunchSize(0, 4, "gridDim.")
                                : LaunchSize(12, 2, "blockDim."))
        return E;
    }
  }
  return opaque(&I);
}

Expr IntegerValues::conditionOf(const Join &J) {
  Expr C = of(J.Condition);
  return J.Case ? Ctx.equal(C, Ctx.constant(J.Case->getSExtValue())) : C;
}

Expr IntegerValues::likelierSide(const Join &J) {
  Expr &Side = Sides[{J.Condition, J.Case}];
  if (Side)
    return Side;
  Likelihood Guess = likelihood(J);
  Unknown U;
  U.Kind = Unknown::BranchProbability;
  U.LaneVarying = A.UI.isDivergent(J.Condition);
  if (const auto *I = llvm::dyn_cast<llvm::Instruction>(J.Condition))
    U.Location = locate(*I);
  U.Default = Guess.Probability;
  U.What = "share of threads for which the condition at " + U.Location.brief() +
           " holds";
  U.Why = std::string("it depends on data; ") + Guess.Why +
          "; a value that it selects is that of the likelier side";
  Expr Share = Names.add(std::move(U), J.Condition);
  if (!J.Case)
    Names.addOrigin(Share, {J.Condition, false, nullptr, nullptr});
  return Side = Ctx.lessEqual(Ctx.constant(0.5), Share);
}

Expr IntegerValues::atExit(Expr E, const llvm::Loop *L) {
  Expr Counter = Context.counter(L);
  if (!E.dependsOn(Counter.name()))
    return E;
  Expr Trips = Context.TripCountOf ? Context.TripCountOf(L) : Expr();
  if (!Trips)
    return {};
  llvm::StringMap<Expr> Last;
  Last[Counter.name()] = Trips.range().Low >= 1
                             ? Trips - 1
                             : Ctx.max({Trips - 1, Ctx.constant(0)});
  return Ctx.substitute(E, Last);
}

Expr IntegerValues::outsideLoops(Expr E, const llvm::Value *Definition,
                                 const llvm::BasicBlock *Outside) {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(Definition);
  for (const llvm::Loop *Exited = I ? A.LI.getLoopFor(I->getParent()) : nullptr;
       E && Exited && !Exited->contains(Outside);
       Exited = Exited->getParentLoop()) {
    // A loop with several exits may leave with an earlier value.
    if (!Exited->getExitingBlock() &&
        E.dependsOn(Context.counter(Exited).name()))
      return {};
    E = atExit(E, Exited);
  }
  return E;
}

Expr IntegerValues::computePhi(const llvm::PHINode &Phi) {
  const llvm::Loop *L = A.LI.getLoopFor(Phi.getParent());
  if (L && L->getHeader() == Phi.getParent())
    return Recurrent.closedForm(Phi, L);
  // A value that leaves loops has its value of their last iteration.
  if (const llvm::Value *Same = Phi.hasConstantValue()) {
    Expr E = outsideLoops(of(Same), Same, Phi.getParent());
    return E ? E : opaque(&Phi);
  }
  if (Join J = findJoin(Phi, A); J.Condition) {
    Expr C = conditionOf(J);
    Expr P = of(J.IfTrue), Q = of(J.IfFalse);
    if (P == Q)
      return P;
    if (!Names.contains(C))
      return Ctx.select(C, P, Q);
    if (!Names.contains(P) && !Names.contains(Q))
      return Ctx.select(likelierSide(J), P, Q);
  }
  // Paths may have computed the same term each for itself.
  Expr First = of(Phi.getIncomingValue(0));
  if (llvm::all_of(Phi.incoming_values(),
                   [&](const llvm::Value *V) { return of(V) == First; }))
    return First;
  return opaque(&Phi);
}

} // namespace gpuestimate
