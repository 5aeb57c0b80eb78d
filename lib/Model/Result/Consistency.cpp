#include "gpu-estimate/Model/Result/Consistency.h"

#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

using NamedFractions = std::vector<std::pair<std::string, double>>;

/// The sum of fractions, each of them from 0 to 1.
static double sumOf(InvariantList &Rules, StringRef What,
                    const NamedFractions &All) {
  double Sum = 0;
  for (const auto &[Name, Fraction] : All) {
    Rules.fraction(What + " " + Name, Fraction);
    Sum += Fraction;
  }
  return Sum;
}

std::string checkConsistency(const Prediction &P, bool Explained) {
  InvariantList Rules;
  Rules.amount("the time", P.Time.value());
  Rules.amount("the launch overhead", P.LaunchOverhead.value());
  Rules.amount("the execution", P.Execution.value());
  Rules.sum("the time", (P.LaunchOverhead + P.Execution).value(),
            P.Time.value());
  double Breakdown = sumOf(Rules, "the breakdown's", P.Breakdown);
  if (Explained)
    Rules.sum("the breakdown", Breakdown, 1);
  double OfLines = sumOf(Rules, "beside lines,", P.OffLine);
  for (const LineCost &Line : P.Lines)
    OfLines += Line.Share;
  if (!P.Lines.empty())
    Rules.sum("the time of all lines", OfLines, 1);
  for (const Bound &B : P.Bounds)
    Rules.amount("bound " + B.Name, B.Time.value());
  Rules.fraction("the hit rate of L1", P.L1HitRate);
  Rules.fraction("the hit rate of L2", P.L2HitRate);
  Rules.fraction("the occupancy", P.Occ.Fraction);
  double Energy = sumOf(Rules, "of the energy,", P.Power.Breakdown);
  if (P.Power.Board) {
    Rules.amount("the power", P.Power.Board->value());
    Rules.sum("the energy", Energy, 1);
  }
  return Rules.take();
}

static void checkCounts(InvariantList &Rules, const Counts &C) {
  for (const auto &[Name, Count] : namedCounts(C))
    Rules.amount(Name, Count);
  double Instructions = 0;
  for (double Count : C.ByClass) {
    Rules.amount("a count of instructions", Count);
    Instructions += Count;
  }
  Rules.sum("the number of instructions", Instructions, C.WarpInstructions);
  Rules.sum("DRAM traffic", C.DramReadBytes + C.DramWriteBytes, C.DramBytes);
}

/// Sums of accesses are those of the launch.
static void checkAccesses(InvariantList &Rules, const Prediction &P) {
  double L2 = 0, Reads = 0, Writes = 0;
  for (const AccessReport &A : P.Accesses) {
    std::string Name = "the access at " + A.Location.brief();
    Rules.require(!A.Space.empty() && !A.Kind.empty(),
                  Name + " has no scope or kind");
    for (double Amount : {A.Requests, A.SectorsPerRequest, A.PassesPerRequest,
                          A.L2Bytes, A.DramReadBytes, A.DramWriteBytes})
      Rules.amount("of " + Name + " a count", Amount);
    Rules.fraction("the L1 hits of " + Name, A.L1Hit);
    Rules.fraction("the L2 hits of " + Name, A.L2Hit);
    Rules.within("the number of lanes on one address of " + Name,
                 A.LanesOnOneAddress, P.WarpSize);
    L2 += A.L2Bytes;
    Reads += A.DramReadBytes;
    Writes += A.DramWriteBytes;
  }
  Rules.within("the L2 traffic of accesses", L2, P.Count.L2Bytes);
  Rules.within("the DRAM reads of accesses", Reads, P.Count.DramReadBytes);
  Rules.within("the DRAM writes of accesses", Writes, P.Count.DramWriteBytes);
}

static void checkLines(InvariantList &Rules, const Prediction &P) {
  double Energy = 0;
  for (const LineCost &Line : P.Lines) {
    std::string Name = Line.Where.brief();
    Rules.fraction("the share of " + Name, Line.Share);
    Rules.sum("the share of " + Name, sumOf(Rules, Name, Line.Parts),
              Line.Share);
    Energy += Line.EnergyShare;
  }
  Rules.fraction("the energy of all lines", Energy);
  Rules.require(
      is_sorted(P.Lines, [](const LineCost &A,
                            const LineCost &B) { return A.Share > B.Share; }),
      "lines are not in the order of their shares");
  for (const DivergenceReport &D : P.Divergence) {
    Rules.fraction("the time of a divergent part", D.TimeShare);
    Rules.within("the number of active lanes", D.ActiveLanes, P.WarpSize);
  }
}

static bool holdsOne(const TimeFactors &Range) {
  return Range.Low > 0 && Range.Low <= 1 + SumTolerance &&
         Range.High >= 1 - SumTolerance && std::isfinite(Range.High);
}

static void checkAssumptions(InvariantList &Rules, const Prediction &P) {
  double Shares = 0;
  for (const Assumption &A : P.Assumptions) {
    Rules.require(!A.What.empty() && !A.Why.empty(),
                  "an assumption does not say what it is, or why");
    Rules.require(std::isfinite(A.Value) && std::isfinite(A.Sensitivity),
                  "the assumption " + A.What + " is no number");
    Rules.require(A.Low <= A.Value && A.Value <= A.High,
                  "the range of " + A.What + " does not hold its value");
    Rules.require(holdsOne(A.Effect),
                  "the effect of " + A.What + " does not hold 1");
    Rules.fraction("the share of " + A.What, A.Share);
    Shares += A.Share;
  }
  Rules.fraction("the share of all assumptions", Shares);
  if (P.Interval)
    Rules.require(holdsOne(P.Interval->Model) && holdsOne(P.Interval->Inputs),
                  "the interval does not hold the time");
}

std::string checkFinished(const Prediction &P) {
  InvariantList Rules;
  checkCounts(Rules, P.Count);
  checkAccesses(Rules, P);
  checkLines(Rules, P);
  checkAssumptions(Rules, P);
  Rules.amount("the number of launches", P.Repeats);
  for (uint64_t Size : {P.Used.blocks(), P.Used.threadsPerBlock(),
                        uint64_t(P.Occ.BlocksPerSm), uint64_t(P.WarpSize)})
    Rules.require(Size > 0, "a size of the launch is 0");
  Rules.amount("the number of waves", P.Occ.Waves);
  Rules.require(!P.Bottleneck.empty(), "nothing bounds the time");
  for (const LevelLatency &L : P.Latencies)
    Rules.within("the idle latency of " + L.Level, L.Idle.value(),
                 L.Loaded.value());
  return Rules.take();
}

std::string checkFindings(ArrayRef<Finding> Findings) {
  InvariantList Rules;
  for (const Finding &F : Findings) {
    Rules.require(!F.Group.empty() && !F.Id.empty() && !F.Problem.empty(),
                  "a finding has no group, id or problem");
    for (std::optional<double> Gain : {F.Gain, F.EnergyGain})
      Rules.require(!Gain || (std::isfinite(*Gain) && *Gain <= 1),
                    "the change of " + F.Id + " saves more than all");
  }
  return Rules.take();
}

static void checkSequence(InvariantList &Rules, const SequenceTotal &T) {
  double Launches = 0;
  for (const FunctionTotal::Part &Part : T.Parts) {
    Rules.amount("the time of " + Part.Name, Part.Time.value());
    Launches += Part.Launches;
  }
  Rules.sum("the number of launches of " + T.Name, Launches, T.Launches);
  double Time = T.Time.value();
  for (Seconds Part : {T.KernelTime, T.CopyTime, T.IdleTime}) {
    Rules.amount("a time of " + T.Name, Part.value());
    Rules.within("a time of " + T.Name, Part.value(), Time);
  }
  // Kernels and copies may run at once.
  Rules.within("the time of " + T.Name, Time,
               (T.KernelTime + T.CopyTime + T.IdleTime).value());
}

std::string checkTotals(const Analysis &A) {
  InvariantList Rules;
  for (const SequenceTotal &T : A.SequenceTotals)
    checkSequence(Rules, T);
  for (const BudgetCheck &B : A.Budgets) {
    double Terms = 0;
    for (const auto &[Name, Time] : B.Terms)
      Terms += Time.value();
    if (B.Time && !B.Terms.empty())
      Rules.sum("the time of " + B.Name, Terms, B.Time->value());
    Rules.require(
        !B.Interval || !B.Time ||
            (B.Interval->first <= *B.Time && *B.Time <= B.Interval->second),
        "the interval of " + B.Name + " does not hold its time");
  }
  for (const Unresolved &U : A.Unresolveds)
    Rules.require(!U.Reason.empty(), "'" + U.Name + "' has no reason");
  return Rules.take();
}

} // namespace gpuestimate
