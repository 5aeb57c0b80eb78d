#include "gpu-estimate/Support/WorkBudget.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace gpuestimate {

static constinit thread_local WorkScope *Innermost = nullptr;

/// Units between two reads of the clock, at first and at most. Reading it takes
/// a microsecond, as much as some tens of units do, or some thousands where a
/// loop spends many at a time: the interval grows until ClockPeriod passes.
static constexpr uint64_t ClockInterval = 4096, LongestInterval = 1 << 20;
static constexpr std::chrono::microseconds ClockPeriod(200);

/// Reads of the clock per read of the memory use, which costs more.
static constexpr unsigned ChecksOfMemory = 16;

static constexpr uint64_t NoLimit = std::numeric_limits<uint64_t>::max();

static std::chrono::nanoseconds threadCpuTime() {
  timespec Time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Time);
  return std::chrono::seconds(Time.tv_sec) +
         std::chrono::nanoseconds(Time.tv_nsec);
}

/// Resident memory of the process in bytes; 0 where the system does not tell.
static uint64_t residentBytes() {
  unsigned long long Total = 0, Resident = 0;
  if (FILE *Status = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(Status, "%llu %llu", &Total, &Resident) != 2)
      Resident = 0;
    std::fclose(Status);
  }
  return Resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

WorkBudget::WorkBudget(const WorkLimits &Limits)
    : Limits(Limits), Began(threadCpuTime()),
      MemoryAtBegin(Limits.MemoryBytes == NoLimit ? 0 : residentBytes()),
      LastRead(Began), Interval(ClockInterval),
      NextCheck(std::min(Limits.Units, ClockInterval)) {}

bool WorkBudget::passedCpuTime() {
  if (Limits.CpuTime == std::chrono::nanoseconds::max())
    return false;
  std::chrono::nanoseconds Now = threadCpuTime();
  Interval =
      std::clamp(Now - LastRead < ClockPeriod ? Interval * 2 : Interval / 2,
                 ClockInterval, LongestInterval);
  LastRead = Now;
  return Now - Began > Limits.CpuTime;
}

/// Bytes that are resident beyond those at the begin. The memory use is read
/// once: between two reads, other threads of the process may free theirs.
static uint64_t residentSince(uint64_t AtBegin) {
  uint64_t Now = residentBytes();
  return Now > AtBegin ? Now - AtBegin : 0;
}

void WorkBudget::check() {
  if (exhausted())
    return;
  if (Limits.Cancelled && Limits.Cancelled->load(std::memory_order_relaxed))
    Ended = Limit::Cancelled;
  else if (Spent > Limits.Units)
    Ended = Limit::Units;
  else if (passedCpuTime())
    Ended = Limit::CpuTime;
  else if (Limits.MemoryBytes != NoLimit && Checks++ % ChecksOfMemory == 0 &&
           residentSince(MemoryAtBegin) > Limits.MemoryBytes)
    Ended = Limit::Memory;
  NextCheck = Spent + Interval;
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
           std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(
                              Limits.CpuTime)
                              .count()) +
           " ms of processor time";
  case Limit::Memory:
    return "it takes more than " + std::to_string(Limits.MemoryBytes >> 20) +
           " MiB of memory";
  case Limit::Cancelled:
    return "its result is not wanted any more";
  }
  return "";
}

WorkScope *currentWorkScope() { return Innermost; }

std::string workLimitPassed() {
  const WorkBudget *Budget = Innermost ? Innermost->exhaustedBudget() : nullptr;
  return Budget ? Budget->reason() : "";
}

WorkScope::WorkScope(WorkBudget &Budget) : Budget(Budget), Outer(Innermost) {
  Innermost = this;
}
WorkScope::~WorkScope() { Innermost = Outer; }

} // namespace gpuestimate
