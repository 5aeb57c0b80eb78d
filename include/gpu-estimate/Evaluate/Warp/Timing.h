/// \file
/// time(lat): cycles that one warp takes from its first to its last
/// instruction (Kleimenov & Popova 2021, time_WP), in-order and dependency
/// aware:
///
///   issue(k) = max(issue(k-1) + slot, pipe free, operands ready)
///   ready(k) = issue(k) + latency(k)
///
/// walked over the scheduled blocks of the loop tree along one sampled warp's
/// path. A loop is simulated until its state relative to the clock is that of
/// one of the last MaxPeriod iterations, and then repeats exactly (the max-plus
/// cycle mean; the paper unrolls two iterations and halves), so the cost does
/// not grow with trip counts. Loops that contain more than three levels of
/// loops are simulated for two rounds instead, so that the cost grows with the
/// size of a nest times its depth (runTallLoop()). A block or loop that a share
/// s of the executions enters leaves every clock at (1 - s) * t(skipped) +
/// s * t(entered). A predicated block of a hyperblock (Schedule.h) of which a
/// share s executes takes all its issue slots and holds its pipes as long as if
/// it were executed, and takes s of its latencies and of its passes through L1
/// and shared memory.
///
/// Barriers: all warps of a block leave together, so a segment between two
/// barriers lasts at least as long as the block's warps need to issue it:
///   segment >= max over pipes of warpsPerScheduler * issue cycles
/// For units that the schedulers share (load/store unit, data stages of shared
/// memory and L1) it is warps * cycles. Of a basic block that a part of the
/// warps executes, only these warps count (WarpPath::Participation), on each
/// scheduler at least the timed warp itself. The end of the kernel closes the
/// last segment: a block holds its place until its last warp has ended.
///
/// A wait (KernelModel::Waits) has the latency that the path gives it, and
/// holds no pipe: the exit of a loop that reads a clock is ready that long
/// after the clock was read first.
///
/// The first warp of a launch with cold caches also waits for each line of code
/// that it executes for the first time, and for the translation of the address
/// when it first accesses a page:
///   issue(k + 1) += line fetch * instructions(k) / instructions of a line
///   ready(k) = max(issue(k), translation ready) + latency(k)
#ifndef GPU_ESTIMATE_EVALUATE_WARP_TIMING_H
#define GPU_ESTIMATE_EVALUATE_WARP_TIMING_H

#include "gpu-estimate/Evaluate/Warp/Costs.h"
#include "gpu-estimate/Evaluate/Warp/Schedule.h"
#include <functional>

namespace gpuestimate {

struct WarpTime {
  double Cycles = 0;
  /// Part of Cycles spent at barriers (barrier latency and other warps).
  double BarrierCycles = 0;
};

/// One laid-out operation as a walk issues it.
struct IssuedOperation {
  unsigned Op = 0;   ///< index into KernelModel::Operations
  double Stall = 0;  ///< cycles that it waited for an operand
  int WaitsFor = -1; ///< the operation that produces that operand, or -1
  double Weight = 1; ///< executions that this one stands for
};

enum class WalkRule : uint8_t {
  OwnPipes, ///< as above
  /// Kleimenov & Popova 2021: an instruction's issue delay holds back the next
  /// instruction of the warp, whatever its pipe; a loop takes half the time of
  /// two iterations from its entry on, times the trip count (figure 3).
  Published,
};

class WarpTimer {
public:
  WarpTimer(const KernelModel &Kernel, const OperationCosts &Costs,
            const std::vector<BlockSchedule> &Schedule, unsigned WarpsPerBlock,
            WalkRule Rule = WalkRule::OwnPipes);

  WarpTime run(const WarpPath &Path, const WarpConditions &Conditions) {
    return walk(Path, Conditions, true);
  }
  /// run().Cycles alone, faster; leaves stalls() empty of meaning.
  double cycles(const WarpPath &Path, const WarpConditions &Conditions) {
    return walk(Path, Conditions, false).Cycles;
  }

  /// Called for every operation, in the order of issue.
  void observe(std::function<void(const IssuedOperation &)> Call) {
    Observer = std::move(Call);
  }

  /// Stall cycles spent waiting for operands, per operation, in the last run.
  const std::vector<double> &stalls() const { return Stalls; }

private:
  /// The clock at a point of the walk, to repeat or undo what follows it.
  struct Mark {
    double Cycle = 0;
    double SegmentStart = 0; ///< clock at the last barrier
    std::array<double, NumPipes> PipeFree{};
    /// Cycles since the last barrier: [pipe], then [data stage].
    std::array<double, NumPipes + 2> SegmentIssue{};
    void mix(const Mark &Other, double OtherShare);
  };
  /// The part of the walk's state that some blocks change.
  struct Fork {
    Mark Clock;
    llvm::ArrayRef<unsigned> Blocks;
    std::vector<double> Ready;
  };
  /// Where an operand's time is found.
  struct Input {
    enum KindType : uint8_t {
      Latest,       ///< another block's value: of its last copy
      SameCopy,     ///< of the same laid-out iteration
      PreviousCopy, ///< of the iteration before, in this round or the last
      Previous,     ///< of the carrying loop's previous iteration
      Overhead,     ///< made once per round, in the last copy
    } Kind = Latest;
    unsigned Ready = 0;    ///< of the producer's first copy
    unsigned Last = 0;     ///< number of its last copy
    unsigned Saved = 0;    ///< index into Ready, too
    unsigned Producer = 0; ///< operation
  };
  /// Where one execution of a block reads an operand.
  struct OperandSlot {
    unsigned Ready = 0;    ///< index
    unsigned Producer = 0; ///< operation
  };
  struct OpTiming {
    Pipe On = Pipe::Issue;
    bool LoopOverhead = false, IsBarrier = false;
    bool IsRetryLoop = false; ///< compare-and-swap: the warp stays in it
    double Hold = 0;          ///< cycles of the pipe
    double Slots = 0;         ///< issue cycles
    double Gap = 0;           ///< instructions in front of the dependent chain
    double Segment = 0;       ///< Hold as all warps of a scheduler add up
    double StageCycles = 0;   ///< of the data stage, as all warps add up
    unsigned Stage = 0;       ///< data stage: 0 shared memory, 1 L1
    bool IsOfSm = false;      ///< the schedulers share its pipe
    double Latency = 0;       ///< in this run
    unsigned Ready = 0;       ///< of the first copy
    unsigned FirstInput = 0, EndInput = 0;
  };
  /// A value that a loop's next iteration reads after it was overwritten.
  struct SavedValue {
    unsigned Ready = 0, Saved = 0;
  };
  /// A slot with the costs of its operation that most walks need.
  struct Step {
    Slot What;
    unsigned Block; ///< of the operation
    unsigned Done;  ///< index into Ready
    Pipe On;
    double Hold, Slots, Gap;
    unsigned End; ///< of its operands in BlockPlan::Inputs
  };
  /// The operations that one execution of a hyperblock issues.
  struct BlockPlan {
    std::vector<Step> Steps;
    bool IsPredicated = false; ///< a block that is not its first is
    std::vector<OperandSlot> Inputs;
  };
  /// Longest period, in rounds, that is looked for: two values that are
  /// swapped in each iteration have period 2.
  static constexpr unsigned MaxPeriod = 4;
  struct LoopTiming {
    std::vector<unsigned> Blocks; ///< all inside
    std::vector<SavedValue> Carries;
    std::vector<unsigned> Inputs; ///< Ready indices that its operations read
    bool HasBarrier = false;
    unsigned Height = 0;                     ///< levels of loops inside
    unsigned Copies = 1;                     ///< iterations of one round
    bool Single = false;                     ///< the body is one hyperblock
    std::vector<std::vector<double>> States; ///< of the last rounds
    std::vector<double> State;               ///< of this one
  };

  unsigned save(unsigned Loop, unsigned Producer);
  /// Executed: the first copies, which this round executes.
  const BlockPlan &plan(unsigned Block, unsigned Executed);
  static unsigned find(const Input &In, unsigned Copy, unsigned Executed);
  void addInputs(unsigned Op);
  llvm::ArrayRef<Input> inputs(const OpTiming &Op) const {
    return llvm::ArrayRef(Inputs).slice(Op.FirstInput,
                                        Op.EndInput - Op.FirstInput);
  }
  void runBody(const std::vector<RegionNode> &Body, double Scale);
  void runBlock(unsigned Index, unsigned Copies, double Scale);
  void runLoop(unsigned Index, double Scale);
  void runRound(unsigned Loop, unsigned Copies, double Scale);
  void runRounds(unsigned Loop, double Rounds, double Scale);
  void runPartialRound(unsigned Loop, double Iterations, double Scale);
  /// Simulates a loop around many levels of loops for two rounds; the second
  /// stands for all later ones. Inside the second round every tall loop makes
  /// one round, which may wait for values from outside, and continues with its
  /// earlier period. So a nest of depth d simulates a loop at most d times.
  void runTallLoop(unsigned Loop, double Trips, double Scale);
  void runTwoIterations(unsigned Loop, double Trips, double Scale);
  /// Rounds since the loop was last in its present state, 0 if it was in none
  /// of the last MaxPeriod rounds; stores the state.
  unsigned period(LoopTiming &L, unsigned Round);
  WarpTime walk(const WarpPath &Path, const WarpConditions &Conditions,
                bool WithStalls);
  /// The blocks that are laid out with Block, its first.
  llvm::ArrayRef<unsigned> hyperblock(unsigned Block) const {
    return llvm::ArrayRef(BlockNumbers).slice(Block, HyperblockSize[Block]);
  }
  /// Sets what an operation of Block counts, in a hyperblock of which a share
  /// of Share executes.
  void enter(unsigned Block, double Share);
  /// Issues S at Now or later; returns the clock after it.
  double issueOperation(const Step &S, llvm::ArrayRef<OperandSlot> Operands,
                        double Cycle, double Weight);
  void issue(const BlockPlan &Plan, double Share, double Weight);
  /// Whether the next round of a block executes new code.
  bool fetchesCode(unsigned Block);
  /// When the translation of the page is known that Op accesses Now.
  double translated(unsigned Op, double Cycle);
  /// issue() for kernels without barriers and walks without an observer.
  template <bool WithStalls>
  void issuePlain(const BlockPlan &Plan, double Weight);
  /// When the block's last warp has issued what follows the last barrier.
  double lastArrival() const;
  void passBarrier(double Latency, double Scale);
  /// Advances the clock as if the part of Blocks that ran since Begin ran Times
  /// times more, Cycles each.
  void repeat(const Mark &Begin, llvm::ArrayRef<unsigned> Blocks, double Times,
              double Cycles);
  /// Indices of a block's values in Ready, [first, second).
  std::pair<unsigned, unsigned> readyOf(unsigned Block) const;
  Fork fork(llvm::ArrayRef<unsigned> Blocks) const;
  /// Sets every clock to OtherShare * Other + (1 - OtherShare) * clock. Other
  /// was forked earlier or from the same point.
  void join(const Fork &Other, double OtherShare);

  const KernelModel &Kernel;
  const OperationCosts &Costs;
  const std::vector<BlockSchedule> &Schedule;
  WalkRule Rule;
  double WarpsPerScheduler;
  bool HasBarrier = false, HasRetryLoop = false;
  std::function<void(const IssuedOperation &)> Observer;

  std::vector<OpTiming> Ops;
  std::vector<Input> Inputs; ///< of all operations, in their order
  std::vector<int> LoopOfBlock;
  std::vector<unsigned> BlockOf; ///< operation -> block
  std::vector<LoopTiming> Loops;
  std::vector<unsigned> BlockNumbers;   ///< 0, 1, 2, ...
  std::vector<unsigned> HyperblockSize; ///< [block] blocks, of its first
  /// [block][executed copies - 1], made when they are first needed
  std::vector<std::vector<BlockPlan>> Plans;

  /// Cycles that fetching the code of one issue cycle takes, and a translation;
  /// 0 where the warp is not the first.
  double FetchCycles = 0, TranslationCycles = 0;
  bool Fetching = false; ///< the code that is being executed
  /// Part of the thread block's warps that issue the hyperblock that is being
  /// executed: those of one scheduler, and of the multiprocessor.
  double IssueShare = 1, IssueSmShare = 1;
  /// Of the block: part of the thread block's warps that count on pipes of one
  /// scheduler, and on those that all schedulers share; part of the issued
  /// operations whose predicate is true.
  double SchedulerShare = 1, SmShare = 1, Executed = 1;
  std::vector<double> PageReady;    ///< [page] negative: not yet accessed
  std::vector<unsigned> CodeRounds; ///< [block] rounds that execute new code
  std::vector<unsigned> RoundsLeft; ///< of CodeRounds, in this walk
  unsigned Fetches = 0;             ///< blocks whose code was fetched

  const WarpPath *Path = nullptr;
  bool Barriers = true;             ///< the term is on
  std::array<bool, 2> DataStages{}; ///< the terms are on
  bool WithStalls = true;
  bool InSteadyRound = false; ///< inside the second round of a tall loop
  bool Ended = false;         ///< the budget of work is exhausted
  unsigned Unspent = 0;       ///< simulated operations not yet spent
  Mark Clock;
  double BarrierWait = 0;
  /// [operation's first + copy], then values of previous iterations
  std::vector<double> Ready;
  std::vector<double> Stalls, Periods;
};

} // namespace gpuestimate

#endif
