#include "gpu-estimate/Session/Pipeline/LaunchEvaluators.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

EvaluateOptions evaluateOptions(const Options &O) {
  EvaluateOptions Result;
  Result.Model = O.Model.value_or(DefaultModel.str());
  Result.Caches = O.Caches.value_or(CacheState::Warm);
  Result.Timing = O.Timing;
  Result.Order = O.Order;
  Result.IntervalLevel = O.IntervalLevel;
  Result.Hits = O.Hits;
  Result.Quantitative.Special = O.Special;
  Result.Quantitative.TrafficWeight = O.TrafficWeight;
  Result.L1Hit = O.L1Hit;
  Result.L2Hit = O.L2Hit;
  for (const std::string &Term : O.Without)
    Result.Without.insert(Term);
  return Result;
}

LaunchEvaluators::LaunchEvaluators(const GpuModel &Gpu,
                                   EvaluateOptions GivenOptions,
                                   ArrayRef<std::string> Overrides)
    : Gpu(Gpu), Memory(Gpu), Options(std::move(GivenOptions)),
      Overrides(Overrides) {
  if (!Options.Cache)
    Options.Cache = &Memory;
}

EvaluateOptions LaunchEvaluators::options(const BoundLaunch &L) const {
  EvaluateOptions OfLaunch = Options;
  OfLaunch.Executed = L.Executed.get();
  return OfLaunch;
}

KernelEvaluator &LaunchEvaluators::of(const BoundLaunch &L) {
  auto Known = find_if(Recent, [&](const Entry &E) {
    return E.Kernel == L.Kernel && E.Executed == L.Executed;
  });
  if (Known == Recent.end()) {
    if (Recent.size() == MaxEntries)
      Recent.pop_back();
    Recent.push_front(
        {L.Kernel, L.Executed,
         std::make_unique<KernelEvaluator>(*L.Kernel, Gpu, options(L))});
  } else if (Known != Recent.begin()) {
    std::rotate(Recent.begin(), Known, Known + 1);
  }
  return *Recent.front().Evaluator;
}

} // namespace gpuestimate
