/// \file
/// The time of a loop as Kleimenov & Popova 2021 give it, the oracle of the
/// tests of the timing walk.
#ifndef GPU_ESTIMATE_TEST_UNIT_HELPERS_LOOPFORMULA_H
#define GPU_ESTIMATE_TEST_UNIT_HELPERS_LOOPFORMULA_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate::test {

/// Figure 3 of the paper: cycles of all iterations of one innermost,
/// single-block loop with the latencies of its operations as free parameters
/// (`lat.fp64_add`) and issue delays likewise (`del.branch`): two iterations
/// are walked in order and the sum is halved, times the trip count. A result's
/// latency is taken to be at least its issue delay.
Expr loopTimeFormula(const KernelModel &Kernel, unsigned Loop);

} // namespace gpuestimate::test

#endif
