/// \file
/// Sums over the launches, copies and calls of one name, as `nsys stats` has
/// them.
#ifndef GPU_ESTIMATE_LIB_REPORT_RUN_RUNSUMMARY_H
#define GPU_ESTIMATE_LIB_REPORT_RUN_RUNSUMMARY_H

#include "gpu-estimate/Timeline/RunReport.h"

namespace gpuestimate {

/// Statistics of values: times in ns, or sizes in bytes.
struct RunSummaryRow {
  std::string Name;
  double Share = 0; ///< of the sum of all rows
  double Total = 0, Average = 0, Median = 0, Min = 0, Max = 0;
  double Deviation = 0; ///< sample standard deviation; 0 of one value
  size_t Count = 0;
  size_t Estimate = 0; ///< kernels: of the launch that takes longest
};

// The row with the largest total first.
std::vector<RunSummaryRow> summarizeKernels(const RunReport &Run);
std::vector<RunSummaryRow> summarizeCopies(const RunReport &Run);
std::vector<RunSummaryRow> summarizeCopySizes(const RunReport &Run);
std::vector<RunSummaryRow> summarizeCalls(const RunReport &Run);

/// "[CUDA memcpy Host-to-Device]": the name that Nsight Systems gives.
llvm::StringRef nsightName(const RunReportCopy &Copy);

/// "12.3 ms"
std::string formatNs(double Ns);

/// "kernel: assumption" of all launches, each once.
std::vector<std::string> kernelAssumptions(const RunReport &Run);

/// The report with the shortest wall time.
const RunReport &fastestOf(llvm::ArrayRef<RunReport> Runs);

} // namespace gpuestimate

#endif
