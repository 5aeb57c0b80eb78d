/// \file
/// Limits of the work of an analysis, from the options.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_ANALYSISLIMITS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_ANALYSISLIMITS_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Support/ChildProcess.h"
#include "gpu-estimate/Support/WorkBudget.h"

namespace gpuestimate {

/// Seconds for one kernel on one GPU, unless --deadline says otherwise.
inline constexpr double DefaultDeadline = 5;

/// Units of work that count as one second of processor time. Ordinary kernels
/// spend more units a second, so that the units, which are the same on every
/// machine, decide before the clock does.
inline constexpr uint64_t UnitsPerSecond = 5'000'000;

/// Limits of the part of an analysis that serves Kernels kernels on Gpus GPUs.
WorkLimits analysisLimits(const Options &O, size_t Kernels, size_t Gpus);

/// Limits of the process in which the plugin analyses a file whose compile has
/// taken CompileTime so far: half of that time, at least one second.
ChildLimits pluginLimits(const Options &O,
                         std::chrono::milliseconds CompileTime);

/// Limits inside such a process. They end the analysis before the process is
/// ended, so that what is done is reported.
WorkLimits withinChild(const ChildLimits &Limits);

/// In words, why a kernel whose work passed a limit has no estimate, and which
/// options move the limit.
std::string endedEarly();

} // namespace gpuestimate

#endif
