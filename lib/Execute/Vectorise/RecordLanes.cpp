#include "RecordLanes.h"

#include "Execute/Device/ThreadContext.h"
#include "LaneLoop.h"
#include "LoweredCalls.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

void emitRecord(LaneBuilder &B, CallInst &Call) {
  StringRef Name = calleeName(Call);
  Type *Int = B.getInt32Ty();
  if (Name == "ge.race.order") {
    B.CreateCall(Call.getCalledFunction(), {B.Thread});
    return;
  }
  Value *Active = B.CreateZExtOrTrunc(B.bitsOf(B.Mask), Int);
  SmallVector<Value *> Rest;
  // Where the context has a null pointer, or none, there is nothing to record.
  size_t Member = offsetof(ThreadContext, BlockCounts);
  bool RecordsNull = true;
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  SmallVector<std::pair<unsigned, Value *>, 2> Arrays; // in Rest
  if (Name == "ge.race.access") {
    if (!B.isUniform(Call.getArgOperand(2)))
      return emitForEachLane(B, Call);
    Member = offsetof(ThreadContext, Races);
    RecordsNull = false;
    Value *Address = Call.getArgOperand(1), *Stored = Call.getArgOperand(4);
    Rest = {nullptr, B.scalar(Call.getArgOperand(2)),
            B.scalar(Call.getArgOperand(3)), Null};
    Arrays.push_back({0, B.lanes(Address)});
    if (!isa<Constant>(Stored))
      Arrays.push_back({3, B.lanes(Stored)});
  } else {
    // The thread's number is the second argument.
    for (Value *A : drop_begin(Call.args(), 2))
      Rest.push_back(isa<Constant>(A) ? A : nullptr);
    if (Name == "ge.trace.condition") {
      Value *If = B.lanes(Call.getArgOperand(3));
      If = B.CreateICmpNE(If, Constant::getNullValue(If->getType()));
      Rest[1] = B.CreateZExtOrTrunc(B.bitsOf(If), Int);
    } else if (Name == "ge.trace.access") {
      Arrays.push_back({1, B.lanes(Call.getArgOperand(3))});
    }
  }
  bool IsGuarded = Name != "ge.trace.block";
  BasicBlock *After = nullptr;
  if (IsGuarded) {
    Value *Of = B.CreateLoad(
        B.getPtrTy(),
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), B.Thread, Member));
    BasicBlock *Record =
        BasicBlock::Create(B.getContext(), "record", B.New, B.Exit);
    After = BasicBlock::Create(B.getContext(), "recorded", B.New, B.Exit);
    Value *IsNull = B.CreateIsNull(Of);
    B.CreateCondBr(IsNull, RecordsNull ? Record : After,
                   RecordsNull ? After : Record);
    B.SetInsertPoint(Record);
  }
  for (auto [Place, All] : Arrays) {
    AllocaInst *A = B.slot(All->getType(), "record");
    B.CreateStore(All, A);
    Rest[Place] = A;
  }
  SmallVector<Value *> Arguments = {B.Thread, B.First, Active};
  append_range(Arguments, Rest);
  SmallVector<Type *> Types;
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  B.CreateCall(B.New->getParent()->getOrInsertFunction(
                   (Name + ".lanes").str(),
                   FunctionType::get(B.getVoidTy(), Types, false)),
               Arguments);
  if (!IsGuarded)
    return;
  B.CreateBr(After);
  B.SetInsertPoint(After);
}

} // namespace gpuestimate
