/// \file
/// The printers of `gpu-estimate run` (docs/run.md). Each takes the report of
/// one GPU, or the reports of the same run on several GPUs.
#ifndef GPU_ESTIMATE_REPORT_RUN_RUN_H
#define GPU_ESTIMATE_REPORT_RUN_RUN_H

#include "gpu-estimate/Timeline/RunReport.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Tables for a terminal. Several GPUs come with a table of which is fastest.
void printRunText(llvm::raw_ostream &OS, llvm::ArrayRef<RunReport> Runs);

/// The object of schema "gpu-estimate-run/1"
/// (docs/schema/gpu-estimate-run.schema.json).
void printRunJson(llvm::raw_ostream &OS, llvm::ArrayRef<RunReport> Runs,
                  llvm::StringRef ToolVersion);

/// A trace in the Trace Event Format, with the categories that PyTorch's
/// profiler (Kineto) uses: Perfetto and chrome://tracing open it. Each GPU is a
/// process with a thread for each stream.
void printRunTrace(llvm::raw_ostream &OS, llvm::ArrayRef<RunReport> Runs);

/// A table as `nsys stats --format csv` prints it.
struct RunTable {
  std::string Name; ///< of nsys' report: "cuda_gpu_kern_sum"
  std::string Text;
};
std::vector<RunTable> runTables(const RunReport &Run);

/// One page: time line, tables, CPI stacks of the kernels.
void printRunHtml(llvm::raw_ostream &OS, llvm::ArrayRef<RunReport> Runs,
                  llvm::StringRef ToolVersion);

} // namespace gpuestimate

#endif
