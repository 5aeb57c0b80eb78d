#include "gpu-estimate/Support/WorkBudget.h"

#include <algorithm>
#include <ctime>

namespace gpuestimate {

static constinit thread_local WorkScope *Innermost = nullptr;

/// Units between two looks at the clock: well under a millisecond of work.
static constexpr uint64_t ClockInterval = 4096;

static std::chrono::nanoseconds threadCpuTime() {
  timespec Now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return std::chrono::seconds(Now.tv_sec) +
         std::chrono::nanoseconds(Now.tv_nsec);
}

WorkBudget::WorkBudget(const WorkLimits &Limits)
    : Limits(Limits), Began(threadCpuTime()),
      NextCheck(std::min(Limits.Units, ClockInterval)) {}

void WorkBudget::check() {
  if (exhausted())
    return;
  if (Spent > Limits.Units)
    Ended = Limit::Units;
  else if (threadCpuTime() - Began > Limits.CpuTime)
    Ended = Limit::CpuTime;
  NextCheck = Spent + ClockInterval;
  if (Spent <= Limits.Units)
    NextCheck = std::min(NextCheck, Limits.Units + 1);
}

std::string WorkBudget::reason() const {
  switch (Ended) {
  case Limit::None:
    return "no limit was passed";
  case Limit::Units:
    return "it takes more than " + std::to_string(Limits.Units) +
           " units of work";
  case Limit::CpuTime:
    return "it takes more than " +
           std::to_string(
               std::chrono::duration_cast<std::chrono::milliseconds>(
                   Limits.CpuTime)
                   .count()) +
           " ms of processor time";
  case Limit::Forced:
    return "it takes more memory than it may";
  }
  return "";
}

WorkScope *currentWorkScope() { return Innermost; }

WorkScope::WorkScope(WorkBudget &Budget) : Budget(Budget), Outer(Innermost) {
  Innermost = this;
}
WorkScope::~WorkScope() { Innermost = Outer; }

} // namespace gpuestimate
