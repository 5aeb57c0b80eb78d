/// \file
/// Kernel x GPU x launch x bindings -> Prediction: the one place where a
/// kernel and a machine meet.
#ifndef GPU_ESTIMATE_EVALUATE_EVALUATOR_EVALUATE_H
#define GPU_ESTIMATE_EVALUATE_EVALUATOR_EVALUATE_H

#include "gpu-estimate/Evaluate/Models/Models.h"
#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/EvaluateOptions.h"
#include "gpu-estimate/Model/Result/Prediction.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Effort for "what if this were different": the relative change needs fewer
/// samples than the time itself.
inline constexpr double WhatIfEffort = 0.125;

/// Values: kernel arguments by name (pointers: element count of the buffer)
/// and unknowns by name. What is not bound takes its Unknown::Default, or the
/// default of its argument kind, and becomes an Assumption.
/// Errors: impossible launches (block too large, too much shared memory, zero
/// sized), an unknown model name.
llvm::Expected<Prediction> evaluate(const KernelModel &Kernel,
                                    const GpuModel &Gpu, const Launch &L,
                                    const Bindings &Values,
                                    const EvaluateOptions &Options);

/// One launch by several models, in place of Options.Model; what they have in
/// common is computed once. Take gets a prediction or a ModelRefusal for each,
/// in order; assumptions have no sensitivities. Errors as above.
llvm::Error evaluateModels(
    const KernelModel &Kernel, const GpuModel &Gpu, const Launch &L,
    const Bindings &Values, const EvaluateOptions &Options,
    llvm::ArrayRef<std::string> Models,
    llvm::function_ref<void(llvm::StringRef, llvm::Expected<Prediction>)> Take);

} // namespace gpuestimate

#endif
