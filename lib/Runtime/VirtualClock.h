/// \file
/// The program's clock: real time of the host without what the emulation of
/// the GPU takes, plus the predicted time during which the host waits.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_VIRTUALCLOCK_H
#define GPU_ESTIMATE_LIB_RUNTIME_VIRTUALCLOCK_H

#include <atomic>
#include <cstdint>
#include <memory>

namespace gpuestimate {

/// Nanoseconds of CLOCK_MONOTONIC, past the functions of this library that
/// stand before the C library's.
int64_t realNs();

/// The host time is H = H0 + (real - real0) / HostSpeed, where (H0, real0) is
/// the moment at which the last call of the interface returned; H stands still
/// during a call. The clock shows V = H + offset. The predicted time of calls
/// and waits is in the offset, so that H does not depend on the GPU.
///
/// One clock serves all threads of the program: while one of them is inside a
/// call, it stands still for the others, too. Thread-safe.
class VirtualClock {
public:
  explicit VirtualClock(double HostSpeed)
      : HostSpeed(HostSpeed), RealBase(realNs()) {}

  /// V: nanoseconds since the clock was made.
  double now();
  /// H.
  double hostNs();
  /// Stops the clock and returns H.
  double freeze();
  /// Sets V while the clock stands still, but never backwards.
  void advanceTo(double NowNs);
  void resume();
  /// Adds work of the host that this process does not do itself to H.
  void work(double Ns);

private:
  double hostLocked() const;

  const double HostSpeed;
  std::atomic_flag Busy;
  int64_t RealBase;
  double Base = 0; ///< H0
  double Offset = 0;
  bool Frozen = false;
};

/// The clock of this process; null where nobody predicts its times, so that all
/// clocks are real.
VirtualClock *virtualClock();
/// Replaces it for a run of a part of this process; null: by the one that the
/// environment asks for.
void setVirtualClock(std::unique_ptr<VirtualClock> Clock);

} // namespace gpuestimate

#endif
