#include "TripCounts.h"

#include "gpu-estimate/Support/WorkBudget.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/PatternMatch.h"
#include <cmath>

namespace gpuestimate {

namespace {

/// Slots that a search in an open-addressing hash table looks at. With linear
/// probing in a table that is half full, 1.5 where the key is found and 2.5
/// where it is not (Knuth, The Art of Computer Programming, vol. 3, 6.4).
constexpr double DefaultProbes = 2;

using Predicate = llvm::CmpInst::Predicate;

} // namespace

/// The compare-and-swap of the loop that Condition is computed from.
static const llvm::AtomicCmpXchgInst *swapBehind(const llvm::Value *Condition,
                                                 const llvm::Loop &L,
                                                 unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 6;
  const auto *I = llvm::dyn_cast<llvm::Instruction>(Condition);
  if (!I || Depth > MaxDepth || !L.contains(I))
    return nullptr;
  if (const auto *Swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(I))
    return Swap;
  if (llvm::isa<llvm::PHINode>(I) || I->mayReadFromMemory())
    return nullptr;
  for (const llvm::Value *Operand : I->operands())
    if (const auto *Swap = swapBehind(Operand, L, Depth + 1))
      return Swap;
  return nullptr;
}

const llvm::AtomicCmpXchgInst *retriedSwap(const llvm::Loop &L) {
  const llvm::BasicBlock *Exiting = L.getExitingBlock();
  const auto *Branch =
      Exiting ? llvm::dyn_cast<llvm::BranchInst>(Exiting->getTerminator())
              : nullptr;
  if (!Branch || !Branch->isConditional())
    return nullptr;
  const auto *Swap = swapBehind(Branch->getCondition(), L);
  return Swap && L.isLoopInvariant(Swap->getPointerOperand()) ? Swap : nullptr;
}

/// Whether Phi merges what loops carry on, L or one in it, and no branches.
static bool isCarried(const llvm::PHINode &Phi, const llvm::Loop &L) {
  return Phi.getNumIncomingValues() == 1 || // behind an inner loop
         Phi.getParent() == L.getHeader() ||
         llvm::any_of(L.getSubLoops(), [&](const llvm::Loop *Inner) {
           return Inner->contains(&Phi) && isCarried(Phi, *Inner);
         });
}

/// Whether Condition is computed from what Read has read in this iteration, or
/// in the one before it.
static bool isComputedFrom(const llvm::Value *Condition,
                           const llvm::Instruction &Read, const llvm::Loop &L,
                           unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 6;
  const auto *I = llvm::dyn_cast<llvm::Instruction>(Condition);
  if (I == &Read)
    return true;
  return I && Depth < MaxDepth && L.contains(I) &&
         (!llvm::isa<llvm::PHINode>(I) ||
          isCarried(*llvm::cast<llvm::PHINode>(I), L)) &&
         llvm::any_of(
             I->operands(),
             [&](const llvm::Use &Operand) {
               return isComputedFrom(Operand, Read, L, Depth + 1);
             });
}

/// The condition by which the loop ends, if it has one place to end.
static const llvm::Value *endOf(const llvm::Loop &L) {
  const llvm::BasicBlock *Exiting = L.getExitingBlock();
  const auto *Branch =
      Exiting ? llvm::dyn_cast<llvm::BranchInst>(Exiting->getTerminator())
              : nullptr;
  return Branch && Branch->isConditional() ? Branch->getCondition() : nullptr;
}

/// A load in assembly, such as `ld.acquire.gpu.u32 %0, [%1];`
static bool isAssemblyLoad(const llvm::Instruction &I) {
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  const auto *Text =
      Call ? llvm::dyn_cast<llvm::InlineAsm>(Call->getCalledOperand())
           : nullptr;
  return Text && !Call->getType()->isVoidTy() &&
         llvm::StringRef(Text->getAsmString()).ltrim().starts_with("ld.");
}

/// The read of a loop that does nothing but read one address until another
/// thread has written to it: `while (atomicAdd(&flag, 0) == 0);`. Null for
/// other loops.
static const llvm::Instruction *polledRead(const llvm::Loop &L) {
  const llvm::Value *End = endOf(L);
  if (!End || !L.isInnermost())
    return nullptr;
  const llvm::Instruction *Read = nullptr;
  for (const llvm::BasicBlock *Block : L.blocks())
    for (const llvm::Instruction &I : *Block) {
      spendWork();
      const auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I);
      const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
      // A pause or a fence; a function may do anything.
      bool IsPause =
          llvm::isa<llvm::FenceInst>(I) ||
          (Call && !llvm::isa<llvm::MemIntrinsic>(I) &&
           (llvm::isa<llvm::IntrinsicInst>(I) || Call->isInlineAsm()));
      if (llvm::isa<llvm::AtomicRMWInst>(I) || isAssemblyLoad(I) ||
          (Load && (Load->isVolatile() || Load->isAtomic()))) {
        if (Read)
          return nullptr;
        Read = &I;
      } else if (I.mayWriteToMemory() && !IsPause) {
        return nullptr;
      }
    }
  if (!Read || !isComputedFrom(End, *Read, L))
    return nullptr;
  if (const auto *Assembly = llvm::dyn_cast<llvm::CallBase>(Read))
    return llvm::all_of(Assembly->args(),
                        [&](const llvm::Use &Operand) {
                          return L.isLoopInvariant(Operand);
                        })
               ? Read
               : nullptr;
  return L.isLoopInvariant(
             llvm::isa<llvm::LoadInst>(Read)
                 ? llvm::getLoadStorePointerOperand(Read)
                 : llvm::cast<llvm::AtomicRMWInst>(Read)->getPointerOperand())
             ? Read
             : nullptr;
}

/// Whether the loop goes from one thread block's result to the next, waits for
/// each, and ends by what it reads there (decoupled look-back: D. Merrill, M.
/// Garland, Single-pass Parallel Prefix Scan, 2016).
static bool looksBack(const llvm::Loop &L) {
  const llvm::Value *End = endOf(L);
  return End && llvm::any_of(L.getSubLoops(), [&](const llvm::Loop *Inner) {
           const llvm::Instruction *Read = polledRead(*Inner);
           return Read && isComputedFrom(End, *Read, L);
         });
}

/// Whether V is computed from a value that wraps around a bound, as in
/// `(slot + 1) % capacity`, and that the loop L moves on in each iteration.
static bool wrapsAround(const llvm::Value *V, const llvm::Loop &L,
                        llvm::SmallPtrSetImpl<const llvm::Value *> &Seen) {
  constexpr unsigned MaxValues = 32;
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I || !L.contains(I) || Seen.size() > MaxValues ||
      !Seen.insert(I).second || I->mayReadFromMemory())
    return false;
  switch (I->getOpcode()) {
  case llvm::Instruction::And:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    return L.isLoopInvariant(I->getOperand(1)) &&
           !L.isLoopInvariant(I->getOperand(0));
  case llvm::Instruction::Select: {
    // slot + 1 == capacity ? 0 : slot + 1
    const auto *Zero = llvm::dyn_cast<llvm::Constant>(I->getOperand(1));
    const auto *Other = llvm::dyn_cast<llvm::Constant>(I->getOperand(2));
    return (Zero && Zero->isNullValue()) || (Other && Other->isNullValue());
  }
  default:
    return llvm::any_of(I->operands(), [&](const llvm::Use &Operand) {
      return wrapsAround(Operand, L, Seen);
    });
  }
}

/// A read, or an atomic operation, of the loop that Condition is computed from.
static const llvm::Instruction *readBehind(const llvm::Value *Condition,
                                           const llvm::Loop &L,
                                           unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 6;
  const auto *I = llvm::dyn_cast<llvm::Instruction>(Condition);
  if (!I || Depth > MaxDepth || !L.contains(I) || llvm::isa<llvm::PHINode>(I))
    return nullptr;
  if (llvm::isa<llvm::LoadInst, llvm::AtomicCmpXchgInst, llvm::AtomicRMWInst>(
          I))
    return I;
  for (const llvm::Value *Operand : I->operands())
    if (const llvm::Instruction *Read = readBehind(Operand, L, Depth + 1))
      return Read;
  return nullptr;
}

/// Whether the loop searches an open-addressing hash table: it ends by what it
/// reads, at a place that wraps around the end of the table.
static bool probesTable(const llvm::Loop &L) {
  llvm::SmallVector<llvm::BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  return llvm::any_of(Exiting, [&](const llvm::BasicBlock *Block) {
    const auto *Branch =
        llvm::dyn_cast<llvm::BranchInst>(Block->getTerminator());
    const llvm::Instruction *Read =
        Branch && Branch->isConditional() && spendWork()
            ? readBehind(Branch->getCondition(), L)
            : nullptr;
    if (!Read)
      return false;
    llvm::SmallPtrSet<const llvm::Value *, 32> Seen;
    const llvm::Value *Place = llvm::getLoadStorePointerOperand(Read);
    if (const auto *Swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(Read))
      Place = Swap->getPointerOperand();
    else if (const auto *Atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(Read))
      Place = Atomic->getPointerOperand();
    return wrapsAround(Place, L, Seen);
  });
}

Expr TripCounts::of(const llvm::Loop *L) {
  auto [Entry, IsNew] = Memo.try_emplace(L, Expr());
  if (!IsNew)
    return Entry->second;
  Expr E = compute(L);
  return Memo[L] = E;
}

Expr TripCounts::compute(const llvm::Loop *L) {
  llvm::SmallVector<llvm::BasicBlock *> Exiting;
  L->getExitingBlocks(Exiting);
  llvm::SmallVector<Expr> Counts;
  const llvm::BasicBlock *Inexact = nullptr;
  unsigned Ends = 0;
  for (llvm::BasicBlock *BB : Exiting) {
    // Failed assertions are assumed not to happen.
    bool OnlyTraps = true;
    for (const llvm::BasicBlock *S : llvm::successors(BB))
      OnlyTraps = OnlyTraps && (L->contains(S) || endsInTrap(*S));
    if (OnlyTraps)
      continue;
    ++Ends;
    Count C = bodies(L, BB);
    if (C.Bodies)
      Counts.push_back(C.Bodies);
    if (!C.Bodies || !C.Exact)
      Inexact = BB;
  }
  // The evaluation prices retries by how many threads contend.
  if (Counts.empty() && retriedSwap(*L))
    return Ctx.constant(1);
  if (Counts.empty())
    return unknown(L, std::nullopt, Inexact, Ends == 1);
  Expr Minimum = Ctx.min(Counts);
  if (Inexact)
    return unknown(L, Minimum, Inexact, /*IsOnlyExit=*/false);
  return Minimum;
}

bool TripCounts::countsToBound(const llvm::Loop *L,
                               const llvm::BasicBlock *Exiting) const {
  const auto *Branch =
      llvm::dyn_cast<llvm::BranchInst>(Exiting->getTerminator());
  const auto *Test =
      Branch && Branch->isConditional()
          ? llvm::dyn_cast<llvm::ICmpInst>(Branch->getCondition())
          : nullptr;
  if (!Test || !A.SE.isSCEVable(Test->getOperand(0)->getType()))
    return false;
  const llvm::SCEV *X = A.SE.getSCEV(Test->getOperand(0)),
                   *Y = A.SE.getSCEV(Test->getOperand(1));
  auto IsCounter = [&](const llvm::SCEV *S) {
    while (const auto *Cast = llvm::dyn_cast<llvm::SCEVCastExpr>(S))
      S = Cast->getOperand();
    const auto *R = llvm::dyn_cast<llvm::SCEVAddRecExpr>(S);
    return R && R->getLoop() == L && R->isAffine();
  };
  return (IsCounter(X) && A.SE.isLoopInvariant(Y, L)) ||
         (IsCounter(Y) && A.SE.isLoopInvariant(X, L));
}

Expr TripCounts::unknown(const llvm::Loop *L, std::optional<Expr> UpperBound,
                         const llvm::BasicBlock *Exiting, bool IsOnlyExit) {
  Unknown U;
  U.Kind = Unknown::TripCount;
  U.Location = locate(L->getStartLoc());
  if (!U.Location.isValid())
    U.Location = locate(*L->getHeader()->getFirstNonPHIOrDbg());
  U.What = "trip count of the loop at " + U.Location.brief();
  bool Polls = !UpperBound && polledRead(*L), Probes = probesTable(*L);
  bool LooksBack = !UpperBound && !Polls && looksBack(*L);
  // A bound of the probes is the size of the table, far from what they take.
  if (Probes)
    UpperBound.reset();
  U.Default = Polls || LooksBack ? 1
              : Probes           ? DefaultProbes
                                 : DefaultTripCount;
  U.UpperBound = UpperBound;
  if (IsOnlyExit && Exiting && countsToBound(L, Exiting))
    U.Relation = "<";
  if (UpperBound)
    if (std::optional<double> C = UpperBound->asConstant())
      U.Default = *C;
  const llvm::Instruction *End = Exiting ? Exiting->getTerminator() : nullptr;
  U.LaneVarying = !End || A.UI.isDivergent(End);
  if (!End)
    U.Why = "the loop has no exit";
  else if (Polls)
    U.Why = "the loop reads memory until another thread has written to it; "
            "taken as one read, the wait is not in the estimate";
  else if (LooksBack)
    U.Why = "the loop reads the results of other thread blocks until one is "
            "complete; taken as one that is";
  else if (Probes)
    U.Why = "what the loop reads at a place that wraps around the end of a "
            "table ends it; taken as the search in a hash table that is half "
            "full";
  else if (UpperBound)
    U.Why = "a condition on data may leave it early, at " +
            locate(*End).brief() +
            "; the number of a printed estimate is the upper bound where that "
            "is known";
  else
    U.Why = "its end depends on data or has no closed form (condition at " +
            locate(*End).brief() + ")";
  const llvm::Instruction *HeaderEnd = L->getHeader()->getTerminator();
  Expr E = Names.add(std::move(U), HeaderEnd);
  Names.addOrigin(E, {HeaderEnd, false, nullptr, nullptr});
  return E;
}

bool testsAtStart(const llvm::Loop &L, const llvm::BasicBlock &Exiting) {
  if (&Exiting != L.getHeader() || &Exiting == L.getLoopLatch())
    return false;
  long InLoop = 0;
  for (const llvm::BasicBlock *BB : L.blocks())
    InLoop += BB->sizeWithoutDebug();
  return 2 * Exiting.sizeWithoutDebug() <= InLoop;
}

bool TripCounts::countsWithEndedLoop(Expr E, const llvm::Loop &L) {
  return llvm::any_of(A.LI.getLoopsInPreorder(), [&](llvm::Loop *Other) {
    return !Other->contains(&L) && E.dependsOn(V.counter(Other).name());
  });
}

TripCounts::Count TripCounts::bodies(const llvm::Loop *L,
                                     const llvm::BasicBlock *Exiting) {
  const llvm::BasicBlock *Latch = L->getLoopLatch();
  // A test that some iterations skip does not determine the count.
  if (!Latch || !A.DT.dominates(Exiting, Latch) ||
      A.LI.getLoopFor(Exiting) != L)
    return {};
  const auto *Branch =
      llvm::dyn_cast<llvm::BranchInst>(Exiting->getTerminator());
  if (!Branch || !Branch->isConditional())
    return {};
  bool StayIfTrue = L->contains(Branch->getSuccessor(0));
  if (StayIfTrue && L->contains(Branch->getSuccessor(1)))
    return {};
  bool AtStart = testsAtStart(*L, *Exiting);
  Count C = conditionCount(L, Branch->getCondition(), !StayIfTrue, AtStart);
  if (C.Bodies)
    return C;
  const llvm::SCEV *S = A.SE.getExitCount(
      const_cast<llvm::Loop *>(L), const_cast<llvm::BasicBlock *>(Exiting));
  if (llvm::isa<llvm::SCEVCouldNotCompute>(S))
    return {};
  Expr Passed = V.ofScev(S);
  if (Names.contains(Passed) || countsWithEndedLoop(Passed, *L))
    return {};
  return {AtStart ? Passed : Passed + 1, true};
}

TripCounts::Count TripCounts::conditionCount(const llvm::Loop *L,
                                             const llvm::Value *Stay,
                                             bool Negated, bool AtStart) {
  using namespace llvm::PatternMatch;
  const llvm::Value *X, *Y;
  if (match(Stay, m_Not(m_Value(X))))
    return conditionCount(L, X, !Negated, AtStart);
  // The loop continues while both conditions hold.
  bool Both = Negated ? match(Stay, m_LogicalOr(m_Value(X), m_Value(Y)))
                      : match(Stay, m_LogicalAnd(m_Value(X), m_Value(Y)));
  if (Both) {
    Count P = conditionCount(L, X, Negated, AtStart),
          Q = conditionCount(L, Y, Negated, AtStart);
    if (P.Bodies && Q.Bodies)
      return {Ctx.min({P.Bodies, Q.Bodies}), P.Exact && Q.Exact};
    if (P.Bodies || Q.Bodies)
      return {P.Bodies ? P.Bodies : Q.Bodies, false};
    return {};
  }
  const auto *C = llvm::dyn_cast<llvm::ICmpInst>(Stay);
  if (!C)
    return {};
  return {compareCount(L, *C, Negated, AtStart), true};
}

bool TripCounts::guarded(const llvm::Loop *L, const llvm::ICmpInst &C,
                         Predicate P, Expr BeforeFirst) {
  if (BeforeFirst.range().Low >= 1)
    return true;
  // ScalarEvolution looks at the branches that guard the loop.
  if (A.SE.isSCEVable(C.getOperand(0)->getType())) {
    const llvm::SCEV *X = A.SE.getSCEV(C.getOperand(0)),
                     *Y = A.SE.getSCEV(C.getOperand(1));
    auto Before = [&](const llvm::SCEV *S) -> const llvm::SCEV * {
      const auto *R = llvm::dyn_cast<llvm::SCEVAddRecExpr>(S);
      if (!R || R->getLoop() != L || !R->isAffine() ||
          R->getType()->isPointerTy())
        return S;
      return A.SE.getMinusSCEV(R->getStart(), R->getOperand(1));
    };
    const llvm::SCEV *X0 = Before(X), *Y0 = Before(Y);
    if (A.SE.isLoopInvariant(X0, L) && A.SE.isLoopInvariant(Y0, L) &&
        A.SE.isLoopEntryGuardedByCond(L, P, X0, Y0))
      return true;
  }
  // Otherwise a dominating branch has to test an equal term.
  const auto *Node = A.DT.getNode(L->getHeader());
  for (const auto *Up = Node ? Node->getIDom() : nullptr; Up && spendWork();
       Node = Up, Up = Up->getIDom()) {
    const auto *Branch =
        llvm::dyn_cast<llvm::BranchInst>(Up->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional() || L->contains(Branch))
      continue;
    for (unsigned Side = 0; Side < 2; ++Side) {
      llvm::BasicBlockEdge Edge(Up->getBlock(), Branch->getSuccessor(Side));
      if (Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
          !A.DT.dominates(Edge, L->getHeader()))
        continue;
      Expr Holds = V.of(Branch->getCondition());
      if (Side == 1)
        Holds = 1.0 - Holds;
      if (Holds == BeforeFirst)
        return true;
      if (Holds.kind() == ExprKind::Mul &&
          llvm::is_contained(Holds.operands(), BeforeFirst))
        return true;
    }
  }
  return false;
}

Expr TripCounts::compareCount(const llvm::Loop *L, const llvm::ICmpInst &C,
                              bool Negated, bool AtStart) {
  Predicate P = Negated ? C.getInversePredicate() : C.getPredicate();
  if (Expr E = shiftCount(L, C, P, AtStart))
    return E;
  if (Expr E = bisectionCount(L, C))
    return E;
  if (std::optional<ClockLoop> Found =
          clockLoop(*L, P, C.getOperand(0), C.getOperand(1), V, Names)) {
    ClockLoops.push_back(*Found);
    return Ctx.constant(1);
  }
  Expr X, Y;
  if (C.getOperand(0)->getType()->isPointerTy()) {
    PointerValue PX = V.pointer(C.getOperand(0)),
                 PY = V.pointer(C.getOperand(1));
    if (!PX.Base || PX.Base != PY.Base)
      return {};
    X = PX.Offset;
    Y = PY.Offset;
  } else if (C.getOperand(0)->getType()->isIntegerTy()) {
    X = V.of(C.getOperand(0));
    Y = V.of(C.getOperand(1));
  } else {
    return {};
  }
  Expr D = X - Y;
  return Names.contains(D) ? Expr() : countOf(L, C, P, AtStart, D);
}

DataForms::Form TripCounts::dataForm(const llvm::Loop *L, DataForms &Forms) {
  const llvm::BasicBlock *Exiting = L->getExitingBlock();
  if (!Exiting || !countsToBound(L, Exiting) || !L->getLoopLatch())
    return {};
  const auto *Branch = llvm::cast<llvm::BranchInst>(Exiting->getTerminator());
  const auto *C = llvm::cast<llvm::ICmpInst>(Branch->getCondition());
  Predicate P = L->contains(Branch->getSuccessor(0)) ? C->getPredicate()
                                                     : C->getInversePredicate();
  bool AtStart = testsAtStart(*L, *Exiting);
  bool Counted = true;
  DataForms::Form Result = Forms.of(
      {C->getOperand(0), C->getOperand(1)}, [&](llvm::ArrayRef<Expr> Sides) {
        Expr Count = countOf(L, *C, P, AtStart, Sides[0] - Sides[1]);
        Counted = bool(Count);
        // Whether the loop is entered at all depends on the same data.
        return Count ? Ctx.max({Count, Ctx.constant(0)}) : Ctx.constant(0);
      });
  bool LoadsBefore =
      llvm::none_of(Result.Places, [&](const llvm::Instruction *Load) {
        return L->contains(Load);
      });
  return Counted && LoadsBefore ? Result : DataForms::Form();
}

Expr TripCounts::countOf(const llvm::Loop *L, const llvm::ICmpInst &C,
                         Predicate P, bool AtStart, Expr D) {
  // D at test c is First + Step*c.
  Expr Counter = V.counter(L);
  llvm::StringMap<Expr> Zero, Next;
  Zero[Counter.name()] = Ctx.constant(0);
  Next[Counter.name()] = Counter + 1;
  Expr First = Ctx.substitute(D, Zero);
  Expr Step = Ctx.substitute(D, Next) - D;
  if (Step.dependsOn(Counter.name()) || Step.isConstant(0) ||
      !V.isInvariant(First, L))
    return {};

  // Normalise the relation to "D < 0" with growing D, or to "D != 0".
  bool Differs = P == llvm::CmpInst::ICMP_NE;
  switch (P) {
  case llvm::CmpInst::ICMP_NE:
    // D approaches 0 from the side opposite to the sign of its step.
    if (Step.range().High < 0) {
      First = -1.0 * First;
      Step = -1.0 * Step;
    }
    break;
  case llvm::CmpInst::ICMP_SLE:
  case llvm::CmpInst::ICMP_ULE:
    First = First - 1;
    break;
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_ULT:
    break;
  case llvm::CmpInst::ICMP_SGE:
  case llvm::CmpInst::ICMP_UGE:
    First = -1.0 * First - 1;
    Step = -1.0 * Step;
    break;
  case llvm::CmpInst::ICMP_SGT:
  case llvm::CmpInst::ICMP_UGT:
    First = -1.0 * First;
    Step = -1.0 * Step;
    break;
  default:
    return {};
  }
  // A step of unknown sign is assumed to have the sign that ends the loop.
  if (Step.range().High <= 0)
    return {};

  if (AtStart) // the number of passed tests: 0 when the first one fails
    return Differs
               ? Ctx.ceilDiv(-1.0 * First, Step)
               : Ctx.max({Ctx.ceilDiv(-1.0 * First, Step), Ctx.constant(0)});
  Expr Bodies = Ctx.ceilDiv(Step - First, Step);
  if (Differs)
    return Bodies;
  Expr BeforeFirst = Ctx.less(First - Step, Ctx.constant(0));
  if (guarded(L, C, P, BeforeFirst))
    return Bodies;
  return Ctx.max({Bodies, Ctx.constant(1)});
}

namespace {

/// The two ends of a range that a loop halves.
struct Bisection {
  const llvm::PHINode *Low = nullptr, *High = nullptr;

  /// Whether V is (Low + High) / 2, or Low + (High - Low) / 2.
  bool isMiddle(const llvm::Value *V) const {
    using namespace llvm::PatternMatch;
    auto Half = [](auto Sum) {
      return m_CombineOr(m_Shr(Sum, m_One()),
                         m_CombineOr(m_SDiv(Sum, m_SpecificInt(2)),
                                     m_UDiv(Sum, m_SpecificInt(2))));
    };
    auto LowV = m_Specific(Low), HighV = m_Specific(High);
    return match(V, Half(m_c_Add(LowV, HighV))) ||
           match(V, m_c_Add(Half(m_Sub(HighV, LowV)), LowV));
  }
  /// Whether V is the end Phi as it was, or next to the middle, in each case.
  /// FoundMiddle: it is in some.
  bool isNext(const llvm::Value *V, const llvm::PHINode *Phi, bool &FoundMiddle,
              unsigned Depth = 0) const {
    using namespace llvm::PatternMatch;
    constexpr unsigned MaxDepth = 6;
    const llvm::Value *Inner;
    if (V == Phi)
      return true;
    if (isMiddle(V) ||
        (match(V, m_Add(m_Value(Inner), m_ConstantInt())) && isMiddle(Inner)))
      return FoundMiddle = true;
    if (Depth > MaxDepth || !spendWork())
      return false;
    if (const auto *Select = llvm::dyn_cast<llvm::SelectInst>(V))
      return isNext(Select->getTrueValue(), Phi, FoundMiddle, Depth + 1) &&
             isNext(Select->getFalseValue(), Phi, FoundMiddle, Depth + 1);
    const auto *Join = llvm::dyn_cast<llvm::PHINode>(V);
    return Join && Join->getParent() != Phi->getParent() &&
           llvm::all_of(Join->incoming_values(), [&](const llvm::Value *In) {
             return isNext(In, Phi, FoundMiddle, Depth + 1);
           });
  }
};

} // namespace

Expr TripCounts::bisectionCount(const llvm::Loop *L, const llvm::ICmpInst &C) {
  const llvm::BasicBlock *Latch = L->getLoopLatch(),
                         *Before = L->getLoopPredecessor();
  if (!Before || !C.isRelational())
    return {};
  auto Ends = [&](const llvm::Value *Side) -> const llvm::PHINode * {
    for (const llvm::PHINode &Phi : L->getHeader()->phis())
      if (Phi.getType()->isIntegerTy() &&
          (Side == &Phi || Side == Phi.getIncomingValueForBlock(Latch)))
        return &Phi;
    return nullptr;
  };
  const llvm::PHINode *A = Ends(C.getOperand(0)), *B = Ends(C.getOperand(1));
  if (!A || !B || A == B)
    return {};
  for (const Bisection &Range : {Bisection{A, B}, Bisection{B, A}}) {
    bool LowMoves = false, HighMoves = false;
    if (!Range.isNext(Range.Low->getIncomingValueForBlock(Latch), Range.Low,
                      LowMoves) ||
        !Range.isNext(Range.High->getIncomingValueForBlock(Latch), Range.High,
                      HighMoves) ||
        !LowMoves || !HighMoves)
      continue;
    // Which of the two is the low end: the one that starts below.
    Expr Size = V.of(Range.High->getIncomingValueForBlock(Before)) -
                V.of(Range.Low->getIncomingValueForBlock(Before));
    if (Names.contains(Size) || Size.range().High <= 0)
      continue;
    if (const auto P = C.getPredicate();
        Size.range().Low < 0 && Range.Low == B &&
        (P == llvm::CmpInst::ICMP_SLT || P == llvm::CmpInst::ICMP_ULT ||
         P == llvm::CmpInst::ICMP_SLE || P == llvm::CmpInst::ICMP_ULE))
      continue;
    return Ctx.floorLog2(Ctx.max({Size, Ctx.constant(1)})) + 1;
  }
  return {};
}

Expr TripCounts::shiftCount(const llvm::Loop *L, const llvm::ICmpInst &C,
                            Predicate P, bool AtStart) {
  auto Strip = [](const llvm::Value *X) {
    while (const auto *Cast = llvm::dyn_cast<llvm::CastInst>(X))
      X = Cast->getOperand(0);
    return X;
  };
  const llvm::BasicBlock *Latch = L->getLoopLatch();
  for (const llvm::PHINode &Phi : L->getHeader()->phis()) {
    if (!Phi.getType()->isIntegerTy())
      continue;
    const llvm::Value *X = Strip(C.getOperand(0)), *Bound = C.getOperand(1);
    Predicate Q = P;
    const llvm::Value *Next = Phi.getIncomingValueForBlock(Latch);
    if (Strip(Bound) == &Phi || Strip(Bound) == Next) {
      X = Strip(C.getOperand(1));
      Bound = C.getOperand(0);
      Q = llvm::CmpInst::getSwappedPredicate(P);
    }
    bool IsNext = X == Next;
    if (X != &Phi && !IsNext)
      continue;
    Recurrence R = V.recurrence(&Phi);
    if (R.Kind != Recurrence::Halving && R.Kind != Recurrence::Doubling)
      continue;
    Expr B = V.of(Bound), S = R.Start, M = Ctx.constant(R.Shift);
    if (Names.contains(B) || Names.contains(S) || !V.isInvariant(B, L))
      return {};
    Expr Factor = Ctx.constant(std::ldexp(1.0, static_cast<int>(R.Shift)));
    Expr Passed;
    if (R.Kind == Recurrence::Halving) {
      // Stay while value >= B; the value at test c is floor(S / 2^(M*c)).
      if (Q == llvm::CmpInst::ICMP_SGT || Q == llvm::CmpInst::ICMP_UGT ||
          (Q == llvm::CmpInst::ICMP_NE && B.isConstant(0)))
        B = B + 1;
      else if (Q != llvm::CmpInst::ICMP_SGE && Q != llvm::CmpInst::ICMP_UGE)
        return {};
      if (IsNext)
        S = Ctx.floorDiv(S, Factor);
      // For S >= B >= 1 the number of passed tests is 1 + floor(log2(S/B)/M);
      // doubling the quotient under the logarithm makes it 0 for S < B.
      std::optional<double> Constant = B.asConstant();
      if (!Constant || *Constant < 1)
        return {};
      double Log = std::log2(*Constant);
      if (Log == std::floor(Log) && Log >= 1)
        Passed = Ctx.floorLog2(Ctx.floorDiv(S, Ctx.constant(*Constant / 2)));
      else if (*Constant == 1 && IsNext && R.Shift == 1)
        Passed = Ctx.floorLog2(R.Start);
      else
        Passed = Ctx.floorLog2(2.0 * Ctx.floorDiv(S, B));
    } else {
      // Stay while value <= B; the value at test c is S * 2^(M*c).
      if (IsNext)
        S = S * Factor;
      Expr Quotient;
      if (Q == llvm::CmpInst::ICMP_SLT || Q == llvm::CmpInst::ICMP_ULT)
        Quotient = Ctx.ceilDiv(B, S) - 1;
      else if (Q == llvm::CmpInst::ICMP_SLE || Q == llvm::CmpInst::ICMP_ULE)
        Quotient = Ctx.floorDiv(B, S);
      else if (Q == llvm::CmpInst::ICMP_NE)
        Quotient = Ctx.floorDiv(B, S) - 1;
      else
        return {};
      Passed = Ctx.floorLog2(2.0 * Quotient);
    }
    if (R.Shift > 1)
      Passed = Ctx.ceilDiv(Passed, M);
    return AtStart ? Passed : Passed + 1;
  }
  return {};
}

} // namespace gpuestimate
