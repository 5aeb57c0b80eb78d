#include "gpu-estimate/Timeline/RunReport.h"

#include "gpu-estimate/Support/Invariants.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

/// [record] the call in RunReport::Calls that put its work into a stream. Nodes
/// of a graph belong to the call that launched the graph.
static std::vector<std::optional<size_t>>
callsOf(const TimelineResult &Result, ArrayRef<const RunRecord *> Records) {
  std::vector<std::optional<size_t>> Calls(Records.size());
  size_t Number = 0;
  for (const TimelineCall &C : Result.Calls)
    if (!Records[C.Record]->Call.empty())
      Calls[C.Record] = Number++;
  std::optional<size_t> Graph;
  for (auto [I, R] : enumerate(Records)) {
    if (const auto *G = std::get_if<RunGraphLaunch>(&R->What))
      Graph = G->Begin ? Calls[I] : std::nullopt;
    else if (Graph)
      Calls[I] = Graph;
  }
  return Calls;
}

static RunReportLaunch launchOf(const RunRecord &R) {
  RunReportLaunch Launch;
  if (const auto *L = std::get_if<RunLaunch>(&R.What)) {
    Launch.Grid = L->Grid;
    Launch.Block = L->Block;
    Launch.DynamicSharedBytes = L->DynamicSharedBytes;
    Launch.Executed = L->Executed;
  }
  return Launch;
}

RunReport makeRunReport(const TimelineResult &Result,
                        ArrayRef<const RunRecord *> Records,
                        function_ref<size_t(size_t)> EstimateOf) {
  RunReport Report;
  Report.Totals = Result.Totals;
  Report.CriticalPath = Result.CriticalPath;
  Report.Assumptions = Result.Assumptions;
  for (const TimelineCall &C : Result.Calls)
    if (const RunRecord &R = *Records[C.Record]; !R.Call.empty())
      Report.Calls.push_back({R.Call, R.Thread, C.StartNs, C.EndNs, C.WaitNs});
  auto Calls = callsOf(Result, Records);
  for (const TimelineOperation &O : Result.Operations) {
    if (O.Kind == OperationKind::Kernel) {
      RunReportLaunch &L =
          Report.Launches.emplace_back(launchOf(*Records[O.Record]));
      L.Estimate = EstimateOf(O.Record);
      L.Stream = O.Stream;
      L.InGraph = O.InGraph;
      L.Call = Calls[O.Record];
      L.StartNs = O.StartNs;
      L.EndNs = O.EndNs;
    } else if (O.Kind != OperationKind::Marker &&
               O.Kind != OperationKind::HostFunction) {
      Report.Copies.push_back({O.Kind, O.Bytes, O.Pinned, O.Migration, O.Stream,
                               Calls[O.Record], O.StartNs, O.EndNs});
    }
  }
  for (const RunRecord *R : Records)
    if (const auto *Exit = std::get_if<RunExit>(&R->What))
      Report.ExitStatus = Exit->Status;
  return Report;
}

/// Work that is not of a graph starts in a stream after what was issued before.
template <class Work>
static void checkOrder(InvariantList &Rules, ArrayRef<Work> All) {
  DenseMap<RunHandle, double> StreamEnd;
  for (const Work &W : All) {
    Rules.amount("the start of an operation", W.StartNs);
    Rules.within("the start of an operation", W.StartNs, W.EndNs);
    if constexpr (std::is_same_v<Work, RunReportLaunch>)
      if (W.InGraph)
        continue;
    double &End = StreamEnd[W.Stream];
    Rules.within("the end of the operation before", End, W.StartNs);
    End = W.EndNs;
  }
}

std::string checkReport(const RunReport &Report) {
  InvariantList Rules;
  checkOrder(Rules, ArrayRef(Report.Launches));
  checkOrder(Rules, ArrayRef(Report.Copies));
  for (const RunReportLaunch &L : Report.Launches)
    Rules.require(L.Estimate < Report.Estimates.size(),
                  "a launch has no estimate");
  for (const RunReportCall &C : Report.Calls) {
    Rules.within("the start of " + C.Name, C.StartNs, C.EndNs);
    Rules.within("the wait of " + C.Name, C.WaitNs, C.EndNs - C.StartNs);
  }
  for (const RunEstimate &E : Report.Estimates) {
    Rules.amount("the time of " + E.Name, E.Ns);
    double Sum = 0;
    for (const auto &[Name, Fraction] : E.Breakdown)
      Sum += Fraction;
    if (!E.Breakdown.empty())
      Rules.sum("the breakdown of " + E.Name, Sum, 1);
    Rules.require(!E.IntervalNs || (E.IntervalNs->first <= E.Ns &&
                                    E.Ns <= E.IntervalNs->second),
                  "the interval of " + E.Name + " does not hold its time");
  }
  const TimelineTotals &T = Report.Totals;
  Rules.sum("the wall time by the host", T.ProgramNs + T.CallNs + T.WaitNs,
            T.WallNs);
  Rules.within("the wall time", T.WallNs, T.KernelNs + T.CopyNs + T.IdleNs);
  double Path = 0;
  for (const CriticalPiece &Piece : Report.CriticalPath)
    Path += Piece.Ns;
  Rules.sum("the wall time by the critical path", Path, T.WallNs);
  return Rules.take();
}

} // namespace gpuestimate
