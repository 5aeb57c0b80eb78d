/// \file
/// Tables with the columns of Nsight Systems' reports of the same names
/// (`nsys stats --report cuda_gpu_kern_sum --format csv`).
#include "RunSummary.h"
#include "gpu-estimate/Report/Run/Run.h"
#include "gpu-estimate/Support/Csv.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace gpuestimate {

/// Count names the column of the number of values ("Instances"), Name that of
/// the name.
static RunTable timeTable(StringRef Report, StringRef Count, StringRef Name,
                          ArrayRef<RunSummaryRow> Rows) {
  RunTable T;
  T.Name = Report.str();
  raw_string_ostream OS(T.Text);
  OS << "Time (%),Total Time (ns)," << Count
     << ",Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns)," << Name << '\n';
  for (const RunSummaryRow &R : Rows)
    OS << format("%.1f,%.0f,", 100 * R.Share, R.Total) << R.Count
       << format(",%.1f,%.1f,%.0f,%.0f,%.1f,", R.Average, R.Median, R.Min,
                 R.Max, R.Deviation)
       << csvCell(R.Name) << '\n';
  return T;
}

static RunTable sizeTable(ArrayRef<RunSummaryRow> Rows) {
  constexpr double BytesPerMb = 1e6;
  RunTable T;
  T.Name = "cuda_gpu_mem_size_sum";
  raw_string_ostream OS(T.Text);
  OS << "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),"
        "Operation\n";
  for (const RunSummaryRow &R : Rows)
    OS << format("%.3f,", R.Total / BytesPerMb) << R.Count
       << format(",%.3f,%.3f,%.3f,%.3f,%.3f,", R.Average / BytesPerMb,
                 R.Median / BytesPerMb, R.Min / BytesPerMb, R.Max / BytesPerMb,
                 R.Deviation / BytesPerMb)
       << csvCell(R.Name) << '\n';
  return T;
}

std::vector<RunTable> runTables(const RunReport &Run) {
  return {timeTable("cuda_gpu_kern_sum", "Instances", "Name",
                    summarizeKernels(Run)),
          timeTable("cuda_gpu_mem_time_sum", "Count", "Operation",
                    summarizeCopies(Run)),
          sizeTable(summarizeCopySizes(Run)),
          timeTable("cuda_api_sum", "Num Calls", "Name", summarizeCalls(Run))};
}

} // namespace gpuestimate
