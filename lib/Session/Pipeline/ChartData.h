/// \file
/// The data of the charts of one prediction: what Explain evaluates, and what
/// needs the launch to be planned again (parameters, block shapes).
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_CHARTDATA_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_CHARTDATA_H

#include "gpu-estimate/Advice/Charts.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Session/Pipeline/LaunchPipeline.h"
#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

struct ChartRequest {
  const BoundLaunch &Launch;
  KernelCopies &Copies; ///< that Launch is bound with
  const GpuModel &Gpu;
  const EvaluateOptions &Options;
  /// For the comparison of GPUs; empty: none is made.
  llvm::ArrayRef<GpuModel> Gpus;
  /// Its SourceText stands for the file of its name.
  const gpuestimate::Options &Asked;
};

/// E is the explained prediction that the charts are about.
std::shared_ptr<const EstimateCharts> makeCharts(const ChartRequest &R,
                                                 const ExplainedPrediction &E);

/// The lines of the kernel and of everything that Lines or Findings name,
/// file by file, the kernel's first. Files that cannot be read are left out.
/// Options::SourceText is read in place of the file that it stands for.
std::vector<SourceExcerpt> sourceExcerpts(const ExplainedPrediction &E,
                                          const Options &Asked);

} // namespace gpuestimate

#endif
