/// \file
/// A program that runs beside this process until a limit of time.
#ifndef GPU_ESTIMATE_SUPPORT_TIMEDPROCESS_H
#define GPU_ESTIMATE_SUPPORT_TIMEDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <string>
#include <sys/types.h>

namespace gpuestimate {

/// A running program with the programs that it starts, all of which end with
/// this object. Compilers are drivers: to end the driver alone would leave its
/// compiler running.
class TimedProcess {
public:
  using Clock = std::chrono::steady_clock;

  /// Starts Words[0], a path, in Directory ("" = the current one). Standard
  /// input is empty.
  static llvm::Expected<TimedProcess> start(llvm::ArrayRef<std::string> Words,
                                            const std::string &Directory,
                                            std::chrono::milliseconds Limit);
  TimedProcess(TimedProcess &&Other) noexcept;
  TimedProcess &operator=(TimedProcess &&) = delete;
  ~TimedProcess();

  struct Ending {
    bool InTime = false; ///< false: the programs were ended at the limit
    int Status = -1;     ///< exit status; -1: a signal ended it
    std::string Output;  ///< standard output and standard error
  };
  /// Waits for the end, or the limit.
  Ending wait();

private:
  TimedProcess(pid_t Group, int Pipe, Clock::time_point Deadline)
      : Group(Group), Pipe(Pipe), Deadline(Deadline) {}

  pid_t Group = 0; ///< 0: it has ended
  int Pipe = -1;   ///< what it prints
  Clock::time_point Deadline;
};

} // namespace gpuestimate

#endif
