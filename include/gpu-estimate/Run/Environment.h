/// \file
/// The environment variables by which `gpu-estimate run` speaks to the runtime
/// library inside the user's program.
#ifndef GPU_ESTIMATE_RUN_ENVIRONMENT_H
#define GPU_ESTIMATE_RUN_ENVIRONMENT_H

namespace gpuestimate::runenvironment {

/// File descriptor of the socket for records (Channel.h). Without it the
/// program finds no GPU.
inline constexpr char Socket[] = "GPU_ESTIMATE_RUN_SOCKET";
/// DeviceFacts as JSON.
inline constexpr char Device[] = "GPU_ESTIMATE_RUN_DEVICE";
/// "all", "sampled" or "none": which launches execute.
inline constexpr char Execute[] = "GPU_ESTIMATE_RUN_EXECUTE";
/// Seconds of execution; when they are spent, nothing more executes.
inline constexpr char Budget[] = "GPU_ESTIMATE_RUN_BUDGET";
/// "off": accesses are not checked. "races": races are searched in all blocks.
inline constexpr char Checks[] = "GPU_ESTIMATE_RUN_CHECKS";
/// Virtual host time for one second of this host's time.
inline constexpr char HostSpeed[] = "GPU_ESTIMATE_RUN_HOST_SPEED";
/// The program that compiles device code while the user's program runs.
inline constexpr char Tool[] = "GPU_ESTIMATE_RUN_TOOL";
/// Number of worker threads that execute thread blocks.
inline constexpr char Threads[] = "GPU_ESTIMATE_RUN_THREADS";

} // namespace gpuestimate::runenvironment

#endif
