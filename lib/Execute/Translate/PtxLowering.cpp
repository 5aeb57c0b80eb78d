/// \file
/// Instructions of PTX that LLVM has no intrinsic for, or whose fragments the
/// PTX ISA lays out: matrices, barriers in shared memory, copies of the copy
/// engine. translateInlineAssembly() makes calls "ptx.MNEMONIC/TYPES" of them
/// with the sources in the order of the instruction.
#include "CallLowering.h"
#include "Execute/Device/WarpMatrix.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

Value *CallLowering::lowerPtx(CallBase &Call, StringRef Mnemonic, Builder &B) {
  StringRef Opcode = Mnemonic.split('.').first;
  if (Opcode == "elect") {
    Value *R = collective(CollectiveKind::Elect,
                          Call.getArgOperand(Call.arg_size() - 1), nullptr,
                          nullptr, nullptr, B);
    return unpackPair(R, Call.getType(), B);
  }
  if (Opcode == "mbarrier")
    return lowerPhaseBarrier(Call, Mnemonic, B);
  if (Opcode == "cp")
    return lowerBulkCopy(Call, Mnemonic, B);
  if (Mnemonic.starts_with("wgmma.wait_group")) {
    // All warps of the group have read what the others may overwrite from now
    // on. Barriers of programs have the numbers 0 to 15.
    constexpr unsigned FirstOfGroups = 16, WarpsOfGroup = 4, Threads = 128;
    Value *Warp = lowerRegister("warpid", B.getInt32Ty(), B);
    Value *Number = B.CreateAdd(B.CreateUDiv(Warp, B.getInt32(WarpsOfGroup)),
                                B.getInt32(FirstOfGroups));
    barrier(Number, B.getInt32(Threads), zero(B), true, B);
    return nullptr;
  }
  return lowerWarpMatrix(Call, Mnemonic, B);
}

/// The bits of R as the members of T, from the low ones on.
Value *CallLowering::unpackPair(Value *R, Type *T, Builder &B) {
  auto *S = dyn_cast<StructType>(T);
  if (!S)
    return T->isIntegerTy(1)
               ? B.CreateTrunc(B.CreateLShr(R, 32), T) // only the predicate
               : B.CreateZExtOrTrunc(R, T);
  Value *Whole = PoisonValue::get(T);
  for (unsigned N = 0; N != S->getNumElements(); ++N)
    Whole = B.CreateInsertValue(
        Whole, B.CreateTrunc(B.CreateLShr(R, 32 * N), S->getElementType(N)), N);
  return Whole;
}

/// mbarrier.init [a], n; .arrive s, [a] {, n}; .arrive.expect_tx s, [a], bytes;
/// .test_wait.parity p, [a], parity ...
Value *CallLowering::lowerPhaseBarrier(CallBase &Call, StringRef Mnemonic,
                                       Builder &B) {
  SmallVector<StringRef> Words;
  Mnemonic.split(Words, '.');
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  auto Word = [&](unsigned N) {
    return B.CreateZExtOrTrunc(Call.getArgOperand(N), B.getInt32Ty());
  };
  if (Call.arg_empty() || !Call.getArgOperand(0)->getType()->isPointerTy() ||
      Has("shared::cluster"))
    return fail("the PTX instruction '" + Mnemonic + "'");
  Value *Barrier = Call.getArgOperand(0);
  Type *Long = B.getInt64Ty();
  if (Has("init"))
    return callRuntime("ge.mbarrier_init", B.getVoidTy(), {Barrier, Word(1)},
                       B);
  if (Has("inval"))
    return nullptr;
  if (Has("test_wait") || Has("try_wait")) {
    Waits = true;
    Value *R = callRuntime("ge.mbarrier_try", B.getInt32Ty(),
                           {Thread.Context, Barrier,
                            B.CreateZExtOrTrunc(Call.getArgOperand(1), Long),
                            B.getInt32(Has("parity"))},
                           B);
    return B.CreateZExtOrTrunc(R, Call.getType());
  }
  bool Arrives = Has("arrive") || Has("arrive_drop");
  bool Expects = Has("expect_tx"), Completes = Has("complete_tx");
  if (!Arrives && !Expects && !Completes)
    return fail("the PTX instruction '" + Mnemonic + "'");
  bool HasOperand = Call.arg_size() > 1;
  Value *Zero = B.getInt32(0), *One = B.getInt32(1);
  Value *Bytes = (Expects || Completes) && HasOperand ? Word(1) : Zero;
  if (Completes)
    Bytes = B.CreateNeg(Bytes);
  Value *Arrivals = !Arrives ? Zero : Expects || !HasOperand ? One : Word(1);
  Value *State = callRuntime(
      "ge.mbarrier_update", Long,
      {Barrier, Arrivals, Bytes, Has("arrive_drop") ? Arrivals : Zero}, B);
  return Call.getType()->isVoidTy()
             ? nullptr
             : B.CreateZExtOrTrunc(State, Call.getType());
}

/// cp.async.bulk and cp.async.mbarrier.arrive. The source has been copied when
/// the instruction ends.
Value *CallLowering::lowerBulkCopy(CallBase &Call, StringRef Mnemonic,
                                   Builder &B) {
  SmallVector<StringRef> Words;
  Mnemonic.split(Words, '.');
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  auto Argument = [&](unsigned N) { return Call.getArgOperand(N); };
  Value *Zero = B.getInt32(0);
  if (!Has("bulk")) {
    // The barrier's count is raised by what arrives, unless `.noinc`.
    if (Has("noinc"))
      callRuntime("ge.mbarrier_update", B.getInt64Ty(),
                  {Argument(0), B.getInt32(1), Zero, Zero}, B);
    return nullptr;
  }
  bool IsMulticast =
      any_of(Words, [](StringRef W) { return W.starts_with("multicast"); });
  if (Words.size() < 5 || IsMulticast || Has("reduce") || Has("prefetch") ||
      Has("im2col") || !(Has("global")))
    return Has("prefetch") ? nullptr
                           : fail("the PTX instruction '" + Mnemonic + "'");
  auto IsShared = [](StringRef W) { return W.starts_with("shared"); };
  bool IsLoad = find_if(Words, IsShared) < find(Words, "global");
  if (!Has("tensor")) {
    // destination, source, bytes {, barrier}
    Value *Bytes = B.CreateZExtOrTrunc(Argument(2), B.getInt32Ty());
    B.CreateMemCpy(Argument(0), Align(16), Argument(1), Align(16),
                   B.CreateZExt(Bytes, B.getInt64Ty()));
    if (IsLoad)
      callRuntime("ge.mbarrier_update", B.getInt64Ty(),
                  {Argument(3), Zero, B.CreateNeg(Bytes), Zero}, B);
    return nullptr;
  }
  // destination, map, coordinates, barrier; or map, coordinates, source
  unsigned Map = IsLoad ? 1 : 0;
  SmallVector<Value *> Values = {
      IsLoad ? Argument(0) : Argument(Call.arg_size() - 1), Argument(Map)};
  unsigned Dimensions = 0;
  for (StringRef W : Words)
    if (W.size() == 2 && W.back() == 'd' && isDigit(W.front()))
      Dimensions = W.front() - '0';
  if (Dimensions == 0 || Map + 1 + Dimensions >= Call.arg_size())
    return fail("the PTX instruction '" + Mnemonic + "'");
  constexpr unsigned MaxDimensions = 5;
  for (unsigned N = 0; N != MaxDimensions; ++N)
    Values.push_back(N < Dimensions ? B.CreateZExtOrTrunc(Argument(Map + 1 + N),
                                                          B.getInt32Ty())
                                    : Zero);
  Values.push_back(B.getInt32(Dimensions));
  Values.push_back(B.getInt32(IsLoad));
  Value *Bytes = callRuntime("ge.tensor_copy", B.getInt32Ty(), Values, B);
  if (IsLoad)
    callRuntime(
        "ge.mbarrier_update", B.getInt64Ty(),
        {Argument(Map + 1 + Dimensions), Zero, B.CreateNeg(Bytes), Zero}, B);
  return nullptr;
}

/// Stores the values one behind the other; where they are.
Value *CallLowering::inMemory(ArrayRef<Value *> Values, Builder &B) {
  if (Values.empty())
    return ConstantPointerNull::get(B.getPtrTy());
  uint64_t Bytes = 0;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  for (Value *V : Values)
    Bytes += Layout.getTypeStoreSize(V->getType());
  Value *Memory = privateMemory(Bytes);
  uint64_t Offset = 0;
  for (Value *V : Values) {
    B.CreateStore(V,
                  B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Memory, Offset));
    Offset += Layout.getTypeStoreSize(V->getType());
  }
  return Memory;
}

/// Memory of the lane.
Value *CallLowering::privateMemory(uint64_t Bytes) {
  Builder AtEntry(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *New =
      AtEntry.CreateAlloca(ArrayType::get(AtEntry.getInt8Ty(), Bytes));
  New->setAlignment(Align(16));
  return New;
}

/// Lets the warp execute I on Sources, the memory of A, B and C of each lane,
/// and returns what the lane gets.
Value *CallLowering::performWarpMatrix(CallBase &Call,
                                       const WarpMatrixInstruction &I,
                                       std::array<Value *, 3> Sources,
                                       Value *Warp, Value *Flags, Builder &B) {
  SmallVector<Type *> Parts;
  if (auto *S = dyn_cast<StructType>(Call.getType()))
    append_range(Parts, S->elements());
  else if (!Call.getType()->isVoidTy())
    Parts.push_back(Call.getType());
  uint64_t ResultBytes = 0;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  for (Type *T : Parts)
    ResultBytes += Layout.getTypeStoreSize(T);
  Value *D = ResultBytes ? privateMemory(ResultBytes)
                         : ConstantPointerNull::get(B.getPtrTy());
  Value *Operation = B.CreateIntToPtr(
      B.getInt64(reinterpret_cast<uint64_t>(keep(I))), B.getPtrTy());
  Value *Operands = inMemory(
      {Operation, Sources[0], Sources[1], Sources[2], D,
       member(offsetof(ThreadContext, Shared), B.getPtrTy(), B), Warp, Flags},
      B);
  collective(CollectiveKind::WarpMatrix, B.getInt32(~0u),
             B.CreatePtrToInt(Operands, B.getInt64Ty()), nullptr, nullptr, B);
  Value *Result = Parts.empty() ? nullptr : PoisonValue::get(Call.getType());
  uint64_t Offset = 0;
  for (auto [N, T] : enumerate(Parts)) {
    Value *V =
        B.CreateLoad(T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), D, Offset));
    Result =
        Call.getType()->isStructTy() ? B.CreateInsertValue(Result, V, N) : V;
    Offset += Layout.getTypeStoreSize(T);
  }
  return Result;
}

/// mma, wgmma, ldmatrix, stmatrix and movmatrix.
Value *CallLowering::lowerWarpMatrix(CallBase &Call, StringRef Name,
                                     Builder &B) {
  std::optional<WarpMatrixInstruction> I = WarpMatrixInstruction::parse(Name);
  if (!I)
    return fail("the PTX instruction '" + Name + "'");
  SmallVector<Value *> Inputs(Call.args());
  auto Take = [&](unsigned Words) {
    // Registers of any type, up to so many words.
    SmallVector<Value *> Taken;
    for (unsigned Bits = 0; Bits < 32 * Words && !Inputs.empty();) {
      Taken.push_back(Inputs.front());
      Bits += std::max<unsigned>(
          32, Inputs.front()->getType()->getPrimitiveSizeInBits());
      Inputs.erase(Inputs.begin());
    }
    return inMemory(Taken, B);
  };
  auto Number = [&](size_t At) {
    auto *C = At < Inputs.size() ? dyn_cast<ConstantInt>(Inputs[At]) : nullptr;
    return C ? C->getSExtValue() : 0;
  };
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  Value *A = Null, *BPart = Null, *C = Null, *Warp = B.getInt32(0),
        *Flags = B.getInt32(0);
  switch (I->Operation) {
  case WarpMatrixOperation::Load:
  case WarpMatrixOperation::Store:
    A = B.CreateAddrSpaceCast(Inputs[0], B.getPtrTy());
    Inputs.erase(Inputs.begin());
    BPart = Take(I->Matrices);
    break;
  case WarpMatrixOperation::Transpose:
    A = Take(1);
    break;
  case WarpMatrixOperation::Multiply:
    A = Take(I->wordsOfA());
    BPart = Take(I->wordsOfB());
    C = Take(I->wordsOfC());
    break;
  case WarpMatrixOperation::GroupMultiply: {
    C = Take(I->wordsOfC());
    uint32_t Fixed = 0;
    bool InRegisters =
        Inputs.size() > 1 && !Inputs[0]->getType()->isIntegerTy(64);
    A = Take(InRegisters ? I->wordsOfA() : 2);
    BPart = Take(2);
    if (InRegisters)
      Fixed |= groupflags::AInRegisters;
    // scale-d {, scale-a, scale-b {, transposed a, transposed b}}
    Value *Scale = Inputs.empty() ? B.getInt32(1) : Inputs[0];
    if (Number(1) < 0)
      Fixed |= groupflags::NegatesA;
    if (Number(2) < 0)
      Fixed |= groupflags::NegatesB;
    if (!InRegisters && Number(3))
      Fixed |= groupflags::TransposesA;
    if (Number(InRegisters ? 3 : 4))
      Fixed |= groupflags::TransposesB;
    Value *Accumulates = B.CreateZExt(B.CreateIsNotNull(Scale), B.getInt32Ty());
    Flags = B.CreateOr(B.getInt32(Fixed), Accumulates);
    Warp = B.CreateAnd(lowerRegister("warpid", B.getInt32Ty(), B), 3);
    break;
  }
  }
  return performWarpMatrix(Call, *I, {A, BPart, C}, Warp, Flags, B);
}

} // namespace gpuestimate
