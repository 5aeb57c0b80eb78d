/// \file
/// The dispatch to handlers, and the handlers of control and of aggregates.
#include "Handlers.h"
#include "Dispatch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace gpuestimate {

bool selectValue(WarpState &W, const Decoded &D, uint64_t Mask) {
  // A scalar condition selects all elements, a vector one each element.
  bool IsVector = D.I->getOperand(0)->getType()->isVectorTy();
  for (unsigned C = 0; C < D.Cells; ++C)
    forEachLane(Mask, [&](unsigned L) {
      bool First = W.cell(D.Operands[0] + (IsVector ? C : 0), L) & 1;
      W.cell(D.Result + C, L) = W.cell(D.Operands[First ? 1 : 2] + C, L);
    });
  return true;
}

bool copyFirst(WarpState &W, const Decoded &D, uint64_t Mask) {
  W.map(D, Mask, [](uint64_t V) { return V; });
  return true;
}

bool vectorElement(WarpState &W, const Decoded &D, uint64_t Mask) {
  if (D.Opcode == Instruction::ExtractElement) {
    unsigned Count = cellsOf(D.I->getOperand(0)->getType());
    forEachLane(Mask, [&](unsigned L) {
      uint64_t Index = W.cell(D.Operands[1], L);
      W.cell(D.Result, L) =
          Index < Count ? W.cell(D.Operands[0] + Index, L) : 0;
    });
    return true;
  }
  if (D.Opcode == Instruction::InsertElement) {
    W.map(D, Mask, [](uint64_t V) { return V; });
    forEachLane(Mask, [&](unsigned L) {
      if (uint64_t Index = W.cell(D.Operands[2], L); Index < D.Cells)
        W.cell(D.Result + Index, L) = W.cell(D.Operands[1], L);
    });
    return true;
  }
  const auto *Shuffle = cast<ShuffleVectorInst>(D.I);
  int Count = cellsOf(Shuffle->getOperand(0)->getType());
  for (unsigned C = 0; C < D.Cells; ++C) {
    int Source = Shuffle->getMaskValue(C);
    forEachLane(Mask, [&](unsigned L) {
      W.cell(D.Result + C, L) = Source < 0 ? 0
                                : Source < Count
                                    ? W.cell(D.Operands[0] + Source, L)
                                    : W.cell(D.Operands[1] + Source - Count, L);
    });
  }
  return true;
}

/// The first cell of the field of T at Indices.
static unsigned partOf(Type *T, ArrayRef<unsigned> Indices) {
  unsigned Cell = 0;
  for (unsigned Index : Indices) {
    if (auto *S = dyn_cast<StructType>(T)) {
      for (unsigned I = 0; I < Index; ++I)
        Cell += cellsOf(S->getElementType(I));
      T = S->getElementType(Index);
    } else {
      T = T->getArrayElementType();
      Cell += Index * cellsOf(T);
    }
  }
  return Cell;
}

bool aggregateField(WarpState &W, const Decoded &D, uint64_t Mask) {
  if (const auto *Extract = dyn_cast<ExtractValueInst>(D.I)) {
    unsigned Source =
        D.Operands[0] + partOf(Extract->getAggregateOperand()->getType(),
                               Extract->getIndices());
    for (unsigned C = 0; C < D.Cells; ++C)
      forEachLane(Mask, [&](unsigned L) {
        W.cell(D.Result + C, L) = W.cell(Source + C, L);
      });
    return true;
  }
  const auto *Insert = cast<InsertValueInst>(D.I);
  W.map(D, Mask, [](uint64_t V) { return V; });
  unsigned Target = D.Result + partOf(D.I->getType(), Insert->getIndices());
  unsigned Count = cellsOf(Insert->getInsertedValueOperand()->getType());
  for (unsigned C = 0; C < Count; ++C)
    forEachLane(Mask, [&](unsigned L) {
      W.cell(Target + C, L) = W.cell(D.Operands[1] + C, L);
    });
  return true;
}

bool setZero(WarpState &W, const Decoded &D, uint64_t Mask) {
  for (unsigned C = 0; C < D.Cells; ++C)
    forEachLane(Mask, [&](unsigned L) { W.cell(D.Result + C, L) = 0; });
  return true;
}

bool refuseCall(WarpState &W, const Decoded &D, uint64_t) {
  const auto *Call = cast<CallBase>(D.I);
  const auto *Callee =
      dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
  if (Call->isInlineAsm())
    return W.stop("inline assembly is not emulated", D.I);
  if (!Callee)
    return W.stop("calls through a pointer are not emulated", D.I);
  return W.stop("the call of " + Callee->getName() + " is not emulated", D.I);
}

bool trapLane(WarpState &W, const Decoded &D, uint64_t) {
  return W.stop("the kernel runs into a trap or a failed assertion", D.I);
}

bool constantZero(WarpState &W, const Decoded &D, uint64_t Mask) {
  return setZero(W, D, Mask);
}

bool exitThread(WarpState &W, const Decoded &, uint64_t Mask) {
  W.exitLanes(Mask);
  return true;
}

bool enterFunction(WarpState &W, const Decoded &D, uint64_t Mask) {
  const Function *Callee = cast<CallBase>(D.I)->getCalledFunction();
  if (W.depth() >= WarpState::MaxFrames)
    return W.stop("calls are nested too deeply", D.I);
  const Program *P = W.launch().programOf(*Callee);
  if (!P)
    return W.stopForProgram();
  std::vector<uint64_t> Passed;
  for (unsigned A = 0; A < P->Arguments.size(); ++A)
    for (unsigned C = 0; C < cellsOf(Callee->getArg(A)->getType()); ++C)
      for (unsigned L = 0; L < W.lanes(); ++L)
        Passed.push_back(W.cell(D.Operands[A] + C, L));
  W.call(*P, Mask, &D);
  const uint64_t *Next = Passed.data();
  for (unsigned A = 0; A < P->Arguments.size(); ++A)
    for (unsigned C = 0; C < cellsOf(Callee->getArg(A)->getType()); ++C)
      for (unsigned L = 0; L < W.lanes(); ++L)
        W.cell(P->Arguments[A] + C, L) = *Next++;
  return true;
}

bool barrier(WarpState &W, const Decoded &D, uint64_t Mask) {
  W.arriveAtBarrier(D, Mask);
  return true;
}

ArrayRef<CallRow> controlCalls() {
  static const CallRow Rows[] = {
      {"llvm.assume", setZero},
      {"llvm.experimental.noalias.scope.decl", setZero},
      {"llvm.prefetch*", setZero},
      {"llvm.nvvm.membar.*", setZero},
      {"llvm.nvvm.fence.*", setZero},
      {"llvm.nvvm.bar.warp.sync", setZero},
      {"llvm.nvvm.nanosleep", setZero},
      {"llvm.nvvm.cp.async.commit*", setZero},
      {"llvm.nvvm.cp.async.wait*", setZero},
      {"llvm.amdgcn.wave.barrier", setZero},
      {"llvm.amdgcn.s.waitcnt", setZero},
      {"llvm.amdgcn.s.sleep", setZero},
      {"llvm.amdgcn.fence", setZero},
      {"vprintf", setZero},
      {"llvm.trap", trapLane},
      {"llvm.ubsantrap", trapLane},
      {"__assertfail", trapLane},
      {"__assert_fail", trapLane},
      {"llvm.nvvm.exit", exitThread},
      {"llvm.amdgcn.endpgm", exitThread},
      {"llvm.nvvm.barrier0", barrier},
      {"llvm.nvvm.barrier.sync", barrier},
      {"llvm.nvvm.bar.sync", barrier},
      {"llvm.amdgcn.s.barrier", barrier},
      {"llvm.nvvm.barrier0.popc", barrier, 0},
      {"llvm.nvvm.barrier0.and", barrier, 1},
      {"llvm.nvvm.barrier0.or", barrier, 2},
      // Clocks, timers and the multiprocessor's number stand still.
      {"llvm.nvvm.read.ptx.sreg.clock*", constantZero},
      {"llvm.nvvm.read.ptx.sreg.globaltimer*", constantZero},
      {"llvm.nvvm.read.ptx.sreg.smid", constantZero},
      {"llvm.readcyclecounter", constantZero},
      {"llvm.amdgcn.s.memtime", constantZero},
      {"llvm.is.constant*", constantZero},
      {"llvm.nvvm.ptr.*", copyFirst},
      {"llvm.expect*", copyFirst},
      {"llvm.launder.invariant.group*", copyFirst},
      {"llvm.strip.invariant.group*", copyFirst},
      {"llvm.ssa.copy*", copyFirst},
      {"llvm.arithmetic.fence*", copyFirst},
      {"llvm.canonicalize*", copyFirst},
      {"llvm.threadlocal.address*", copyFirst},
  };
  return Rows;
}

/// The row of Name: an exact match, else the longest pattern.
static const CallRow *findRow(StringRef Name) {
  const CallRow *Best = nullptr;
  for (ArrayRef<CallRow> Rows : {controlCalls(), integerCalls(), realCalls(),
                                 memoryCalls(), collectiveCalls()})
    for (const CallRow &Row : Rows) {
      StringRef Pattern = Row.Name;
      if (Pattern == Name)
        return &Row;
      if (Pattern.consume_back("*") && Name.starts_with(Pattern) &&
          (!Best || Pattern.size() >= Best->Name.size()))
        Best = &Row;
    }
  return Best;
}

bool isAccessCall(const Decoded &D) {
  return D.Handler == loadCall || D.Handler == asyncCopy ||
         D.Handler == atomicCall;
}

void findCallHandler(const CallBase &Call, Decoded &D) {
  D.Handler = refuseCall;
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (Call.isInlineAsm() || !Callee)
    return;
  if (!Callee->isDeclaration()) {
    if (Callee->arg_size() == Call.arg_size())
      D.Handler = enterFunction;
    return;
  }
  StringRef Name = Callee->getName();
  if (const CallRow *Row = findRow(Name)) {
    D.Handler = Row->Handler;
    D.Extra = Row->Extra;
    // The axis is the name's last letter, or a constant operand.
    const auto *Axis = Call.arg_size()
                           ? dyn_cast<ConstantInt>(Call.getArgOperand(0))
                           : nullptr;
    if (D.Handler == coordinate && Call.arg_size())
      D.Extra += Axis ? Axis->getZExtValue() % 3 : 0;
    else if (D.Handler == coordinate)
      D.Extra += Name.back() - 'x';
    return;
  }
  if (!findRealCall(Name, D))
    findIntegerCall(Name, D);
}

bool refuseInstruction(WarpState &W, const Decoded &D, uint64_t) {
  return W.stop(Twine("the instruction ") + D.I->getOpcodeName() +
                    " is not emulated",
                D.I);
}

InstructionHandler findInstructionHandler(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::ICmp:
  case Instruction::FCmp:
    return compareNumbers;
  case Instruction::Load:
    return load;
  case Instruction::Store:
    return store;
  case Instruction::AtomicRMW:
    return atomic;
  case Instruction::AtomicCmpXchg:
    return compareAndSwap;
  case Instruction::GetElementPtr:
    return elementAddress;
  case Instruction::Alloca:
    return allocate;
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return vectorElement;
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return aggregateField;
  case Instruction::Select:
    return selectValue;
  case Instruction::Freeze:
    return copyFirst;
  case Instruction::Fence:
    return setZero;
  case Instruction::FNeg:
    return negate;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    return realArithmetic;
  default:
    return I.isCast()       ? convertNumber
           : I.isBinaryOp() ? integerArithmetic
                            : refuseInstruction;
  }
}

} // namespace gpuestimate
