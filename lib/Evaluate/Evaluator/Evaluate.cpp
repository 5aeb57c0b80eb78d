#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"

#include "gpu-estimate/Evaluate/Evaluator/KernelEvaluator.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuestimate {

std::optional<LaunchTiming> launchTimingFromName(StringRef Name) {
  return StringSwitch<std::optional<LaunchTiming>>(Name)
      .Case("back-to-back", LaunchTiming::BackToBack)
      .Case("single", LaunchTiming::Single)
      .Case("graph", LaunchTiming::Graph)
      .Default(std::nullopt);
}

Expected<Prediction> evaluate(const KernelModel &Kernel, const GpuModel &Gpu,
                              const Launch &L, const Bindings &Values,
                              const EvaluateOptions &Options) {
  return KernelEvaluator(Kernel, Gpu, Options).evaluate(L, Values);
}

Error evaluateModels(const KernelModel &Kernel, const GpuModel &Gpu,
                     const Launch &L, const Bindings &Values,
                     const EvaluateOptions &Options,
                     ArrayRef<std::string> Models,
                     function_ref<void(StringRef, Expected<Prediction>)> Take) {
  return KernelEvaluator(Kernel, Gpu, Options)
      .evaluateModels(L, Values, Models, Take);
}

} // namespace gpuestimate
