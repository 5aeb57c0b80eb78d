/// \file
/// Exit statuses of the commands.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_EXITSTATUS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_EXITSTATUS_H

namespace gpuestimate {

/// Documented in docs/cli.md; scripts rely on the numbers.
enum ExitStatus : int {
  Done = 0,
  BoundExceeded = 1,
  WrongUsage = 2,
  NotAnalysed = 3,
};

} // namespace gpuestimate

#endif
