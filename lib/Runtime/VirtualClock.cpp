/// \file
/// The virtual clock, and the clocks of the C library that read it.
///
/// A program that measures its kernels between two synchronisations, by
/// std::chrono, omp_get_wtime or a function below, prints predicted times. All
/// of these end in a function below.
#include "VirtualClock.h"

#include "gpu-estimate/Run/Environment.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <new>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace gpuestimate {

namespace {

/// The kernel's clock. The C library's function is ours in this process, and to
/// look for the one behind it allocates memory: an allocator that reads clocks
/// (AddressSanitizer's) would never return.
int realClock(clockid_t Id, timespec *Time) {
  return static_cast<int>(syscall(SYS_clock_gettime, Id, Time));
}

constexpr int64_t NsPerSecond = 1'000'000'000;

int64_t nanoseconds(const timespec &Time) {
  return Time.tv_sec * NsPerSecond + Time.tv_nsec;
}

class Lock {
public:
  explicit Lock(std::atomic_flag &Flag) : Flag(Flag) {
    while (Flag.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Lock() { Flag.clear(std::memory_order_release); }

private:
  std::atomic_flag &Flag;
};

/// What the C library's clock showed when the virtual clock was made.
int64_t originOf(clockid_t Id) {
  static const struct Origins {
    int64_t Real, Monotonic, Cpu;
    Origins() {
      timespec Time;
      realClock(CLOCK_REALTIME, &Time);
      Real = nanoseconds(Time);
      realClock(CLOCK_MONOTONIC, &Time);
      Monotonic = nanoseconds(Time);
      realClock(CLOCK_PROCESS_CPUTIME_ID, &Time);
      Cpu = nanoseconds(Time);
    }
  } All;
  switch (Id) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
    return All.Real;
  case CLOCK_PROCESS_CPUTIME_ID:
    return All.Cpu;
  default:
    return All.Monotonic;
  }
}

/// The clock's value in nanoseconds; -1 for one that stays real.
int64_t virtualNs(clockid_t Id) {
  switch (Id) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
  case CLOCK_PROCESS_CPUTIME_ID:
    break;
  default:
    return -1;
  }
  VirtualClock *Clock = virtualClock();
  if (!Clock)
    return -1;
  int64_t Origin = originOf(Id);
  return Origin + std::llround(Clock->now());
}

} // namespace

int64_t realNs() {
  timespec Time;
  realClock(CLOCK_MONOTONIC, &Time);
  return nanoseconds(Time);
}

double VirtualClock::hostLocked() const {
  return Frozen ? Base : Base + double(realNs() - RealBase) / HostSpeed;
}

double VirtualClock::now() {
  Lock L(Busy);
  return hostLocked() + Offset;
}

double VirtualClock::hostNs() {
  Lock L(Busy);
  return hostLocked();
}

double VirtualClock::freeze() {
  Lock L(Busy);
  Base = hostLocked();
  Frozen = true;
  return Base;
}

void VirtualClock::advanceTo(double NowNs) {
  Lock L(Busy);
  Offset = std::max(Offset, NowNs - hostLocked());
}

void VirtualClock::resume() {
  Lock L(Busy);
  RealBase = realNs();
  Frozen = false;
}

void VirtualClock::work(double Ns) {
  Lock L(Busy);
  Base += std::max(0.0, Ns);
}

/// The clock of setVirtualClock().
static std::atomic<VirtualClock *> OfRun = nullptr;

void setVirtualClock(std::unique_ptr<VirtualClock> Clock) {
  delete OfRun.exchange(Clock.release());
}

VirtualClock *virtualClock() {
  if (VirtualClock *Clock = OfRun.load(std::memory_order_acquire))
    return Clock;
  // Lives as long as the process: other libraries read clocks while it ends.
  // An allocator may read clocks, so that no memory is allocated here.
  alignas(VirtualClock) static char Storage[sizeof(VirtualClock)];
  static VirtualClock *const Clock = []() -> VirtualClock * {
    if (!std::getenv(runenvironment::Socket))
      return nullptr;
    const char *Text = std::getenv(runenvironment::HostSpeed);
    double Speed = Text ? std::strtod(Text, nullptr) : 1;
    return new (Storage)
        VirtualClock(Speed > 0 && std::isfinite(Speed) ? Speed : 1);
  }();
  return Clock;
}

} // namespace gpuestimate

using namespace gpuestimate;

#pragma GCC visibility push(default)
extern "C" {

int clock_gettime(clockid_t Id, timespec *Time) noexcept {
  int64_t Ns = virtualNs(Id);
  if (Ns < 0)
    return realClock(Id, Time);
  Time->tv_sec = Ns / NsPerSecond;
  Time->tv_nsec = Ns % NsPerSecond;
  return 0;
}

int timespec_get(timespec *Time, int Base) noexcept {
  if (Base != TIME_UTC)
    return 0;
  clock_gettime(CLOCK_REALTIME, Time);
  return Base;
}

int gettimeofday(timeval *Time, void *Zone) noexcept {
  (void)Zone; // obsolete: programs pass null
  timespec Exact;
  clock_gettime(CLOCK_REALTIME, &Exact);
  Time->tv_sec = Exact.tv_sec;
  Time->tv_usec = Exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *Result) noexcept {
  timespec Exact;
  clock_gettime(CLOCK_REALTIME, &Exact);
  if (Result)
    *Result = Exact.tv_sec;
  return Exact.tv_sec;
}

clock_t clock() noexcept {
  timespec Exact;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Exact);
  return nanoseconds(Exact) / (NsPerSecond / CLOCKS_PER_SEC);
}

} // extern "C"
#pragma GCC visibility pop
