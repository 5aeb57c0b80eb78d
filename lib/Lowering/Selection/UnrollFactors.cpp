#include "UnrollFactors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include <optional>

namespace gpuestimate {

namespace {

/// Copies of all compilers together. Small loops of constant trip counts have
/// up to 100, so that their counters cost less than here.
constexpr unsigned MaxFactor = 16;
/// Copies of a body with a branch that is not predicated.
constexpr unsigned MaxFactorWithBranch = 2;
/// Instructions of the copies that a compiler's optimisation of IR lays out.
constexpr unsigned MaxInstructions = 200;
/// Instructions of a body that its copies share, as LLVM counts them: the test
/// and the branch.
constexpr unsigned SharedByCopies = 2;

/// What the machine executes in one iteration of an innermost loop.
struct MachineBody {
  bool IsCounted = false;    ///< unrolling removes the branch of its only exit
  bool Branches = false;     ///< others than that one
  unsigned Instructions = 0; ///< without the counter, its test and the branch
  unsigned Loads = 0;
};

MachineBody machineBody(const KernelModel &M, const Loop &L) {
  MachineBody Body;
  for (const RegionNode &Node : L.Body) {
    if (Node.Kind != RegionNode::IsBlock)
      return {}; // not innermost
    for (unsigned I : M.Blocks[Node.Index].operations()) {
      const Operation &Op = M.Operations[I];
      bool IsBranch = Op.Class == OpClass::Branch;
      Body.IsCounted |= IsBranch && Op.LoopOverhead;
      Body.Branches |= IsBranch && !Op.LoopOverhead;
      Body.Instructions += Op.LoopOverhead ? 0 : Op.Count;
      Body.Loads +=
          Op.access() && M.Accesses[*Op.access()].Kind == AccessKind::Load;
    }
  }
  return Body;
}

/// Does I become part of the instruction that uses it?
bool costsNothing(const llvm::Instruction &I) {
  if (const auto *Gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&I))
    return Gep->hasAllConstantIndices();
  return llvm::isa<llvm::PHINode, llvm::BitCastInst, llvm::AddrSpaceCastInst,
                   llvm::TruncInst, llvm::FreezeInst>(I) ||
         I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd();
}

/// What LLVM's unroller sees of a loop.
struct IrBody {
  unsigned Instructions = 0; ///< with the counter, its test and the branch
  bool Branches = false;     ///< not predicated, or in a function of a library
};

IrBody irBody(const llvm::Loop &L, const InstructionSelection &Selection) {
  IrBody Body;
  for (const llvm::BasicBlock *BB : L.blocks())
    for (const llvm::Instruction &I : *BB) {
      Body.Instructions += !costsNothing(I);
      bool IsCall =
          llvm::isa<llvm::CallInst>(I) && !llvm::isa<llvm::IntrinsicInst>(I);
      bool IsBranch = I.isTerminator() && I.getNumSuccessors() > 1 &&
                      !Selection.isLoopOverhead(I) && !Selection.isFree(I);
      Body.Branches |= IsCall || IsBranch;
    }
  return Body;
}

/// The factor by which V multiplies, 1 for other operations; nothing if it
/// multiplies by a variable.
std::optional<uint64_t> multiplier(const llvm::Instruction &V) {
  bool IsShift = V.getOpcode() == llvm::Instruction::Shl;
  if (!IsShift && V.getOpcode() != llvm::Instruction::Mul)
    return 1;
  const auto *By = llvm::dyn_cast<llvm::ConstantInt>(V.getOperand(1));
  if (!By)
    return std::nullopt;
  return IsShift ? uint64_t(1) << By->getLimitedValue(63)
                 : By->getValue().abs().getLimitedValue();
}

/// Calls Use for each user of V in L, those of conversions of V in their place.
void forEachUser(const llvm::Value &V, const llvm::Loop &L,
                 llvm::function_ref<void(const llvm::Instruction &)> Use) {
  for (const llvm::User *U : V.users())
    if (const auto *I = llvm::dyn_cast<llvm::Instruction>(U);
        I && L.contains(I)) {
      if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(I))
        forEachUser(*I, L, Use);
      else
        Use(*I);
    }
}

/// Whether the counter of L, which begins at 0, does nothing in the body but
/// multiply constants of at least 3 in indices such as i + 32 * j, in which i
/// does not change. nvcc's back end then keeps the counter and ends the loop by
/// a sum of it (`add %t, %j, %minusN; setp.ne %t, 0`), which ptxas does not
/// unroll. Of x[2 * j], x[i + j], x[(i + j) * 32] and rows of a declared array
/// it makes pointers that advance, and a counter that goes down to 0.
bool multipliesCounter(const llvm::Loop &L,
                       const InstructionSelection &Selection) {
  constexpr uint64_t MinFactor = 3;
  bool Found = false;
  for (const llvm::PHINode &Counter : L.getHeader()->phis()) {
    if (!Counter.getType()->isIntegerTy())
      continue;
    bool OnlyProducts = true, HasConstant = false;
    auto IsIndex = [&](const llvm::Instruction &Sum) {
      return (Sum.getOpcode() == llvm::Instruction::Add ||
              Sum.getOpcode() == llvm::Instruction::Or) &&
             llvm::any_of(Sum.operands(), [&](const llvm::Use &Operand) {
               return L.isLoopInvariant(Operand) &&
                      !llvm::isa<llvm::Constant>(Operand);
             });
    };
    forEachUser(Counter, L, [&](const llvm::Instruction &I) {
      if (Selection.isLoopOverhead(I))
        return;
      std::optional<uint64_t> Factor = multiplier(I);
      OnlyProducts &= !Factor || *Factor >= MinFactor;
      HasConstant |= Factor && *Factor >= MinFactor;
      forEachUser(I, L, [&](const llvm::Instruction &Sum) {
        OnlyProducts &= IsIndex(Sum);
      });
    });
    const llvm::BasicBlock *Entry = L.getLoopPredecessor();
    const auto *First = Entry ? llvm::dyn_cast<llvm::ConstantInt>(
                                    Counter.getIncomingValueForBlock(Entry))
                              : nullptr;
    Found |= HasConstant && OnlyProducts && First && First->isZero();
  }
  return Found;
}

/// Whether L is counted from a constant by a variable of 64 bits, `for (long j
/// = 0; j < n; ++j)`. nvcc's back end makes addresses of that counter and ends
/// the loop by a sum of it. It does not where the first value is a variable, or
/// where a pointer advances.
bool countsIn64Bits(const llvm::Loop &L) {
  const llvm::BasicBlock *Exiting = L.getExitingBlock(),
                         *Entry = L.getLoopPredecessor(),
                         *Latch = L.getLoopLatch();
  if (!Exiting || !Entry || !Latch)
    return false;
  const auto *Branch =
      llvm::dyn_cast<llvm::BranchInst>(Exiting->getTerminator());
  const auto *Test =
      Branch && Branch->isConditional()
          ? llvm::dyn_cast<llvm::ICmpInst>(Branch->getCondition())
          : nullptr;
  return Test &&
         llvm::any_of(L.getHeader()->phis(), [&](const llvm::PHINode &I) {
           return I.getType()->isIntegerTy(64) &&
                  llvm::isa<llvm::Constant>(
                      I.getIncomingValueForBlock(Entry)) &&
                  llvm::is_contained(Test->operands(),
                                     I.getIncomingValueForBlock(Latch));
         });
}

/// The largest power of two up to Most of which the copies of Size instructions
/// each are at most MaxInstructions.
unsigned largestFactor(unsigned Size, unsigned Most) {
  unsigned Own = Size - std::min(Size, SharedByCopies), Factor = 1;
  while (2 * Factor <= Most &&
         2 * Factor * Own + SharedByCopies <= MaxInstructions)
    Factor *= 2;
  return Factor;
}

/// The factor of ptxas for a body that a front end laid out Copies times.
/// Latencies of loads make it worth more instructions.
unsigned ptxasFactor(const MachineBody &Body, unsigned Copies) {
  constexpr unsigned Factor = 4, Counting = 4;
  constexpr unsigned MaxWithLoads = 51, MaxWithoutLoads = 21;
  unsigned Size = Copies * Body.Instructions + Counting;
  unsigned Loads = Copies * Body.Loads;
  bool IsSmall =
      Loads > 0 ? Size + Loads <= MaxWithLoads : Size <= MaxWithoutLoads;
  return !Body.Branches && IsSmall ? Factor : 1;
}

} // namespace

void setUnrollFactors(KernelModel &M, const llvm::LoopInfo &LI,
                      const Regions &R, const InstructionSelection &Selection,
                      const llvm::Function &F, bool IsCompiled) {
  constexpr unsigned MaxFactorOfUnknownTrips = 4;
  bool IsAmd = llvm::Triple(F.getParent()->getTargetTriple()).isAMDGPU();
  for (const llvm::Loop *IrLoop : LI.getLoopsInPreorder()) {
    int Index = R.loopIndex(IrLoop);
    if (Index < 0 || M.Loops[Index].Unroll != 0)
      continue;
    Loop &L = M.Loops[Index];
    L.Unroll = 1;
    MachineBody Body = machineBody(M, L);
    if (!Body.IsCounted)
      continue;
    if (IsAmd) {
      L.Unroll = largestFactor(Body.Instructions + SharedByCopies,
                               Body.Branches ? MaxFactorWithBranch : MaxFactor);
      continue;
    }
    if (!IsCompiled && !Selection.mayWrapAround(*IrLoop)) {
      IrBody Ir = irBody(*IrLoop, Selection);
      // IR has no branch for a division, nor the machine for a predicate.
      bool Branches = Ir.Branches && Body.Branches;
      L.Unroll =
          largestFactor(std::max(Ir.Instructions, Body.Instructions),
                        Branches                   ? MaxFactorWithBranch
                        : L.TripCount.asConstant() ? MaxFactor
                                                   : MaxFactorOfUnknownTrips);
    }
    bool EndsBySum = !IsCompiled && !L.TripCount.asConstant() &&
                     multipliesCounter(*IrLoop, Selection);
    if (!Selection.hasVariableStep(*IrLoop) && !EndsBySum &&
        !countsIn64Bits(*IrLoop))
      L.Unroll = std::min(MaxFactor, L.Unroll * ptxasFactor(Body, L.Unroll));
  }
}

} // namespace gpuestimate
