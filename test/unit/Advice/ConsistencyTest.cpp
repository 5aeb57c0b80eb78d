/// \file
/// Every rule of the checks at the borders of rooms finds a record that breaks
/// it.
#include "gpu-estimate/Model/Result/Consistency.h"
#include "gpu-estimate/Advice/Tuning.h"
#include "gpu-estimate/Model/Kernel/ExecutedConsistency.h"
#include "gpu-estimate/Support/Invariants.h"
#include "gtest/gtest.h"
#include <functional>
#include <limits>

using namespace gpuestimate;

namespace {

constexpr double Infinite = std::numeric_limits<double>::infinity();

/// A record that keeps all rules, and one change for each rule.
template <class Record>
void expectEachFound(
    const Record &Good, std::function<std::string(const Record &)> Check,
    std::vector<std::pair<const char *, std::function<void(Record &)>>>
        Breaks) {
  EXPECT_EQ(Check(Good), "");
  for (const auto &[Violation, Break] : Breaks) {
    Record Bad = Good;
    Break(Bad);
    EXPECT_NE(Check(Bad).find(Violation), std::string::npos)
        << Violation << " is told as: " << Check(Bad);
  }
}

TEST(Consistency, PredictionsAreFinished) {
  Prediction P;
  P.Used.Grid = {8, 1, 1};
  P.Used.Block = {64, 1, 1};
  P.Bottleneck = "dram";
  P.Occ.BlocksPerSm = 2;
  P.Count.WarpInstructions = 30;
  P.Count.ByClass[0] = 10;
  P.Count.ByClass[1] = 20;
  P.Count.L2Bytes = 300;
  P.Count.DramBytes = 100;
  P.Count.DramReadBytes = 60;
  P.Count.DramWriteBytes = 40;
  AccessReport A;
  A.Space = "global";
  A.Kind = "load";
  A.L2Bytes = 300;
  A.DramReadBytes = 60;
  P.Accesses = {A};
  LineCost Line;
  Line.Share = 0.5;
  Line.Parts = {{"dram", 0.3}, {"launch", 0.2}};
  P.Lines = {Line};
  Assumption N;
  N.What = "n";
  N.Why = "not given";
  N.Value = N.Low = N.High = 4;
  P.Assumptions = {N};
  P.Interval = TimeInterval();
  P.Latencies = {{"l2", Cycles(200), Cycles(250), 0, true}};
  expectEachFound<Prediction>(
      P, checkFinished,
      {{"the number of instructions",
        [](Prediction &B) { B.Count.ByClass[0] = 11; }},
       {"a count of instructions",
        [](Prediction &B) { B.Count.ByClass[2] = -1; }},
       {"DRAM traffic", [](Prediction &B) { B.Count.DramBytes = 99; }},
       {"the L2 traffic of accesses",
        [](Prediction &B) { B.Accesses[0].L2Bytes = 301; }},
       {"the DRAM reads of accesses",
        [](Prediction &B) { B.Accesses[0].DramReadBytes = 61; }},
       {"the L1 hits", [](Prediction &B) { B.Accesses[0].L1Hit = -278; }},
       {"no scope or kind", [](Prediction &B) { B.Accesses[0].Space = ""; }},
       {"lanes on one address",
        [](Prediction &B) { B.Accesses[0].LanesOnOneAddress = 33; }},
       {"the share of", [](Prediction &B) { B.Lines[0].Share = 0.6; }},
       {"not in the order",
        [](Prediction &B) {
          B.Lines.push_back(B.Lines[0]);
          B.Lines[1].Share = 0.6;
          B.Lines[1].Parts[0].second = 0.4;
        }},
       {"does not hold its value",
        [](Prediction &B) { B.Assumptions[0].Low = 5; }},
       {"does not hold 1",
        [](Prediction &B) { B.Assumptions[0].Effect.High = 0.9; }},
       {"no number",
        [](Prediction &B) { B.Assumptions[0].Sensitivity = Infinite; }},
       {"the share of all assumptions",
        [](Prediction &B) {
          B.Assumptions[0].Share = 0.7;
          B.Assumptions.push_back(B.Assumptions[0]);
        }},
       {"the interval", [](Prediction &B) { B.Interval->Model.Low = 2; }},
       {"a size of the launch", [](Prediction &B) { B.Used.Grid[1] = 0; }},
       {"nothing bounds", [](Prediction &B) { B.Bottleneck.clear(); }},
       {"the idle latency",
        [](Prediction &B) { B.Latencies[0].Loaded = Cycles(199); }}});
}

TEST(Consistency, FindingsSaveNoMoreThanAll) {
  Finding F;
  F.Group = "tail";
  F.Id = "tail";
  F.Problem = "the last wave is half empty";
  F.Gain = 0.4;
  auto Check = [](const Finding &Of) { return checkFindings(Of); };
  expectEachFound<Finding>(
      F, Check,
      {{"saves more than all", [](Finding &B) { B.Gain = 1.5; }},
       {"saves more than all", [](Finding &B) { B.EnergyGain = Infinite; }},
       {"no group", [](Finding &B) { B.Group.clear(); }}});
}

TEST(Consistency, TotalsAreTheSumsOfTheirParts) {
  Analysis A;
  SequenceTotal T;
  T.Name = "step";
  T.Time = Seconds(10);
  T.KernelTime = Seconds(6);
  T.CopyTime = Seconds(3);
  T.IdleTime = Seconds(2);
  T.Launches = 3;
  T.Parts = {{"k", "k", 1, Seconds(1)}, {"l", "l", 2, Seconds(5)}};
  A.SequenceTotals = {T};
  BudgetCheck B;
  B.Name = "k";
  B.Time = Seconds(3);
  B.Interval = {Seconds(2), Seconds(4)};
  B.Terms = {{"dram", Seconds(2)}, {"launch", Seconds(1)}};
  A.Budgets = {B};
  expectEachFound<Analysis>(
      A, checkTotals,
      {{"the number of launches",
        [](Analysis &Bad) { Bad.SequenceTotals[0].Launches = 4; }},
       {"a time of step",
        [](Analysis &Bad) { Bad.SequenceTotals[0].CopyTime = Seconds(11); }},
       {"the time of step",
        [](Analysis &Bad) { Bad.SequenceTotals[0].IdleTime = Seconds(0); }},
       {"the time of k",
        [](Analysis &Bad) { Bad.Budgets[0].Terms.pop_back(); }},
       {"does not hold its time",
        [](Analysis &Bad) { Bad.Budgets[0].Interval->first = Seconds(3.5); }},
       {"has no reason",
        [](Analysis &Bad) { Bad.Unresolveds.emplace_back(); }}});
}

TEST(Consistency, ExecutedWarpsAreOfTheKernel) {
  KernelModel Kernel;
  Kernel.Blocks.resize(1);
  ExecutedLaunch E;
  E.Blocks = 1;
  ExecutedWarp Warp;
  Warp.BlockShare = {0.5};
  E.Warps = {Warp};
  E.Counts = {{2, 64, 8}};
  ExecutedReuse Reuse;
  Reuse.AmongAll.Classes = {{32, 1}, {64, 2}};
  Reuse.AmongAll.Footprint = 8;
  Reuse.AmongAll.Union = 6;
  E.Reuse = {Reuse};
  E.TracedWarps = E.RepresentedWarps = 1;
  auto Check = [&](const ExecutedLaunch &Of) {
    return checkExecuted(Of, Kernel);
  };
  expectEachFound<ExecutedLaunch>(
      E, Check,
      {{"another kernel", [](ExecutedLaunch &B) { B.Blocks = 2; }},
       {"of another kernel",
        [](ExecutedLaunch &B) { B.Warps[0].LoopTrips = {1}; }},
       {"the share of a block",
        [](ExecutedLaunch &B) { B.Warps[0].BlockShare = {1.5}; }},
       {"stands for no warp", [](ExecutedLaunch &B) { B.Warps[0].Weight = 0; }},
       {"the lanes of requests",
        [](ExecutedLaunch &B) { B.Counts[0].Lanes = 129; }},
       {"a reuse distance",
        [](ExecutedLaunch &B) { B.Reuse[0].AmongAll.Classes[1].Bytes = 16; }},
       {"no other block",
        [](ExecutedLaunch &B) { B.Reuse[0].AmongAll.Union = 9; }},
       {"traced warps", [](ExecutedLaunch &B) { B.TracedWarps = 2; }}});
}

TEST(Consistency, RanksRiseWithTimes) {
  Tuning T;
  T.Names = {{"n", {"1", "2"}}};
  for (uint32_t Choice : {0, 1}) {
    TunedConfiguration &C = T.Ranked.emplace_back();
    C.Time = Seconds(1 + Choice);
    C.Choice = {Choice};
  }
  T.rank();
  expectEachFound<Tuning>(
      T, checkRanking,
      {{"a later rank", [](Tuning &B) { B.Ranked[1].Time = Seconds(0.5); }},
       {"no rank", [](Tuning &B) { B.Ranked[0].Rank = 0; }},
       {"no value of n", [](Tuning &B) { B.Ranked[0].Choice = {2}; }},
       {"other names", [](Tuning &B) { B.Names.clear(); }}});
}

TEST(ConsistencyDeathTest, AViolationEndsTheProcess) {
  setenv("GPU_ESTIMATE_CHECK", "1", 1);
  EXPECT_EXIT(atBorder("record", [] { return "it is empty"; }),
              testing::ExitedWithCode(70),
              "internal error: the record is inconsistent: it is empty");
}

} // namespace
