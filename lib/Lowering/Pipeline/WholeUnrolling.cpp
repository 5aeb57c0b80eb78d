#include "WholeUnrolling.h"

#include "Analyses.h"
#include "CompilerHabits.h"
#include "LoopCopies.h"
#include "UnrollCost.h"

#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace gpuestimate {

bool hasUnrollPragma(const llvm::Loop &L) {
  llvm::MDNode *Id = L.getLoopID();
  return Id && (llvm::GetUnrollMetadata(Id, "llvm.loop.unroll.enable") ||
                llvm::GetUnrollMetadata(Id, "llvm.loop.unroll.full"));
}

namespace {

/// Is an element of an array in private memory selected by a variable?
bool hasIndexedArray(llvm::Function &F) {
  return llvm::any_of(llvm::instructions(F), [](const llvm::Instruction &I) {
    const auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I);
    return Gep && !Gep->hasAllConstantIndices() &&
           llvm::isa<llvm::AllocaInst>(
               llvm::getUnderlyingObject(Gep->getPointerOperand()));
  });
}

/// Unrolls the loops of one function.
class WholeUnroller {
public:
  WholeUnroller(llvm::Function &F, const CompilerHabits &Habits,
                llvm::FunctionAnalysisManager &FAM)
      : F(F), Habits(Habits), FAM(FAM) {}

  void run();

private:
  /// Rounds of unrolling and clean-up: the levels of a nest, and the loops
  /// whose trip counts the levels inside make constant.
  static constexpr unsigned MaxRounds = 10;
  /// Passes of a clean-up that visit every instruction.
  static constexpr uint64_t Passes = 8;

  /// Unrolls the innermost loops that the compiler unrolls; was there one?
  bool unrollLevel();
  /// The copies that L becomes, or 0.
  unsigned copies(const llvm::Loop &L, llvm::ScalarEvolution &SE) const;
  bool isWithinLimits(const llvm::Loop &L, unsigned Trips) const;
  void dropPragmas();

  llvm::Function &F;
  const CompilerHabits &Habits;
  llvm::FunctionAnalysisManager &FAM;
};

llvm::FunctionPassManager cleanup() {
  llvm::FunctionPassManager Passes;
  Passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  Passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(llvm::SimplifyCFGPass());
  Passes.addPass(llvm::InstCombinePass());
  Passes.addPass(llvm::LoopSimplifyPass());
  Passes.addPass(llvm::LCSSAPass());
  // What an iteration does not change counts once, not in every copy.
  llvm::LoopPassManager Invariants, Counters;
  Invariants.addPass(llvm::LoopRotatePass());
  Invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(Invariants),
                                                       /*UseMemorySSA=*/true));
  Counters.addPass(llvm::IndVarSimplifyPass());
  Passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(Counters)));
  return Passes;
}

/// The factor of `#pragma unroll N`, or 0.
unsigned pragmaCount(const llvm::Loop &L) {
  return llvm::getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count")
      .value_or(0);
}

/// The upper bound of the trip count where one of several conditions of an exit
/// counts to it; else 0. SimplifyCFG makes one exit of
/// `i < 16 && k + i < n`, whose second condition depends on data.
unsigned tripsOfConjunction(const llvm::Loop &L, llvm::BasicBlock &Exiting,
                            llvm::ScalarEvolution &SE) {
  using namespace llvm::PatternMatch;
  auto *Branch = llvm::dyn_cast<llvm::BranchInst>(Exiting.getTerminator());
  if (!Branch || !Branch->isConditional())
    return 0;
  bool ExitIfTrue = !L.contains(Branch->getSuccessor(0));
  unsigned Trips = 0;
  llvm::SmallVector<llvm::Value *> Conditions = {Branch->getCondition()};
  while (!Conditions.empty()) {
    llvm::Value *Condition = Conditions.pop_back_val(), *A, *B;
    if (ExitIfTrue ? match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))
                   : match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))) {
      Conditions.append({A, B});
      continue;
    }
    const auto *Count = llvm::dyn_cast<llvm::SCEVConstant>(
        SE.computeExitLimitFromCond(&L, Condition, ExitIfTrue,
                                    /*ControlsOnlyExit=*/false)
            .ExactNotTaken);
    if (Count && Count->getAPInt().ult(UINT32_MAX)) {
      unsigned Reached = Count->getAPInt().getZExtValue() + 1;
      Trips = Trips ? std::min(Trips, Reached) : Reached;
    }
  }
  return Trips == SE.getSmallConstantMaxTripCount(&L) ? Trips : 0;
}

/// The smallest constant number of times that an exit of L is reached, or 0.
unsigned trips(const llvm::Loop &L, llvm::ScalarEvolution &SE) {
  if (!L.isLoopSimplifyForm())
    return 0;
  llvm::SmallVector<llvm::BasicBlock *> Exits;
  L.getExitingBlocks(Exits);
  unsigned Trips = 0;
  for (llvm::BasicBlock *Exit : Exits) {
    unsigned Count = SE.getSmallConstantTripCount(&L, Exit);
    if (!Count)
      Count = tripsOfConjunction(L, *Exit, SE);
    if (Count)
      Trips = Trips ? std::min(Trips, Count) : Count;
  }
  return Trips;
}

/// The comparisons among the conditions that leave L.
llvm::SmallVector<llvm::ICmpInst *> exitComparisons(const llvm::Loop &L) {
  using namespace llvm::PatternMatch;
  llvm::SmallVector<llvm::BasicBlock *> Exits;
  L.getExitingBlocks(Exits);
  llvm::SmallVector<llvm::Value *> Conditions;
  for (llvm::BasicBlock *Exit : Exits)
    if (auto *Branch = llvm::dyn_cast<llvm::BranchInst>(Exit->getTerminator());
        Branch && Branch->isConditional())
      Conditions.push_back(Branch->getCondition());
  llvm::SmallVector<llvm::ICmpInst *> Comparisons;
  while (!Conditions.empty()) {
    llvm::Value *Condition = Conditions.pop_back_val(), *A, *B;
    if (match(Condition, m_LogicalOp(m_Value(A), m_Value(B))))
      Conditions.append({A, B});
    else if (auto *Compared = llvm::dyn_cast<llvm::ICmpInst>(Condition))
      Comparisons.push_back(Compared);
  }
  return Comparisons;
}

/// Does a counter that starts at a constant decide when L is left?
bool countsFromConstant(const llvm::Loop &L, llvm::ScalarEvolution &SE) {
  for (llvm::ICmpInst *Compared : exitComparisons(L))
    for (llvm::Value *Side : Compared->operands()) {
      if (!SE.isSCEVable(Side->getType()))
        continue;
      const auto *Counter =
          llvm::dyn_cast<llvm::SCEVAddRecExpr>(SE.getSCEV(Side));
      if (Counter && Counter->getLoop() == &L &&
          llvm::isa<llvm::SCEVConstant>(Counter->getStart()))
        return true;
    }
  return false;
}

/// Makes the range of a limit `c ? 1 : 2`, as which InstCombine writes
/// min(2, n) behind a test of n > 0, known to SCEV, which asks for known bits
/// only: those of 1 and 2 allow 0, too.
void boundSelectedLimits(const llvm::Loop &L, llvm::ScalarEvolution &SE) {
  using namespace llvm::PatternMatch;
  for (llvm::ICmpInst *Compared : exitComparisons(L))
    for (llvm::Use &Limit : Compared->operands()) {
      const llvm::APInt *A, *B;
      if (!match(Limit.get(), m_Select(m_Value(), m_APInt(A), m_APInt(B))) ||
          L.contains(llvm::cast<llvm::Instruction>(Limit)))
        continue;
      llvm::IRBuilder<> Builder(
          llvm::cast<llvm::Instruction>(Limit)->getNextNode());
      llvm::Type *Type = Limit->getType();
      llvm::Value *AtLeast = Builder.CreateBinaryIntrinsic(
          llvm::Intrinsic::umax, Limit,
          llvm::ConstantInt::get(Type, llvm::APIntOps::umin(*A, *B)));
      Limit = Builder.CreateBinaryIntrinsic(
          llvm::Intrinsic::umin, AtLeast,
          llvm::ConstantInt::get(Type, llvm::APIntOps::umax(*A, *B)));
      SE.forgetLoop(&L);
    }
}

/// The constant that bounds the trip count of L, which depends on data, as in
/// `i < min(8, n)`; else 0. Ranges of thread indices are not used:
/// `for (i = threadIdx.x; i < 256; i += 32)` stays a loop.
unsigned boundOfTrips(const llvm::Loop &L, llvm::ScalarEvolution &SE) {
  return L.isLoopSimplifyForm() && countsFromConstant(L, SE)
             ? SE.getSmallConstantMaxTripCount(&L)
             : 0;
}

bool WholeUnroller::isWithinLimits(const llvm::Loop &L, unsigned Trips) const {
  if (hasUnrollPragma(L) || pragmaCount(L) >= Trips)
    return uint64_t(Trips) * bodySize(L) <= Habits.LoopWithPragma;
  UnrollCost Cost = unrollCost(L);
  return Cost.ofCopies(Trips) < (Cost.IndexesPrivateArray
                                     ? Habits.LoopOverPrivateArray
                                     : Habits.PlainLoop);
}

unsigned WholeUnroller::copies(const llvm::Loop &L,
                               llvm::ScalarEvolution &SE) const {
  if (llvm::hasUnrollTransformation(&L) == llvm::TM_SuppressedByUser)
    return 0;
  unsigned Trips = trips(L, SE);
  if (!Trips) {
    Trips = boundOfTrips(L, SE);
    if (!Trips)
      return 0;
    if (!(hasUnrollPragma(L) && Trips <= Habits.BoundWithPragma) &&
        !(Trips <= Habits.BoundOverPrivateArray &&
          unrollCost(L).IndexesPrivateArray))
      return 0;
  }
  bool IsPartial = pragmaCount(L) != 0 && pragmaCount(L) < Trips;
  return !IsPartial && isWithinLimits(L, Trips) ? Trips : 0;
}

bool WholeUnroller::unrollLevel() {
  auto &LI = FAM.getResult<llvm::LoopAnalysis>(F);
  auto &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  // Loops around one that has been unrolled wait for the clean-up.
  llvm::SmallPtrSet<const llvm::Loop *, 8> Waiting;
  llvm::SmallVector<llvm::Loop *, 4> Loops = LI.getLoopsInPreorder();
  bool Changed = false;
  for (llvm::Loop *L : llvm::reverse(Loops)) {
    llvm::Loop *Parent = L->getParentLoop();
    bool Waits = Waiting.contains(L);
    if (!Waits)
      boundSelectedLimits(*L, SE);
    unsigned Count = Waits ? 0 : copies(*L, SE);
    bool Unrolled = Count != 0 && unrollBy(Count, *L, F, FAM);
    Changed |= Unrolled;
    if (Parent && (Waits || Unrolled))
      Waiting.insert(Parent);
  }
  if (Changed)
    FAM.invalidate(F, llvm::PreservedAnalyses::none());
  return Changed;
}

/// Removes the pragma of loops without a constant trip count that stay: nvcc
/// treats them as loops without a pragma.
void WholeUnroller::dropPragmas() {
  auto &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  for (llvm::Loop *L :
       FAM.getResult<llvm::LoopAnalysis>(F).getLoopsInPreorder())
    if (hasUnrollPragma(*L) && !SE.getSmallConstantTripCount(L))
      L->setLoopID(llvm::makePostTransformationMetadata(
          L->getHeader()->getContext(), L->getLoopID(),
          {"llvm.loop.unroll.enable", "llvm.loop.unroll.full"}, {}));
}

void WholeUnroller::run() {
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    if (!spendWork(Passes * F.getInstructionCount()))
      return;
    cleanup().run(F, FAM);
    if (!unrollLevel())
      break;
  }
  dropPragmas();
}

/// Runs a WholeUnroller on the functions with loops that IsWanted accepts.
void unrollIn(llvm::Module &M, DeviceCompiler Compiler, llvm::TargetMachine *TM,
              llvm::function_ref<bool(llvm::Function &, const llvm::LoopInfo &)>
                  IsWanted) {
  AnalysisManagers Managers(TM);
  for (llvm::Function &F : M) {
    if (F.isDeclaration())
      continue;
    const auto &LI = Managers.FAM.getResult<llvm::LoopAnalysis>(F);
    if (!LI.empty() && IsWanted(F, LI))
      WholeUnroller(F, habitsOf(Compiler), Managers.FAM).run();
  }
}

bool hasUnrollPragma(const llvm::LoopInfo &LI) {
  return llvm::any_of(LI.getLoopsInPreorder(), [](const llvm::Loop *L) {
    return gpuestimate::hasUnrollPragma(*L);
  });
}

} // namespace

void unrollOverArrays(llvm::Module &M, DeviceCompiler Compiler,
                      llvm::TargetMachine *TM) {
  unrollIn(M, Compiler, TM, [](llvm::Function &F, const llvm::LoopInfo &) {
    return hasIndexedArray(F);
  });
}

void unrollWhole(llvm::Module &M, DeviceCompiler Compiler,
                 llvm::TargetMachine *TM) {
  unrollIn(M, Compiler, TM, [](llvm::Function &F, const llvm::LoopInfo &LI) {
    return hasUnrollPragma(LI) || hasIndexedArray(F);
  });
}

} // namespace gpuestimate
