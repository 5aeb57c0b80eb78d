/// \file
/// The program's clock: real time of the host without what the emulation of
/// the GPU takes, plus the predicted time during which the host waits.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_VIRTUALCLOCK_H
#define GPU_ESTIMATE_LIB_RUNTIME_VIRTUALCLOCK_H

#include <atomic>
#include <cstdint>

namespace gpuestimate {

/// Nanoseconds of CLOCK_MONOTONIC, past the functions of this library that
/// stand before the C library's.
int64_t realNs();

/// V = V0 + (real - real0) * HostSpeed, where (V0, real0) is the moment at
/// which the last call of the interface returned. V stands still during a call.
///
/// One clock serves all threads of the program: while one of them is inside a
/// call, the others see the time of its beginning. Thread-safe.
class VirtualClock {
public:
  explicit VirtualClock(double HostSpeed)
      : HostSpeed(HostSpeed), RealBase(realNs()) {}

  /// Nanoseconds since the clock was made.
  double now();
  /// Stops the clock and returns its time.
  double freeze();
  /// Lets it run again, from Ns, but never backwards.
  void resume(double Ns);

private:
  double nowLocked() const;

  const double HostSpeed;
  std::atomic_flag Busy;
  int64_t RealBase;
  double Base = 0;
  bool Frozen = false;
};

/// The clock of this process; null where no parent predicts its times, so that
/// all clocks are real.
VirtualClock *virtualClock();

} // namespace gpuestimate

#endif
