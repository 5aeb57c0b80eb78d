#include "LaneVectoriser.h"

#include "BlockOrder.h"
#include "InstructionLanes.h"
#include "LaneForm.h"
#include "LoweredCalls.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// What LLVM's analysis of divergence has to know of a thread block.
class LaneDivergence : public TargetTransformInfoImplCRTPBase<LaneDivergence> {
public:
  LaneDivergence(const DataLayout &Layout, const LaneVectorRequest &Request)
      : TargetTransformInfoImplCRTPBase<LaneDivergence>(Layout),
        Request(Request) {}

  bool isSourceOfDivergence(const Value *V) {
    const ThreadValues &T = Request.Thread;
    if (isa<Argument>(V))
      return V == T.Linear || V == T.Thread[0] ||
             (!Request.LanesShareRows &&
              (V == T.Thread[1] || V == T.Thread[2]));
    const auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return false;
    if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
      return true;
    const auto *Call = dyn_cast<CallBase>(I);
    return Call && !hasOneResult(*Call) && !isPure(*Call);
  }
  bool isAlwaysUniform(const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    return I && hasOneResult(*I);
  }

private:
  const LaneVectorRequest &Request;
};

/// Builds the function that executes the lanes of one vector, block by block.
class VectorFunction {
public:
  VectorFunction(LaneBuilder &B, const BlockOrder &Order)
      : B(B), Order(Order), F(*B.request().Kernel) {}
  void build();

private:
  void declare();
  void setThreadIndices();
  void makeBlocks();
  void emitBlock(BasicBlock &BB);
  void emitLoopEnd(const Loop &L);
  void emitTerminator(BasicBlock &BB);
  void emitDivision(BasicBlock &BB, const BranchInst &Branch);

  /// A branch of some lanes, with what it brings to the phis of its end.
  struct Edge {
    BasicBlock *To = nullptr;
    Value *Mask = nullptr;
    SmallVector<std::pair<PHINode *, Value *>, 4> Incoming;
  };
  Edge edge(BasicBlock &From, BasicBlock *To, Value *EdgeMask);
  void take(const BasicBlock &From, const Edge &E);
  /// Where code goes on that executes what lanes wait for.
  BasicBlock *next(const BasicBlock &BB) const;

  LaneBuilder &B;
  const BlockOrder &Order;
  Function &F;
  /// Blocks that ask whether lanes wait, and that execute them.
  DenseMap<const BasicBlock *, BasicBlock *> Checks, Bodies;
  DenseMap<const BasicBlock *, AllocaInst *> Masks; ///< of waiting lanes
  DenseMap<const Loop *, BasicBlock *> LoopEnds;
};

} // namespace

void VectorFunction::build() {
  declare();
  BasicBlock *Entry = BasicBlock::Create(B.getContext(), "entry", B.New);
  B.EntryEnd = new UnreachableInst(B.getContext(), Entry);
  B.SetInsertPoint(B.EntryEnd);
  setThreadIndices();
  Value *Active =
      B.CreateICmpULT(B.spread(B.getInt32(0), 1),
                      B.CreateVectorSplat(B.width(), B.New->getArg(2)));
  makeBlocks();
  for (BasicBlock *BB : Order.blocks())
    for (Instruction &I : *BB)
      B.makeSlots(I);
  const BasicBlock *Begin = Order.blocks().front();
  for (BasicBlock *BB : Order.blocks())
    B.CreateStore(BB == Begin ? Active : Constant::getNullValue(B.maskType()),
                  Masks[BB]);
  Instruction *EntryEnd = B.CreateBr(Bodies[Begin]);
  B.EntryEnd->eraseFromParent();
  B.EntryEnd = EntryEnd;
  for (BasicBlock *BB : Order.blocks())
    emitBlock(*BB);
  for (auto &[L, End] : LoopEnds)
    emitLoopEnd(*L);
}

void VectorFunction::declare() {
  Type *Int = B.getInt32Ty();
  SmallVector<Type *> Types = {B.getPtrTy(), Int, Int};
  for (Argument &A : drop_begin(F.args(), B.request().FirstParameter))
    Types.push_back(A.getType());
  B.New = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                           GlobalValue::InternalLinkage, F.getName() + ".lanes",
                           F.getParent());
  B.New->addFnAttr(Attribute::NoUnwind);
  B.Thread = B.New->getArg(0);
  B.First = B.New->getArg(1);
  for (Argument &A : drop_begin(F.args(), B.request().FirstParameter)) {
    Argument *Own =
        B.New->getArg(3 + A.getArgNo() - B.request().FirstParameter);
    B.setArgument(&A, Own);
    B.New->addParamAttrs(
        Own->getArgNo(),
        AttrBuilder(B.getContext(),
                    F.getAttributes().getParamAttrs(A.getArgNo())));
  }
}

/// Computes the kernel's arguments that say which thread it is.
void VectorFunction::setThreadIndices() {
  auto Member = [&](size_t Offset) {
    return B.CreateLoad(B.getInt32Ty(), B.CreateConstInBoundsGEP1_64(
                                            B.getInt8Ty(), B.Thread, Offset));
  };
  Value *Sizes[] = {Member(offsetof(ThreadContext, BlockSize)),
                    Member(offsetof(ThreadContext, BlockSize) + 4)};
  const ThreadValues &T = B.request().Thread;
  B.setArgument(T.Context, B.Thread);
  B.setArgument(T.Linear, B.First);
  if (B.request().LanesShareRows) {
    Value *Row = B.CreateUDiv(B.First, Sizes[0]);
    B.setArgument(T.Thread[0], B.CreateURem(B.First, Sizes[0]));
    B.setArgument(T.Thread[1], B.CreateURem(Row, Sizes[1]));
    B.setArgument(T.Thread[2], B.CreateUDiv(Row, Sizes[1]));
  } else {
    Value *Number = B.spread(B.First, 1);
    Value *Width0 = B.splat(Sizes[0]), *Width1 = B.splat(Sizes[1]);
    Value *Row = B.CreateUDiv(Number, Width0);
    B.setArgumentLanes(T.Thread[0], B.CreateURem(Number, Width0));
    B.setArgumentLanes(T.Thread[1], B.CreateURem(Row, Width1));
    B.setArgumentLanes(T.Thread[2], B.CreateUDiv(Row, Width1));
  }
}

void VectorFunction::makeBlocks() {
  auto create = [&](const Twine &Name) {
    return BasicBlock::Create(B.getContext(), Name, B.New);
  };
  for (BasicBlock *BB : Order.blocks()) {
    Checks[BB] = create(BB->getName() + ".check");
    Bodies[BB] = create(BB->getName());
    Masks[BB] = B.slot(B.maskType(), BB->getName() + ".mask");
    for (const Loop *L = Order.loops().getLoopFor(BB); L;
         L = L->getParentLoop())
      if (Order.endsLoop(BB, *L))
        LoopEnds[L] = create("loop.end");
  }
  B.Exit = create("exit");
  ReturnInst::Create(B.getContext(), B.Exit);
}

BasicBlock *VectorFunction::next(const BasicBlock &BB) const {
  const Loop *L = Order.loops().getLoopFor(&BB);
  if (L && Order.endsLoop(&BB, *L))
    return LoopEnds.lookup(L);
  const BasicBlock *After = Order.after(&BB);
  return After ? Checks.lookup(After) : B.Exit;
}

void VectorFunction::emitBlock(BasicBlock &BB) {
  B.SetCurrentDebugLocation(DebugLoc());
  Type *MaskType = B.maskType();
  B.SetInsertPoint(Checks[&BB]);
  B.CreateCondBr(B.isAny(B.CreateLoad(MaskType, Masks[&BB])), Bodies[&BB],
                 next(BB));
  B.SetInsertPoint(Bodies[&BB]);
  B.beginBlock();
  B.Mask = B.CreateLoad(MaskType, Masks[&BB]);
  B.CreateStore(Constant::getNullValue(MaskType), Masks[&BB]);
  for (PHINode &Phi : BB.phis()) {
    AllocaInst *In = B.phiSlot(&Phi);
    B.keep(Phi, B.CreateLoad(In->getAllocatedType(), In), B.isVarying(&Phi));
  }
  for (Instruction &I : BB) {
    if (isa<PHINode>(I) || I.isTerminator())
      continue;
    B.SetCurrentDebugLocation(I.getDebugLoc());
    emitInstruction(B, I);
  }
  B.SetCurrentDebugLocation(BB.getTerminator()->getDebugLoc());
  emitTerminator(BB);
}

/// Goes round until no lane waits at the header of the loop.
void VectorFunction::emitLoopEnd(const Loop &L) {
  B.SetInsertPoint(LoopEnds.lookup(&L));
  B.SetCurrentDebugLocation(DebugLoc());
  const BasicBlock *After = Order.after(L);
  BasicBlock *Onward = After ? Checks.lookup(After) : B.Exit;
  // The loop around may end here, too.
  if (const Loop *Outer = L.getParentLoop();
      Outer && (!After || !Outer->contains(After)))
    Onward = LoopEnds.lookup(Outer);
  Value *Left = B.CreateLoad(B.maskType(), Masks.lookup(L.getHeader()));
  B.CreateCondBr(B.isAny(Left), Bodies.lookup(L.getHeader()), Onward);
}

/// The edge with what it brings to the phis of its end, which is computed here.
VectorFunction::Edge VectorFunction::edge(BasicBlock &From, BasicBlock *To,
                                          Value *EdgeMask) {
  Edge E{To, EdgeMask, {}};
  for (PHINode &Phi : To->phis()) {
    Value *V = Phi.getIncomingValueForBlock(&From);
    E.Incoming.push_back({&Phi, B.isVarying(&Phi) ? B.lanes(V) : B.scalar(V)});
  }
  return E;
}

/// Lets the lanes of the edge wait at its end.
void VectorFunction::take(const BasicBlock &From, const Edge &E) {
  AllocaInst *Slot = Masks.lookup(E.To);
  bool Joins = Order.mayWait(&From, E.To);
  Value *All = E.Mask;
  if (Joins)
    All = B.CreateOr(All, B.CreateLoad(All->getType(), Slot));
  B.CreateStore(All, Slot);
  for (auto [Phi, Value] : E.Incoming) {
    AllocaInst *In = B.phiSlot(Phi);
    llvm::Value *Now = Value;
    if (Joins) {
      llvm::Value *Before = B.CreateLoad(In->getAllocatedType(), In);
      Now = B.isVarying(Phi) ? B.blend(E.Mask, Value, Before)
                             : B.CreateSelect(B.isAny(E.Mask), Value, Before);
    }
    B.CreateStore(Now, In);
  }
}

void VectorFunction::emitTerminator(BasicBlock &BB) {
  Instruction *End = BB.getTerminator();
  auto *Branch = dyn_cast<BranchInst>(End);
  if (!Branch) { // a return, or the end of the launch
    B.CreateBr(isa<ReturnInst>(End) ? next(BB) : B.Exit);
    return;
  }
  auto Jump = [&](BasicBlock *To) {
    return Order.jumps(&BB, To) ? Bodies.lookup(To) : next(BB);
  };
  if (Branch->isUnconditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1)) {
    BasicBlock *To = Branch->getSuccessor(0);
    take(BB, edge(BB, To, B.Mask));
    B.CreateBr(Jump(To));
    return;
  }
  BasicBlock *To[2] = {Branch->getSuccessor(0), Branch->getSuccessor(1)};
  Value *If = Branch->getCondition();
  bool IsUniform = B.isUniform(If);
  if (IsUniform && Order.jumps(&BB, To[0]) && Order.jumps(&BB, To[1])) {
    Edge Edges[2] = {edge(BB, To[0], B.Mask), edge(BB, To[1], B.Mask)};
    BasicBlock *Ways[2];
    for (BasicBlock *&Way : Ways)
      Way = BasicBlock::Create(B.getContext(), "way", B.New, B.Exit);
    B.CreateCondBr(B.scalar(If), Ways[0], Ways[1]);
    for (unsigned I = 0; I < 2; ++I) {
      B.SetInsertPoint(Ways[I]);
      take(BB, Edges[I]);
      B.CreateBr(Bodies.lookup(To[I]));
    }
    return;
  }
  emitDivision(BB, *Branch);
}

/// Divides the lanes between the two ways, or lets all of them take one when
/// that cannot be jumped to.
void VectorFunction::emitDivision(BasicBlock &BB, const BranchInst &Branch) {
  BasicBlock *To[2] = {Branch.getSuccessor(0), Branch.getSuccessor(1)};
  BasicBlock *Onward = Order.mayAnyWait(&BB) ? next(BB) : B.Exit;
  Value *If = Branch.getCondition();
  Value *None = Constant::getNullValue(B.Mask->getType());
  Value *Ways[2];
  if (B.isUniform(If)) {
    Ways[0] = B.CreateSelect(B.scalar(If), B.Mask, None);
    Ways[1] = B.CreateSelect(B.scalar(If), None, B.Mask);
  } else {
    Value *Where = B.lanes(If);
    Ways[0] = B.CreateSelect(B.Mask, Where, None);
    Ways[1] = B.CreateSelect(B.Mask, B.CreateNot(Where), None);
  }
  Edge Edges[2] = {edge(BB, To[0], Ways[0]), edge(BB, To[1], Ways[1])};
  SmallVector<unsigned, 2> GoOn;
  for (unsigned I = 0; I < 2; ++I)
    if (!isEnd(To[I]) && !isFatal(To[I]))
      GoOn.push_back(I);
  for (unsigned I = 0; I < 2; ++I) {
    take(BB, Edges[I]);
    if (!isFatal(To[I]))
      continue;
    // Nothing else matters once a lane goes there.
    BasicBlock *Else =
        BasicBlock::Create(B.getContext(), "alive", B.New, B.Exit);
    B.CreateCondBr(B.isAny(Ways[I]), Bodies.lookup(To[I]), Else);
    B.SetInsertPoint(Else);
  }
  if (GoOn.size() == 1 && Order.jumps(&BB, To[GoOn[0]]))
    B.CreateCondBr(B.isAny(Ways[GoOn[0]]), Bodies.lookup(To[GoOn[0]]), Onward);
  else
    B.CreateBr(next(BB));
}

static Error checkBarriers(Function &F, const BlockOrder &Order,
                           const UniformityInfo &Uniformity) {
  for (Instruction &I : instructions(F)) {
    if (calleeName(I) != "ge.barrier")
      continue;
    if (Order.mayAnyWait(I.getParent()))
      return createStringError(
          "lanes may come to a barrier one after the other");
    if (Uniformity.isDivergent(I.getOperand(1)) ||
        Uniformity.isDivergent(I.getOperand(2)))
      return createStringError("the number of a barrier depends on the lane");
  }
  return Error::success();
}

Expected<LaneVectors> vectoriseLanes(const LaneVectorRequest &Request) {
  Function &F = *Request.Kernel;
  giveLaneForm(F);
  Expected<unsigned> Width = checkLaneForm(F);
  if (!Width)
    return Width.takeError();
  DominatorTree Dominators(F);
  CycleInfo Cycles;
  Cycles.compute(F);
  LoopInfo Loops(Dominators);
  ReversePostOrderTraversal<Function *> Traversal(&F);
  if (containsIrreducibleCFG<BasicBlock *>(Traversal, Loops))
    return createStringError("irreducible control flow");
  TargetTransformInfo Target(
      LaneDivergence(F.getParent()->getDataLayout(), Request));
  UniformityInfo Uniformity(Dominators, Cycles, &Target);
  Uniformity.compute();
  const BlockOrder Order(F, Loops, Uniformity);
  if (Error Refusal = checkBarriers(F, Order, Uniformity))
    return std::move(Refusal);
  const LaneShapes Shapes(Request, Uniformity, Order);
  LaneBuilder B(Request, Shapes, *Width);
  VectorFunction(B, Order).build();
  if (!B.problem().empty())
    return createStringError(B.problem());
  return LaneVectors{B.New, *Width};
}

} // namespace gpuestimate
