/// \file
/// The inputs of every performance model. Occupancy, requests, traffic, issue
/// cycles and latencies of a launch are computed once; models differ only in
/// how they compute a time from them.
#ifndef GPU_ESTIMATE_EVALUATE_MODELS_MODELINPUTS_H
#define GPU_ESTIMATE_EVALUATE_MODELS_MODELINPUTS_H

#include "gpu-estimate/Evaluate/Launch/Workload.h"
#include "gpu-estimate/Evaluate/Warp/Schedule.h"
#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

struct ModelInputs {
  const KernelModel &Kernel;
  const GpuModel &Gpu;
  const Launch &L;
  const Bindings &All; ///< every free parameter but coordinates and counters
  const Occupancy &Occ;
  const EvaluateOptions &Options;
  const LaunchSample &Sample;
  const Traffic &Flow;
  const std::vector<BlockSchedule> &Schedule;
  const OperationCosts &Costs; ///< with the resident warps of Occ
  const Workload &Work;
  /// The prediction of the launch on another GPU, for a model that calibrates
  /// itself with a time that was measured there.
  llvm::Expected<Prediction> (*PredictOn)(
      const ModelInputs &In, const GpuModel &Other,
      const EvaluateOptions &Options) = nullptr;

  /// Multiprocessor cycles that the instructions of the launch need at least:
  /// issue slots or the busiest pipe for arithmetic.
  double computeCycles() const;
};

/// A model refuses a launch because it lacks a value of the GPU or kernel.
class ModelRefusal : public llvm::ErrorInfo<ModelRefusal> {
public:
  static char ID;
  explicit ModelRefusal(std::string Reason) : Reason(std::move(Reason)) {}
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string Reason;
};

/// A value of the GPU that a model needs, by its key in the model file.
struct NeededValue {
  llvm::StringRef Key;
  double Value;
};
/// A ModelRefusal that names the first value that the GPU model lacks, or that
/// nobody has measured or documented for any GPU (kind "assumed").
llvm::Error checkValues(llvm::StringRef Model, const GpuModel &Gpu,
                        llvm::ArrayRef<NeededValue> Values);
/// "l2.latency is another GPU's: K40m" for each value that is inherited.
void stateInherited(Prediction &P, const GpuModel &Gpu,
                    llvm::ArrayRef<NeededValue> Values);

/// One part of a model's time, by its component of the breakdown.
struct TimePart {
  Term Component;
  double Cycles;
};
/// Sets time, execution and breakdown of a model whose parts sum to the time,
/// without a launch overhead. Parts of one component are added.
void setParts(Prediction &P, const GpuModel &Gpu,
              llvm::ArrayRef<TimePart> Parts);

} // namespace gpuestimate

#endif
