#include "LaneVectoriser.h"
#include "Execute/Device/DeviceFunctions.h"
#include "Execute/Translate/CallLowering.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace gpuestimate {

/// Lanes of a vector: four or two of the widest registers of x86 hold 32-bit
/// values of so many lanes, so that there are registers for the other values.
static constexpr unsigned FreeLanes = 16, LanesOfAWarp = 32;
/// CUDA's limit of a thread block.
static constexpr unsigned MaxBlockThreads = 1024;
/// Larger functions are not worth the time that the host's compiler takes.
static constexpr size_t MaxBlocks = 400, MaxInstructions = 1500;

static StringRef calleeName(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? Callee->getName() : "";
}

static CollectiveKind kindOf(const Instruction &Collective) {
  return CollectiveKind(
      cast<ConstantInt>(Collective.getOperand(1))->getZExtValue());
}

static bool isWaitForMemory(const Instruction &I) {
  StringRef Name = calleeName(I);
  return Name == "ge.spin" || Name == "ge.grid_sync" ||
         Name.starts_with("ge.mbarrier");
}

bool waitsForMemory(const Function &F) {
  return any_of(instructions(F), isWaitForMemory);
}

static bool isWait(const Instruction &I) {
  StringRef Name = calleeName(I);
  return Name == "ge.collective" || Name == "ge.barrier" || isWaitForMemory(I);
}

bool waitsForThreads(const Function &F) {
  return any_of(instructions(F), isWait);
}

bool waitsInLoops(Function &F) {
  if (!waitsForThreads(F))
    return false;
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  return any_of(F, [&](const BasicBlock &BB) {
    return Loops.getLoopFor(&BB) && any_of(BB, isWait);
  });
}

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

/// Has the call, at least for its active lanes, one result? Lanes with the same
/// constant mask take part in the same collective.
static bool hasOneResult(const Instruction &I) {
  StringRef Name = calleeName(I);
  if (Name == "ge.barrier")
    return true;
  if (Name != "ge.collective" || !isa<Constant>(I.getOperand(2)))
    return false;
  using enum CollectiveKind;
  return is_contained({VoteAll, VoteAny, VoteUniform, Ballot, ActiveMask,
                       AddReduce, UnsignedMin, UnsignedMax, SignedMin,
                       SignedMax, AndReduce, OrReduce, XorReduce, Sync,
                       FirstLane},
                      kindOf(I));
}

/// Does the call nothing but compute a result from its operands?
static bool isPure(const CallBase &Call) {
  if (Call.getType()->isVoidTy())
    return false;
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return Intrinsic->doesNotAccessMemory();
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && !Call.getType()->isPointerTy() &&
         none_of(Call.args(), [](const Value *Argument) {
           return Argument->getType()->isPointerTy();
         });
}

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

struct Shape {
  enum Kind : uint8_t { Unknown, Uniform, Affine, Varying };
  Kind K = Unknown;
  /// Affine: the difference of neighbouring lanes, in bytes for a pointer.
  int64_t Stride = 0;

  bool operator==(const Shape &) const = default;
  static Shape affine(int64_t Stride) { return {Affine, Stride}; }
};

/// Rewrites one function, part by part, as the headings of its declaration and
/// of this file name them. All parts read and write the function, the shapes of
/// its values and the masks of its blocks, so that they are one class of more
/// than 40 methods.
class LaneVectoriser {
public:
  explicit LaneVectoriser(const LaneVectorRequest &Request)
      : Request(Request), F(*Request.Kernel), C(F.getContext()),
        Layout(F.getParent()->getDataLayout()), B(C) {}
  Expected<LaneVectors> run();

private:
  // Preparation
  void simplify();
  std::string refusal();
  bool hasLaneForm(Type *T) const;

  // Control flow
  void orderBlocks();
  void orderLoop(Loop *L, BasicBlock *First);
  void findWaits();
  bool isEnd(const BasicBlock *BB) const;
  bool isFatal(const BasicBlock *BB) const;
  bool divides(const BasicBlock *BB) const;
  /// May lanes wait to execute Other while BB executes?
  bool mayWait(const BasicBlock *BB, const BasicBlock *Other) const;
  bool mayAnyWait(const BasicBlock *BB) const;
  bool jumps(const BasicBlock *From, const BasicBlock *To) const;

  // Shapes
  void findShapes();
  Shape shapeOf(const Value *V) const;
  Shape computeShape(const Instruction &I) const;
  Shape shapeOfPhi(const PHINode &Phi, ArrayRef<Shape> Operands) const;
  Shape shapeOfAddress(const GetElementPtrInst &Gep,
                       ArrayRef<Shape> Operands) const;
  bool isGlobalIndex(const Value *V) const;
  bool staysInRange(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const;

  // Code
  Type *laneType(Type *T) const;
  Value *scalar(Value *V);
  Value *lanes(Value *V);
  Value *splat(Value *V);
  Value *spread(Value *Base, int64_t Stride);
  Value *blend(Value *Mask, Value *True, Value *False);
  Value *isAny(Value *Mask);
  Value *bitsOf(Value *Mask);
  AllocaInst *slot(Type *T, const Twine &Name);
  /// An operand of a loop over the lanes: one value, or an array.
  struct LaneOperand {
    Value *Scalar;
    AllocaInst *Array;
  };
  std::optional<LaneOperand> operandOfLanes(Value *V);
  Type *elementInMemory(Type *T) const;
  bool fillsMemory(Type *T) const;
  Value *lanesInMemory(Type *T, ArrayRef<Type *> Members,
                       ArrayRef<AllocaInst *> Arrays);
  void keep(Instruction &I, Value *New, bool IsLanes);
  void makeFunction();
  void emitBlock(BasicBlock &BB);
  void emit(Instruction &I);
  void emitLanes(Instruction &I);
  enum class Access : uint8_t { Consecutive, Anywhere, ByLane };
  Access accessOf(Instruction &I) const;
  void emitLoad(LoadInst &Load);
  void emitStore(StoreInst &Store);
  void emitCall(CallInst &Call);
  bool emitIntrinsic(IntrinsicInst &Call);
  void emitCollective(CallInst &Call);
  Value *emitShuffle(CallInst &Call, Value *Group);
  Value *emitVote(CallInst &Call, Value *Group);
  void emitBarrier(CallInst &Call);
  void emitRecord(CallInst &Call);
  void emitForEachLane(Instruction &I);
  void emitTerminator(BasicBlock &BB);
  void setThread(Value *Lane);

  struct Edge {
    BasicBlock *To = nullptr;
    Value *Mask = nullptr;
    SmallVector<std::pair<PHINode *, Value *>, 4> Incoming;
  };
  Edge edge(BasicBlock &From, BasicBlock *To, Value *EdgeMask);
  void take(const BasicBlock &From, const Edge &E);
  BasicBlock *next(const BasicBlock &BB) const;

  const LaneVectorRequest &Request;
  Function &F;
  LLVMContext &C;
  const DataLayout &Layout;
  unsigned Width = FreeLanes;
  std::string Problem; ///< found while code is emitted

  std::optional<UniformityInfo> Uniformity;
  LoopInfo Loops;
  std::vector<BasicBlock *> Order;
  DenseMap<const BasicBlock *, unsigned> Place; ///< in Order
  /// [place] blocks that may have waiting lanes while the block executes.
  std::vector<BitVector> Waiting;
  DenseMap<const Value *, Shape> Shapes;

  Function *New = nullptr;
  IRBuilder<> B;
  Instruction *EntryEnd = nullptr; ///< slots are made before it
  Value *Context = nullptr, *First = nullptr;
  BasicBlock *Exit = nullptr;
  Value *Mask = nullptr; ///< of the block that is emitted
  DenseMap<const BasicBlock *, BasicBlock *> Checks, Bodies;
  DenseMap<const BasicBlock *, AllocaInst *> Masks;
  DenseMap<const Loop *, BasicBlock *> LoopEnds;
  /// Values of other blocks, and of phis until their block begins.
  DenseMap<const Value *, AllocaInst *> ScalarSlots, LaneSlots, PhiSlots;
  DenseMap<const Value *, Value *> Arguments, ArgumentLanes;
  DenseMap<const Value *, Value *> Scalars, Lanes; ///< of this block
};

} // namespace

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

/// Replaces casts between an integer and a vector, such as a half2 that inline
/// PTX has in a 32-bit register, by shifts of its elements.
static void expandVectorCasts(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Cast = dyn_cast<BitCastInst>(&I);
    if (!Cast)
      continue;
    Value *From = Cast->getOperand(0);
    auto *FromVector = dyn_cast<FixedVectorType>(From->getType());
    auto *ToVector = dyn_cast<FixedVectorType>(Cast->getType());
    if ((FromVector != nullptr) == (ToVector != nullptr))
      continue;
    FixedVectorType *Vector = FromVector ? FromVector : ToVector;
    Type *Whole = FromVector ? Cast->getType() : From->getType();
    unsigned Bits = Vector->getScalarSizeInBits();
    IRBuilder<> B(Cast);
    Type *Element = B.getIntNTy(Bits),
         *Integer = B.getIntNTy(Bits * Vector->getNumElements());
    Value *Result = nullptr;
    if (ToVector) {
      Value *All = B.CreateBitCast(From, Integer);
      Result = PoisonValue::get(ToVector);
      for (unsigned E = 0; E < Vector->getNumElements(); ++E)
        Result = B.CreateInsertElement(
            Result,
            B.CreateBitCast(B.CreateTrunc(B.CreateLShr(All, E * Bits), Element),
                            Vector->getElementType()),
            E);
    } else {
      Result = ConstantInt::get(Integer, 0);
      for (unsigned E = 0; E < Vector->getNumElements(); ++E)
        Result = B.CreateOr(
            Result,
            B.CreateShl(
                B.CreateZExt(
                    B.CreateBitCast(B.CreateExtractElement(From, E), Element),
                    Integer),
                E * Bits));
      Result = B.CreateBitCast(Result, Whole);
    }
    Cast->replaceAllUsesWith(Result);
    Cast->eraseFromParent();
  }
}

/// Gives the kernel the form that the rest of this file takes: no vectors, no
/// switches, loops with one latch whose results leave through phis.
void LaneVectoriser::simplify() {
  PassBuilder Builder;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ScalarizerPassOptions Scalar;
  Scalar.ScalarizeVariableInsertExtract = true;
  Scalar.ScalarizeLoadStore = true;
  FunctionPassManager First, Passes;
  First.addPass(SROAPass(SROAOptions::ModifyCFG));
  First.addPass(EarlyCSEPass());
  First.addPass(SimplifyCFGPass());
  First.addPass(InstCombinePass());
  FAM.invalidate(F, First.run(F, FAM));
  expandVectorCasts(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  Passes.addPass(ScalarizerPass(Scalar));
  Passes.addPass(InstCombinePass());
  Passes.addPass(LowerSwitchPass());
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  Passes.run(F, FAM);
}

/// Structures are structures of vectors.
bool LaneVectoriser::hasLaneForm(Type *T) const {
  if (auto *S = dyn_cast<StructType>(T))
    return all_of(S->elements(), [&](Type *E) { return hasLaneForm(E); });
  if (T->isIntegerTy())
    return T->getIntegerBitWidth() <= 128;
  return T->isHalfTy() || T->isBFloatTy() || T->isFloatTy() ||
         T->isDoubleTy() || T->isPointerTy();
}

std::string LaneVectoriser::refusal() {
  if (F.size() > MaxBlocks || F.getInstructionCount() > MaxInstructions)
    return "the kernel is large";
  for (const Function &Other : *F.getParent())
    if (&Other != &F && waitsForThreads(Other))
      return "a function that is called waits for threads";
  for (const Instruction &I : instructions(F)) {
    if (isWaitForMemory(I))
      return "threads wait for memory";
    if (calleeName(I) == "ge.collective") {
      if (!isa<ConstantInt>(I.getOperand(1)) ||
          kindOf(I) == CollectiveKind::MatrixProduct ||
          kindOf(I) == CollectiveKind::WarpMatrix)
        return "matrix instructions";
      Width = LanesOfAWarp;
    }
    if (calleeName(I) == DeviceLaunchFunction)
      return "the kernel launches kernels";
    if (isa<InvokeInst, IndirectBrInst, CallBrInst, SwitchInst>(I))
      return "control flow without a vector form";
    if (const auto *A = dyn_cast<AllocaInst>(&I); A && !A->isStaticAlloca())
      return "arrays whose size is not known";
    for (const Use &U : I.operands()) {
      Type *T = U->getType();
      if (!T->isLabelTy() && !T->isMetadataTy() && !hasLaneForm(T))
        return "a type without a vector form";
    }
    Type *T = I.getType();
    if (!T->isVoidTy() && !hasLaneForm(T))
      return "a type without a vector form";
    if (isa<LoadInst, StoreInst>(I)) {
      Type *Accessed = getLoadStoreType(const_cast<Instruction *>(&I));
      if (Accessed->isStructTy() || Layout.getTypeStoreSizeInBits(Accessed) !=
                                        Layout.getTypeSizeInBits(Accessed))
        return "a type without a vector form";
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Does the block only end the threads that enter it?
bool LaneVectoriser::isEnd(const BasicBlock *BB) const {
  return isa<ReturnInst>(BB->getFirstNonPHIOrDbg());
}

/// Does the block end the launch?
bool LaneVectoriser::isFatal(const BasicBlock *BB) const {
  return isa<UnreachableInst>(BB->getTerminator());
}

/// Does the branch at the end of the block divide the lanes between two blocks
/// that go on?
bool LaneVectoriser::divides(const BasicBlock *BB) const {
  const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Uniformity->isUniform(Branch->getCondition()))
    return false;
  return none_of(successors(BB),
                 [&](const BasicBlock *S) { return isEnd(S) || isFatal(S); });
}

void LaneVectoriser::orderBlocks() {
  Order.clear();
  orderLoop(nullptr, &F.getEntryBlock());
  for (auto [Number, BB] : enumerate(Order))
    Place[BB] = unsigned(Number);
}

/// Appends the blocks of a loop (null: of the function) in reverse post-order,
/// where an inner loop is one node.
void LaneVectoriser::orderLoop(Loop *L, BasicBlock *Header) {
  // The node of a block: its own, or the header of the outermost loop within L.
  auto Node = [&](BasicBlock *BB) -> BasicBlock * {
    if (L && !L->contains(BB))
      return nullptr;
    Loop *Inner = Loops.getLoopFor(BB);
    if (Inner == L)
      return BB;
    while (Inner->getParentLoop() != L)
      Inner = Inner->getParentLoop();
    return Inner->getHeader();
  };
  auto InnerLoop = [&](BasicBlock *BB) -> Loop * {
    Loop *Of = Loops.getLoopFor(BB);
    return Of == L ? nullptr : Of;
  };
  SmallVector<BasicBlock *> PostOrder;
  SmallPtrSet<BasicBlock *, 32> Seen;
  struct Frame {
    BasicBlock *BB;
    SmallVector<BasicBlock *, 4> Left;
  };
  std::vector<Frame> Stack;
  auto Push = [&](BasicBlock *BB) {
    Seen.insert(BB);
    Frame New{BB, {}};
    if (Loop *Inner = InnerLoop(BB)) {
      while (Inner->getParentLoop() != L)
        Inner = Inner->getParentLoop();
      Inner->getExitBlocks(New.Left);
    } else {
      append_range(New.Left, successors(BB));
    }
    Stack.push_back(std::move(New));
  };
  Push(Header);
  while (!Stack.empty()) {
    if (Stack.back().Left.empty()) {
      PostOrder.push_back(Stack.back().BB);
      Stack.pop_back();
      continue;
    }
    BasicBlock *To = Node(Stack.back().Left.pop_back_val());
    if (To && To != Header && !Seen.contains(To))
      Push(To);
  }
  for (BasicBlock *BB : reverse(PostOrder)) {
    Loop *Inner = InnerLoop(BB);
    if (!Inner) {
      Order.push_back(BB);
      continue;
    }
    while (Inner->getParentLoop() != L)
      Inner = Inner->getParentLoop();
    orderLoop(Inner, BB);
  }
}

/// Lanes wait between a branch that divides them and the first block that every
/// lane comes to, its post-dominator: while some execute what only one of the
/// two sides reaches, others may wait in blocks of the other side, or there.
void LaneVectoriser::findWaits() {
  unsigned Count = unsigned(Order.size());
  auto Follows = [&](const BasicBlock *BB) {
    SmallVector<unsigned, 2> Next;
    for (const BasicBlock *S : successors(BB))
      if (!isEnd(S) && !isFatal(S))
        Next.push_back(Place.lookup(S));
    return Next;
  };
  // Post-dominators, without edges to the end of a thread.
  std::vector<BitVector> Post(Count, BitVector(Count, true));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = Count; I-- > 0;) {
      BitVector Now(Count, false);
      SmallVector<unsigned, 2> Next = Follows(Order[I]);
      if (!Next.empty()) {
        Now = Post[Next[0]];
        for (unsigned N : drop_begin(Next))
          Now &= Post[N];
      }
      Now.set(I);
      if (Now != Post[I]) {
        Post[I] = Now;
        Changed = true;
      }
    }
  }
  Waiting.assign(Count, BitVector(Count));
  for (unsigned D = 0; D < Count; ++D) {
    if (!divides(Order[D]))
      continue;
    SmallVector<unsigned, 2> Sides = Follows(Order[D]);
    if (Sides.size() != 2 || Sides[0] == Sides[1])
      continue;
    BitVector Meet = Post[D];
    Meet.reset(D);
    BitVector Inside[2] = {BitVector(Count), BitVector(Count)};
    BitVector Reached[2] = {BitVector(Count), BitVector(Count)};
    for (unsigned Side = 0; Side < 2; ++Side) {
      SmallVector<unsigned> Left = {Sides[Side]};
      while (!Left.empty()) {
        unsigned N = Left.pop_back_val();
        if (Reached[Side].test(N))
          continue;
        Reached[Side].set(N);
        if (Meet.test(N))
          continue;
        Inside[Side].set(N);
        append_range(Left, Follows(Order[N]));
      }
    }
    for (unsigned Side = 0; Side < 2; ++Side)
      for (unsigned N : Inside[Side].set_bits())
        Waiting[N] |= Reached[1 - Side];
  }
}

bool LaneVectoriser::mayWait(const BasicBlock *BB,
                             const BasicBlock *Other) const {
  return Waiting[Place.lookup(BB)].test(Place.lookup(Other));
}

bool LaneVectoriser::mayAnyWait(const BasicBlock *BB) const {
  return Waiting[Place.lookup(BB)].any();
}

/// Can a branch go straight to a successor, as no lane waits in between?
bool LaneVectoriser::jumps(const BasicBlock *From, const BasicBlock *To) const {
  unsigned Begin = Place.lookup(From) + 1, End = Place.lookup(To);
  if (End < Begin) { // back to the header of a loop: its rest is in between
    const Loop *L = Loops.getLoopFor(To);
    End = Begin;
    while (End < Order.size() && L->contains(Order[End]))
      ++End;
  }
  const BitVector &Waits = Waiting[Place.lookup(From)];
  for (const Loop *L = Loops.getLoopFor(From); L && !L->contains(To);
       L = L->getParentLoop())
    if (Waits.test(Place.lookup(L->getHeader())))
      return false;
  return Begin >= End || Waits.find_first_in(Begin, End) < 0;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// blockIdx.x * N + threadIdx.x, where N is blockDim.x or a constant that is no
/// larger than blocks may be: less than 2^31 (vectoriseLanes()).
bool LaneVectoriser::isGlobalIndex(const Value *V) const {
  const Value *X = Request.Thread.Thread[0];
  const auto *Sum = dyn_cast<BinaryOperator>(V);
  bool Adds = Sum && (Sum->getOpcode() == Instruction::Add ||
                      Sum->getOpcode() == Instruction::Or);
  if (!Adds || (Sum->getOperand(0) != X && Sum->getOperand(1) != X))
    return false;
  const auto *Product =
      dyn_cast<BinaryOperator>(Sum->getOperand(Sum->getOperand(0) == X));
  if (!Product)
    return false;
  auto Loads = [&](const Value *Operand, size_t Member) {
    const auto *Load = dyn_cast<LoadInst>(Operand);
    int64_t Offset = 0;
    return Load &&
           GetPointerBaseWithConstantOffset(Load->getPointerOperand(), Offset,
                                            Layout) == Request.Thread.Context &&
           Offset == int64_t(Member);
  };
  const Value *Left = Product->getOperand(0), *Right = Product->getOperand(1);
  if (!Loads(Left, offsetof(ThreadContext, Block)))
    std::swap(Left, Right);
  if (!Loads(Left, offsetof(ThreadContext, Block)))
    return false;
  const auto *Factor = dyn_cast<ConstantInt>(Right);
  if (Product->getOpcode() == Instruction::Shl)
    return Factor && Right == Product->getOperand(1) &&
           Factor->getValue().ule(Log2_32(MaxBlockThreads));
  return Product->getOpcode() == Instruction::Mul &&
         (Loads(Right, offsetof(ThreadContext, BlockSize)) ||
          (Factor && Factor->getValue().ule(MaxBlockThreads)));
}

/// Does an affine integer not wrap round from lane to lane, as a signed number?
bool LaneVectoriser::staysInRange(const Value *V,
                                  SmallPtrSetImpl<const Value *> &Seen) const {
  if (!isa<Instruction>(V) || shapeOf(V).K == Shape::Uniform ||
      !Seen.insert(V).second)
    return true;
  const auto &I = cast<Instruction>(*V);
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    if (cast<OverflowingBinaryOperator>(I).hasNoSignedWrap())
      return true;
    break;
  case Instruction::SExt:
  case Instruction::ZExt:
    return true;
  case Instruction::PHI:
  case Instruction::Freeze:
    return all_of(I.operand_values(), [&](const Value *Operand) {
      return staysInRange(Operand, Seen);
    });
  default:
    break;
  }
  return isGlobalIndex(V) || computeKnownBits(V, Layout).isNonNegative();
}

Shape LaneVectoriser::shapeOf(const Value *V) const {
  if (const auto *A = dyn_cast<Argument>(V)) {
    if (A == Request.Thread.Linear)
      return Shape::affine(1);
    if (A == Request.Thread.Thread[0])
      return Request.LanesShareRows ? Shape::affine(1) : Shape{Shape::Varying};
    return Uniformity->isUniform(V) ? Shape{Shape::Uniform}
                                    : Shape{Shape::Varying};
  }
  if (!isa<Instruction>(V))
    return {Shape::Uniform};
  return Shapes.lookup(V);
}

Shape LaneVectoriser::shapeOfPhi(const PHINode &Phi,
                                 ArrayRef<Shape> Operands) const {
  // Lanes enter a loop together and go round together.
  const Loop *L = Loops.getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent())
    return {Shape::Varying};
  Shape Common;
  for (unsigned N = 0; N < Operands.size(); ++N) {
    const BasicBlock *From = Phi.getIncomingBlock(N);
    if (mayWait(From, Phi.getParent()))
      return {Shape::Varying};
    if (Operands[N].K == Shape::Unknown)
      continue;
    if (Operands[N].K == Shape::Uniform)
      return {Shape::Varying};
    if (Common.K != Shape::Unknown && !(Common == Operands[N]))
      return {Shape::Varying};
    Common = Operands[N];
  }
  return Common;
}

Shape LaneVectoriser::shapeOfAddress(const GetElementPtrInst &Gep,
                                     ArrayRef<Shape> Operands) const {
  for (unsigned N = 0; N < Operands.size(); ++N)
    if (Operands[N].K == Shape::Unknown)
      return {};
  int64_t Stride = Operands[0].Stride;
  unsigned N = 1;
  for (gep_type_iterator At = gep_type_begin(Gep), End = gep_type_end(Gep);
       At != End; ++At, ++N) {
    if (At.isStruct())
      continue;
    // A narrower index would be extended.
    if (Operands[N].K == Shape::Affine &&
        Gep.getOperand(N)->getType()->getIntegerBitWidth() < 64)
      return {Shape::Varying};
    Stride += Operands[N].Stride *
              int64_t(At.getSequentialElementStride(Layout).getFixedValue());
  }
  return Stride ? Shape::affine(Stride) : Shape{Shape::Varying};
}

// NOLINTNEXTLINE(readability-function-size): a case per opcode.
Shape LaneVectoriser::computeShape(const Instruction &I) const {
  if (Uniformity->isUniform(&I))
    return {Shape::Uniform};
  if (const auto *A = dyn_cast<AllocaInst>(&I)) {
    uint64_t Bytes = A->getAllocationSize(Layout)->getFixedValue();
    return Shape::affine(int64_t(alignTo(Bytes, A->getAlign())));
  }
  Type *T = I.getType();
  if (!T->isIntegerTy() && !T->isPointerTy())
    return {Shape::Varying};
  SmallVector<Shape, 4> Operands;
  for (const Value *Operand : I.operand_values()) {
    Operands.push_back(shapeOf(Operand));
    if (Operands.back().K == Shape::Varying)
      return Operands.back();
  }
  const Shape Varying = {Shape::Varying};
  auto Known = [&](unsigned N) { return Operands[N].K != Shape::Unknown; };
  auto Sum = [&](int64_t Stride) {
    return Stride ? Shape::affine(Stride) : Varying;
  };
  switch (I.getOpcode()) {
  case Instruction::PHI:
    return shapeOfPhi(cast<PHINode>(I), Operands);
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return Varying;
    [[fallthrough]];
  case Instruction::Add:
    if (!Known(0) || !Known(1))
      return {};
    return Sum(Operands[0].Stride + Operands[1].Stride);
  case Instruction::Sub:
    if (!Known(0) || !Known(1))
      return {};
    return Sum(Operands[0].Stride - Operands[1].Stride);
  case Instruction::Mul:
  case Instruction::Shl: {
    if (!Known(0))
      return {};
    const auto *Factor = dyn_cast<ConstantInt>(I.getOperand(1));
    if (!Factor || Factor->getBitWidth() > 64 ||
        std::abs(Operands[0].Stride) > (int64_t(1) << 31))
      return Varying;
    int64_t By = Factor->getSExtValue();
    if (I.getOpcode() == Instruction::Shl)
      return By >= 0 && By < 31 ? Sum(Operands[0].Stride << By) : Varying;
    return std::abs(By) < (int64_t(1) << 31) ? Sum(Operands[0].Stride * By)
                                             : Varying;
  }
  case Instruction::ZExt:
    // Lanes that are not active may have a negative value.
    if (!Known(0))
      return {};
    if (T->getIntegerBitWidth() > 64 ||
        !(cast<ZExtInst>(I).hasNonNeg() || isGlobalIndex(I.getOperand(0)) ||
          computeKnownBits(I.getOperand(0), Layout).isNonNegative()))
      return Varying;
    return Operands[0];
  case Instruction::SExt: {
    SmallPtrSet<const Value *, 8> Seen;
    constexpr int64_t MaxStride = 1 << 16;
    return T->getIntegerBitWidth() <= 64 &&
                   std::abs(Operands[0].Stride) <= MaxStride &&
                   staysInRange(I.getOperand(0), Seen)
               ? Operands[0]
               : Varying;
  }
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr: {
    unsigned From =
                 unsigned(Layout.getTypeSizeInBits(I.getOperand(0)->getType())),
             To = unsigned(Layout.getTypeSizeInBits(T));
    bool Keeps = I.getOpcode() == Instruction::Trunc ? To >= 16 : From == To;
    return Keeps ? Operands[0] : Varying;
  }
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return Operands[0];
  case Instruction::Select:
    if (!Known(1) || !Known(2))
      return {};
    return Operands[0].K == Shape::Uniform && Operands[1] == Operands[2]
               ? Operands[1]
               : Varying;
  case Instruction::GetElementPtr:
    return shapeOfAddress(cast<GetElementPtrInst>(I), Operands);
  default:
    return Varying;
  }
}

void LaneVectoriser::findShapes() {
  // A shape goes from unknown to affine to varying, never back.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Order)
      for (Instruction &I : *BB) {
        if (I.getType()->isVoidTy())
          continue;
        Shape &Before = Shapes[&I];
        if (Before.K == Shape::Varying)
          continue;
        Shape Now = computeShape(I);
        if (Before.K == Shape::Affine && !(Now == Before))
          Now = {Shape::Varying};
        if (!(Now == Before)) {
          Shapes[&I] = Now;
          Changed = true;
        }
      }
  }
  for (auto &Entry : Shapes)
    if (Entry.second.K == Shape::Unknown)
      Entry.second = {Shape::Varying};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type *LaneVectoriser::laneType(Type *T) const {
  if (auto *S = dyn_cast<StructType>(T)) {
    SmallVector<Type *> Elements;
    for (Type *E : S->elements())
      Elements.push_back(laneType(E));
    return StructType::get(C, Elements);
  }
  return FixedVectorType::get(T, Width);
}

AllocaInst *LaneVectoriser::slot(Type *T, const Twine &Name) {
  return new AllocaInst(T, 0, Name, EntryEnd->getIterator());
}

/// The value of all lanes, or of the first lane if it is affine.
Value *LaneVectoriser::scalar(Value *V) {
  if (isa<Constant>(V) || isa<MetadataAsValue>(V))
    return V;
  if (isa<Argument>(V))
    return Arguments.lookup(V);
  Value *&Here = Scalars[V];
  if (!Here) {
    AllocaInst *From = ScalarSlots.lookup(V);
    Here = B.CreateLoad(V->getType(), From);
  }
  return Here;
}

Value *LaneVectoriser::splat(Value *V) {
  auto *S = dyn_cast<StructType>(V->getType());
  if (!S)
    return B.CreateVectorSplat(Width, V);
  Value *All = PoisonValue::get(laneType(S));
  for (unsigned E = 0; E < S->getNumElements(); ++E)
    All = B.CreateInsertValue(All, splat(B.CreateExtractValue(V, E)), E);
  return All;
}

/// Base + lane * Stride
Value *LaneVectoriser::spread(Value *Base, int64_t Stride) {
  bool IsPointer = Base->getType()->isPointerTy();
  Type *T = IsPointer ? B.getInt64Ty() : Base->getType();
  SmallVector<Constant *> Offsets;
  for (unsigned L = 0; L < Width; ++L)
    Offsets.push_back(ConstantInt::get(T, uint64_t(Stride) * L, false));
  Constant *Offset = ConstantVector::get(Offsets);
  return IsPointer ? B.CreateGEP(B.getInt8Ty(), Base, Offset)
                   : B.CreateAdd(B.CreateVectorSplat(Width, Base), Offset);
}

Value *LaneVectoriser::lanes(Value *V) {
  if (isa<Constant>(V))
    return splat(V);
  if (isa<Argument>(V) && ArgumentLanes.count(V))
    return ArgumentLanes.lookup(V);
  if (Value *Here = Lanes.lookup(V))
    return Here;
  Shape S = shapeOf(V);
  Value *All = nullptr;
  if (S.K == Shape::Uniform)
    All = splat(scalar(V));
  else if (S.K == Shape::Affine)
    All = spread(scalar(V), S.Stride);
  else
    All = B.CreateLoad(laneType(V->getType()), LaneSlots.lookup(V));
  Lanes[V] = All;
  return All;
}

Value *LaneVectoriser::blend(Value *Where, Value *True, Value *False) {
  auto *S = dyn_cast<StructType>(True->getType());
  if (!S || !Where->getType()->isVectorTy())
    return B.CreateSelect(Where, True, False);
  Value *All = PoisonValue::get(S);
  for (unsigned E = 0; E < S->getNumElements(); ++E)
    All = B.CreateInsertValue(All,
                              blend(Where, B.CreateExtractValue(True, E),
                                    B.CreateExtractValue(False, E)),
                              E);
  return All;
}

Value *LaneVectoriser::bitsOf(Value *Of) {
  return B.CreateBitCast(Of, B.getIntNTy(Width));
}

Value *LaneVectoriser::isAny(Value *Of) {
  return B.CreateICmpNE(bitsOf(Of), ConstantInt::get(B.getIntNTy(Width), 0));
}

/// Is the value used in another block, or by a phi there?
static bool leavesBlock(const Instruction &I) {
  return any_of(I.uses(), [&](const Use &U) {
    const auto *User = cast<Instruction>(U.getUser());
    const BasicBlock *Where = User->getParent();
    if (const auto *Phi = dyn_cast<PHINode>(User))
      Where = Phi->getIncomingBlock(U);
    return Where != I.getParent();
  });
}

void LaneVectoriser::keep(Instruction &I, Value *Now, bool IsLanes) {
  (IsLanes ? Lanes : Scalars)[&I] = Now;
  if (leavesBlock(I))
    B.CreateStore(Now, (IsLanes ? LaneSlots : ScalarSlots).lookup(&I));
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

void LaneVectoriser::makeFunction() {
  Type *Int = B.getInt32Ty();
  SmallVector<Type *> Types = {B.getPtrTy(), Int, Int};
  for (Argument &A : drop_begin(F.args(), Request.FirstParameter))
    Types.push_back(A.getType());
  New = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                         GlobalValue::InternalLinkage, F.getName() + ".lanes",
                         F.getParent());
  New->addFnAttr(Attribute::NoUnwind);
  Context = New->getArg(0);
  First = New->getArg(1);
  for (Argument &A : drop_begin(F.args(), Request.FirstParameter)) {
    Argument *Own = New->getArg(3 + A.getArgNo() - Request.FirstParameter);
    Arguments[&A] = Own;
    New->addParamAttrs(
        Own->getArgNo(),
        AttrBuilder(C, F.getAttributes().getParamAttrs(A.getArgNo())));
  }
  BasicBlock *Entry = BasicBlock::Create(C, "entry", New);
  EntryEnd = new UnreachableInst(C, Entry);
  B.SetInsertPoint(EntryEnd);
  auto Member = [&](size_t Offset) {
    return B.CreateLoad(
        Int, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Context, Offset));
  };
  Value *Sizes[] = {Member(offsetof(ThreadContext, BlockSize)),
                    Member(offsetof(ThreadContext, BlockSize) + 4)};
  const ThreadValues &T = Request.Thread;
  Value *Number = spread(First, 1);
  Arguments[T.Context] = Context;
  Arguments[T.Linear] = First;
  if (Request.LanesShareRows) {
    Value *Row = B.CreateUDiv(First, Sizes[0]);
    Arguments[T.Thread[0]] = B.CreateURem(First, Sizes[0]);
    Arguments[T.Thread[1]] = B.CreateURem(Row, Sizes[1]);
    Arguments[T.Thread[2]] = B.CreateUDiv(Row, Sizes[1]);
  } else {
    Value *Width0 = splat(Sizes[0]), *Width1 = splat(Sizes[1]);
    Value *Row = B.CreateUDiv(Number, Width0);
    ArgumentLanes[T.Thread[0]] = B.CreateURem(Number, Width0);
    ArgumentLanes[T.Thread[1]] = B.CreateURem(Row, Width1);
    ArgumentLanes[T.Thread[2]] = B.CreateUDiv(Row, Width1);
  }
  Value *Active = B.CreateICmpULT(spread(B.getInt32(0), 1),
                                  B.CreateVectorSplat(Width, New->getArg(2)));
  Type *MaskType = Active->getType();
  for (BasicBlock *BB : Order) {
    Checks[BB] = BasicBlock::Create(C, BB->getName() + ".check", New);
    Bodies[BB] = BasicBlock::Create(C, BB->getName(), New);
    Masks[BB] = slot(MaskType, BB->getName() + ".mask");
    const Loop *L = Loops.getLoopFor(BB);
    unsigned Number = Place.lookup(BB);
    for (; L; L = L->getParentLoop())
      if (Number + 1 == Order.size() || !L->contains(Order[Number + 1]))
        LoopEnds[L] = BasicBlock::Create(C, "loop.end", New);
  }
  Exit = BasicBlock::Create(C, "exit", New);
  ReturnInst::Create(C, Exit);
  for (BasicBlock *BB : Order)
    for (Instruction &I : *BB) {
      if (I.getType()->isVoidTy())
        continue;
      bool IsLanes = shapeOf(&I).K == Shape::Varying;
      Type *Kept = IsLanes ? laneType(I.getType()) : I.getType();
      if (isa<PHINode>(I))
        PhiSlots[&I] = slot(Kept, I.getName() + ".in");
      if (leavesBlock(I))
        (IsLanes ? LaneSlots : ScalarSlots)[&I] = slot(Kept, I.getName());
    }
  for (BasicBlock *BB : Order)
    B.CreateStore(BB == Order.front() ? Active
                                      : Constant::getNullValue(MaskType),
                  Masks[BB]);
  Instruction *Begin = B.CreateBr(Bodies[Order.front()]);
  EntryEnd->eraseFromParent();
  EntryEnd = Begin;
}

/// Where code goes on that executes what lanes wait for.
BasicBlock *LaneVectoriser::next(const BasicBlock &BB) const {
  unsigned Number = Place.lookup(&BB);
  const Loop *L = Loops.getLoopFor(&BB);
  if (L && (Number + 1 == Order.size() || !L->contains(Order[Number + 1])))
    return LoopEnds.lookup(L);
  return Number + 1 == Order.size() ? Exit : Checks.lookup(Order[Number + 1]);
}

Expected<LaneVectors> LaneVectoriser::run() {
  auto Refuse = [](const Twine &Why) { return createStringError(Why); };
  simplify();
  if (std::string Why = refusal(); !Why.empty())
    return Refuse(Why);
  DominatorTree Dominators(F);
  CycleInfo Cycles;
  Cycles.compute(F);
  Loops.analyze(Dominators);
  ReversePostOrderTraversal<Function *> Traversal(&F);
  if (containsIrreducibleCFG<BasicBlock *>(Traversal, Loops))
    return Refuse("irreducible control flow");
  TargetTransformInfo Target(LaneDivergence(Layout, Request));
  Uniformity.emplace(Dominators, Cycles, &Target);
  Uniformity->compute();
  orderBlocks();
  findWaits();
  for (Instruction &I : instructions(F)) {
    if (calleeName(I) != "ge.barrier")
      continue;
    if (mayAnyWait(I.getParent()))
      return Refuse("lanes may come to a barrier one after the other");
    if (Uniformity->isDivergent(I.getOperand(1)) ||
        Uniformity->isDivergent(I.getOperand(2)))
      return Refuse("the number of a barrier depends on the lane");
  }
  findShapes();
  makeFunction();
  for (BasicBlock *BB : Order)
    emitBlock(*BB);
  for (auto [L, End] : LoopEnds) {
    B.SetInsertPoint(End);
    B.SetCurrentDebugLocation(DebugLoc());
    const BasicBlock *Header = L->getHeader();
    // The loop around may end here, too.
    const Loop *Outer = L->getParentLoop();
    unsigned Behind = 0;
    for (const BasicBlock *BB : L->blocks())
      Behind = std::max(Behind, Place.lookup(BB) + 1);
    BasicBlock *After =
        Behind == Order.size() ? Exit : Checks.lookup(Order[Behind]);
    if (Outer && (Behind == Order.size() || !Outer->contains(Order[Behind])))
      After = LoopEnds.lookup(Outer);
    Value *Left = B.CreateLoad(FixedVectorType::get(B.getInt1Ty(), Width),
                               Masks.lookup(Header));
    B.CreateCondBr(isAny(Left), Bodies.lookup(Header), After);
  }
  if (!Problem.empty())
    return Refuse(Problem);
  return LaneVectors{New, Width};
}

void LaneVectoriser::emitBlock(BasicBlock &BB) {
  B.SetCurrentDebugLocation(DebugLoc());
  Type *MaskType = FixedVectorType::get(B.getInt1Ty(), Width);
  B.SetInsertPoint(Checks[&BB]);
  B.CreateCondBr(isAny(B.CreateLoad(MaskType, Masks[&BB])), Bodies[&BB],
                 next(BB));
  B.SetInsertPoint(Bodies[&BB]);
  Scalars.clear();
  Lanes.clear();
  Mask = B.CreateLoad(MaskType, Masks[&BB]);
  B.CreateStore(Constant::getNullValue(MaskType), Masks[&BB]);
  for (PHINode &Phi : BB.phis()) {
    AllocaInst *In = PhiSlots.lookup(&Phi);
    keep(Phi, B.CreateLoad(In->getAllocatedType(), In),
         shapeOf(&Phi).K == Shape::Varying);
  }
  for (Instruction &I : BB) {
    if (isa<PHINode>(I) || I.isTerminator())
      continue;
    B.SetCurrentDebugLocation(I.getDebugLoc());
    emit(I);
  }
  B.SetCurrentDebugLocation(BB.getTerminator()->getDebugLoc());
  emitTerminator(BB);
}

void LaneVectoriser::emit(Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return emitStore(*Store);
  if (auto *Call = dyn_cast<CallInst>(&I);
      Call && (!isPure(*Call) || hasOneResult(*Call)))
    return emitCall(*Call);
  if (auto *Fence = dyn_cast<FenceInst>(&I)) {
    B.Insert(Fence->clone());
    return;
  }
  Shape S = shapeOf(&I);
  if (S.K == Shape::Varying)
    return emitLanes(I);
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    auto *All = new AllocaInst(
        ArrayType::get(B.getInt8Ty(), uint64_t(S.Stride) * Width),
        A->getAddressSpace(), nullptr, A->getAlign(), A->getName(),
        EntryEnd->getIterator());
    keep(I, All, /*IsLanes=*/false);
    return;
  }
  Instruction *One = I.clone();
  if (S.K == Shape::Affine) {
    // The first lane may not be active.
    One->dropPoisonGeneratingFlags();
    if (I.getOpcode() == Instruction::Or) {
      One->deleteValue();
      One = BinaryOperator::CreateAdd(I.getOperand(0), I.getOperand(1));
    } else if (isa<ZExtInst>(I)) {
      One->deleteValue();
      One = CastInst::Create(Instruction::SExt, I.getOperand(0), I.getType());
    }
  }
  for (Use &U : One->operands())
    U.set(scalar(U.get()));
  One->dropUnknownNonDebugMetadata();
  B.Insert(One);
  One->setDebugLoc(I.getDebugLoc());
  keep(I, One, /*IsLanes=*/false);
}

void LaneVectoriser::emitLanes(Instruction &I) {
  Value *Now = nullptr;
  if (auto *Op = dyn_cast<BinaryOperator>(&I)) {
    Value *Left = lanes(Op->getOperand(0)), *Right = lanes(Op->getOperand(1));
    // The host must not trap for lanes that do not execute this.
    if (Op->isIntDivRem() && !isa<Constant>(Op->getOperand(1)))
      Right =
          B.CreateSelect(Mask, Right, ConstantInt::get(Right->getType(), 1));
    Now = B.CreateBinOp(Op->getOpcode(), Left, Right);
  } else if (isa<UnaryOperator>(I)) {
    Now = B.CreateUnOp(Instruction::UnaryOps(I.getOpcode()),
                       lanes(I.getOperand(0)));
  } else if (auto *Cast = dyn_cast<CastInst>(&I)) {
    Now = B.CreateCast(Cast->getOpcode(), lanes(I.getOperand(0)),
                       laneType(I.getType()));
  } else if (auto *Compare = dyn_cast<CmpInst>(&I)) {
    Now = B.CreateCmp(Compare->getPredicate(), lanes(I.getOperand(0)),
                      lanes(I.getOperand(1)));
  } else if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Value *If = Select->getCondition();
    Now = blend(shapeOf(If).K == Shape::Uniform ? scalar(If) : lanes(If),
                lanes(Select->getTrueValue()), lanes(Select->getFalseValue()));
  } else if (isa<FreezeInst>(I)) {
    Now = B.CreateFreeze(lanes(I.getOperand(0)));
  } else if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
    auto Operand = [&](Value *V) {
      return shapeOf(V).K == Shape::Uniform ? scalar(V) : lanes(V);
    };
    SmallVector<Value *> Indices;
    for (Value *Index : Gep->indices())
      Indices.push_back(Operand(Index));
    Now = B.CreateGEP(Gep->getSourceElementType(),
                      Operand(Gep->getPointerOperand()), Indices);
    if (!Now->getType()->isVectorTy())
      Now = splat(Now);
  } else if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    Now = B.CreateExtractValue(lanes(I.getOperand(0)), Extract->getIndices());
  } else if (auto *Insert = dyn_cast<InsertValueInst>(&I)) {
    Now = B.CreateInsertValue(lanes(I.getOperand(0)), lanes(I.getOperand(1)),
                              Insert->getIndices());
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    return emitLoad(*Load);
  } else if (auto *Call = dyn_cast<CallInst>(&I)) {
    return emitCall(*Call);
  } else {
    return emitForEachLane(I);
  }
  if (auto *Made = dyn_cast<Instruction>(Now);
      Made && Made->getOpcode() == I.getOpcode())
    Made->copyIRFlags(&I);
  keep(I, Now, /*IsLanes=*/true);
}

/// How the lanes of a load or store whose pointer is not uniform access memory.
/// Where the host has no instruction with a mask for that, LLVM would make a
/// branch for each lane, and code that takes minutes to compile.
LaneVectoriser::Access LaneVectoriser::accessOf(Instruction &I) const {
  auto Has = [&](StringRef Feature) {
    return Request.HostFeatures.contains(Feature);
  };
  bool IsSimple = isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple()
                                   : cast<StoreInst>(I).isSimple();
  Type *T = getLoadStoreType(&I);
  uint64_t Bytes = Layout.getTypeStoreSize(T);
  bool IsWord = Bytes == 4 || Bytes == 8;
  // The elements of a vector of bits, or of 12 bytes, are not where those of an
  // array are.
  bool IsArray = isPowerOf2_64(Bytes) && Bytes <= 8 &&
                 Layout.getTypeSizeInBits(T) == 8 * Bytes;
  if (!IsSimple || !IsArray)
    return Access::ByLane;
  Shape S = shapeOf(getLoadStorePointerOperand(&I));
  if (S.K == Shape::Affine && uint64_t(S.Stride) == Bytes)
    return Has("+avx512bw") || (IsWord && Has("+avx")) ? Access::Consecutive
                                                       : Access::ByLane;
  return IsWord && Has("+avx512f") ? Access::Anywhere : Access::ByLane;
}

void LaneVectoriser::emitLoad(LoadInst &Load) {
  Value *From = Load.getPointerOperand();
  Type *T = Load.getType(), *All = laneType(T);
  uint64_t Bytes = Layout.getTypeStoreSize(T).getFixedValue();
  Align A = std::min(Load.getAlign(), Align(PowerOf2Ceil(Bytes)));
  Value *Now = nullptr, *None = PoisonValue::get(All);
  switch (accessOf(Load)) {
  case Access::Consecutive:
    Now = B.CreateMaskedLoad(All, scalar(From), A, Mask, None);
    break;
  case Access::Anywhere:
    Now = B.CreateMaskedGather(All, lanes(From), A, Mask, None);
    break;
  case Access::ByLane:
    return emitForEachLane(Load);
  }
  keep(Load, Now, /*IsLanes=*/true);
}

void LaneVectoriser::emitStore(StoreInst &Store) {
  Value *To = Store.getPointerOperand(), *What = Store.getValueOperand();
  Shape S = shapeOf(To);
  uint64_t Bytes = Layout.getTypeStoreSize(What->getType()).getFixedValue();
  Align A = std::min(Store.getAlign(), Align(PowerOf2Ceil(Bytes)));
  if (S.K == Shape::Uniform) {
    // The last lane's value stays.
    Value *Last = nullptr;
    if (shapeOf(What).K == Shape::Uniform) {
      Last = scalar(What);
    } else {
      Value *Lane = B.CreateSub(
          ConstantInt::get(B.getIntNTy(Width), Width - 1),
          B.CreateBinaryIntrinsic(Intrinsic::ctlz, bitsOf(Mask), B.getTrue()));
      Last = B.CreateExtractElement(lanes(What), Lane);
    }
    auto *One = cast<StoreInst>(Store.clone());
    One->setOperand(0, Last);
    One->setOperand(1, scalar(To));
    One->dropUnknownNonDebugMetadata();
    B.Insert(One);
    return;
  }
  switch (accessOf(Store)) {
  case Access::Consecutive:
    B.CreateMaskedStore(lanes(What), scalar(To), A, Mask);
    break;
  case Access::Anywhere:
    B.CreateMaskedScatter(lanes(What), lanes(To), A, Mask);
    break;
  case Access::ByLane:
    emitForEachLane(Store);
  }
}

void LaneVectoriser::emitCall(CallInst &Call) {
  StringRef Name = calleeName(Call);
  if (Name == "ge.collective")
    return emitCollective(Call);
  if (Name == "ge.barrier")
    return emitBarrier(Call);
  if (Name.starts_with("ge.trace.") || Name.starts_with("ge.race."))
    return emitRecord(Call);
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
      Intrinsic && emitIntrinsic(*Intrinsic))
    return;
  emitForEachLane(Call);
}

/// Intrinsics with vector instructions of the host; false for others.
bool LaneVectoriser::emitIntrinsic(IntrinsicInst &Call) {
  Intrinsic::ID Id = Call.getIntrinsicID();
  if (Call.isAssumeLikeIntrinsic())
    return true;
  Type *All =
      laneType(Call.getType()->isVoidTy() ? B.getInt1Ty() : Call.getType());
  auto *Element = Call.arg_size() ? Call.getArgOperand(0)->getType() : nullptr;
  SmallVector<Value *> Operands;
  switch (Id) {
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
    for (Value *A : Call.args())
      Operands.push_back(lanes(A));
    keep(Call, B.CreateIntrinsic(Id, {laneType(Element)}, Operands),
         /*IsLanes=*/true);
    return true;
  // Calls of the host's library, for active lanes only.
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::ldexp:
  case Intrinsic::frexp:
    return false;
  default:
    break;
  }
  if (!isTriviallyVectorizable(Id))
    return false;
  SmallVector<Type *> Overloads;
  if (isVectorIntrinsicWithOverloadTypeAtArg(Id, -1))
    Overloads.push_back(All);
  for (auto [Number, A] : enumerate(Call.args())) {
    bool StaysScalar = isVectorIntrinsicWithScalarOpAtArg(Id, unsigned(Number));
    if (StaysScalar && shapeOf(A).K != Shape::Uniform)
      return false;
    Operands.push_back(StaysScalar ? scalar(A) : lanes(A));
    if (isVectorIntrinsicWithOverloadTypeAtArg(Id, int(Number)))
      Overloads.push_back(Operands.back()->getType());
  }
  CallInst *Now = B.CreateCall(
      Intrinsic::getDeclaration(F.getParent(), Id, Overloads), Operands);
  if (isa<FPMathOperator>(Call))
    Now->copyFastMathFlags(&Call);
  keep(Call, Now, /*IsLanes=*/true);
  return true;
}

/// The result of each lane of a shuffle, as completeCollective() has it: the
/// lower half is the value, bit 32 whether the source is valid.
Value *LaneVectoriser::emitShuffle(CallInst &Call, Value *Group) {
  Type *Ints = laneType(B.getInt32Ty()), *Longs = laneType(B.getInt64Ty());
  auto Splat = [&](uint32_t N) { return ConstantInt::get(Ints, N); };
  Value *Own = B.CreateTrunc(lanes(Call.getArgOperand(3)), Ints);
  Value *By = B.CreateAnd(lanes(Call.getArgOperand(4)), Splat(31)),
        *Control = lanes(Call.getArgOperand(5)),
        *Clamp = B.CreateAnd(Control, Splat(31)),
        *Segment = B.CreateAnd(B.CreateLShr(Control, Splat(8)), Splat(31));
  Value *Lane = spread(B.getInt32(0), 1),
        *FirstLane = B.CreateAnd(Lane, Segment),
        *LastLane =
            B.CreateOr(FirstLane, B.CreateAnd(Clamp, B.CreateNot(Segment)));
  Value *Source = nullptr;
  CollectiveKind Kind = kindOf(Call);
  if (Kind == CollectiveKind::ShuffleUp)
    Source = B.CreateSub(Lane, By);
  else if (Kind == CollectiveKind::ShuffleDown)
    Source = B.CreateAdd(Lane, By);
  else if (Kind == CollectiveKind::ShuffleXor)
    Source = B.CreateXor(Lane, By);
  else
    Source = B.CreateOr(FirstLane, B.CreateAnd(By, B.CreateNot(Segment)));
  Value *IsValid = Kind == CollectiveKind::ShuffleUp
                       ? B.CreateICmpSGE(Source, LastLane)
                       : B.CreateICmpSLE(Source, LastLane);
  Source = B.CreateSelect(IsValid, Source, Lane);
  Value *Theirs = nullptr;
  if (auto *Known = dyn_cast<Constant>(Source)) {
    SmallVector<int> Indices;
    for (unsigned L = 0; L < Width; ++L)
      Indices.push_back(int(
          cast<ConstantInt>(Known->getAggregateElement(L))->getZExtValue()));
    Theirs = B.CreateShuffleVector(Own, Indices);
  } else {
    AllocaInst *All = slot(Ints, "shuffle");
    B.CreateStore(Own, All);
    Theirs =
        B.CreateMaskedGather(Ints, B.CreateGEP(B.getInt32Ty(), All, Source),
                             Align(4), Mask, PoisonValue::get(Ints));
  }
  // The value of a lane that takes no part is undefined; here it is the own.
  Value *TakesPart =
      B.CreateTrunc(B.CreateLShr(B.CreateVectorSplat(Width, Group), Source),
                    laneType(B.getInt1Ty()));
  Value *Result = B.CreateZExt(B.CreateSelect(TakesPart, Theirs, Own), Longs);
  return B.CreateOr(Result, B.CreateShl(B.CreateZExt(IsValid, Longs),
                                        ConstantInt::get(Longs, 32)));
}

/// The result of all lanes of a vote or reduction; null for another operation.
Value *LaneVectoriser::emitVote(CallInst &Call, Value *Group) {
  using enum CollectiveKind;
  CollectiveKind Kind = kindOf(Call);
  Type *Bits = Group->getType();
  Value *Values = lanes(Call.getArgOperand(3));
  auto Long = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
  auto True = [&] {
    Value *IsTrue =
        B.CreateICmpNE(Values, Constant::getNullValue(Values->getType()));
    return B.CreateAnd(B.CreateBitCast(IsTrue, Bits), Group);
  };
  Value *None = ConstantInt::get(Bits, 0);
  auto Reduce = [&](Intrinsic::ID Id, uint32_t Neutral) {
    Type *Ints = laneType(B.getInt32Ty());
    Value *Part = B.CreateBitCast(Group, laneType(B.getInt1Ty()));
    Value *All = B.CreateSelect(Part, B.CreateTrunc(Values, Ints),
                                ConstantInt::get(Ints, Neutral));
    return Long(B.CreateUnaryIntrinsic(Id, All));
  };
  switch (Kind) {
  case VoteAll:
    return Long(B.CreateICmpEQ(True(), Group));
  case VoteAny:
    return Long(B.CreateICmpNE(True(), None));
  case VoteUniform: {
    Value *Those = True();
    return Long(
        B.CreateOr(B.CreateICmpEQ(Those, None), B.CreateICmpEQ(Those, Group)));
  }
  case Ballot:
    return Long(True());
  case ActiveMask:
    return Long(Group);
  case Sync:
    return B.getInt64(0);
  case AddReduce:
    return Reduce(Intrinsic::vector_reduce_add, 0);
  case UnsignedMin:
    return Reduce(Intrinsic::vector_reduce_umin, UINT32_MAX);
  case UnsignedMax:
    return Reduce(Intrinsic::vector_reduce_umax, 0);
  case SignedMin:
    return Reduce(Intrinsic::vector_reduce_smin, INT32_MAX);
  case SignedMax:
    return Reduce(Intrinsic::vector_reduce_smax, uint32_t(INT32_MIN));
  case AndReduce:
    return Reduce(Intrinsic::vector_reduce_and, UINT32_MAX);
  case OrReduce:
    return Reduce(Intrinsic::vector_reduce_or, 0);
  case XorReduce:
    return Reduce(Intrinsic::vector_reduce_xor, 0);
  default:
    return nullptr;
  }
}

/// Operations whose lanes name the same mask become vector code, others a call:
/// i64 ge.collective.lanes(context, kind, active lanes, masks, values, B, C)
/// with arrays by lane. The results replace the values; the first lane's
/// returns.
void LaneVectoriser::emitCollective(CallInst &Call) {
  Value *Named = Call.getArgOperand(2);
  if (shapeOf(Named).K == Shape::Uniform) {
    Value *Group = bitsOf(Mask);
    Value *Members = B.CreateTrunc(scalar(Named), Group->getType());
    Value *IsAnyone = B.CreateICmpEQ(scalar(Named), B.getInt64(0));
    Group = B.CreateSelect(IsAnyone, Group, B.CreateAnd(Group, Members));
    switch (kindOf(Call)) {
    case CollectiveKind::ShuffleUp:
    case CollectiveKind::ShuffleDown:
    case CollectiveKind::ShuffleXor:
    case CollectiveKind::ShuffleIndex:
      keep(Call, emitShuffle(Call, Group), /*IsLanes=*/true);
      return;
    default:
      if (Value *Result = emitVote(Call, Group)) {
        bool IsUniform = shapeOf(&Call).K == Shape::Uniform;
        keep(Call, IsUniform ? Result : splat(Result), !IsUniform);
        return;
      }
    }
  }
  auto Array = [&](Value *V) {
    AllocaInst *A = slot(laneType(V->getType()), "collective");
    B.CreateStore(lanes(V), A);
    return A;
  };
  Value *Arrays[4];
  for (unsigned I = 0; I < 4; ++I)
    Arrays[I] = Array(Call.getArgOperand(2 + I));
  FunctionCallee Run = F.getParent()->getOrInsertFunction(
      "ge.collective.lanes", B.getInt64Ty(), B.getPtrTy(), B.getInt32Ty(),
      B.getInt64Ty(), B.getPtrTy(), B.getPtrTy(), B.getPtrTy(), B.getPtrTy());
  Value *FirstResult =
      B.CreateCall(Run, {Context, Call.getArgOperand(1),
                         B.CreateZExt(bitsOf(Mask), B.getInt64Ty()), Arrays[0],
                         Arrays[1], Arrays[2], Arrays[3]});
  if (Call.use_empty())
    return;
  if (shapeOf(&Call).K == Shape::Uniform)
    keep(Call, FirstResult, /*IsLanes=*/false);
  else
    keep(Call, B.CreateLoad(laneType(B.getInt64Ty()), Arrays[1]),
         /*IsLanes=*/true);
}

/// ge.barrier.lanes(context, number, expected, true predicates, does it wait,
/// active lanes)
void LaneVectoriser::emitBarrier(CallInst &Call) {
  auto Count = [&](Value *Of) {
    return B.CreateZExtOrTrunc(
        B.CreateUnaryIntrinsic(Intrinsic::ctpop, bitsOf(Of)), B.getInt32Ty());
  };
  Value *Predicate = lanes(Call.getArgOperand(3));
  Value *True = B.CreateSelect(
      Mask,
      B.CreateICmpNE(Predicate, Constant::getNullValue(Predicate->getType())),
      Constant::getNullValue(Mask->getType()));
  FunctionCallee Run = F.getParent()->getOrInsertFunction(
      "ge.barrier.lanes", B.getInt64Ty(), B.getPtrTy(), B.getInt32Ty(),
      B.getInt32Ty(), B.getInt32Ty(), B.getInt32Ty(), B.getInt32Ty());
  keep(Call,
       B.CreateCall(Run, {Context, scalar(Call.getArgOperand(1)),
                          scalar(Call.getArgOperand(2)), Count(True),
                          scalar(Call.getArgOperand(4)), Count(Mask)}),
       /*IsLanes=*/false);
}

/// Calls of the recorder and the RaceDetector are one call for all lanes:
/// ge.trace.NAME.lanes(context, first thread, active lanes, rest) and the same
/// for ge.race.access, where what differs by lane of the rest is an array, or
/// bits where it is true or false.
void LaneVectoriser::emitRecord(CallInst &Call) {
  StringRef Name = calleeName(Call);
  Type *Int = B.getInt32Ty();
  if (Name == "ge.race.order") {
    B.CreateCall(Call.getCalledFunction(), {Context});
    return;
  }
  Value *Active = B.CreateZExtOrTrunc(bitsOf(Mask), Int);
  SmallVector<Value *> Rest;
  // Where the context has a null pointer, or none, there is nothing to record.
  size_t Member = offsetof(ThreadContext, BlockCounts);
  bool RecordsNull = true;
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  SmallVector<std::pair<unsigned, Value *>, 2> Arrays; // in Rest
  if (Name == "ge.race.access") {
    if (shapeOf(Call.getArgOperand(2)).K != Shape::Uniform)
      return emitForEachLane(Call);
    Member = offsetof(ThreadContext, Races);
    RecordsNull = false;
    Value *Address = Call.getArgOperand(1), *Stored = Call.getArgOperand(4);
    Rest = {nullptr, scalar(Call.getArgOperand(2)),
            scalar(Call.getArgOperand(3)), Null};
    Arrays.push_back({0, lanes(Address)});
    if (!isa<Constant>(Stored))
      Arrays.push_back({3, lanes(Stored)});
  } else {
    // The thread's number is the second argument.
    for (Value *A : drop_begin(Call.args(), 2))
      Rest.push_back(isa<Constant>(A) ? A : nullptr);
    if (Name == "ge.trace.condition") {
      Value *If = lanes(Call.getArgOperand(3));
      If = B.CreateICmpNE(If, Constant::getNullValue(If->getType()));
      Rest[1] = B.CreateZExtOrTrunc(bitsOf(If), Int);
    } else if (Name == "ge.trace.access") {
      Arrays.push_back({1, lanes(Call.getArgOperand(3))});
    }
  }
  bool IsGuarded = Name != "ge.trace.block";
  BasicBlock *After = nullptr;
  if (IsGuarded) {
    Value *Of = B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(
                                               B.getInt8Ty(), Context, Member));
    BasicBlock *Record = BasicBlock::Create(C, "record", New, Exit);
    After = BasicBlock::Create(C, "recorded", New, Exit);
    Value *IsNull = B.CreateIsNull(Of);
    B.CreateCondBr(IsNull, RecordsNull ? Record : After,
                   RecordsNull ? After : Record);
    B.SetInsertPoint(Record);
  }
  for (auto [Place, All] : Arrays) {
    AllocaInst *A = slot(All->getType(), "record");
    B.CreateStore(All, A);
    Rest[Place] = A;
  }
  SmallVector<Value *> Arguments = {Context, First, Active};
  append_range(Arguments, Rest);
  SmallVector<Type *> Types;
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  B.CreateCall(F.getParent()->getOrInsertFunction(
                   (Name + ".lanes").str(),
                   FunctionType::get(B.getVoidTy(), Types, false)),
               Arguments);
  if (!IsGuarded)
    return;
  B.CreateBr(After);
  B.SetInsertPoint(After);
}

/// Functions that take the context find their thread in it.
void LaneVectoriser::setThread(Value *Lane) {
  Value *Number = B.CreateAdd(First, Lane);
  auto Member = [&](size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Context, Offset);
  };
  auto Size = [&](unsigned Axis) {
    return B.CreateLoad(B.getInt32Ty(),
                        Member(offsetof(ThreadContext, BlockSize) + 4 * Axis));
  };
  Value *Row = B.CreateUDiv(Number, Size(0));
  Value *Index[] = {B.CreateURem(Number, Size(0)), B.CreateURem(Row, Size(1)),
                    B.CreateUDiv(Row, Size(1))};
  for (unsigned Axis = 0; Axis < 3; ++Axis)
    B.CreateStore(Index[Axis],
                  Member(offsetof(ThreadContext, Thread) + 4 * Axis),
                  /*isVolatile=*/true);
  Value *LanesOfWarp = B.getInt32(LanesOfAWarp);
  B.CreateStore(B.CreateURem(Number, LanesOfWarp),
                Member(offsetof(ThreadContext, Lane)));
  B.CreateStore(B.CreateUDiv(Number, LanesOfWarp),
                Member(offsetof(ThreadContext, Warp)));
}

/// The type of an element of an array of lanes: a byte for a bit.
Type *LaneVectoriser::elementInMemory(Type *T) const {
  return T->isIntegerTy(1) ? Type::getInt8Ty(C) : T;
}

/// Do values of the type lie in memory without unused bits?
bool LaneVectoriser::fillsMemory(Type *T) const {
  return T->isIntegerTy(1) ||
         (!T->isStructTy() &&
          Layout.getTypeStoreSizeInBits(T) == Layout.getTypeSizeInBits(T) &&
          Layout.getTypeStoreSize(T) == Layout.getTypeAllocSize(T));
}

/// The lanes of a value of type T whose members lie in arrays.
Value *LaneVectoriser::lanesInMemory(Type *T, ArrayRef<Type *> Members,
                                     ArrayRef<AllocaInst *> Arrays) {
  SmallVector<Value *> Whole;
  for (auto [Number, R] : enumerate(Members)) {
    Value *V = B.CreateLoad(laneType(elementInMemory(R)), Arrays[Number]);
    if (R->isIntegerTy(1))
      V = B.CreateTrunc(V, laneType(R));
    Whole.push_back(V);
  }
  Value *Now = Whole[0];
  if (T->isStructTy()) {
    Now = PoisonValue::get(laneType(T));
    for (auto [Number, V] : enumerate(Whole))
      Now = B.CreateInsertValue(Now, V, unsigned(Number));
  }
  return Now;
}

/// V for all lanes, or an array of its lanes; nothing, and a Problem, if its
/// type has no array.
std::optional<LaneVectoriser::LaneOperand>
LaneVectoriser::operandOfLanes(Value *V) {
  if (isa<Function>(V) || isa<MetadataAsValue>(V) ||
      shapeOf(V).K == Shape::Uniform)
    return LaneOperand{scalar(V), nullptr};
  if (!fillsMemory(V->getType())) {
    Problem = "a type without a vector form";
    return std::nullopt;
  }
  Value *All = lanes(V);
  if (V->getType()->isIntegerTy(1))
    All = B.CreateZExt(All, laneType(B.getInt8Ty()));
  AllocaInst *Array = slot(All->getType(), "operand");
  B.CreateStore(All, Array);
  return LaneOperand{nullptr, Array};
}

/// A loop over the active lanes, in their order. Operands and results of lanes
/// lie in arrays.
void LaneVectoriser::emitForEachLane(Instruction &I) {
  SmallVector<LaneOperand> Operands;
  for (Value *V : I.operand_values())
    if (std::optional<LaneOperand> O = operandOfLanes(V))
      Operands.push_back(*O);
    else
      return;
  Type *T = I.getType();
  SmallVector<Type *> Results;
  SmallVector<AllocaInst *> ResultArrays;
  if (auto *S = dyn_cast<StructType>(T))
    append_range(Results, S->elements());
  else if (!T->isVoidTy())
    Results.push_back(T);
  for (Type *R : Results) {
    if (!fillsMemory(R)) {
      Problem = "a type without a vector form";
      return;
    }
    ResultArrays.push_back(slot(laneType(elementInMemory(R)), "result"));
  }
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Body = BasicBlock::Create(C, "lane", New, Exit),
             *After = BasicBlock::Create(C, "lanes.end", New, Exit);
  Type *Bits = B.getIntNTy(Width);
  Value *All = bitsOf(Mask);
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *Left = B.CreatePHI(Bits, 2);
  Left->addIncoming(All, Before);
  Value *Lane =
      B.CreateZExt(B.CreateBinaryIntrinsic(Intrinsic::cttz, Left, B.getTrue()),
                   B.getInt64Ty());
  auto Place = [&](AllocaInst *Array, Type *Element) {
    return B.CreateInBoundsGEP(Element, Array, Lane);
  };
  Instruction *One = I.clone();
  for (auto [Number, O] : enumerate(Operands)) {
    Value *V = O.Scalar;
    if (O.Array) {
      Type *Own = I.getOperand(unsigned(Number))->getType();
      V = B.CreateLoad(elementInMemory(Own),
                       Place(O.Array, elementInMemory(Own)));
      if (Own->isIntegerTy(1))
        V = B.CreateTrunc(V, Own);
    }
    One->setOperand(unsigned(Number), V);
  }
  One->dropUnknownNonDebugMetadata();
  if (auto *Call = dyn_cast<CallInst>(&I);
      Call && Call->arg_size() &&
      Call->getArgOperand(0) == Request.Thread.Context)
    setThread(B.CreateTrunc(Lane, B.getInt32Ty()));
  B.Insert(One);
  One->setDebugLoc(I.getDebugLoc());
  for (auto [Number, R] : enumerate(Results)) {
    Value *V =
        T->isStructTy() ? B.CreateExtractValue(One, unsigned(Number)) : One;
    if (R->isIntegerTy(1))
      V = B.CreateZExt(V, B.getInt8Ty());
    B.CreateStore(V, Place(ResultArrays[Number], elementInMemory(R)));
  }
  Value *Rest = B.CreateAnd(Left, B.CreateSub(Left, ConstantInt::get(Bits, 1)));
  Left->addIncoming(Rest, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpNE(Rest, ConstantInt::get(Bits, 0)), Body, After);
  B.SetInsertPoint(After);
  if (Results.empty() || I.use_empty())
    return;
  keep(I, lanesInMemory(T, Results, ResultArrays), /*IsLanes=*/true);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// The edge with what it brings to the phis of its end, which is computed here.
LaneVectoriser::Edge LaneVectoriser::edge(BasicBlock &From, BasicBlock *To,
                                          Value *EdgeMask) {
  Edge E{To, EdgeMask, {}};
  for (PHINode &Phi : To->phis()) {
    Value *V = Phi.getIncomingValueForBlock(&From);
    E.Incoming.push_back(
        {&Phi, shapeOf(&Phi).K == Shape::Varying ? lanes(V) : scalar(V)});
  }
  return E;
}

/// Lets the lanes of the edge wait at its end.
void LaneVectoriser::take(const BasicBlock &From, const Edge &E) {
  AllocaInst *Slot = Masks.lookup(E.To);
  bool Joins = mayWait(&From, E.To);
  Value *All = E.Mask;
  if (Joins)
    All = B.CreateOr(All, B.CreateLoad(All->getType(), Slot));
  B.CreateStore(All, Slot);
  for (auto [Phi, Value] : E.Incoming) {
    AllocaInst *In = PhiSlots.lookup(Phi);
    llvm::Value *Now = Value;
    if (Joins) {
      llvm::Value *Before = B.CreateLoad(In->getAllocatedType(), In);
      Now = shapeOf(Phi).K == Shape::Varying
                ? blend(E.Mask, Value, Before)
                : B.CreateSelect(isAny(E.Mask), Value, Before);
    }
    B.CreateStore(Now, In);
  }
}

void LaneVectoriser::emitTerminator(BasicBlock &BB) {
  Instruction *End = BB.getTerminator();
  auto *Branch = dyn_cast<BranchInst>(End);
  BasicBlock *Onward = mayAnyWait(&BB) ? next(BB) : Exit;
  if (!Branch) { // a return, or the end of the launch
    B.CreateBr(isa<ReturnInst>(End) ? next(BB) : Exit);
    return;
  }
  auto Jump = [&](BasicBlock *To) {
    return jumps(&BB, To) ? Bodies.lookup(To) : next(BB);
  };
  if (Branch->isUnconditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1)) {
    BasicBlock *To = Branch->getSuccessor(0);
    take(BB, edge(BB, To, Mask));
    B.CreateBr(Jump(To));
    return;
  }
  BasicBlock *To[2] = {Branch->getSuccessor(0), Branch->getSuccessor(1)};
  Value *If = Branch->getCondition();
  bool IsUniform = shapeOf(If).K == Shape::Uniform;
  if (IsUniform && jumps(&BB, To[0]) && jumps(&BB, To[1])) {
    Edge Edges[2] = {edge(BB, To[0], Mask), edge(BB, To[1], Mask)};
    BasicBlock *Ways[2];
    for (BasicBlock *&Way : Ways)
      Way = BasicBlock::Create(C, "way", New, Exit);
    B.CreateCondBr(scalar(If), Ways[0], Ways[1]);
    for (unsigned I = 0; I < 2; ++I) {
      B.SetInsertPoint(Ways[I]);
      take(BB, Edges[I]);
      B.CreateBr(Bodies.lookup(To[I]));
    }
    return;
  }
  Value *None = Constant::getNullValue(Mask->getType());
  Value *Ways[2];
  if (IsUniform) {
    Ways[0] = B.CreateSelect(scalar(If), Mask, None);
    Ways[1] = B.CreateSelect(scalar(If), None, Mask);
  } else {
    Value *Where = lanes(If);
    Ways[0] = B.CreateSelect(Mask, Where, None);
    Ways[1] = B.CreateSelect(Mask, B.CreateNot(Where), None);
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
    BasicBlock *Else = BasicBlock::Create(C, "alive", New, Exit);
    B.CreateCondBr(isAny(Ways[I]), Bodies.lookup(To[I]), Else);
    B.SetInsertPoint(Else);
  }
  if (GoOn.size() == 1 && jumps(&BB, To[GoOn[0]]))
    B.CreateCondBr(isAny(Ways[GoOn[0]]), Bodies.lookup(To[GoOn[0]]), Onward);
  else
    B.CreateBr(next(BB));
}

Expected<LaneVectors> vectoriseLanes(const LaneVectorRequest &Request) {
  return LaneVectoriser(Request).run();
}

} // namespace gpuestimate
