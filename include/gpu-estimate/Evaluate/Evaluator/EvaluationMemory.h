/// \file
/// What evaluations of one kernel, of changed copies of it and of its other
/// launches can share on one GPU.
#ifndef GPU_ESTIMATE_EVALUATE_EVALUATOR_EVALUATIONMEMORY_H
#define GPU_ESTIMATE_EVALUATE_EVALUATOR_EVALUATIONMEMORY_H

#include "gpu-estimate/Evaluate/Cache/Traffic.h"
#include "gpu-estimate/Evaluate/Warp/Schedule.h"

namespace gpuestimate {

/// Results are the same with a memory and without one, only sooner. Gpu stays
/// owned by the caller. One object serves one thread at a time, and kernels of
/// one ExprContext, which it must not outlive.
class EvaluationMemory {
public:
  explicit EvaluationMemory(const GpuModel &Gpu) : Traffic(Gpu), Gpu(&Gpu) {}
  bool isAbout(const GpuModel &Other) const { return Gpu == &Other; }

  TrafficCaches Traffic;
  ScheduleMemory Schedules;

private:
  const GpuModel *Gpu;
};

} // namespace gpuestimate

#endif
