/// \file
/// Registers that do not fit: a compiler keeps them in local memory.
///
///   spilled = needed - allowed        (of an estimate: only where the need is
///                                      at least 1.1 times what is allowed)
///           = words of the compiled code (where a compiler told)
///
/// Where a compiler stores and loads them, and how often, is not known before
/// it has run. Taken of an estimate is the least: each thread stores each of
/// them once and loads it once. Compiled code tells how many stores and loads
/// it has; taken is that each runs once. Either is an assumption of the
/// prediction.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_SPILLS_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_SPILLS_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Machine/GpuModel.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// Registers of each thread that are kept in local memory, and the accesses to
/// them.
RegisterSpills spilledRegisters(const GpuModel &Gpu, const Resources &Res);

/// The kernel with these stores and loads at its end: loops over a private
/// object of as many words as there are slots, over and over while the
/// accesses last. Where the compiled code tells how often it waits, the loads
/// are in groups that the thread waits for one after the other. Its accesses
/// come last.
KernelModel withSpills(const KernelModel &Kernel, RegisterSpills Spills);

/// What withSpills takes for granted.
Assumption spillAssumption(const KernelModel &Kernel, RegisterSpills Spills);

} // namespace gpuestimate

#endif
