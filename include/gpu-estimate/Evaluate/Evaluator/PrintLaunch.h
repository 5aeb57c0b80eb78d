/// \file
/// Intermediate results of the evaluation of one launch as text (--dump).
#ifndef GPU_ESTIMATE_EVALUATE_EVALUATOR_PRINTLAUNCH_H
#define GPU_ESTIMATE_EVALUATE_EVALUATOR_PRINTLAUNCH_H

#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

enum class LaunchDump : uint8_t {
  Requests, ///< memory requests of each access (LaunchSample)
  Traffic,  ///< hit fractions and bytes of each access (Traffic)
  Cache,    ///< decisions of the cache model (DecisionLog.h)
  Schedule, ///< issue order of each basic block (BlockSchedule)
  Bounds    ///< throughput bounds (Bounds.h)
};

/// Prints the intermediate result that evaluate() computes with these
/// arguments. Errors: a launch that is impossible on Gpu.
llvm::Error printLaunch(llvm::raw_ostream &OS, LaunchDump What,
                        const KernelModel &Kernel, const GpuModel &Gpu,
                        const Launch &L, const Bindings &Values,
                        const EvaluateOptions &Options = {});

} // namespace gpuestimate

#endif
