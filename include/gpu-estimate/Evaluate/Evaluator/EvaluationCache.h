/// \file
/// Results that evaluations of one kernel, of changed copies of it and of its
/// other launches share on one GPU.
#ifndef GPU_ESTIMATE_EVALUATE_EVALUATOR_EVALUATIONCACHE_H
#define GPU_ESTIMATE_EVALUATE_EVALUATOR_EVALUATIONCACHE_H

#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "gpu-estimate/Evaluate/Warp/Schedule.h"

namespace gpuestimate {

/// Makes evaluations faster and changes no result. Gpu stays owned by the
/// caller. One object serves one thread at a time, and kernels of one
/// ExprContext, which it must not outlive.
class EvaluationCache {
public:
  explicit EvaluationCache(const GpuModel &Gpu) : Traffic(Gpu), Gpu(&Gpu) {}
  bool isAbout(const GpuModel &Other) const { return Gpu == &Other; }

  TrafficMemo Traffic;
  ScheduleCache Schedules;

private:
  const GpuModel *Gpu;
};

} // namespace gpuestimate

#endif
