/// \file
/// The walk of one warp. TimingInputs.cpp prepares it.
#include "gpu-estimate/Evaluate/Warp/Timing.h"
#include "gpu-estimate/Support/WorkBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace gpuestimate {

/// A loop that has not repeated after so many rounds goes on with the mean of
/// its next MaxPeriod ones; fewer around other loops, to bound the work.
static constexpr unsigned MaxTransient = 64, MaxOuterTransient = 16;
/// Levels of loops that a loop may contain and still be simulated until it
/// repeats. Each level multiplies the work by its rounds, so loops around more
/// levels than this are simulated for two rounds only (runTallLoop()).
static constexpr unsigned MaxRepeatingHeight = 3;
/// Simulated operations between two looks at the budget of work.
static constexpr unsigned SpendInterval = 2048;
/// Simulated operations in a unit of work: one takes 6 ns in a long block, and
/// 20 ns where blocks are short.
static constexpr unsigned OperationsPerUnit = 4;
/// Fractions of iterations below this come from rounding.
static constexpr double Epsilon = 1e-9;

void WarpTimer::Mark::mix(const Mark &Other, double OtherShare) {
  auto Mix = [&](double &Value, double OtherValue) {
    Value += (OtherValue - Value) * OtherShare;
  };
  Mix(Cycle, Other.Cycle);
  Mix(SegmentStart, Other.SegmentStart);
  for (auto [Value, OtherValue] : llvm::zip_equal(PipeFree, Other.PipeFree))
    Mix(Value, OtherValue);
  for (auto [Value, OtherValue] :
       llvm::zip_equal(SegmentIssue, Other.SegmentIssue))
    Mix(Value, OtherValue);
}

WarpTime WarpTimer::walk(const WarpPath &P, const WarpConditions &Conditions,
                         bool KeepStalls) {
  Path = &P;
  Barriers = !Conditions.Without.contains(Term::Barrier);
  DataStages = {!Conditions.Without.contains(Term::Shared),
                !Conditions.Without.contains(Term::L1)};
  WithStalls = KeepStalls;
  Clock = Mark();
  BarrierWait = 0;
  std::fill(Ready.begin(), Ready.end(), 0);
  Stalls.assign(Kernel.Operations.size(), 0);
  Periods.assign(Kernel.Loops.size(), 0);
  bool Waits = !Conditions.Without.contains(Term::Wait);
  for (unsigned I = 0; I < Ops.size(); ++I) {
    const Operation &Op = Kernel.Operations[I];
    if (!Op.wait())
      Ops[I].Latency = Costs.latency(Op, Conditions);
    else
      Ops[I].Latency = Waits ? P.WaitCycles[*Op.wait()] : 0;
  }
  const GpuModel &Gpu = Costs.gpu();
  FetchCycles = Conditions.IsFirst && Gpu.CodeLineFetch
                    ? Gpu.CodeLineFetch->value() /
                          Gpu.CodeLineInstructions.value_or(1) * Gpu.IssueRate
                    : 0;
  TranslationCycles =
      Conditions.IsFirst && Gpu.TlbWalk ? Gpu.TlbWalk->value() : 0;
  PageReady.assign(Kernel.Accesses.size() + 1, -1);
  RoundsLeft = CodeRounds;
  Ended = workExhausted();
  runBody(Kernel.Body, 1);
  spendWork(llvm::divideCeil(std::exchange(Unspent, 0), OperationsPerUnit));
  // The end of the kernel closes the segment behind the last barrier.
  if (Barriers && Clock.SegmentStart > 0)
    Clock.Cycle = lastArrival();
  return {Clock.Cycle, BarrierWait};
}

void WarpTimer::runBody(const std::vector<RegionNode> &Body, double Scale) {
  for (const RegionNode &I : Body)
    if (Ended)
      return;
    else if (I.Kind == RegionNode::IsLoop)
      runLoop(I.Index, Scale);
    else if (Schedule[I.Index].Hyperblock == I.Index)
      runBlock(I.Index, Schedule[I.Index].Copies, Scale);
}

void WarpTimer::repeat(const Mark &Begin, llvm::ArrayRef<unsigned> Blocks,
                       double Times, double Cycles) {
  double Shift = Cycles * Times;
  Clock.Cycle += Shift;
  for (double &Free : Clock.PipeFree)
    Free += Shift;
  // Values made inside become available later; what was pending from before
  // keeps its time.
  for (unsigned B : Blocks)
    for (unsigned I : Kernel.Blocks[B].operations())
      for (unsigned C = 0; C < Schedule[B].Copies; ++C)
        Ready[Ops[I].Ready + C] += Shift;
  if (Clock.SegmentStart != Begin.SegmentStart) {
    Clock.SegmentStart += Shift; // a barrier was passed inside
    return;
  }
  for (auto [Issued, IssuedBefore] :
       llvm::zip_equal(Clock.SegmentIssue, Begin.SegmentIssue))
    Issued += (Issued - IssuedBefore) * Times;
}

WarpTimer::Fork WarpTimer::fork(llvm::ArrayRef<unsigned> Blocks) const {
  Fork F{Clock, Blocks, {}};
  for (unsigned B : Blocks) {
    auto [Begin, End] = readyOf(B);
    F.Ready.insert(F.Ready.end(), &Ready[Begin], &Ready[End]);
  }
  return F;
}

void WarpTimer::join(const Fork &Other, double OtherShare) {
  const double *Before = Other.Ready.data();
  for (unsigned B : Other.Blocks) {
    auto [Begin, End] = readyOf(B);
    // A value that is available already counts as available now.
    for (unsigned I = Begin; I < End; ++I, ++Before)
      if (Ready[I] > Other.Clock.Cycle || *Before > Other.Clock.Cycle)
        Ready[I] = OtherShare * std::max(*Before, Other.Clock.Cycle) +
                   (1 - OtherShare) * std::max(Ready[I], Other.Clock.Cycle);
  }
  Clock.mix(Other.Clock, OtherShare);
}

std::pair<unsigned, unsigned> WarpTimer::readyOf(unsigned Block) const {
  const BasicBlock &B = Kernel.Blocks[Block];
  if (B.FirstOp == B.EndOp)
    return {0, 0};
  unsigned Begin = Ops[B.FirstOp].Ready;
  return {Begin, Begin + (B.EndOp - B.FirstOp) * Schedule[Block].Copies};
}

double WarpTimer::lastArrival() const {
  double Last = Clock.Cycle;
  for (double Issued : Clock.SegmentIssue)
    Last = std::max(Last, Clock.SegmentStart + Issued * WarpsPerScheduler);
  return Last;
}

void WarpTimer::passBarrier(double Latency, double Scale) {
  if (!Barriers)
    return;
  double LastArrival = lastArrival();
  BarrierWait += (LastArrival + Latency - Clock.Cycle) * Scale;
  Clock.Cycle = Clock.SegmentStart = LastArrival + Latency;
  Clock.SegmentIssue.fill(0);
}

bool WarpTimer::fetchesCode(unsigned Block) {
  if (FetchCycles <= 0 || RoundsLeft[Block] == 0)
    return false;
  --RoundsLeft[Block];
  ++Fetches;
  return true;
}

double WarpTimer::translated(unsigned Op, double Cycle) {
  std::optional<unsigned> Access = Kernel.Operations[Op].access();
  int Page = Access ? Costs.page(*Access) : -1;
  if (Page < 0)
    return Cycle;
  double &Translated = PageReady[Page];
  if (Translated < 0)
    Translated = Cycle + TranslationCycles;
  return std::max(Cycle, Translated);
}

double WarpTimer::issueOperation(const Step &S,
                                 llvm::ArrayRef<OperandSlot> Operands,
                                 double Cycle, double Weight) {
  const Slot &What = S.What;
  const OpTiming &Op = Ops[What.Op];
  double Earliest = Cycle;
  int WaitsFor = -1;
  for (const OperandSlot &In : Operands)
    if (Ready[In.Ready] > Earliest) {
      Earliest = Ready[In.Ready];
      WaitsFor = In.Producer;
    }
  Stalls[What.Op] += (Earliest - Cycle) * Weight;
  double &Done = Ready[S.Done];
  if (Observer && Executed > 0)
    Observer({What.Op, Earliest - Cycle, WaitsFor, Weight * Executed});
  if (Op.IsBarrier) {
    Clock.Cycle = Earliest;
    passBarrier(Op.Latency, Weight);
    return Done = Clock.Cycle;
  }
  Clock.SegmentIssue[static_cast<unsigned>(Op.On)] +=
      Op.Segment * (Op.IsOfSm ? IssueSmShare : IssueShare);
  Clock.SegmentIssue[static_cast<unsigned>(Pipe::Issue)] +=
      Op.Slots * IssueShare;
  if (DataStages[Op.Stage])
    Clock.SegmentIssue[NumPipes +
                       (Costs.gpu().L1UnifiedWithShared ? 0 : Op.Stage)] +=
        Op.StageCycles * SmShare;
  double &Free = Clock.PipeFree[static_cast<unsigned>(Op.On)];
  Cycle = std::max(Earliest, Free);
  Free = Cycle + Op.Hold;
  // The instructions outside the chain issue before its end; the compiler
  // fills the gaps inside the chain with other work, so the warp itself goes
  // on after the issue slots.
  double Start = TranslationCycles > 0 ? translated(What.Op, Cycle) : Cycle;
  Done = Start + (Op.Gap + Op.Latency) * Executed;
  if (Op.IsRetryLoop)
    return std::max(Done, Cycle + Op.Slots);
  return Cycle + Op.Slots + (Fetching ? Op.Slots * FetchCycles : 0);
}

void WarpTimer::enter(unsigned Block, double Share) {
  Executed = std::min(1.0, Path->BlockShare[Block] / Share);
  SmShare = Path->Participation.empty() ? Executed : Path->Participation[Block];
  SchedulerShare = std::max(SmShare, 1 / WarpsPerScheduler);
}

void WarpTimer::issue(const BlockPlan &Plan, double Share, double Weight) {
  const OperandSlot *All = Plan.Inputs.data();
  unsigned Begin = 0;
  double Cycle = Clock.Cycle;
  for (const Step &S : Plan.Steps) {
    if (Plan.IsPredicated)
      enter(S.Block, Share);
    Cycle = issueOperation(S, {All + Begin, All + S.End}, Cycle, Weight);
    Begin = S.End;
  }
  Clock.Cycle = Cycle;
}

template <bool WithStalls>
void WarpTimer::issuePlain(const BlockPlan &Plan, double Weight) {
  const OperandSlot *All = Plan.Inputs.data(), *In = All;
  double *ReadyAt = Ready.data(), *FreeAt = Clock.PipeFree.data();
  double Cycle = Clock.Cycle;
  for (const Step &S : Plan.Steps) {
    double Earliest = Cycle;
    for (const OperandSlot *End = All + S.End; In != End; ++In)
      Earliest = std::max(Earliest, ReadyAt[In->Ready]);
    if constexpr (WithStalls)
      Stalls[S.What.Op] += (Earliest - Cycle) * Weight;
    double &Free = FreeAt[static_cast<unsigned>(S.On)];
    Cycle = std::max(Earliest, Free);
    Free = Cycle + S.Hold;
    ReadyAt[S.Done] = Cycle + S.Gap + Ops[S.What.Op].Latency; // see above
    Cycle += S.Slots;
  }
  Clock.Cycle = Cycle;
}

/// Executes the first Copies of the laid-out iterations of a hyperblock.
void WarpTimer::runBlock(unsigned Index, unsigned Copies, double Scale) {
  double Share = std::min(1.0, Path->BlockShare[Index]);
  if (Share <= 0)
    return;
  const BlockSchedule &S = Schedule[Index];
  llvm::ArrayRef<unsigned> Blocks = hyperblock(Index);
  std::optional<Fork> Skipped;
  if (Share < 1)
    Skipped = fork(Blocks);
  const BlockPlan &Plan = plan(Index, Copies);
  Unspent += 1 + Plan.Steps.size();
  if (Unspent >= SpendInterval)
    Ended = !spendWork(std::exchange(Unspent, 0) / OperationsPerUnit);
  Fetching = fetchesCode(Index);
  enter(Index, Share);
  IssueShare = SchedulerShare;
  IssueSmShare = SmShare;
  if (HasBarrier || HasRetryLoop || Observer || Fetching ||
      TranslationCycles > 0 || Plan.IsPredicated)
    issue(Plan, Share, Share * Scale);
  else if (WithStalls)
    issuePlain<true>(Plan, Share * Scale);
  else
    issuePlain<false>(Plan, Share * Scale);
  if (Copies < S.Copies)
    for (unsigned I = Kernel.Blocks[Index].FirstOp;
         I < Kernel.Blocks[Blocks.back()].EndOp; ++I)
      if (!Ops[I].LoopOverhead)
        Ready[Ops[I].Ready + S.Copies - 1] = Ready[Ops[I].Ready + Copies - 1];
  if (Skipped)
    join(*Skipped, 1 - Share);
}

void WarpTimer::runRound(unsigned Loop, unsigned Copies, double Scale) {
  for (const SavedValue &V : Loops[Loop].Carries)
    Ready[V.Saved] = Ready[V.Ready];
  if (Loops[Loop].Single)
    runBlock(Kernel.Loops[Loop].Body[0].Index, Copies, Scale);
  else
    runBody(Kernel.Loops[Loop].Body, Scale);
}

unsigned WarpTimer::period(LoopTiming &L, unsigned Round) {
  std::vector<double> &State = L.State;
  State.resize(Clock.PipeFree.size() + L.Inputs.size());
  double *Next = State.data();
  auto pending = [&](double Time) {
    *Next++ = std::max(0.0, Time - Clock.Cycle);
  };
  for (double Free : Clock.PipeFree)
    pending(Free);
  for (unsigned I : L.Inputs)
    pending(Ready[I]);
  if (L.HasBarrier) {
    State.push_back(Clock.Cycle - Clock.SegmentStart);
    State.insert(State.end(), Clock.SegmentIssue.begin(),
                 Clock.SegmentIssue.end());
  }
  auto Equal = [&](const std::vector<double> &Other) {
    return std::equal(State.begin(), State.end(), Other.begin(),
                      [](double A, double B) {
                        return std::abs(A - B) <= 1e-7 * (1 + std::abs(A));
                      });
  };
  unsigned Period = 0;
  for (unsigned Lag = 1; Lag <= std::min(Round, MaxPeriod) && !Period; ++Lag)
    if (Equal(L.States[(Round - Lag) % MaxPeriod]))
      Period = Lag;
  std::swap(L.States[Round % MaxPeriod], State);
  return Period;
}

void WarpTimer::runRounds(unsigned Loop, double Rounds, double Scale) {
  LoopTiming &L = Loops[Loop];
  bool Innermost =
      llvm::all_of(Kernel.Loops[Loop].Body, [](const RegionNode &I) {
        return I.Kind == RegionNode::IsBlock;
      });
  unsigned Transient = Innermost ? MaxTransient : MaxOuterTransient;
  bool Steady = false;
  for (double Done = 0; Done < Rounds && !Ended;) {
    Mark Begin = Clock;
    unsigned FetchesBefore = Fetches;
    runRound(Loop, L.Copies, Scale);
    Periods[Loop] = (Clock.Cycle - Begin.Cycle) / L.Copies;
    Done += 1;
    if (Steady || Done == Rounds)
      continue;
    unsigned Length = period(L, unsigned(Done) - 1);
    // A round of new code has no like.
    if (Fetches != FetchesBefore || (!Length && Done < Transient))
      continue;
    Steady = true;
    if (!Length)
      Length = MaxPeriod;
    double Times = std::floor((Rounds - Done) / Length);
    if (Times < 2)
      continue;
    // Each round of the period stands for its later repetitions.
    double Start = Clock.Cycle;
    for (unsigned I = 0; I < Length; ++I) {
      Begin = Clock;
      runRound(Loop, L.Copies, Scale * Times);
      repeat(Begin, L.Blocks, Times - 1, Clock.Cycle - Begin.Cycle);
    }
    Periods[Loop] = (Clock.Cycle - Start) / (Times * Length * L.Copies);
    Done += Times * Length;
  }
}

/// Runs fewer iterations than a round lays out; a fractional number is
/// interpolated between the two integers around it.
void WarpTimer::runPartialRound(unsigned Loop, double Iterations,
                                double Scale) {
  double Whole = std::floor(Iterations + Epsilon);
  double Fraction = Iterations - Whole;
  if (Fraction <= Epsilon) {
    runRound(Loop, Whole, Scale);
    return;
  }
  Fork Fewer = fork(Loops[Loop].Blocks);
  if (Whole > 0) {
    runRound(Loop, Whole, Scale * (1 - Fraction));
    Fork Before = std::exchange(Fewer, fork(Loops[Loop].Blocks));
    join(Before, 1); // back to where both begin
  }
  runRound(Loop, Whole + 1, Scale * Fraction);
  join(Fewer, 1 - Fraction);
}

void WarpTimer::runTallLoop(unsigned Loop, double Trips, double Scale) {
  LoopTiming &L = Loops[Loop];
  if (InSteadyRound) {
    Mark Begin = Clock;
    runRound(Loop, 1, Scale * Trips);
    repeat(Begin, L.Blocks, Trips - 1, Periods[Loop]);
    return;
  }
  runRound(Loop, 1, Scale);
  for (unsigned B : L.Blocks)
    RoundsLeft[B] = 0;
  Mark Begin = Clock;
  InSteadyRound = true;
  runRound(Loop, 1, Scale * (Trips - 1));
  InSteadyRound = false;
  Periods[Loop] = Clock.Cycle - Begin.Cycle;
  // The second round took place once and counts Trips - 1 times.
  repeat(Begin, L.Blocks, Trips - 2, Periods[Loop]);
}

void WarpTimer::runTwoIterations(unsigned Loop, double Trips, double Scale) {
  Mark Begin = Clock;
  for (unsigned I = 0; I < 2; ++I)
    runRound(Loop, 1, Scale * Trips / 2);
  double Cycles = Clock.Cycle - Begin.Cycle;
  Periods[Loop] = Cycles / 2;
  repeat(Begin, Loops[Loop].Blocks, Trips / 2 - 1, Cycles);
}

void WarpTimer::runLoop(unsigned Index, double Scale) {
  double Share = std::min(1.0, Path->LoopShare[Index]);
  double Trips = Path->LoopTrips[Index];
  if (Share <= 0 || Trips <= 0)
    return;
  std::optional<Fork> Skipped;
  if (Share < 1)
    Skipped = fork(Loops[Index].Blocks);
  unsigned MaxHeight =
      InSteadyRound ? MaxRepeatingHeight - 1 : MaxRepeatingHeight;
  if (Loops[Index].Height > MaxHeight && Trips > 1) {
    runTallLoop(Index, Trips, Scale * Share);
  } else if (Rule == WalkRule::Published) {
    runTwoIterations(Index, Trips, Scale * Share);
  } else {
    double Copies = Loops[Index].Copies;
    double Rounds = std::floor(Trips / Copies + Epsilon);
    double PartialTrips = Trips - Rounds * Copies;
    runRounds(Index, Rounds, Scale * Share);
    if (PartialTrips > Epsilon)
      runPartialRound(Index, PartialTrips, Scale * Share);
  }
  if (Skipped)
    join(*Skipped, 1 - Share);
}

} // namespace gpuestimate
