#include "gpu-estimate/Timeline/RunReport.h"

using namespace llvm;

namespace gpuestimate {

StringRef describe(OperationKind Kind) {
  switch (Kind) {
  case OperationKind::Kernel:
    return "kernel";
  case OperationKind::CopyIn:
    return "[CUDA memcpy Host-to-Device]";
  case OperationKind::CopyOut:
    return "[CUDA memcpy Device-to-Host]";
  case OperationKind::DeviceCopy:
    return "[CUDA memcpy Device-to-Device]";
  case OperationKind::Memset:
    return "[CUDA memset]";
  case OperationKind::HostFunction:
    return "host function";
  case OperationKind::Marker:
    break;
  }
  return "event";
}

/// When the host made the calls of the records.
static std::vector<double> callTimes(const TimelineResult &Result,
                                     size_t NumRecords) {
  std::vector<double> Times(NumRecords, 0);
  for (const TimelineCall &C : Result.Calls)
    Times[C.Record] = C.StartNs;
  return Times;
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
  std::vector<double> CallNs = callTimes(Result, Records.size());
  for (const TimelineOperation &O : Result.Operations) {
    if (O.Kind == OperationKind::Kernel) {
      RunReportLaunch &L =
          Report.Launches.emplace_back(launchOf(*Records[O.Record]));
      L.Estimate = EstimateOf(O.Record);
      L.Stream = O.Stream;
      L.InGraph = O.InGraph;
      L.CallNs = CallNs[O.Record];
      L.StartNs = O.StartNs;
      L.EndNs = O.EndNs;
    } else if (O.Kind != OperationKind::Marker &&
               O.Kind != OperationKind::HostFunction) {
      Report.Copies.push_back({O.Kind, O.Bytes, O.Pinned, O.Stream,
                               CallNs[O.Record], O.StartNs, O.EndNs});
    }
  }
  for (const TimelineCall &C : Result.Calls)
    if (const RunRecord &R = *Records[C.Record]; !R.Call.empty())
      Report.Calls.push_back({R.Call, R.Thread, C.StartNs, C.EndNs, C.WaitNs});
  for (const RunRecord *R : Records)
    if (const auto *Exit = std::get_if<RunExit>(&R->What))
      Report.ExitStatus = Exit->Status;
  return Report;
}

} // namespace gpuestimate
