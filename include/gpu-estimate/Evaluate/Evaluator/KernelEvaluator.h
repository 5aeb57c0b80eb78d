/// \file
/// Evaluates many launches of one kernel on one GPU; everything that does not
/// depend on the launch is computed once.
#ifndef GPU_ESTIMATE_EVALUATE_EVALUATOR_KERNELEVALUATOR_H
#define GPU_ESTIMATE_EVALUATE_EVALUATOR_KERNELEVALUATOR_H

#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include <memory>
#include <optional>

namespace gpuestimate {

class LaunchAtClocks; // LaunchAtClocks.h
struct LaunchDemand;  // LaunchCycles.h
struct LaunchSample;  // Sampling.h

/// The function evaluate() uses this class for a single launch. Kernel and Gpu
/// stay owned by the caller and must not change. One object serves one thread
/// at a time; objects of different threads must not share the kernel's
/// ExprContext unless nobody builds terms in it meanwhile.
class KernelEvaluator {
public:
  KernelEvaluator(const KernelModel &Kernel, const GpuModel &Gpu,
                  EvaluateOptions Options = {});
  ~KernelEvaluator();
  const KernelModel &kernel() const;
  const GpuModel &gpu() const;

  /// Values and errors: as for the function evaluate(). IsWorthIt is called
  /// when the requests are sampled, before caches and time are computed; the
  /// result is an error if it returns false.
  llvm::Expected<Prediction>
  evaluate(const Launch &L, const Bindings &Values,
           llvm::function_ref<bool(const LaunchSample &)> IsWorthIt = nullptr);

  /// Prediction::Time alone, for the ranking of many launches. A ranking needs
  /// fewer samples than a time that is shown (EvaluateOptions::SampleEffort,
  /// WhatIfEffort).
  llvm::Expected<Seconds> time(const Launch &L, const Bindings &Values);

  /// time() with the samples of a what-if, for comparison with other what-ifs.
  /// Cached by the launch and the values that the kernel depends on. nullopt if
  /// there is an error.
  std::optional<Seconds> whatIfTime(const Launch &L, const Bindings &Values);

  /// The default model in two steps: time(L, Occ, demand(L, Occ, Values)) is
  /// time(L, Values), with the same errors.
  llvm::Expected<Occupancy> occupancy(const Launch &L) const;
  llvm::Expected<LaunchDemand> demand(const Launch &L, const Occupancy &Occ,
                                      const Bindings &Values);
  llvm::Expected<Seconds> time(const Launch &L, const Occupancy &Occ,
                               const LaunchDemand &Demand) const;

  /// The launch, ready to be predicted at many clocks by the default model.
  /// Errors: as evaluate(); another model.
  llvm::Expected<LaunchAtClocks> atClocks(const Launch &L,
                                          const Bindings &Values);

  /// See the function evaluateModels().
  llvm::Error evaluateModels(
      const Launch &L, const Bindings &Values,
      llvm::ArrayRef<std::string> Models,
      llvm::function_ref<void(llvm::StringRef, llvm::Expected<Prediction>)>
          Take);

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace gpuestimate

#endif
