/// \file
/// The memory of an emulated launch: buffers in one address space, with pages
/// that are allocated on first access.
///
/// Every buffer has an address window of its own, so that an overrun never
/// reaches another buffer. It starts at a multiple of the window's size, so
/// that its sectors and cache lines are aligned as on a device.
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
  /// Adds a buffer and returns its address. Elements hold the contents of Data
  /// until they are written; without Data.Size the whole window is valid.
  uint64_t allocate(std::string Name, BufferData Data);

  /// Copies bytes; false, without effect, if they are not in one buffer or the
  /// memory is full.
  bool read(uint64_t Address, void *Target, unsigned Bytes);
  bool write(uint64_t Address, const void *Source, unsigned Bytes);

  /// The buffer of an address, "" if there is none, and the byte offset in it.
  std::string nameOf(uint64_t Address) const;
  static uint64_t offsetOf(uint64_t Address) { return Address % Window; }
  /// Is the limit of pages reached, so that read and write fail?
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
