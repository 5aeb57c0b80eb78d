/// \file
/// One kernel of a translation unit, from its IR to explained predictions.
#ifndef GPU_ESTIMATE_LIB_DRIVER_KERNELANALYSIS_H
#define GPU_ESTIMATE_LIB_DRIVER_KERNELANALYSIS_H

#include "NestComparison.h"
#include "gpu-estimate/Driver/Driver.h"
#include "gpu-estimate/Driver/LaunchPlan.h"

namespace gpuestimate {

class KernelAnalysis {
public:
  /// Kernel and Forms stay owned by the caller; Into collects results.
  KernelAnalysis(const Setup &S, llvm::ArrayRef<GpuModel> Gpus,
                 const KernelModel &Kernel, const NestForms &Forms,
                 llvm::ArrayRef<const LaunchSite *> Sites, Analysis &Into);

  llvm::Error run();

private:
  LaunchInputs inputs();
  llvm::Error evaluateOn(const GpuModel &Gpu, const LaunchPlan &Plan);
  void stateGuesses(Prediction &P, const GpuModel &Gpu, const LaunchPlan &Plan,
                    const EvaluateOptions &Options);

  const Setup &S;
  llvm::ArrayRef<GpuModel> Gpus;
  const KernelModel &Kernel;
  const NestForms &Forms;
  llvm::ArrayRef<const LaunchSite *> Sites;
  Analysis &Into;
  LaunchInputs Inputs;
};

/// EvaluateOptions as the user's options say.
EvaluateOptions evaluateOptions(const Options &O);

} // namespace gpuestimate

#endif
