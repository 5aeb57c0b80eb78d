#include "Warp.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuestimate {

/// Writes V, and of a pair its members.
bool PtxWarp::writeResult(Value *V) {
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

bool PtxWarp::shuffle() {
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
  return writeResult(callIntrinsic(
      B,
      Twine("llvm.nvvm.shfl.") + (Sync ? "sync." : "") + Mode + ".i32" +
          ((I.Operands[0].Kind == PtxOperand::Pair) ? "p" : ""),
      Values));
}

bool PtxWarp::vote() {
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
  return writeResult(callIntrinsic(
      B, Twine("llvm.nvvm.vote.") + Mode + (Sync ? ".sync" : ""), Values));
}

bool PtxWarp::match() {
  if (I.Operands.size() != 3)
    return false;
  return writeResult(
      callIntrinsic(B,
                    Twine("llvm.nvvm.match.") + (I.has("all") ? "all" : "any") +
                        ".sync.i" + Twine(T.Width) + (I.has("all") ? "p" : ""),
                    {Operands.read(I.Operands[2], PtxWord),
                     Operands.read(I.Operands[1], T)}));
}

bool PtxWarp::reduce() {
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
  return writeResult(callIntrinsic(B, "llvm.nvvm.redux.sync." + Operation,
                                   {Operands.read(I.Operands[2], PtxWord),
                                    Operands.read(I.Operands[1], PtxWord)}));
}

bool PtxWarp::barrier() {
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

bool PtxWarp::fence() {
  bool IsMemory = I.Opcode == "membar" || I.has("acq_rel") || I.has("sc");
  if (!IsMemory || I.has("cluster"))
    return false;
  StringRef Scope = I.has("cta")                  ? "cta"
                    : I.has("gl") || I.has("gpu") ? "gl"
                                                  : "sys";
  return callIntrinsic(B, "llvm.nvvm.membar." + Scope, {});
}

bool PtxWarp::sleep() {
  return I.Operands.size() == 1 &&
         callIntrinsic(B, "llvm.nvvm.nanosleep", {in(0, PtxWord)});
}

} // namespace gpuestimate
