/// \file
/// The time of this machine, in a process whose clocks show virtual time.
#ifndef GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_SYSTEMCLOCK_H
#define GPU_ESTIMATE_LIB_EXECUTE_SCHEDULE_SYSTEMCLOCK_H

#include <chrono>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace gpuestimate {

/// The monotonic clock of the system. std::chrono asks clock_gettime, for which
/// the runtime library has a function of its own that shows virtual time.
struct SystemClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SystemClock>;

  static time_point now() {
    timespec T;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &T);
    return time_point(std::chrono::seconds(T.tv_sec) +
                      std::chrono::nanoseconds(T.tv_nsec));
  }
};

} // namespace gpuestimate

#endif
