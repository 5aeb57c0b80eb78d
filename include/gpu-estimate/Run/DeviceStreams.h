/// \file
/// The device of a stream is in the stream's number: its upper half. The number
/// of a device's default stream has the lower half 0, that of the first device
/// is 0.
#ifndef GPU_ESTIMATE_RUN_DEVICESTREAMS_H
#define GPU_ESTIMATE_RUN_DEVICESTREAMS_H

#include "gpu-estimate/Run/Records.h"
#include <string>

namespace gpuestimate {

inline constexpr unsigned DeviceShift = 32;

constexpr unsigned deviceOf(RunHandle Stream) {
  return unsigned(Stream >> DeviceShift);
}
constexpr RunHandle defaultStream(unsigned Device) {
  return RunHandle(Device) << DeviceShift;
}
constexpr bool isDefaultStream(RunHandle Stream) {
  return Stream == defaultStream(deviceOf(Stream));
}

/// "stream 3", "default stream", "device 1, stream 4".
inline std::string streamName(RunHandle Stream) {
  unsigned Device = deviceOf(Stream);
  std::string Own =
      isDefaultStream(Stream)
          ? "default stream"
          : "stream " + std::to_string(Stream - defaultStream(Device));
  return Device ? "device " + std::to_string(Device) + ", " + Own : Own;
}

} // namespace gpuestimate

#endif
