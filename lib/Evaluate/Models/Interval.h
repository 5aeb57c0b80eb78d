/// \file
/// The model `interval`: GPUMech (J.-C. Huang, J. H. Lee, H. Kim, H.-H. S. Lee,
/// MICRO 2014), as its slides and published re-implementations state it. One
/// representative warp is profiled alone; its time is cut into intervals, a run
/// of instructions that issue back to back (k_i) and the stall behind it
/// (stall_i). All W warps are taken to have these intervals.
///
///   issue_prob p = insts / (insts / rate + stalls), of the whole warp
///   instructions that the stall of interval i does not hide:
///     round robin:         ((k_i - 1) (W - 1) + max(0, W - 1 - rate stall_i))
///     p greedy then oldest:  max(0, q_i (W - 1) mean(k) - rate stall_i),
///                          q_i = min(1, p stall_i), 1 without a stall
///   misses of L1 in flight (M entries), R_i = missing reads_i W > M:
///     delay_i = L_miss (mean over j = 1..R_i of ceil(j / M) - 1),
///     L_miss = (1 - m2) L2 + m2 DRAM
///   queue of DRAM, S cycles for a transaction of the chip:
///     Q_i = (min(reads_i W, M) + writes_i W) SMs,  rho = Q_i S / (k_i/rate +
///     stall_i);  rho < 1: M/D/1, lambda S^2 / (2 (1 - rho)), at most the
///     Q_i S / 2 that holds above 1: no more than all can be in front
///   cycles = insts/rate + stalls + nonhiding/rate + sum of the delays
///   CPI of the multiprocessor = cycles / (insts W)
///
/// The models that the paper compares it with:
///   interval-naive   "single-warp IPC * warps", at most the issue rate
///   interval-markov  Chen & Aamodt (HPCA 2009): a warp that issues stalls with
///     probability insts of a stall = intervals / insts, and a stalled one is
///     ready again with 1 / (mean stall) in each cycle. The scheduler issues in
///     every cycle in which not all W warps are stalled.
///   multithreading without DRAM's queue, and without that of misses, too:
///     `--without dram-queue,outstanding`
///
/// The sum is the CPI stack: issue (with what is not hidden), stalls by what
/// the next instruction waits for, the two queues.
///
/// Where the GPU has several schedulers each has its share of the warps (as
/// GCoM, ISCA 2022, does); misses and DRAM see all of them.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_INTERVAL_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_INTERVAL_H

#include "WarpProfile.h"
#include <cmath>

namespace gpuestimate {

/// One multiprocessor and its share of the chip.
struct IntervalMachine {
  double IssueRate = 1; ///< instructions per cycle of a scheduler
  double Schedulers = 1;
  double Warps = 1;             ///< W of the multiprocessor
  double Entries = INFINITY;    ///< M: misses of L1 in flight
  double MissLatency = 0;       ///< L_miss, cycles
  double TransactionCycles = 0; ///< S: one line of DRAM, of the chip
  double Multiprocessors = 1;   ///< that are in use
  WarpOrder Order = WarpOrder::GreedyThenOldest;

  double warpsPerScheduler() const;
};

/// p
double issueProbability(const WarpProfile &P, double IssueRate);
/// Instructions that do not hide in the stall of one interval.
double nonHidingRoundRobin(const WarpInterval &I, double Warps,
                           double IssueRate, double IssueProbability);
double nonHidingGreedy(const WarpInterval &I, double Warps, double IssueRate,
                       double IssueProbability, double MeanInstructions);
/// Mean wait of Requests misses for one of Entries, in miss latencies.
double missQueue(double Requests, double Entries);
/// Mean wait for DRAM, cycles: Requests of S cycles each that come within an
/// interval of Cycles.
double dramQueue(double Requests, double S, double Cycles);

/// Cycles of one multiprocessor for W warps, by cause.
struct IntervalStack {
  double Issue = 0, NonHiding = 0;
  StallCycles Stalls;
  double MissQueue = 0, DramQueue = 0;
  /// What the busiest pipe needs beyond all that.
  double Pipes = 0;
  double cycles() const;
};
IntervalStack intervalStack(const WarpProfile &P, const IntervalMachine &M);

/// Part of the cycles in which a scheduler with Warps warps can issue, if one
/// that issues stalls with probability Stalls and a stalled one stays so with
/// mean length StallCycles. Stationary state of the chain of the number of
/// stalled warps; Warps is rounded to 1 to MaxChainWarps.
double markovUtilisation(double Warps, double Stalls, double StallCycles);
inline constexpr unsigned MaxChainWarps = 64;

/// As interval, where other warps only take turns with the representative one:
/// no queue of misses or of DRAM.
llvm::Error fillNaiveInterval(Prediction &P, const ModelInputs &In);
llvm::Error fillMarkovChain(Prediction &P, const ModelInputs &In);

/// Where nobody knows how many misses a GPU can have in flight, none of them
/// waits for an entry, and a premise says so.
llvm::Error fillInterval(Prediction &P, const ModelInputs &In);

} // namespace gpuestimate

#endif
