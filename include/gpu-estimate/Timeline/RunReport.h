/// \file
/// The result of `gpu-estimate run` on one GPU, as the printers take it.
#ifndef GPU_ESTIMATE_TIMELINE_RUNREPORT_H
#define GPU_ESTIMATE_TIMELINE_RUNREPORT_H

#include "gpu-estimate/Timeline/Suggestions.h"

namespace gpuestimate {

/// The prediction of equal launches: one kernel, shape and arguments, and the
/// same data as far as the prediction depends on them.
struct RunEstimate {
  std::string Kernel; ///< mangled
  std::string Name;   ///< "saxpy(float, float *)"
  std::string Bottleneck;
  /// Names and values, as text.
  std::vector<std::pair<std::string, std::string>> Arguments;
  double Ns = 0; ///< of one launch, alone on the GPU
  /// Interval around Ns (TimeInterval.h).
  std::optional<std::pair<double, double>> IntervalNs;
  /// Component of the CPI stack and its fraction of the time.
  std::vector<std::pair<std::string, double>> Breakdown;
  double WarpCyclesPerInstruction = 0; ///< sum of the CPI stack; 0: unknown
  std::vector<std::string> FromData;   ///< what the executed warps settled
  std::vector<std::string> Assumptions;
};

struct RunReportLaunch {
  size_t Estimate = 0; ///< into RunReport::Estimates
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  RunHandle Stream = 0;
  bool Executed = true;
  bool InGraph = false;
  std::optional<size_t> Call; ///< into RunReport::Calls: what put it there
  double StartNs = 0, EndNs = 0;
};

/// A copy or memset.
struct RunReportCopy {
  OperationKind Kind = OperationKind::CopyIn;
  uint64_t Bytes = 0;
  bool Pinned = false;
  RunMigration Migration = RunMigration::None;
  RunHandle Stream = 0;
  std::optional<size_t> Call;
  double StartNs = 0, EndNs = 0;
};

struct RunReportCall {
  std::string Name; ///< "cudaMemcpy"
  uint64_t Thread = 0;
  double StartNs = 0, EndNs = 0, WaitNs = 0;
};

struct RunReport {
  std::string Gpu, GpuName; ///< "nvidia-h100-sxm", "NVIDIA H100 SXM 80 GB"
  int ExitStatus = 0;
  std::vector<RunEstimate> Estimates;
  std::vector<RunReportLaunch> Launches; ///< in the order of the calls
  std::vector<RunReportCopy> Copies;
  std::vector<RunReportCall> Calls;
  TimelineTotals Totals;
  std::vector<CriticalPiece> CriticalPath;
  std::vector<Suggestion> Suggestions;
  std::vector<std::string> Assumptions; ///< of the time line
  /// Kernels whose results are missing though the user asked for them, each
  /// with its reason.
  std::vector<std::string> Unexecuted;
  std::vector<std::string> Faults; ///< wrong accesses and the like
  std::vector<std::string> Notices;
};

/// Fills launches, copies, calls, totals and critical path. EstimateOf says
/// which estimate a launch or a priced library call has.
RunReport makeRunReport(const TimelineResult &Result,
                        llvm::ArrayRef<const RunRecord *> Records,
                        llvm::function_ref<size_t(size_t Record)> EstimateOf);

/// Empty where work ends after it starts, work of a stream is in order, times
/// of the host and of the critical path make the wall time, and all launches
/// have an estimate; else the first violation (Support/Invariants.h).
std::string checkReport(const RunReport &Report);

} // namespace gpuestimate

#endif
