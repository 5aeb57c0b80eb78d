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
  uint64_t Mapped = alignTo(Pages, GranuleBytes) + 2 * Page;
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
  Ranges[Number] = {
      {Number, Bytes, std::move(Name), false}, Mapping, Mapped, nullptr};
  return Address;
}

/// Contents are written in parts of this size at least, and in so few that
/// their mappings are far from Linux's limit.
static constexpr uint64_t MinPartBytes = 64 << 10, MaxParts = 4096;

static uint64_t partBytes(uint64_t Bytes) {
  return std::max(MinPartBytes, PowerOf2Ceil(Bytes / MaxParts));
}

bool DeviceAllocations::place(uint64_t Address, uint64_t Bytes,
                              std::string Name, ContentsFunction Contents) {
  const uint64_t Page = sysconf(_SC_PAGESIZE);
  Bytes = std::max<uint64_t>(Bytes, 1);
  uint64_t Mapped = alignTo(Bytes, Page) + Page;
  void *Mapping = mmap(
      reinterpret_cast<void *>(Address), Mapped, PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (Mapping == MAP_FAILED)
    return false;
  if (reinterpret_cast<uint64_t>(Mapping) != Address ||
      (!Contents &&
       mprotect(Mapping, Mapped - Page, PROT_READ | PROT_WRITE) != 0)) {
    munmap(Mapping, Mapped);
    return false;
  }
  std::lock_guard<std::mutex> Guard(Lock);
  Ranges[Address] = {{Address, Bytes, std::move(Name), false},
                     Mapping,
                     Mapped,
                     std::move(Contents)};
  return true;
}

const DeviceAllocations::Entry *
DeviceAllocations::entryAtOrBefore(uint64_t Address) const {
  auto Behind = Ranges.upper_bound(Address);
  return Behind == Ranges.begin() ? nullptr : &std::prev(Behind)->second;
}

bool DeviceAllocations::fillOnAccess(uint64_t Address) const {
  // No code holds the lock while it accesses the memory of a kernel.
  std::lock_guard<std::mutex> Guard(Lock);
  const Entry *Before = entryAtOrBefore(Address);
  if (!Before)
    return false;
  const Entry &E = *Before;
  const uint64_t Page = sysconf(_SC_PAGESIZE);
  uint64_t End = alignTo(E.R.Bytes, Page), Part = partBytes(E.R.Bytes);
  if (!E.Contents || Address - E.R.Address >= End)
    return false;
  uint64_t First = (Address - E.R.Address) / Part * Part;
  uint64_t Length = std::min(Part, End - First);
  auto *Into = reinterpret_cast<uint8_t *>(E.R.Address + First);
  if (mprotect(Into, Length, PROT_READ | PROT_WRITE) != 0)
    return false;
  E.Contents(First, {Into, size_t(std::min(Length, E.R.Bytes - First))});
  return true;
}

bool DeviceAllocations::openBehind(uint64_t Address) {
  std::lock_guard<std::mutex> Guard(Lock);
  const Entry *Before = entryAtOrBefore(Address);
  if (!Before)
    return false;
  const Entry &E = *Before;
  const uint64_t Page = sysconf(_SC_PAGESIZE);
  uint64_t First = alignTo(E.R.Address + E.R.Bytes, Page);
  uint64_t End = reinterpret_cast<uint64_t>(E.Mapping) + E.MappedBytes - Page;
  return E.Mapping && !E.Contents && Address >= First && Address < End &&
         mprotect(reinterpret_cast<void *>(First), End - First,
                  PROT_READ | PROT_WRITE) == 0;
}

DeviceAllocations::Place DeviceAllocations::placeOf(uint64_t Address,
                                                    uint64_t Bytes,
                                                    Range &Around) const {
  std::lock_guard<std::mutex> Guard(Lock);
  const Entry *Before = entryAtOrBefore(Address);
  if (!Before)
    return Place::Unknown;
  const Entry &E = *Before;
  uint64_t Offset = Address - E.R.Address;
  Around = E.R;
  if (Offset < E.R.Bytes && Bytes <= E.R.Bytes - Offset)
    return Place::Inside;
  uint64_t MappingEnd = reinterpret_cast<uint64_t>(E.Mapping) + E.MappedBytes;
  return E.Mapping && Address < MappingEnd ? Place::Behind : Place::Unknown;
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
  Ranges[Number] = {
      {Number, Bytes, std::move(Name), false}, nullptr, 0, nullptr};
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
  const Entry *Before = entryAtOrBefore(Address);
  if (!Before || Address - Before->R.Address >= Before->R.Bytes)
    return std::nullopt;
  return Before->R;
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
  // A name says more than an address, which differs from run to run.
  std::string Buffer = std::to_string(R->Bytes) + " bytes" +
                       (R->Name.empty() ? " at 0x" + utohexstr(R->Address, true)
                                        : " of '" + R->Name + "'") +
                       (R->Freed ? ", which are freed" : "");
  if (Address < R->Address)
    return std::to_string(R->Address - Address) + " bytes before " + Buffer;
  if (Address - R->Address < R->Bytes)
    return "at byte " + std::to_string(Address - R->Address) + " of " + Buffer;
  return std::to_string(Address - R->Address - R->Bytes) +
         " bytes behind the end of " + Buffer;
}

} // namespace gpuestimate
