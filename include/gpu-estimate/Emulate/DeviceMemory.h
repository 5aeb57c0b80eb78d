/// \file
/// The memory of an emulated launch: buffers in one address space, of which
/// only the pages that are touched exist.
///
/// Every buffer has a window of its own, so that no address leads from one into
/// another, and starts at a multiple of the window's size: what lies in one
/// sector or line is the same as on a device.
#ifndef GPU_ESTIMATE_EMULATE_DEVICEMEMORY_H
#define GPU_ESTIMATE_EMULATE_DEVICEMEMORY_H

#include "gpu-estimate/Emulate/BufferData.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpuestimate {

class DeviceMemory {
public:
  /// Address of a new buffer. Elements that nobody has written hold what Data
  /// says; without a size any address of the window can be used.
  uint64_t allocate(std::string Name, BufferData Data);

  /// False, and nothing happens, where the bytes are not all in one buffer or
  /// the limit of memory is reached.
  bool read(uint64_t Address, void *Into, unsigned Bytes);
  bool write(uint64_t Address, const void *From, unsigned Bytes);

  /// The buffer of an address, "" where there is none, and the byte in it.
  std::string nameOf(uint64_t Address) const;
  static uint64_t offsetOf(uint64_t Address) { return Address % Window; }
  /// Pages that exist are more than this: read and write fail.
  bool isFull() const { return Pages.size() >= MaxPages; }

  static constexpr uint64_t Window = uint64_t(1) << 36;
  static constexpr unsigned PageBytes = 4096;
  static constexpr size_t MaxPages = (size_t(512) << 20) / PageBytes;

private:
  struct Buffer {
    std::string Name;
    BufferData Data;
  };
  using Page = std::array<uint8_t, PageBytes>;
  bool contains(uint64_t Address, unsigned Bytes) const;
  uint8_t *page(uint64_t Number);

  std::vector<Buffer> Buffers; ///< number N at (N + 1) * Window
  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> Pages;
  uint64_t LastNumber = ~uint64_t(0);
  Page *Last = nullptr;
};

} // namespace gpuestimate

#endif
