#include "Plan.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace gpuestimate {

using namespace llvm::PatternMatch;

const llvm::Value *accessPointer(const llvm::Instruction &I) {
  if (const llvm::Value *P = llvm::getLoadStorePointerOperand(&I))
    return P;
  if (const auto *Rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&I))
    return Rmw->getPointerOperand();
  if (const auto *Swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&I))
    return Swap->getPointerOperand();
  return nullptr;
}

bool isPackedHalf(const llvm::Type *T) {
  const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
  return V && V->getNumElements() == 2 &&
         (V->getElementType()->isHalfTy() || V->getElementType()->isBFloatTy());
}

std::string typeKey(const llvm::Type *T, bool Narrow) {
  if (isPackedHalf(T))
    return T->getScalarType()->isHalfTy() ? "v2f16" : "v2bf16";
  T = T->getScalarType();
  if (T->isHalfTy())
    return "f16";
  if (T->isBFloatTy())
    return "bf16";
  if (T->isFloatTy())
    return "f32";
  if (T->isDoubleTy() || T->isFloatingPointTy())
    return "f64";
  if (T->isPointerTy())
    return "ptr";
  if (!T->isIntegerTy())
    return "other";
  unsigned Bits = T->getIntegerBitWidth();
  if (Bits == 1)
    return "i1";
  if (Narrow && Bits < 32)
    return "i8";
  return Bits <= 32 ? "i32" : Bits <= 64 ? "i64" : "i128";
}

Plan::Plan(KernelAnalyses &A, Values &V, llvm::Function &F) : A(A), V(V), F(F) {
  findWalkingPointers();
  findNeeded();
  shareAddresses();
  findNeeded(); // less the index arithmetic of shared addresses
  fuseReals();
  fuseIntegers();
  freeConversions();
  findOverhead();
  planBranches();
}

namespace {

bool is64Bit(const llvm::Value *Pointer) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  return Space != addrspace::Shared && Space != addrspace::Local;
}

/// Ends of the chains of in-loop instructions behind V.
void collectLeaves(const llvm::Value *V, const llvm::Loop *L,
                   llvm::SmallVectorImpl<const llvm::Value *> &Leaves,
                   llvm::SmallPtrSetImpl<const llvm::Value *> &Seen) {
  if (!Seen.insert(V).second)
    return;
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I)
    return;
  if (!L->contains(I)) {
    Leaves.push_back(V);
    return;
  }
  for (const llvm::Value *Operand : I->operands())
    collectLeaves(Operand, L, Leaves, Seen);
}

} // namespace

/// The constant part of an offset is free in the instruction's immediate.
Expr Plan::withoutConstant(Expr E) const {
  if (E.asConstant())
    return E.context().constant(0);
  if (E.kind() == ExprKind::Add)
    for (Expr Operand : E.operands())
      if (std::optional<double> C = Operand.asConstant())
        return E - *C;
  return E;
}

void Plan::findWalkingPointers() {
  for (llvm::BasicBlock &BB : F) {
    llvm::Loop *L = A.LI.getLoopFor(&BB);
    if (!L)
      continue;
    Expr Counter = V.counter(L);
    for (llvm::Instruction &I : BB) {
      const llvm::Value *P = accessPointer(I);
      if (!P)
        continue;
      PointerValue At = V.pointer(P);
      const auto *BaseAt = llvm::dyn_cast_or_null<llvm::Instruction>(At.Base);
      if (!At.Base || (BaseAt && L->contains(BaseAt)) ||
          !At.Offset.dependsOn(Counter.name()))
        continue;
      ExprContext &Ctx = Counter.context();
      llvm::StringMap<Expr> Next, First;
      Next[Counter.name()] = Counter + 1;
      First[Counter.name()] = Ctx.constant(0);
      Expr Step = Ctx.substitute(At.Offset, Next) - At.Offset;
      Expr Start = withoutConstant(Ctx.substitute(At.Offset, First));
      if (!V.isInvariant(Step, L) || !V.isInvariant(Start, L))
        continue;
      unsigned Index = 0;
      while (Index < Pointers.size() &&
             (Pointers[Index].L != L || Pointers[Index].Base != At.Base ||
              Pointers[Index].Start != Start || Pointers[Index].Step != Step))
        ++Index;
      if (Index == Pointers.size()) {
        WalkingPointer &W = Pointers.emplace_back();
        W.L = L;
        W.Base = At.Base;
        W.Start = Start;
        W.Step = Step;
        W.Is64Bit = is64Bit(P);
        llvm::SmallPtrSet<const llvm::Value *, 16> Seen;
        collectLeaves(P, L, W.Leaves, Seen);
      }
      Walking[&I] = Index;
    }
  }
}

void Plan::findNeeded() {
  Needed.clear();
  llvm::SmallVector<const llvm::Instruction *> Work;
  auto Need = [&](const llvm::Value *V) {
    if (const auto *I = llvm::dyn_cast<llvm::Instruction>(V))
      if (Needed.insert(I).second)
        Work.push_back(I);
  };
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB)
      if (I.isTerminator() || I.mayHaveSideEffects() || I.mayReadFromMemory())
        if (!llvm::isa<llvm::DbgInfoIntrinsic>(I) &&
            !I.isLifetimeStartOrEnd() && !llvm::isa<llvm::AssumeInst>(I))
          Need(&I);
  while (!Work.empty()) {
    const llvm::Instruction *I = Work.pop_back_val();
    if (const llvm::Instruction *Earlier = Same.lookup(I)) {
      Need(Earlier);
      continue;
    }
    auto At = Walking.find(I);
    const llvm::Value *Pointer =
        At == Walking.end() ? nullptr : accessPointer(*I);
    for (const llvm::Value *Operand : I->operands())
      if (Operand != Pointer)
        Need(Operand);
    if (Pointer)
      for (const llvm::Value *Leaf : Pointers[At->second].Leaves)
        Need(Leaf);
  }
}

void Plan::fuseReals() {
  auto Product = [&](const llvm::Value *V) -> const llvm::Instruction * {
    const auto *M = llvm::dyn_cast<llvm::Instruction>(V);
    if (M && M->getOpcode() == llvm::Instruction::FNeg && M->hasOneUse())
      M = llvm::dyn_cast<llvm::Instruction>(M->getOperand(0));
    if (!M || M->getOpcode() != llvm::Instruction::FMul ||
        !M->hasAllowContract())
      return nullptr;
    // Multiplied again for every sum that uses it: worth it only if that
    // makes the product itself unnecessary.
    for (const llvm::User *U : M->users()) {
      const auto *Sum = llvm::dyn_cast<llvm::Instruction>(U);
      if (Sum && Sum->getOpcode() == llvm::Instruction::FNeg &&
          Sum->hasOneUse())
        Sum = llvm::dyn_cast<llvm::Instruction>(*Sum->user_begin());
      bool IsSum = Sum && (Sum->getOpcode() == llvm::Instruction::FAdd ||
                           Sum->getOpcode() == llvm::Instruction::FSub);
      if (!IsSum || !Sum->hasAllowContract())
        return nullptr;
    }
    return M;
  };
  llvm::DenseMap<const llvm::Instruction *, unsigned> Absorbed;
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if ((I.getOpcode() != llvm::Instruction::FAdd &&
           I.getOpcode() != llvm::Instruction::FSub) ||
          !I.hasAllowContract())
        continue;
      const llvm::Instruction *L = Product(I.getOperand(0)),
                              *R = Product(I.getOperand(1));
      const llvm::Instruction *M =
          L && R ? (L->hasOneUse() ? L : R) : (L ? L : R);
      if (!M)
        continue;
      Replaced[&I] = "fma." + typeKey(I.getType());
      ++Absorbed[M];
    }
  // A product stays when one of its sums took another one instead.
  for (auto [M, Count] : Absorbed)
    if (Count == M->getNumUses())
      Free.insert(M);
}

void Plan::fuseIntegers() {
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Taken; // has absorbed one
  auto Single = [&](const llvm::Value *V,
                    auto Matches) -> const llvm::Instruction * {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    // Through an extension of a factor.
    if (I && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(I) && I->hasOneUse())
      I = llvm::dyn_cast<llvm::Instruction>(I->getOperand(0));
    return I && I->hasOneUse() && !Free.contains(I) && Matches(*I) ? I
                                                                   : nullptr;
  };
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if (isDead(I) || !I.getType()->isIntOrIntVectorTy())
        continue;
      std::string Type = typeKey(I.getType());
      switch (I.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub: {
        // The counter of a loop stays an addition of its own.
        for (unsigned K = 0; K < 2 && !Taken.contains(&I); ++K) {
          const llvm::Value *Operand = I.getOperand(K);
          if (const auto *M = Single(Operand, [](const llvm::Instruction &X) {
                return X.getOpcode() == llvm::Instruction::Mul &&
                       X.getType()->getScalarSizeInBits() <= 32;
              })) {
            Free.insert(M);
            Taken.insert(&I);
            Replaced[&I] = Type == "i64" ? "mulwide.i64" : "mul.i32";
          }
        }
        for (unsigned K = 0; K < 2 && !Taken.contains(&I); ++K)
          if (const auto *S =
                  Single(I.getOperand(K), [](const llvm::Instruction &X) {
                    return X.getOpcode() == llvm::Instruction::Shl &&
                           llvm::isa<llvm::ConstantInt>(X.getOperand(1));
                  })) {
            Free.insert(S);
            Taken.insert(&I);
            Replaced[&I] = Type == "i64" ? "lea.i64" : "lea.i32";
          }
        // Three-input addition.
        for (unsigned K = 0; K < 2 && !Taken.contains(&I); ++K)
          if (const auto *S =
                  Single(I.getOperand(K), [&](const llvm::Instruction &X) {
                    return (X.getOpcode() == llvm::Instruction::Add ||
                            X.getOpcode() == llvm::Instruction::Sub) &&
                           !Taken.contains(&X) && X.getType() == I.getType();
                  })) {
            Free.insert(S);
            Taken.insert(&I);
          }
        break;
      }
      case llvm::Instruction::And:
      case llvm::Instruction::Or:
      case llvm::Instruction::Xor:
        if (Type == "i1") {
          // A comparison combines its result with another predicate.
          for (const llvm::Value *Operand : I.operands()) {
            const auto *C = llvm::dyn_cast<llvm::CmpInst>(Operand);
            if (C && C->hasOneUse())
              Free.insert(&I);
          }
          break;
        }
        for (const llvm::Value *Operand : I.operands())
          if (const auto *X =
                  Single(Operand,
                         [&](const llvm::Instruction &Y) {
                           return (Y.getOpcode() == llvm::Instruction::And ||
                                   Y.getOpcode() == llvm::Instruction::Or ||
                                   Y.getOpcode() == llvm::Instruction::Xor) &&
                                  !Taken.contains(&Y) &&
                                  Y.getType() == I.getType();
                         });
              X && !Taken.contains(&I)) {
            Free.insert(X);
            Taken.insert(&I);
          }
        break;
      case llvm::Instruction::Select:
        if (Type == "i1" &&
            (match(&I, m_LogicalAnd()) || match(&I, m_LogicalOr())))
          for (const llvm::Value *Operand : I.operands())
            if (const auto *C = llvm::dyn_cast<llvm::CmpInst>(Operand);
                C && C->hasOneUse())
              Free.insert(&I);
        break;
      case llvm::Instruction::Mul: {
        auto Extended = [](const llvm::Value *V) {
          if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(V))
            return C->getValue().getSignificantBits() <= 32;
          return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(V);
        };
        if (Type == "i64" && Extended(I.getOperand(0)) &&
            Extended(I.getOperand(1)))
          Replaced[&I] = "mulwide.i64";
        break;
      }
      case llvm::Instruction::UDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::SRem:
        if (const auto *C = llvm::dyn_cast<llvm::ConstantInt>(I.getOperand(1));
            C && Type != "i128")
          Replaced[&I] = std::string(I.getOpcodeName()) +
                         (C->getValue().isPowerOf2() &&
                                  I.getOpcode() != llvm::Instruction::UDiv &&
                                  I.getOpcode() != llvm::Instruction::URem
                              ? ".pow2."
                              : ".const.") +
                         Type;
        break;
      default:
        break;
      }
    }
}

void Plan::freeConversions() {
  for (const llvm::BasicBlock &BB : F)
    for (const llvm::Instruction &I : BB) {
      if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(I))
        continue;
      const llvm::Value *From = I.getOperand(0);
      bool ToWide = I.getType()->getScalarSizeInBits() > 32;
      // A load or a conversion fills the register as the type says.
      if (llvm::isa<llvm::LoadInst>(From) &&
          !(ToWide && llvm::isa<llvm::SExtInst>(I))) {
        Free.insert(&I);
        continue;
      }
      // So does arithmetic that was narrowed because its values are small.
      if (llvm::isa<llvm::ZExtInst>(I) && !From->getType()->isIntegerTy(1) &&
          From->getType()->getScalarSizeInBits() < 32 &&
          !llvm::isa<llvm::TruncInst>(From)) {
        Free.insert(&I);
        continue;
      }
      // IMAD.WIDE and address arithmetic take 32-bit factors.
      bool OnlyWide =
          ToWide && llvm::all_of(I.users(), [&](const llvm::User *U) {
            const auto *By = llvm::dyn_cast<llvm::Instruction>(U);
            return By &&
                   (llvm::isa<llvm::GetElementPtrInst>(By) || isDead(*By) ||
                    (Replaced.contains(By) &&
                     Replaced.lookup(By) == "mulwide.i64"));
          });
      if (OnlyWide)
        Free.insert(&I);
    }
}

void Plan::shareAddresses() {
  // Address computations that differ by a constant share one; block order by
  // dominance, so look back through what was seen.
  using Key = std::pair<const llvm::Value *, const ExprNode *>;
  llvm::DenseMap<Key, llvm::SmallVector<const llvm::Instruction *, 2>> Known;
  for (llvm::BasicBlock *BB : llvm::depth_first(&F.getEntryBlock()))
    for (llvm::Instruction &I : *BB) {
      auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I);
      if (!Gep || isDead(I) || Gep->getType()->isVectorTy())
        continue;
      if (Gep->hasAllConstantIndices()) {
        Free.insert(Gep);
        continue;
      }
      PointerValue At = V.pointer(Gep);
      if (!At.Base)
        continue;
      auto &Earlier = Known[{At.Base, withoutConstant(At.Offset).node()}];
      for (const llvm::Instruction *E : Earlier)
        if (A.DT.dominates(E, Gep)) {
          Same[Gep] = E;
          Free.insert(Gep);
          break;
        }
      if (!Same.contains(Gep))
        Earlier.push_back(Gep);
    }
}

bool Plan::isCountedTest(const llvm::ICmpInst &Test,
                         const llvm::Loop *L) const {
  if (!Test.getOperand(0)->getType()->isIntOrPtrTy())
    return false;
  bool Pointers = Test.getOperand(0)->getType()->isPointerTy();
  PointerValue X, Y;
  for (unsigned N = 0; N < 2; ++N) {
    PointerValue &P = N ? Y : X;
    P = Pointers ? V.pointer(Test.getOperand(N))
                 : PointerValue{nullptr, V.of(Test.getOperand(N))};
  }
  if (X.Base != Y.Base)
    return false;
  Expr D = X.Offset - Y.Offset, Counter = V.counter(L);
  ExprContext &Ctx = Counter.context();
  llvm::StringMap<Expr> Next, First;
  Next[Counter.name()] = Counter + 1;
  First[Counter.name()] = Ctx.constant(0);
  std::optional<double> Step = (Ctx.substitute(D, Next) - D).asConstant();
  return Step && *Step != 0 && V.isInvariant(Ctx.substitute(D, First), L);
}

void Plan::findOverhead() {
  for (llvm::Loop *L : A.LI.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock *> Exiting;
    L->getExitingBlocks(Exiting);
    // Only a loop that is counted by a constant step is unrolled without
    // keeping its tests.
    if (Exiting.size() != 1)
      continue;
    const auto *Branch =
        llvm::dyn_cast<llvm::BranchInst>(Exiting[0]->getTerminator());
    const auto *Test =
        Branch && Branch->isConditional()
            ? llvm::dyn_cast<llvm::ICmpInst>(Branch->getCondition())
            : nullptr;
    if (!Test || !L->contains(Test) || !isCountedTest(*Test, L))
      continue;
    Overhead.insert(Branch);
    if (!Test->hasOneUse())
      continue;
    Overhead.insert(Test);
    const llvm::BasicBlock *Latch = L->getLoopLatch();
    for (const llvm::PHINode &Phi : L->getHeader()->phis()) {
      const auto *Next = Latch ? llvm::dyn_cast<llvm::Instruction>(
                                     Phi.getIncomingValueForBlock(Latch))
                               : nullptr;
      if (!Next || !L->contains(Next))
        continue;
      auto OnlyCounts = [&](const llvm::Instruction &I) {
        return llvm::all_of(I.users(), [&](const llvm::User *U) {
          const auto *By = llvm::cast<llvm::Instruction>(U);
          return By == Test || By == &Phi || By == Next || isDead(*By);
        });
      };
      if (OnlyCounts(*Next) && OnlyCounts(Phi))
        Overhead.insert(Next);
    }
  }
}

bool Plan::isShort(const llvm::BasicBlock &BB) const {
  // About what ptxas predicates rather than jump over.
  constexpr unsigned Most = 7;
  unsigned Count = 0;
  for (const llvm::Instruction &I : BB) {
    if (isDead(I) || I.isTerminator() || isFree(I) ||
        llvm::isa<llvm::PHINode, llvm::CastInst>(I))
      continue;
    const auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
    if (Call && (Call->isConvergent() || !llvm::isa<llvm::IntrinsicInst>(Call)))
      return false;
    if (I.getOpcode() == llvm::Instruction::FDiv || I.isIntDivRem())
      return false;
    if (++Count > Most)
      return false;
  }
  return true;
}

void Plan::planBranches() {
  for (const llvm::BasicBlock &BB : F) {
    const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(BB.getTerminator());
    if (!Branch)
      continue;
    if (Branch->isUnconditional()) {
      Free.insert(Branch);
      continue;
    }
    const llvm::Loop *L = A.LI.getLoopFor(&BB);
    const llvm::BasicBlock *S0 = Branch->getSuccessor(0),
                           *S1 = Branch->getSuccessor(1);
    if (L && (!L->contains(S0) || !L->contains(S1)))
      continue; // a loop's exit stays a branch
    auto OneSided = [&](const llvm::BasicBlock *Side,
                        const llvm::BasicBlock *Join) {
      return Side->getSinglePredecessor() == &BB &&
             Side->getSingleSuccessor() == Join && isShort(*Side);
    };
    const llvm::BasicBlock *J0 = S0->getSingleSuccessor(),
                           *J1 = S1->getSingleSuccessor();
    // Leaving the kernel is a (predicated) EXIT of its own.
    bool Leaves = llvm::isa<llvm::ReturnInst>(S0->getTerminator()) ||
                  llvm::isa<llvm::ReturnInst>(S1->getTerminator());
    bool Predicated =
        !Leaves && (OneSided(S0, S1) || OneSided(S1, S0) ||
                    (J0 && J0 == J1 && OneSided(S0, J0) && OneSided(S1, J1) &&
                     S0->size() + S1->size() <= 10));
    if (Predicated)
      Replaced[Branch] = "br.predicated";
    else if (A.UI.isDivergent(Branch) && !Leaves)
      Replaced[Branch] = "br.diverging";
  }
}

unsigned Plan::repeat(const llvm::Instruction &I) const {
  const llvm::Type *T = I.getType();
  if (llvm::isa<llvm::CmpInst, llvm::CastInst>(I))
    T = I.getOperand(0)->getType();
  const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
  if (!V || llvm::isa<llvm::GetElementPtrInst>(I))
    return 1;
  unsigned Bits = V->getScalarSizeInBits();
  bool Half =
      V->getElementType()->isHalfTy() || V->getElementType()->isBFloatTy();
  // Half precision works on pairs.
  return Half && Bits == 16 ? (V->getNumElements() + 1) / 2
                            : V->getNumElements();
}

std::string Plan::key(const llvm::Instruction &I) const {
  if (auto At = Replaced.find(&I); At != Replaced.end())
    return At->second;
  std::string Opcode = I.getOpcodeName();
  auto TypeOf = [&](const llvm::Type *T) {
    const auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T);
    if (V &&
        (V->getElementType()->isHalfTy() || V->getElementType()->isBFloatTy()))
      return std::string(V->getElementType()->isHalfTy() ? "v2f16" : "v2bf16");
    return typeKey(T);
  };
  switch (I.getOpcode()) {
  case llvm::Instruction::ICmp:
  case llvm::Instruction::FCmp:
    return Opcode + "." + TypeOf(I.getOperand(0)->getType());
  case llvm::Instruction::FDiv: {
    bool Fast = I.hasApproxFunc() || I.hasAllowReciprocal();
    if (const auto *Op = llvm::dyn_cast<llvm::FPMathOperator>(&I))
      Fast = Fast || Op->getFPAccuracy() >= 2;
    std::string Type = TypeOf(I.getType());
    const auto *One = llvm::dyn_cast<llvm::ConstantFP>(I.getOperand(0));
    std::string Name =
        One && One->isExactlyValue(1.0) && (Type == "f32" || Type == "f64")
            ? "frcp"
            : "fdiv";
    return Name + (Fast && Type == "f32" ? ".fast." : ".") + Type;
  }
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::Trunc:
    return Opcode + "." +
           typeKey(I.getOperand(0)->getType()->getScalarType(), true) + "." +
           typeKey(I.getType()->getScalarType(),
                   llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(I));
  case llvm::Instruction::GetElementPtr:
    return Opcode + (is64Bit(&I) ? ".64" : ".32");
  case llvm::Instruction::ShuffleVector:
    return isPackedHalf(I.getType()) ? "shufflevector.v2f16" : Opcode;
  case llvm::Instruction::Br:
  case llvm::Instruction::Ret:
  case llvm::Instruction::Unreachable:
  case llvm::Instruction::Fence:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Alloca:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::IndirectBr:
  case llvm::Instruction::VAArg:
    return Opcode;
  default:
    return Opcode + "." + TypeOf(I.getType());
  }
}

} // namespace gpuestimate
