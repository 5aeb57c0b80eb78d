/// \file
/// The read ports of the register file. Since Volta a processing block has two
/// banks of registers; each delivers one register of a warp per cycle. Three
/// operands are then two cycles, three operands of 64 bits three. A
/// multiply-add on 16 lanes takes its pipe two cycles anyway (Volta, A100); on
/// the 32 lanes of GA10x and Hopper the ports are what limits it, unless
/// operands are kept from the instruction before (the reuse cache). Source:
/// Huerta et al., Analyzing Modern NVIDIA GPU Cores (MICRO 2025): two banks of
/// one read port each, operands read in order; Jia et al., Dissecting the
/// NVIDIA Volta GPU Architecture via Microbenchmarking (2018): on Volta three
/// operands conflict only if all are in one bank.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_WARP_OPERANDREADS_H
#define GPU_ESTIMATE_LIB_EVALUATE_WARP_OPERANDREADS_H

#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include <vector>

namespace gpuestimate {

/// [operation] Cycles for which an instruction holds the read ports of its
/// processing block; 0 for what is no arithmetic, and where nothing is known of
/// the ports. An operand of the arithmetic instruction in front is kept if both
/// can issue without another warp between them.
std::vector<double> operandReadCycles(const KernelModel &Kernel,
                                      const GpuModel &Gpu);

/// [block] Share of the launch's warps that execute the block at all.
std::vector<double> activeWarps(const KernelModel &Kernel,
                                const LaunchSample &Sample);

} // namespace gpuestimate

#endif
