#include "gpu-estimate/Timeline/RunReport.h"

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

} // namespace gpuestimate
