/// \file
/// The memory of the modelled GPU that kernels may access: device pointers are
/// pointers of this process, and each allocation has a name for messages.
#ifndef GPU_ESTIMATE_EXECUTE_DEVICEALLOCATIONS_H
#define GPU_ESTIMATE_EXECUTE_DEVICEALLOCATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace gpuestimate {

/// A thread-safe map of valid memory.
class DeviceAllocations {
public:
  struct Range {
    uint64_t Address = 0, Bytes = 0;
    std::string Name; ///< of a variable; "" for an allocation of the program
    bool Freed = false;
  };

  DeviceAllocations() = default;
  DeviceAllocations(const DeviceAllocations &) = delete;
  DeviceAllocations &operator=(const DeviceAllocations &) = delete;
  ~DeviceAllocations();

  /// Zeroed memory, aligned to 256 bytes, whose last 256 bytes touch a page
  /// that cannot be accessed, and whose page before its first cannot be either.
  /// Null when the system has no more memory; zero bytes count as one.
  void *allocate(uint64_t Bytes, std::string Name = {});
  /// Memory at an address of the caller's choice, a multiple of the page size.
  /// Contents, if there is one, writes bytes [First, First + Into.size()) of
  /// the memory when they are first accessed; for one worker only. False: the
  /// address is taken, or the system has no more memory.
  using ContentsFunction =
      std::function<void(uint64_t First, llvm::MutableArrayRef<uint8_t> Into)>;
  bool place(uint64_t Address, uint64_t Bytes, std::string Name,
             ContentsFunction Contents = nullptr);
  /// Writes the contents around an address whose access has failed; false if
  /// there is nothing to write. May be called by a signal handler.
  bool fillOnAccess(uint64_t Address) const;
  /// Makes the memory behind an allocation accessible where a GPU has mapped
  /// it, too: up to the end of the granule in which the allocation ends. False
  /// for any other address. May be called by a signal handler.
  bool openBehind(uint64_t Address);

  /// Frees what allocate() returned; false for any other address. The address
  /// stays inaccessible for a while, so that a use of freed memory is found.
  bool release(void *Address);

  /// Memory that another owner allocated: page-locked or registered memory of
  /// the host.
  void add(const void *Address, uint64_t Bytes, std::string Name = {});
  void remove(const void *Address);

  /// Where an access to Bytes bytes lies. Pages guard allocations at their
  /// ends, so that only bytes of the last page are Behind.
  enum class Place : uint8_t { Inside, Behind, Unknown };
  Place placeOf(uint64_t Address, uint64_t Bytes, Range &Around) const;
  /// The range that holds the address.
  std::optional<Range> find(uint64_t Address) const;
  /// The range that is nearest to the address and at most MaxDistance bytes
  /// away, freed ranges included.
  std::optional<Range> nearest(uint64_t Address) const;
  /// "12 bytes behind the end of 4096 bytes at 0x7f..."; "" if no range is
  /// near.
  std::string describe(uint64_t Address) const;

  static constexpr uint64_t Alignment = 256;
  /// What a GPU maps at least: the driver's allocation granularity
  /// (cuMemGetAllocationGranularity()) on GPUs since Pascal.
  static constexpr uint64_t GranuleBytes = uint64_t(2) << 20;
  static constexpr uint64_t MaxDistance = uint64_t(1) << 20;

private:
  struct Entry {
    Range R;
    void *Mapping = nullptr; ///< of allocate(), with its guard pages
    uint64_t MappedBytes = 0;
    ContentsFunction Contents;
  };
  /// The range with the largest start that is at most Address; null without
  /// one. The caller holds the lock.
  const Entry *entryAtOrBefore(uint64_t Address) const;
  void unmapOldest();

  mutable std::mutex Lock;
  std::map<uint64_t, Entry> Ranges; ///< by address
  std::deque<Entry> Freed;          ///< oldest first
};

} // namespace gpuestimate

#endif
