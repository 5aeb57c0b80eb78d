/// \file
/// The printed formulas: the kernel's per-warp functions as expressions in
/// its arguments, unknowns and the memory latencies.
///
///   time  = sum over blocks and loops of executions * (c + g*lat.global +
///   s*lat.shared)
/// where c, g and s are this GPU's: cycles of one execution at zero extra
/// latency and how many global (shared) latencies it waits for in sequence,
/// measured on the timing walk by raising the latency. lat.global is the mean
/// latency of the kernel's global loads, whatever level they hit.
///   delay = sum of executions * issue cycles
///   mem   = sum of executions * bytes requested per thread
#ifndef GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_FORMULA_H
#define GPU_ESTIMATE_LIB_EVALUATE_EVALUATOR_FORMULA_H

#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"

namespace gpuestimate {

struct Formulas {
  Expr Time, Delay, Mem;
  /// To stand behind them where they are too long to be read: they are those
  /// of the first blocks then, in execution order. Else empty.
  std::string Rest;
};
Formulas buildFormulas(const KernelModel &Kernel, const GpuModel &Gpu,
                       LatencyBandwidthModel &Model);

} // namespace gpuestimate

#endif
