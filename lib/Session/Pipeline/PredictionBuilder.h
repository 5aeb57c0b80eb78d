/// \file
/// The record of one launch (Prediction), from what the evaluator computes to
/// what reports print. The evaluator knows a kernel, a GPU, a launch and values
/// of arguments; the session knows where these come from. What it adds is added
/// here and nowhere else, and the record is finished once.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_PREDICTIONBUILDER_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_PREDICTIONBUILDER_H

#include "Session/Plan/LaunchPlan.h"
#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

class PredictionBuilder {
public:
  /// Evaluated: the evaluator's prediction of Plan. Overrides: values of the
  /// GPU that the user has changed, as spelled ("dram.bandwidth=2TB/s"). Kernel
  /// and Plan stay owned by the caller. Adds the launches in one run of the
  /// program, buffers that arguments share, and premises of kernel and plan.
  PredictionBuilder(Prediction Evaluated, const KernelModel &Kernel,
                    const LaunchPlan &Plan,
                    llvm::ArrayRef<std::string> Overrides);

  /// Adds the guesses of the plan to the assumptions, with the relative change
  /// of the time per relative change of the guess, by evaluation with the value
  /// raised by 10 %. Inputs are those that the plan was made from.
  void addGuesses(const LaunchInputs &Inputs, KernelEvaluator &Evaluator);

  /// The record so far, on which advice and comparisons are based.
  const Prediction &record() const { return Record; }

  /// Takes back what the what-if evaluations of addGuesses() have told, because
  /// the work ended early for this reason. Time and counts stand, and guesses
  /// stay stated without their effect.
  void withdrawWhatIfs(llvm::StringRef Reason);

  /// The finished record. The builder is not used any more.
  Prediction finish() && { return std::move(Record); }

private:
  const LaunchPlan &Plan;
  Prediction Record;
  /// As the evaluator stated them, in its order.
  std::vector<Assumption> EvaluatorsAssumptions;
};

} // namespace gpuestimate

#endif
