/// \file
/// One line on a terminal while a program runs.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_RUN_RUNPROGRESS_H
#define GPU_ESTIMATE_LIB_COMMANDS_RUN_RUNPROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace gpuestimate {

/// Says after two seconds, and then twice a second, how long the program has
/// been running, how many launches it has made, and when kernels stop
/// executing. A thread of its own writes to standard error: a launch can take
/// minutes. The cursor stays at the start of the line, so that the program's
/// output overwrites it. Silent where standard error is no terminal.
class RunProgress {
public:
  /// BudgetSeconds: that kernels may execute.
  explicit RunProgress(double BudgetSeconds);
  /// Clears the line.
  ~RunProgress();

  void addLaunch() { ++Launches; }

private:
  void show();

  const std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
  double BudgetSeconds;
  std::atomic<uint64_t> Launches = 0;
  std::mutex Lock;
  std::condition_variable Changed;
  bool Ended = false; ///< guarded by Lock
  std::thread Writer;
};

} // namespace gpuestimate

#endif
