/// \file
/// Preparation of a walk: for each operation its costs and where the times of
/// its operands are stored.
#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include "gpu-estimate/Model/Kernel/LoopTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gpuestimate {

WarpTimer::WarpTimer(const KernelModel &Kernel, const OperationCosts &Costs,
                     const std::vector<BlockSchedule> &Schedule,
                     unsigned WarpsPerBlock, WalkRule Rule)
    : Kernel(Kernel), Costs(Costs), Schedule(Schedule), Rule(Rule),
      WarpsPerScheduler(
          std::ceil(double(WarpsPerBlock) / Costs.gpu().SchedulersPerSm)),
      Ops(Kernel.Operations.size()), LoopOfBlock(loopsOfBlocks(Kernel)),
      BlockOf(blocksOfOperations(Kernel)), Loops(Kernel.Loops.size()),
      BlockNumbers(Kernel.Blocks.size()), HyperblockSize(Kernel.Blocks.size()),
      Plans(Kernel.Blocks.size()) {
  std::iota(BlockNumbers.begin(), BlockNumbers.end(), 0);
  for (const BlockSchedule &S : Schedule)
    ++HyperblockSize[S.Hyperblock];
  for (unsigned L = 0; L < Kernel.Loops.size(); ++L) {
    const std::vector<RegionNode> &Body = Kernel.Loops[L].Body;
    Loops[L].Single = !Body.empty() && Body[0].Kind == RegionNode::IsBlock &&
                      HyperblockSize[Body[0].Index] == Body.size();
    if (Loops[L].Single)
      Loops[L].Copies = Schedule[Body[0].Index].Copies;
    Loops[L].States.resize(MaxPeriod);
    unsigned Inside = 0;
    for (int Outer = L; Outer >= 0; Outer = Kernel.Loops[Outer].Parent)
      Loops[Outer].Height = std::max(Loops[Outer].Height, Inside++);
    for (const RegionNode &I : Body)
      if (I.Kind == RegionNode::IsBlock)
        for (int Outer = L; Outer >= 0; Outer = Kernel.Loops[Outer].Parent)
          Loops[Outer].Blocks.push_back(I.Index);
  }
  unsigned Size = 0;
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
    for (unsigned I : Kernel.Blocks[B].operations()) {
      const Operation &Op = Kernel.Operations[I];
      double Issue = Costs.issue(Op);
      OpTiming &T = Ops[I];
      T.On = Costs.pipe(Op);
      T.LoopOverhead = Op.LoopOverhead;
      T.IsBarrier = Op.Class == OpClass::Barrier;
      HasBarrier |= T.IsBarrier;
      T.IsRetryLoop = Op.access() && Kernel.Accesses[*Op.access()].CasLoop;
      HasRetryLoop |= T.IsRetryLoop;
      T.Hold = Issue * Op.Count;
      T.Slots = Rule == WalkRule::Published
                    ? Issue * Op.Count
                    : Costs.slot() * Costs.instructions(Op);
      T.Gap = Issue * (Op.Count - std::min(Op.Count, Op.Chain));
      T.IsOfSm = Costs.servesAllSchedulers(Op);
      T.Segment = T.IsOfSm ? Costs.pipeCycles(Op) * Op.Count * WarpsPerBlock /
                                 WarpsPerScheduler
                           : T.Hold;
      bool IsShared = Op.access() && Kernel.Accesses[*Op.access()].Space ==
                                         MemorySpace::Shared;
      T.Stage = !IsShared;
      T.StageCycles =
          Costs.dataStageCycles(Op) * WarpsPerBlock / WarpsPerScheduler;
      T.Ready = Size;
      Size += Schedule[B].Copies;
    }
  CodeRounds.assign(Kernel.Blocks.size(), 1);
  for (const Loop &L : Kernel.Loops)
    for (const RegionNode &I : L.Body)
      if (I.Kind == RegionNode::IsBlock)
        CodeRounds[I.Index] =
            llvm::divideCeil(std::max(1u, L.Unroll), Schedule[I.Index].Copies);
  Ready.resize(Size);
  for (unsigned I = 0; I < Ops.size(); ++I)
    addInputs(I);
  std::vector<const LoopTiming *> LastReader(Ready.size());
  for (LoopTiming &L : Loops)
    for (unsigned B : L.Blocks)
      for (unsigned I : Kernel.Blocks[B].operations()) {
        L.HasBarrier |= Ops[I].IsBarrier;
        for (const Input &In : inputs(Ops[I]))
          if (unsigned Index = In.Ready + In.Last;
              std::exchange(LastReader[Index], &L) != &L)
            L.Inputs.push_back(Index);
      }
}

unsigned WarpTimer::save(unsigned Loop, unsigned Producer) {
  unsigned Source =
      Ops[Producer].Ready + Schedule[BlockOf[Producer]].Copies - 1;
  for (const SavedValue &V : Loops[Loop].Carries)
    if (V.Ready == Source)
      return V.Saved;
  Loops[Loop].Carries.push_back({Source, unsigned(Ready.size())});
  Ready.push_back(0);
  return Ready.size() - 1;
}

void WarpTimer::addInputs(unsigned Op) {
  Ops[Op].FirstInput = Inputs.size();
  int HomeLoop = LoopOfBlock[BlockOf[Op]];
  for (const Operand &O : Kernel.Operations[Op].Operands) {
    unsigned ProducerBlock = BlockOf[O.Producer];
    bool SameBlock =
        Schedule[ProducerBlock].Hyperblock == Schedule[BlockOf[Op]].Hyperblock;
    Input In;
    In.Producer = O.Producer;
    In.Ready = Ops[O.Producer].Ready;
    In.Last = Schedule[ProducerBlock].Copies - 1;
    if (O.Carried) {
      int Common =
          commonLoop(Kernel.Loops, HomeLoop, LoopOfBlock[ProducerBlock]);
      if (Common < 0)
        continue;
      In.Kind = SameBlock && !Ops[O.Producer].LoopOverhead ? Input::PreviousCopy
                                                           : Input::Previous;
      In.Saved = save(Common, O.Producer);
    } else if (SameBlock) {
      In.Kind = Input::SameCopy;
      if (Ops[O.Producer].LoopOverhead && In.Last > 0) {
        // Earlier copies have the counter's step folded into their addresses.
        In.Kind = Input::Overhead;
        In.Saved = save(HomeLoop, O.Producer);
      }
    }
    Inputs.push_back(In);
  }
  Ops[Op].EndInput = Inputs.size();
}

unsigned WarpTimer::find(const Input &In, unsigned Copy, unsigned Executed) {
  // The overhead of a partial round follows its last copy.
  unsigned Current = std::min(Copy, Executed - 1);
  switch (In.Kind) {
  case Input::Latest:
    return In.Ready + In.Last;
  case Input::SameCopy:
    return In.Ready + Current;
  case Input::PreviousCopy:
    return Current > 0 ? In.Ready + Current - 1 : In.Saved;
  case Input::Previous:
    return In.Saved;
  case Input::Overhead:
    return Copy == In.Last ? In.Ready + In.Last : In.Saved;
  }
  llvm_unreachable("all kinds are listed");
}

const WarpTimer::BlockPlan &WarpTimer::plan(unsigned Block, unsigned Executed) {
  const BlockSchedule &S = Schedule[Block];
  if (Plans[Block].empty())
    Plans[Block].resize(S.Copies);
  BlockPlan &Plan = Plans[Block][Executed - 1];
  if (!Plan.Steps.empty())
    return Plan;
  Plan.Steps.reserve(S.Slots.size());
  for (const Slot &What : S.Slots) {
    const OpTiming &Op = Ops[What.Op];
    if (What.Copy >= Executed && !Op.LoopOverhead)
      continue;
    for (const Input &In : inputs(Op))
      Plan.Inputs.push_back({find(In, What.Copy, Executed), In.Producer});
    unsigned OwnBlock = BlockOf[What.Op];
    Plan.IsPredicated |=
        OwnBlock != Block && Kernel.Blocks[OwnBlock].Predicated;
    Plan.Steps.push_back({What, OwnBlock, Op.Ready + What.Copy, Op.On, Op.Hold,
                          Op.Slots, Op.Gap, unsigned(Plan.Inputs.size())});
  }
  return Plan;
}

} // namespace gpuestimate
