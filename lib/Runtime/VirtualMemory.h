/// \file
/// Virtual memory management of the driver's interface: addresses are reserved,
/// memory is created without an address, and mapped where the program wants it.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_VIRTUALMEMORY_H
#define GPU_ESTIMATE_LIB_RUNTIME_VIRTUALMEMORY_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace gpuestimate {

/// Reservations, memory and mappings of a process. Memory is a file without a
/// name, so that it can be mapped at several addresses and in several
/// processes. Addresses have no access until allow().
class VirtualMemory {
public:
  /// A handle of the program; 0 is none.
  using Handle = uint64_t;
  /// Sizes and addresses are multiples of it: 2 MiB, as on NVIDIA's GPUs.
  static constexpr uint64_t Granularity = 2 << 20;

  /// What the program said of memory that it created.
  struct Properties {
    int Device = 0;
    unsigned HandleTypes = 0; ///< by which it may be exported
    unsigned char Compression = 0;
  };

  struct Range {
    uint64_t Address = 0, Bytes = 0;
    bool operator==(const Range &) const = default;
  };

  VirtualMemory() = default;
  VirtualMemory(const VirtualMemory &) = delete;
  VirtualMemory &operator=(const VirtualMemory &) = delete;
  ~VirtualMemory();

  /// Nothing where the host has no such addresses.
  std::optional<uint64_t> reserve(uint64_t Bytes, uint64_t Alignment);
  /// False for what is no reservation, or has mappings.
  bool unreserve(Range R);

  /// Memory of that size; 0 where the host has none.
  Handle create(uint64_t Bytes, Properties P);
  /// Memory that a process exported as a file; 0 for no such file.
  Handle import(int File, Properties P);
  /// Null for no handle.
  const Properties *properties(Handle H) const;
  /// A new descriptor of the memory's file; -1 for no handle.
  int exportFile(Handle H) const;
  /// Memory that is mapped goes with its last mapping. False for no handle.
  bool release(Handle H);
  /// Created here and not gone.
  uint64_t createdBytes() const { return CreatedBytes; }

  /// False where the range is not reserved or has a mapping, or is not as large
  /// as the memory.
  bool map(Range R, Handle H);
  /// False unless the range consists of whole mappings.
  bool unmap(Range R);
  /// Gives or takes the access to a range of whole mappings.
  bool allow(Range R, bool Access);
  /// Mappings with access, neighbours in a reservation as one range: what the
  /// program uses as one allocation.
  std::vector<Range> accessible() const;

private:
  struct Memory {
    int File = -1;
    uint64_t Bytes = 0;
    Properties Facts;
    unsigned Mappings = 0;
    bool Imported = false, Released = false;
  };
  struct Mapping {
    uint64_t Bytes = 0;
    Handle Of = 0;
    bool Access = false;
  };
  using MappingMap = std::map<uint64_t, Mapping>;

  /// The mappings of which the range consists; nothing if it does not.
  std::optional<std::vector<MappingMap::iterator>> mappingsOf(Range R);
  void dropUnused(Handle H);

  std::map<uint64_t, uint64_t> Reserved; ///< bytes by address
  std::map<Handle, Memory> Memories;
  MappingMap Mapped; ///< by address
  Handle Next = 1;
  uint64_t CreatedBytes = 0;
};

} // namespace gpuestimate

#endif
