/// \file
/// Coordinates and sizes of the launch, other intrinsics with a meaning in the
/// integers, and ScalarEvolution's terms.
#include "Values.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gpuestimate {

Expr Values::computeIntrinsic(const llvm::CallInst &I) {
  auto Operand = [&](unsigned N) { return of(I.getArgOperand(N)); };
  auto Linear = [&] {
    return Ctx.parameter("threadIdx.x") +
           Ctx.parameter("blockDim.x") *
               (Ctx.parameter("threadIdx.y") +
                Ctx.parameter("blockDim.y") * Ctx.parameter("threadIdx.z"));
  };
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
  if (const llvm::Function *Callee = I.getCalledFunction()) {
    llvm::StringRef Name = Callee->getName();
    if (Name == "__nv_mul24" || Name == "__nv_umul24")
      return Operand(0) * Operand(1);
    const auto *Axis =
        I.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(I.getArgOperand(0))
                     : nullptr;
    if (Axis && Axis->getValue().ult(3) && Name.consume_front("__ockl_get_")) {
      std::string Of = std::string(".") + "xyz"[Axis->getZExtValue()];
      auto Named = [&](const char *What) { return Ctx.parameter(What + Of); };
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

Expr Values::ofScev(const llvm::SCEV *S) {
  ScevMemo Done;
  return ofScev(S, Done);
}

Expr Values::ofScev(const llvm::SCEV *S, ScevMemo &Done) {
  // Operands may be shared; those of a deep term are not worked out.
  if (Expr Known = Done.lookup(S))
    return Known;
  ++WalkDepth;
  Expr E = computeScev(S, Done);
  --WalkDepth;
  return Done[S] = E;
}

Expr Values::computeScev(const llvm::SCEV *S, ScevMemo &Done) {
  auto Of = [&](const llvm::SCEV *Operand) { return ofScev(Operand, Done); };
  if (WalkDepth > MaxDepth || !spendWork())
    return unknownBound();
  switch (S->getSCEVType()) {
  case llvm::scConstant:
    return of(llvm::cast<llvm::SCEVConstant>(S)->getValue());
  case llvm::scUnknown:
    return of(llvm::cast<llvm::SCEVUnknown>(S)->getValue());
  case llvm::scTruncate:
  case llvm::scZeroExtend:
  case llvm::scSignExtend:
  case llvm::scPtrToInt:
    return Of(llvm::cast<llvm::SCEVCastExpr>(S)->getOperand());
  case llvm::scUDivExpr: {
    const auto *D = llvm::cast<llvm::SCEVUDivExpr>(S);
    return Ctx.floorDiv(Of(D->getLHS()), Of(D->getRHS()));
  }
  case llvm::scAddRecExpr: {
    const auto *R = llvm::cast<llvm::SCEVAddRecExpr>(S);
    if (!R->isAffine())
      break;
    return Of(R->getStart()) + Of(R->getOperand(1)) * counter(R->getLoop());
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
      Terms.push_back(Of(Operand));
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

Expr Values::unknownBound() {
  Unknown U;
  U.What = "a loop bound";
  U.Why = "its form is not known to the analysis";
  return Names.add(std::move(U), nullptr);
}

} // namespace gpuestimate
