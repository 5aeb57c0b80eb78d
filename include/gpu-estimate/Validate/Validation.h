/// \file
/// The result of a validation as plain data: predicted and measured times of
/// each case. Session fills it, Statistics.h summarises it, Report prints it.
#ifndef GPU_ESTIMATE_VALIDATE_VALIDATION_H
#define GPU_ESTIMATE_VALIDATE_VALIDATION_H

#include "gpu-estimate/Model/Result/TimeInterval.h"
#include "gpu-estimate/Validate/Bounds.h"
#include "gpu-estimate/Validate/RecordedFigures.h"

namespace gpuestimate {

/// A case with the registers that ptxas tells.
struct PtxasResult {
  double PredictedMs = 0;
  unsigned Registers = 0; ///< of the launch that takes longest
  bool Assembled = false; ///< ptxas told them, for one of its launches at least
  bool Refused = false;   ///< not predicted with them
};

/// The multiprocessors and clocks of a case's GPU.
struct CaseConfiguration {
  unsigned SmCount = 0;
  double CoreMhz = 0;
  double MemoryMhz = 0; ///< 0 where the GPU model does not state it
};

/// Result of one model for one case: sums over its launches and repeats.
struct CaseResult {
  std::string Dataset, Case, Kernel, Gpu, Model;
  std::string GpuVendor; ///< GpuModel::Vendor; "" on a CPU
  std::string Base;      ///< case of the base point, or ""
  /// Everything of the launches but the GPU: equal texts, equal launches.
  std::string Work;
  std::vector<std::string> Overrides; ///< of the GPU: "core_clock=1380MHz"
  CaseConfiguration Configuration;
  /// Scaling/Features.h: of the prediction by the default model (of the launch
  /// that takes longest), and of the measured counters, where all are known.
  CaseValues StaticFeatures, CounterFeatures;
  Split Part = Split::Fit;
  std::string Noisy; ///< a reason: shown, not counted
  double PredictedMs = 0, MeasuredMs = 0;
  double Warps = 0; ///< of the launch that takes longest
  std::optional<double> Spread;
  std::string Bottleneck; ///< of the launch that takes longest
  /// What the predictions had to assume, for example the trip count of a loop,
  /// without repetitions; empty when source and launch tell everything.
  std::vector<std::string> Assumed;
  std::vector<std::string> Premises; ///< of the predictions, each once
  /// component -> fraction of the predicted time, largest first.
  std::vector<std::pair<std::string, double>> Breakdown;
  /// [level of intervalLevels()] shortest and longest time, in milliseconds, of
  /// the default model: made without the measurements of its heldOutGroup().
  /// Nothing where a launch has no interval.
  std::optional<std::array<std::pair<double, double>, NumIntervalLevels>>
      IntervalsMs;
  /// Factors of the time by which the assumptions of the default model move it
  /// with a probability of 80 %, by themselves (CombineEffects.h).
  std::optional<TimeFactors> InputFactors;
  /// term -> predicted milliseconds without it, of the default model where
  /// ablation was asked for.
  std::vector<std::pair<std::string, double>> Without;
  unsigned Registers = 0; ///< of the launch that takes longest
  std::string RegistersSource;
  /// Prediction with ptxas, of the default model where that was asked for.
  std::optional<PtxasResult> Ptxas;
  /// Registers and counts (namedCounts), as Measured names them.
  CaseValues Predicted;
  CaseValues Measured; ///< counters of the dataset
  /// Measured counter / (measured time x rate of the GPU), of the counters
  /// whose rate the GPU model knows: "dram_bytes" of 0.9 means that the launch
  /// kept the DRAM busy. At most 1 but for errors of measurement.
  CaseValues Utilisation;

  /// (predicted - measured) / measured.
  double error() const { return PredictedMs / MeasuredMs - 1; }
  bool counts() const { return Noisy.empty(); }
};

/// A case without a prediction: never left out silently.
struct CaseFailure {
  std::string Dataset, Case, Gpu;
  std::string Place; ///< "cases.csv:12"
  std::string Reason;
  std::string Model = ""; ///< of a refusal
};

struct ValidatedDataset {
  std::string Name, Description, Source;
  bool Tuning = false;
};

/// Mean absolute errors of the ratio of a kernel's times to that at a base
/// point, by the clusters of its GPU (Scaling/GpuClusters.h).
struct ScalingErrors {
  std::string Dataset, Gpu, Kernel;
  std::string Base; ///< overrides of the base point
  size_t Cases = 0;
  double Clusters = 0, Correction = 0;
};

struct Validation {
  std::vector<ValidatedDataset> Datasets;
  std::vector<std::string> Models;
  std::vector<CaseResult> Cases; ///< by dataset, case and model
  std::vector<CaseFailure> Failures;
  /// Cases that one model (CaseFailure::Model) does not cover; other models
  /// have results for them.
  std::vector<CaseFailure> Refusals;
  std::vector<std::string> Skipped; ///< whole lines
  /// Recorded errors of the datasets that are skipped.
  std::vector<RecordedDataset> Recorded;
  std::vector<BoundCheck> Bounds;
  std::vector<ScalingErrors> Scaling; ///< where they were asked for
};

} // namespace gpuestimate

#endif
