#include "UnrollFactors.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

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
    if (!Selection.hasVariableStep(*IrLoop))
      L.Unroll = std::min(MaxFactor, L.Unroll * ptxasFactor(Body, L.Unroll));
  }
}

} // namespace gpuestimate
