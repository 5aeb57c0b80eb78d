/// \file
/// The printed formulas: the kernel's per-warp functions as expressions in
/// its arguments, unknowns and the memory latencies.
///
///   time  = sum over blocks and loops of executions * (c + g*lat.global +
///   s*lat.shared)
/// where c is the cycles of one execution at zero latency and g (s) the number
/// of global (shared) latencies that it waits for in sequence on this GPU,
/// measured on the timing walk by raising the latency. lat.global is the mean
/// latency of the kernel's global loads, whatever level they hit.
///   delay = sum of executions * issue cycles
///   mem   = sum of executions * bytes requested per thread
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_FORMULA_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_FORMULA_H

#include "gpu-estimate/Evaluate/Models/LatencyBandwidth.h"

namespace gpuestimate {

struct Formulas {
  Expr Time, Delay, Mem;
  /// Printed after formulas that are cut off because they are too long: they
  /// hold the first blocks in execution order. Else empty.
  std::string CutOff;
};
Formulas buildFormulas(const KernelModel &Kernel, const GpuModel &Gpu,
                       LatencyBandwidthModel &Model);

} // namespace gpuestimate

#endif
