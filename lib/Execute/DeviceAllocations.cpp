#include "gpu-estimate/Execute/DeviceAllocations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace gpuestimate {

/// Freed allocations whose addresses stay reserved. Linux limits the mappings
/// of a process to 65,530 by default, and each one here needs up to two.
static constexpr size_t MaxFreed = 4096;

DeviceAllocations::~DeviceAllocations() {
  for (auto &[Address, E] : Ranges)
    if (E.Mapping)
      munmap(E.Mapping, E.MappedBytes);
  for (Entry &E : Freed)
    munmap(E.Mapping, E.MappedBytes);
}

void *DeviceAllocations::allocate(uint64_t Bytes, std::string Name) {
  const uint64_t Page = sysconf(_SC_PAGESIZE);
  Bytes = std::max<uint64_t>(Bytes, 1);
  if (Bytes > uint64_t(1) << 46)
    return nullptr;
  uint64_t Used = alignTo(Bytes, Alignment), Pages = alignTo(Used, Page);
  uint64_t Mapped = Pages + 2 * Page;
  void *Mapping = mmap(nullptr, Mapped, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mapping == MAP_FAILED)
    return nullptr;
  char *First = static_cast<char *>(Mapping) + Page;
  if (mprotect(First, Pages, PROT_READ | PROT_WRITE) != 0) {
    munmap(Mapping, Mapped);
    return nullptr;
  }
  char *Address = First + Pages - Used;
  std::lock_guard<std::mutex> Guard(Lock);
  uint64_t Number = reinterpret_cast<uint64_t>(Address);
  Ranges[Number] = {{Number, Bytes, std::move(Name), false}, Mapping, Mapped};
  return Address;
}

void DeviceAllocations::unmapOldest() {
  munmap(Freed.front().Mapping, Freed.front().MappedBytes);
  Freed.pop_front();
}

bool DeviceAllocations::release(void *Address) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto It = Ranges.find(reinterpret_cast<uint64_t>(Address));
  if (It == Ranges.end() || !It->second.Mapping)
    return false;
  Entry E = std::move(It->second);
  Ranges.erase(It);
  E.R.Freed = true;
  // A new mapping in place of the old one gives the memory back and keeps the
  // address range.
  mmap(E.Mapping, E.MappedBytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  Freed.push_back(std::move(E));
  if (Freed.size() > MaxFreed)
    unmapOldest();
  return true;
}

void DeviceAllocations::add(const void *Address, uint64_t Bytes,
                            std::string Name) {
  std::lock_guard<std::mutex> Guard(Lock);
  uint64_t Number = reinterpret_cast<uint64_t>(Address);
  Ranges[Number] = {{Number, Bytes, std::move(Name), false}, nullptr, 0};
}

void DeviceAllocations::remove(const void *Address) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto It = Ranges.find(reinterpret_cast<uint64_t>(Address));
  if (It != Ranges.end() && !It->second.Mapping)
    Ranges.erase(It);
}

std::optional<DeviceAllocations::Range>
DeviceAllocations::find(uint64_t Address) const {
  std::lock_guard<std::mutex> Guard(Lock);
  auto It = Ranges.upper_bound(Address);
  if (It == Ranges.begin())
    return std::nullopt;
  const Range &R = std::prev(It)->second.R;
  if (Address - R.Address >= R.Bytes)
    return std::nullopt;
  return R;
}

/// Bytes between Address and the range; 0 inside of it.
static uint64_t distance(const DeviceAllocations::Range &R, uint64_t Address) {
  if (Address < R.Address)
    return R.Address - Address;
  return Address - R.Address < R.Bytes ? 0 : Address - R.Address - R.Bytes;
}

std::optional<DeviceAllocations::Range>
DeviceAllocations::nearest(uint64_t Address) const {
  std::lock_guard<std::mutex> Guard(Lock);
  std::optional<Range> Best;
  auto consider = [&](const Range &R) {
    if (distance(R, Address) <= MaxDistance &&
        (!Best || distance(R, Address) < distance(*Best, Address)))
      Best = R;
  };
  auto It = Ranges.upper_bound(Address);
  if (It != Ranges.end())
    consider(It->second.R);
  if (It != Ranges.begin())
    consider(std::prev(It)->second.R);
  for (const Entry &E : Freed)
    consider(E.R);
  return Best;
}

std::string DeviceAllocations::describe(uint64_t Address) const {
  std::optional<Range> R = nearest(Address);
  if (!R)
    return "";
  std::string Buffer = (R->Name.empty() ? "" : "'" + R->Name + "', ") +
                       std::to_string(R->Bytes) + " bytes at 0x" +
                       utohexstr(R->Address, true) +
                       (R->Freed ? ", which are freed" : "");
  if (Address < R->Address)
    return std::to_string(R->Address - Address) + " bytes before " + Buffer;
  if (Address - R->Address < R->Bytes)
    return "at byte " + std::to_string(Address - R->Address) + " of " + Buffer;
  return std::to_string(Address - R->Address - R->Bytes) +
         " bytes behind the end of " + Buffer;
}

} // namespace gpuestimate
