/// \file
/// One launch with every parameter bound, by any model.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_EVALUATION_H
#define GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_EVALUATION_H

#include "Evaluate/Access/LaneValues.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Evaluate/Evaluator/EvaluationMemory.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Evaluate/Sampling/SamplingShapes.h"

namespace gpuestimate {

/// The requests of a launch, which everything else follows from.
struct SampledLaunch {
  SampledLaunch(const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
                const Bindings &All, const EvaluateOptions &Options)
      : Lanes(Kernel, Gpu, L, All),
        Sample(sampleLaunch(Lanes, Gpu, L, Options.SampleEffort,
                            Options.Executed,
                            &Options.Memory->Traffic.Requests)) {}
  SampledLaunch(const SampledLaunch &) = delete;

  BoundKernel Lanes;
  LaunchSample Sample;
};

/// The Prediction is filled in steps. What the constructor is given stays owned
/// by the caller.
class Evaluation {
public:
  Evaluation(const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
             const Occupancy &Occ, const Bindings &All,
             const EvaluateOptions &Options,
             std::unique_ptr<SampledLaunch> Requests,
             const std::vector<BlockSchedule> &Schedule);

  /// Prediction::Time of fill().
  llvm::Expected<Seconds> time(const ModelInfo &Info);
  /// Of the default model.
  llvm::Expected<LaunchDemand> demand();
  llvm::Error fill(Prediction &P, const ModelInfo &Info);
  const LaunchSample &sample() const { return Sample; }

private:
  Seconds execution(const llvm::StringSet<> &Without);
  ModelInputs inputs() const {
    return {Kernel,
            Gpu,
            L,
            All,
            Occ,
            Options,
            Sample,
            Flow,
            Model.schedule(),
            Model.workload(),
            [](const ModelInputs &In, const GpuModel &Other,
               const EvaluateOptions &Options) {
              return evaluate(In.Kernel, Other, In.L, In.All, Options);
            }};
  }
  void fillCounts(Prediction &P);
  void fillTimes(Prediction &P);
  void fillBreakdown(Prediction &P);
  void fillBottleneck(Prediction &P);
  void fillDivergence(Prediction &P);
  void fillFormulas(Prediction &P);
  void fillLatencies(Prediction &P);

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const Occupancy &Occ;
  const Bindings &All;
  const EvaluateOptions &Options;
  std::unique_ptr<SampledLaunch> Requests;
  const LaunchSample &Sample;
  Traffic Flow;
  LatencyBandwidthModel Model;
};

} // namespace gpuestimate

#endif
