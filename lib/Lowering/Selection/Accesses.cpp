#include "Accesses.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Operator.h"

namespace gpuestimate {

PointerValue Accesses::address(const llvm::Value *P) {
  // Inline assembly takes shared addresses as 32-bit integers.
  Expr Extra = Ctx.constant(0);
  while (P->getType()->isIntegerTy()) {
    const auto *O = llvm::dyn_cast<llvm::Operator>(P);
    if (!O)
      return {nullptr, V.of(P)};
    if (O->getOpcode() == llvm::Instruction::Add &&
        !llvm::isa<llvm::Constant>(O->getOperand(0))) {
      Extra = Extra + V.of(O->getOperand(1));
      P = O->getOperand(0);
    } else if (llvm::isa<llvm::PtrToIntOperator>(O) ||
               O->getOpcode() == llvm::Instruction::Trunc ||
               O->getOpcode() == llvm::Instruction::ZExt) {
      P = O->getOperand(0);
    } else {
      return {nullptr, V.of(P) + Extra};
    }
  }
  if (!P->getType()->isPointerTy())
    return {nullptr, V.of(P)};
  PointerValue R = V.pointer(P);
  R.Offset = R.Offset + Extra;
  return R;
}

MemorySpace Accesses::spaceOf(const llvm::Value *Pointer) {
  unsigned Space = Pointer->getType()->isPointerTy()
                       ? Pointer->getType()->getPointerAddressSpace()
                       : addrspace::Generic;
  const llvm::Value *Base = address(Pointer).Base;
  if (Space == addrspace::Generic && Base && Base->getType()->isPointerTy())
    Space = Base->getType()->getPointerAddressSpace();
  switch (Space) {
  case addrspace::Shared:
    return MemorySpace::Shared;
  case addrspace::Constant:
    return MemorySpace::Constant;
  case addrspace::Local:
    return MemorySpace::Local;
  default:
    break;
  }
  if (Base && llvm::isa<llvm::AllocaInst>(Base))
    return MemorySpace::Local;
  if (const auto *Arg = llvm::dyn_cast_or_null<llvm::Argument>(Base))
    return Arg->hasByValAttr() ? MemorySpace::Constant : MemorySpace::Global;
  return MemorySpace::Global;
}

bool Accesses::isFreeRead(const llvm::LoadInst &Load) {
  if (Load.isVolatile())
    return false;
  PointerValue P = V.pointer(Load.getPointerOperand());
  if (const auto *Packet = llvm::dyn_cast_or_null<llvm::IntrinsicInst>(P.Base))
    return Packet->getIntrinsicID() == llvm::Intrinsic::amdgcn_dispatch_ptr ||
           Packet->getIntrinsicID() == llvm::Intrinsic::amdgcn_implicitarg_ptr;
  return spaceOf(Load.getPointerOperand()) == MemorySpace::Constant && P.Base &&
         P.Offset.asConstant();
}

bool Accesses::isReadOnly(const llvm::Instruction &At,
                          const llvm::Value *Base) const {
  if (At.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return true;
  // No one writes through or beside a const restrict pointer during the kernel.
  const auto *Arg = llvm::dyn_cast_or_null<llvm::Argument>(Base);
  if (!Arg || !llvm::isa<llvm::LoadInst>(At))
    return false;
  return Arg->hasNoAliasAttr() && Arg->onlyReadsMemory();
}

OpClass Accesses::classOf(MemorySpace Space, AccessKind Kind) {
  if (Kind == AccessKind::AsyncCopy)
    return OpClass::AsyncCopy;
  if (Kind == AccessKind::Atomic)
    return Space == MemorySpace::Shared ? OpClass::AtomicShared
                                        : OpClass::AtomicGlobal;
  bool Store = Kind == AccessKind::Store;
  switch (Space) {
  case MemorySpace::Global:
    return Store ? OpClass::StoreGlobal : OpClass::LoadGlobal;
  case MemorySpace::Shared:
    return Store ? OpClass::StoreShared : OpClass::LoadShared;
  case MemorySpace::Local:
    return Store ? OpClass::StoreLocal : OpClass::LoadLocal;
  case MemorySpace::Constant:
    return OpClass::LoadConstant;
  case MemorySpace::Texture:
    return OpClass::Texture;
  }
  return OpClass::LoadGlobal;
}

unsigned Accesses::add(const AccessRequest &R, unsigned Block) {
  MemoryAccess M;
  M.Kind = R.Kind;
  M.BytesPerThread = R.Bytes;
  M.Block = Block;
  M.Location = locate(*R.At);
  M.BypassL1 = R.BypassL1 || R.Kind == AccessKind::Atomic;
  M.ReturnsValue = R.ReturnsValue;
  M.CombinesLanes = R.CombinesLanes;
  M.MergesLanes = R.MergesLanes;
  M.RealAtomic = R.Kind == AccessKind::Atomic && R.Real;
  M.CasLoop = R.Kind == AccessKind::Atomic && R.CasLoop;
  M.Space = R.Space     ? *R.Space
            : R.Pointer ? spaceOf(R.Pointer)
                        : MemorySpace::Global;
  if (R.Pointer) {
    PointerValue P = address(R.Pointer);
    M.Address = R.Extra ? P.Offset + R.Extra : P.Offset;
    M.Base = V.nameOf(P.Base, M.BaseArgument);
    if (M.BaseArgument && *M.BaseArgument >= Model.Arguments.size())
      M.BaseArgument.reset();
    if (const auto *G = llvm::dyn_cast_or_null<llvm::GlobalVariable>(P.Base)) {
      if (uint64_t Size = A.DL.getTypeAllocSize(G->getValueType()))
        M.BaseBytes = Size;
    } else if (const auto *Private =
                   llvm::dyn_cast_or_null<llvm::AllocaInst>(P.Base)) {
      if (auto Size = Private->getAllocationSize(A.DL);
          Size && !Size->isScalable())
        M.BaseBytes = Size->getFixedValue();
    }
    M.DataDependent = Names.contains(M.Address);
    M.ReadOnly = R.ReadOnly || isReadOnly(*R.At, P.Base);
  } else {
    M.DataDependent = true;
  }
  std::optional<double> Offset = R.Extra ? R.Extra.asConstant() : 0;
  Origins.push_back({R.At, static_cast<uint64_t>(Offset.value_or(0))});
  Model.Accesses.push_back(std::move(M));
  return Model.Accesses.size() - 1;
}

} // namespace gpuestimate
