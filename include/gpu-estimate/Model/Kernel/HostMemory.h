/// \file
/// Where the buffer behind a kernel argument lies.
///
/// Like the size of a buffer, its place is a value of the launch: the parameter
/// "memory@a" has the place of the buffer of argument `a`. Host code sets it
/// from the call that allocates the buffer, `--memory` overrides it.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_HOSTMEMORY_H
#define GPU_ESTIMATE_MODEL_KERNEL_HOSTMEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>

namespace gpuestimate {

/// Device: memory of the GPU. Host: pinned memory of the host that kernels
/// access through the link. Managed: pages that migrate; a launch finds them
/// on the GPU, where the launch before it or a prefetch has put them.
/// FirstTouch: pages that migrate and lie on the host when the launch begins,
/// because host code wrote them last.
enum class BufferPlace : uint8_t { Device, Host, Managed, FirstTouch };

inline constexpr llvm::StringLiteral PlacePrefix = "memory@";

inline std::string placeParameter(llvm::StringRef Argument) {
  return (PlacePrefix + Argument).str();
}
inline double placeValue(BufferPlace Place) { return double(Place); }

/// "host" | "managed" | "first-touch" | "device"
inline std::optional<BufferPlace> placeFromName(llvm::StringRef Name) {
  if (Name == "device")
    return BufferPlace::Device;
  if (Name == "host")
    return BufferPlace::Host;
  if (Name == "managed")
    return BufferPlace::Managed;
  if (Name == "first-touch")
    return BufferPlace::FirstTouch;
  return std::nullopt;
}

} // namespace gpuestimate

#endif
