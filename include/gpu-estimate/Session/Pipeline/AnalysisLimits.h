/// \file
/// Limits of the work of an analysis, from the options.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_ANALYSISLIMITS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_ANALYSISLIMITS_H

#include "gpu-estimate/Resolve/UnknownResolver.h"
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

/// IR instructions that LLVM's AMDGPU back end may be given for Kernels
/// kernels, since it cannot be interrupted: those of --deadline seconds
/// (DefaultDeadline of 5) a kernel at 2500 a second. Fully unrolled
/// convolutions of up to 8800 instructions were compiled at 2300 (guarded and
/// spilled) to 19000 a second. 5 seconds: 12,500.
uint64_t backEndInstructions(const Options &O, size_t Kernels);

/// Units of work after which no further assumption of one launch is varied, and
/// as many after which no further change of the kernel is evaluated for advice
/// (EvaluateOptions::MaxSensitivityWork and MaxAdviceWork), on each GPU. The
/// launches share 100 thousand units for a kernel where a compile waits, and 5
/// million for a file where a report was asked for; each has at least 20
/// thousand. A file of 10 kernels with 5 launches each: 100 thousand.
uint64_t whatIfWork(bool CompileWaits, size_t Kernels, size_t Launches);

/// Limits of the execution of one launch: --deadline seconds, else
/// DefaultDeadline, or one second where a compile waits.
SampleLimits sampleLimits(const Options &O, bool CompileWaits);

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
