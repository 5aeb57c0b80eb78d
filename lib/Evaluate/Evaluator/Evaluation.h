/// \file
/// One launch with every parameter bound, by any model.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_EVALUATION_H
#define GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_EVALUATION_H

#include "Evaluate/Access/LaneState.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Evaluate/Evaluator/EvaluationCache.h"
#include "gpu-estimate/Evaluate/Launch/LaunchCycles.h"
#include "gpu-estimate/Evaluate/Launch/Occupancy.h"
#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"
#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Evaluate/Sampling/RequestCostTables.h"

namespace gpuestimate {

/// The sampled memory requests of a launch.
struct SampledLaunch {
  SampledLaunch(const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
                const Bindings &All, const EvaluateOptions &Options)
      : Program(Kernel, Gpu, L, All), Lanes(Program),
        Sample(sampleLaunch(Lanes, Gpu, L, Options.SampleEffort,
                            Options.Executed,
                            &Options.Cache->Traffic.Requests)) {}
  SampledLaunch(const SampledLaunch &) = delete;

  const LaunchProgram Program;
  LaneState Lanes;
  LaunchSample Sample;
};

/// Evaluates one launch. The arguments of the constructor stay owned by the
/// caller.
class Evaluation {
public:
  Evaluation(const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
             const Occupancy &Occ, const Bindings &All,
             const EvaluateOptions &Options,
             std::unique_ptr<SampledLaunch> Requests,
             const std::vector<BlockSchedule> &Schedule);

  /// Prediction::Time of fill().
  llvm::Expected<Seconds> time(const ModelInfo &Info);
  /// The demand on which the default model bases its time.
  llvm::Expected<LaunchDemand> demand();
  llvm::Error fill(Prediction &P, const ModelInfo &Info);
  /// The default model on a GPU that differs in its clocks alone.
  LatencyBandwidthModel modelAt(const GpuModel &Clocked) const {
    return {Kernel, Clocked, L, Occ, Sample, Costs, Schedule, Work};
  }
  /// An error if the GPU lacks a unit that the kernel needs.
  llvm::Error checkUnits() const;
  const Workload &workload() const { return Work; }
  const LaunchSample &sample() const { return Sample; }

private:
  ModelInputs inputs(const EvaluateOptions &ModelOptions) const {
    return {Kernel,
            Gpu,
            L,
            All,
            Occ,
            ModelOptions,
            Sample,
            Flow,
            Schedule,
            Costs,
            Work,
            [](const ModelInputs &In, const GpuModel &Other,
               const EvaluateOptions &Options) {
              return evaluate(In.Kernel, Other, In.L, In.All, Options);
            }};
  }
  void fillCounts(Prediction &P);

  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const Occupancy &Occ;
  const Bindings &All;
  const EvaluateOptions &Options;
  std::unique_ptr<SampledLaunch> Requests;
  const LaunchSample &Sample;
  Traffic Flow;
  const std::vector<BlockSchedule> &Schedule;
  OperationCosts Costs;
  Workload Work;
};

} // namespace gpuestimate

#endif
