#include "Warp.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// Writes V, and of a pair its members.
bool writeResult(IRBuilder<> &B, PtxOperands &Operands, const PtxInstruction &I,
                 Value *V) {
  if (!V)
    return false;
  const PtxOperand &Result = I.Operands[0];
  if (!V->getType()->isStructTy()) {
    Operands.write(Result, V);
    return true;
  }
  bool IsPair = Result.Kind == PtxOperand::Pair;
  Operands.write(IsPair ? Result.Parts[0] : Result, B.CreateExtractValue(V, 0));
  if (IsPair)
    Operands.write(Result.Parts[1], B.CreateExtractValue(V, 1));
  return true;
}

bool isPair(const PtxInstruction &I) {
  return I.Operands[0].Kind == PtxOperand::Pair;
}

bool shuffle(IRBuilder<> &B, PtxOperands &Operands, const PtxInstruction &I) {
  bool Sync = I.has("sync");
  size_t Inputs = Sync ? 4 : 3;
  if (I.Operands.size() != Inputs + 1)
    return false;
  SmallVector<Value *> Values;
  for (unsigned N = 1; N <= Inputs; ++N)
    Values.push_back(Operands.read(I.Operands[N], PtxWord));
  if (Sync) // the mask comes first in LLVM
    std::rotate(Values.begin(), Values.end() - 1, Values.end());
  StringRef Mode;
  for (StringRef M : I.Modifiers)
    if (M == "up" || M == "down" || M == "bfly" || M == "idx")
      Mode = M;
  return writeResult(B, Operands, I,
                     callIntrinsic(B,
                                   Twine("llvm.nvvm.shfl.") +
                                       (Sync ? "sync." : "") + Mode + ".i32" +
                                       (isPair(I) ? "p" : ""),
                                   Values));
}

bool vote(IRBuilder<> &B, PtxOperands &Operands, const PtxInstruction &I) {
  bool Sync = I.has("sync");
  if (I.Operands.size() != (Sync ? 3u : 2u))
    return false;
  StringRef Mode = I.has("all")   ? "all"
                   : I.has("any") ? "any"
                   : I.has("uni") ? (Sync ? "uni" : "eq")
                                  : "ballot";
  SmallVector<Value *> Values;
  if (Sync)
    Values.push_back(Operands.read(I.Operands[2], PtxWord));
  Values.push_back(Operands.readPredicate(I.Operands[1]));
  return writeResult(
      B, Operands, I,
      callIntrinsic(B, Twine("llvm.nvvm.vote.") + Mode + (Sync ? ".sync" : ""),
                    Values));
}

bool match(IRBuilder<> &B, PtxOperands &Operands, const PtxInstruction &I) {
  if (I.Operands.size() != 3)
    return false;
  PtxType T = I.type();
  return writeResult(
      B, Operands, I,
      callIntrinsic(B,
                    Twine("llvm.nvvm.match.") + (I.has("all") ? "all" : "any") +
                        ".sync.i" + Twine(T.Width) + (I.has("all") ? "p" : ""),
                    {Operands.read(I.Operands[2], PtxWord),
                     Operands.read(I.Operands[1], T)}));
}

bool reduce(IRBuilder<> &B, PtxOperands &Operands, const PtxInstruction &I) {
  PtxType T = I.type();
  if (I.Operands.size() != 3 || T.isFloat())
    return false;
  StringRef Operation;
  for (StringRef M : I.Modifiers)
    Operation = StringSwitch<StringRef>(M)
                    .Cases("add", "and", "or", "xor", M)
                    .Case("min", T.isSigned() ? "min" : "umin")
                    .Case("max", T.isSigned() ? "max" : "umax")
                    .Default(Operation);
  // The mask comes first, as in clang's headers.
  return writeResult(B, Operands, I,
                     callIntrinsic(B, "llvm.nvvm.redux.sync." + Operation,
                                   {Operands.read(I.Operands[2], PtxWord),
                                    Operands.read(I.Operands[1], PtxWord)}));
}

bool barrier(IRBuilder<> &B, PtxOperands &Operands, const PtxInstruction &I) {
  bool IsFirst = !I.Operands.empty() &&
                 I.Operands[0].Kind == PtxOperand::Integer &&
                 I.Operands[0].Value == 0;
  if (I.has("warp"))
    return I.Operands.size() == 1 &&
           callIntrinsic(B, "llvm.nvvm.bar.warp.sync",
                         {Operands.read(I.Operands[0], PtxWord)});
  if (I.has("cluster")) {
    std::string Name = I.has("arrive") ? "llvm.nvvm.barrier.cluster.arrive"
                                       : "llvm.nvvm.barrier.cluster.wait";
    if (I.has("relaxed"))
      Name += ".relaxed";
    return callIntrinsic(B, Name + (I.has("aligned") ? ".aligned" : ""), {});
  }
  if (I.has("red")) {
    // d, barrier, [threads,] predicate
    if (I.Operands.size() != 3 || I.Operands[1].Kind != PtxOperand::Integer ||
        I.Operands[1].Value != 0)
      return false;
    StringRef Mode = I.has("popc") ? "popc" : I.has("and") ? "and" : "or";
    Value *Condition =
        B.CreateZExt(Operands.readPredicate(I.Operands[2]), B.getInt32Ty());
    return writeResult(
        B, Operands, I,
        callIntrinsic(B, "llvm.nvvm.barrier0." + Mode, {Condition}));
  }
  if (!I.has("sync") || I.Operands.empty())
    return false;
  if (I.Operands.size() == 1 && IsFirst)
    return callIntrinsic(B, "llvm.nvvm.barrier0", {});
  SmallVector<Value *> Values;
  for (const PtxOperand &O : I.Operands)
    Values.push_back(Operands.read(O, PtxWord));
  return callIntrinsic(
      B, Values.size() == 1 ? "llvm.nvvm.barrier.n" : "llvm.nvvm.barrier",
      Values);
}

bool fence(IRBuilder<> &B, const PtxInstruction &I) {
  bool IsMemory = I.Opcode == "membar" || I.has("acq_rel") || I.has("sc");
  if (!IsMemory || I.has("cluster"))
    return false;
  StringRef Scope = I.has("cta")                  ? "cta"
                    : I.has("gl") || I.has("gpu") ? "gl"
                                                  : "sys";
  return callIntrinsic(B, "llvm.nvvm.membar." + Scope, {});
}

} // namespace

bool translateWarpInstruction(IRBuilder<> &B, PtxOperands &Operands,
                              const PtxInstruction &I) {
  if (I.Opcode == "shfl")
    return shuffle(B, Operands, I);
  if (I.Opcode == "vote")
    return vote(B, Operands, I);
  if (I.Opcode == "match")
    return match(B, Operands, I);
  if (I.Opcode == "redux")
    return reduce(B, Operands, I);
  if (I.Opcode == "bar" || I.Opcode == "barrier")
    return barrier(B, Operands, I);
  if (I.Opcode == "membar" || I.Opcode == "fence")
    return fence(B, I);
  if (I.Opcode == "nanosleep")
    return I.Operands.size() == 1 &&
           callIntrinsic(B, "llvm.nvvm.nanosleep",
                         {Operands.read(I.Operands[0], PtxWord)});
  return false;
}

} // namespace gpuestimate
