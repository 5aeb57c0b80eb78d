#include "gpu-estimate/Evaluate/Timing.h"
#include <algorithm>
#include <cmath>

namespace gpuestimate {

/// Iterations after which a loop's time per iteration is taken as steady. A
/// max-plus recurrence settles within the length of its critical cycle; values
/// carried over one iteration need two, loads in flight across it three.
static constexpr unsigned WarmIterations = 3;

/// The clock at a point of the walk, to repeat or undo what follows it.
struct WarpTimer::Mark {
  double Now, SegmentStart;
  std::array<double, NumPipes> SegmentIssue;
};

WarpTimer::WarpTimer(const KernelModel &Kernel, const OperationCosts &Costs,
                     const std::vector<BlockSchedule> &Schedule,
                     unsigned WarpsPerBlock)
    : Kernel(Kernel), Costs(Costs), Schedule(Schedule),
      WarpsPerScheduler(
          std::ceil(double(WarpsPerBlock) / Costs.gpu().SchedulersPerSm)),
      ReadyBase(Kernel.Operations.size()), BlockOf(Kernel.Operations.size()),
      LoopBlocks(Kernel.Loops.size()) {
  unsigned Size = 0;
  for (unsigned B = 0; B < Kernel.Blocks.size(); ++B)
    for (unsigned I = Kernel.Blocks[B].FirstOp; I < Kernel.Blocks[B].EndOp;
         ++I) {
      BlockOf[I] = B;
      ReadyBase[I] = Size;
      Size += Schedule[B].Copies;
    }
  Ready.resize(Size);
  for (unsigned L = 0; L < Kernel.Loops.size(); ++L)
    for (const Item &I : Kernel.Loops[L].Body)
      if (I.Kind == Item::IsBlock)
        for (int Outer = L; Outer >= 0; Outer = Kernel.Loops[Outer].Parent)
          LoopBlocks[Outer].push_back(I.Index);
}

WarpTime WarpTimer::run(const WarpPath &P) {
  Path = &P;
  Now = SegmentStart = BarrierWait = 0;
  PipeFree.fill(0);
  SegmentIssue.fill(0);
  std::fill(Ready.begin(), Ready.end(), 0);
  Stalls.assign(Kernel.Operations.size(), 0);
  Periods.assign(Kernel.Loops.size(), 0);
  BlockTimes.assign(Kernel.Blocks.size(), 0);
  runBody(Kernel.Body, 1);
  return {Now, BarrierWait};
}

void WarpTimer::runBody(const std::vector<Item> &Body, double Scale) {
  for (const Item &I : Body)
    if (I.Kind == Item::IsLoop)
      runLoop(I.Index, Scale);
    else
      runBlock(I.Index, 1, Scale);
}

WarpTimer::Mark WarpTimer::mark() const {
  return {Now, SegmentStart, SegmentIssue};
}

void WarpTimer::repeat(const Mark &Begin, llvm::ArrayRef<unsigned> Blocks,
                       double Factor) {
  if (Factor == 1)
    return;
  double Shift = (Now - Begin.Now) * (Factor - 1);
  Now += Shift;
  for (double &Free : PipeFree)
    Free += Shift;
  // Values made inside become available later (earlier); what was pending
  // from before keeps its time.
  for (unsigned B : Blocks)
    for (unsigned I = Kernel.Blocks[B].FirstOp; I < Kernel.Blocks[B].EndOp; ++I)
      for (unsigned C = 0; C < Schedule[B].Copies; ++C)
        Ready[ReadyBase[I] + C] += Shift;
  if (SegmentStart != Begin.SegmentStart) {
    SegmentStart += Shift; // a barrier was passed inside
    return;
  }
  for (unsigned P = 0; P < NumPipes; ++P)
    SegmentIssue[P] += (SegmentIssue[P] - Begin.SegmentIssue[P]) * (Factor - 1);
}

void WarpTimer::passBarrier(double Latency, double Scale) {
  if (!Barriers)
    return;
  // The last warp of the block arrives when every warp has issued the segment.
  double LastArrival = Now;
  for (double Issued : SegmentIssue)
    LastArrival =
        std::max(LastArrival, SegmentStart + Issued * WarpsPerScheduler);
  BarrierWait += (LastArrival + Latency - Now) * Scale;
  Now = SegmentStart = LastArrival + Latency;
  SegmentIssue.fill(0);
}

void WarpTimer::issueOperation(const Slot &What, unsigned Block,
                               double Weight) {
  const Operation &Op = Kernel.Operations[What.Op];
  double Earliest = Now;
  for (const Operand &O : Op.Operands) {
    // From another block, or around the back edge, the last copy is the one.
    unsigned Copy = Schedule[BlockOf[O.Producer]].Copies - 1;
    if (BlockOf[O.Producer] == Block) {
      if (!O.Carried)
        Copy = What.Copy;
      else if (What.Copy > 0)
        Copy = What.Copy - 1;
      if (Kernel.Operations[O.Producer].LoopOverhead && !O.Carried)
        Copy = Schedule[Block].Copies - 1;
    }
    Earliest = std::max(Earliest, Ready[ReadyBase[O.Producer] + Copy]);
  }
  Stalls[What.Op] += (Earliest - Now) * Weight;
  Now = Earliest;
  if (Op.Class == OpClass::Barrier) {
    passBarrier(Costs.latency(Op), Weight);
    Ready[ReadyBase[What.Op] + What.Copy] = Now;
    return;
  }
  unsigned P = static_cast<unsigned>(Costs.pipe(Op));
  double Issue = Costs.issue(Op);
  Now = std::max(Now, PipeFree[P]);
  PipeFree[P] = Now + Issue * Op.Count;
  SegmentIssue[P] += Issue * Op.Count;
  SegmentIssue[static_cast<unsigned>(Pipe::Issue)] += Costs.slot() * Op.Count;
  // The instructions outside the chain issue before its end; the compiler
  // fills the gaps inside the chain with other work, so the warp itself goes
  // on after the issue slots.
  Ready[ReadyBase[What.Op] + What.Copy] =
      Now + Issue * (Op.Count - std::min(Op.Count, Op.Chain)) +
      Costs.latency(Op);
  Now += Costs.slot() * Op.Count;
}

void WarpTimer::runBlock(unsigned Index, double Iterations, double Scale) {
  double Share = Path->BlockShare[Index];
  if (Share <= 0)
    return;
  const BlockSchedule &S = Schedule[Index];
  // One pass over the slots stands for S.Copies iterations.
  double Weight = Share * Iterations / S.Copies;
  Mark Begin = mark();
  for (const Slot &What : S.Slots)
    issueOperation(What, Index, Weight * Scale);
  BlockTimes[Index] = (Now - Begin.Now) / S.Copies;
  // A block that runs now and then advances the clock by its share.
  repeat(Begin, Index, Weight);
}

void WarpTimer::runLoop(unsigned Index, double Scale) {
  const Loop &L = Kernel.Loops[Index];
  double Share = Path->LoopShare[Index], Trips = Path->LoopTrips[Index];
  if (Share <= 0 || Trips <= 0)
    return;
  bool Single = L.Body.size() == 1 && L.Body[0].Kind == Item::IsBlock;
  double Step = Single ? Schedule[L.Body[0].Index].Copies : 1;
  double Rounds = Trips / Step;
  Mark Entry = mark();
  double Period = 0;
  for (double Done = 0; Done < Rounds;) {
    // The last warm round stands for all that follow.
    bool Steady = Done + 1 == WarmIterations;
    double Times = Steady ? Rounds - Done : std::min(1.0, Rounds - Done);
    Mark Begin = mark();
    double PartScale = Scale * Share * Times;
    if (Single)
      runBlock(L.Body[0].Index, Step, PartScale);
    else
      runBody(L.Body, PartScale);
    Period = Now - Begin.Now;
    repeat(Begin, LoopBlocks[Index], Times);
    Done += Times;
  }
  Periods[Index] = Period / Step;
  repeat(Entry, LoopBlocks[Index], Share);
}

} // namespace gpuestimate
