/// \file
/// Launches of the points that `gpu-estimate tune` evaluates.
#ifndef GPU_ESTIMATE_LIB_SESSION_TUNE_TUNEPLANS_H
#define GPU_ESTIMATE_LIB_SESSION_TUNE_TUNEPLANS_H

#include "TuneSlice.h"

namespace gpuestimate {

/// Launches of the host code with some arguments.
struct BasePlans {
  LaunchInputs In;
  std::vector<LaunchPlan> Plans;
};

/// Of, Request and Gpu stay owned by the caller.
class TunePlans {
public:
  TunePlans(const TuneSlice &Of, const TuningRequest &Request,
            const GpuModel &Gpu)
      : Of(Of), Request(Request), Inputs(Of.Inputs) {
    Inputs.Gpu = &Gpu;
  }

  /// Parameters: as those of a TuningPoint.
  BasePlans base(llvm::ArrayRef<uint32_t> Parameters) const;
  /// Of the source as it stands: arguments of one value belong to it.
  BasePlans asWritten() const;
  /// Those of the host code, or with what the point changes.
  llvm::Expected<std::vector<LaunchPlan>> plan(const BasePlans &Base,
                                               const TuningPoint &Point) const;

private:
  BasePlans planAll(LaunchInputs In) const;

  const TuneSlice &Of;
  const TuningRequest &Request;
  LaunchInputs Inputs;
};

} // namespace gpuestimate

#endif
