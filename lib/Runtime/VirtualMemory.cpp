#include "VirtualMemory.h"

#include <algorithm>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuestimate {

static void *pointerTo(uint64_t Address) {
  return reinterpret_cast<void *>(Address);
}

/// Takes all access to addresses, which stay reserved.
static void *reserveAt(void *Place, uint64_t Bytes, int Flags) {
  return mmap(Place, Bytes, PROT_NONE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | Flags, -1, 0);
}

VirtualMemory::~VirtualMemory() {
  for (auto [Address, Bytes] : Reserved)
    munmap(pointerTo(Address), Bytes);
  for (const auto &[H, M] : Memories)
    close(M.File);
}

std::optional<uint64_t> VirtualMemory::reserve(uint64_t Bytes,
                                               uint64_t Alignment) {
  Alignment = std::max(Alignment, Granularity);
  bool IsPower = (Alignment & (Alignment - 1)) == 0;
  if (Bytes == 0 || Bytes % Granularity != 0 || !IsPower ||
      Bytes > (uint64_t(1) << 46) || Alignment > (uint64_t(1) << 46))
    return std::nullopt;
  void *Place = reserveAt(nullptr, Bytes + Alignment, 0);
  if (Place == MAP_FAILED)
    return std::nullopt;
  uint64_t Start = reinterpret_cast<uint64_t>(Place);
  uint64_t Address = (Start + Alignment - 1) & ~(Alignment - 1);
  if (Address > Start)
    munmap(Place, Address - Start);
  if (uint64_t Behind = Start + Alignment - Address)
    munmap(pointerTo(Address + Bytes), Behind);
  Reserved[Address] = Bytes;
  return Address;
}

bool VirtualMemory::unreserve(Range R) {
  auto It = Reserved.find(R.Address);
  auto First = Mapped.lower_bound(R.Address);
  bool HasMapping = First != Mapped.end() && First->first < R.Address + R.Bytes;
  if (It == Reserved.end() || It->second != R.Bytes || HasMapping)
    return false;
  munmap(pointerTo(R.Address), R.Bytes);
  Reserved.erase(It);
  return true;
}

VirtualMemory::Handle VirtualMemory::create(uint64_t Bytes, Properties P) {
  int File = memfd_create("gpu-estimate-memory", MFD_CLOEXEC);
  if (File < 0)
    return 0;
  if (ftruncate(File, static_cast<off_t>(Bytes)) != 0) {
    close(File);
    return 0;
  }
  Memories[Next] = {File, Bytes, P, 0, false, false};
  CreatedBytes += Bytes;
  return Next++;
}

VirtualMemory::Handle VirtualMemory::import(int File, Properties P) {
  struct stat Facts;
  int Own = dup(File);
  if (Own < 0)
    return 0;
  if (fstat(Own, &Facts) != 0 || Facts.st_size <= 0) {
    close(Own);
    return 0;
  }
  Memories[Next] = {Own,  static_cast<uint64_t>(Facts.st_size), P, 0, true,
                    false};
  return Next++;
}

const VirtualMemory::Properties *VirtualMemory::properties(Handle H) const {
  auto It = Memories.find(H);
  return It == Memories.end() ? nullptr : &It->second.Facts;
}

int VirtualMemory::exportFile(Handle H) const {
  auto It = Memories.find(H);
  return It == Memories.end() ? -1 : dup(It->second.File);
}

void VirtualMemory::dropUnused(Handle H) {
  auto It = Memories.find(H);
  const Memory &M = It->second;
  if (!M.Released || M.Mappings)
    return;
  close(M.File);
  if (!M.Imported)
    CreatedBytes -= M.Bytes;
  Memories.erase(It);
}

bool VirtualMemory::release(Handle H) {
  auto It = Memories.find(H);
  if (It == Memories.end() || It->second.Released)
    return false;
  It->second.Released = true;
  dropUnused(H);
  return true;
}

bool VirtualMemory::map(Range R, Handle H) {
  auto M = Memories.find(H);
  auto In = Reserved.upper_bound(R.Address);
  if (M == Memories.end() || M->second.Bytes != R.Bytes ||
      In == Reserved.begin())
    return false;
  --In;
  if (R.Address + R.Bytes > In->first + In->second)
    return false;
  auto Next = Mapped.lower_bound(R.Address);
  if (Next != Mapped.end() && Next->first < R.Address + R.Bytes)
    return false;
  if (Next != Mapped.begin()) {
    auto Before = std::prev(Next);
    if (Before->first + Before->second.Bytes > R.Address)
      return false;
  }
  if (mmap(pointerTo(R.Address), R.Bytes, PROT_NONE, MAP_SHARED | MAP_FIXED,
           M->second.File, 0) == MAP_FAILED)
    return false;
  Mapped[R.Address] = {R.Bytes, H, false};
  ++M->second.Mappings;
  return true;
}

std::optional<std::vector<VirtualMemory::MappingMap::iterator>>
VirtualMemory::mappingsOf(Range R) {
  std::vector<MappingMap::iterator> Found;
  uint64_t Place = R.Address, End = R.Address + R.Bytes;
  while (Place < End) {
    auto It = Mapped.find(Place);
    if (It == Mapped.end())
      return std::nullopt;
    Found.push_back(It);
    Place += It->second.Bytes;
  }
  if (Place != End || Found.empty())
    return std::nullopt;
  return Found;
}

bool VirtualMemory::unmap(Range R) {
  auto Mappings = mappingsOf(R);
  if (!Mappings)
    return false;
  for (MappingMap::iterator It : *Mappings) {
    reserveAt(pointerTo(It->first), It->second.Bytes, MAP_FIXED);
    Handle H = It->second.Of;
    --Memories[H].Mappings;
    Mapped.erase(It);
    dropUnused(H);
  }
  return true;
}

bool VirtualMemory::allow(Range R, bool Access) {
  auto Mappings = mappingsOf(R);
  if (!Mappings)
    return false;
  int Protection = Access ? PROT_READ | PROT_WRITE : PROT_NONE;
  if (mprotect(pointerTo(R.Address), R.Bytes, Protection) != 0)
    return false;
  for (MappingMap::iterator It : *Mappings)
    It->second.Access = Access;
  return true;
}

std::vector<VirtualMemory::Range> VirtualMemory::accessible() const {
  std::vector<Range> Ranges;
  for (const auto &[Address, M] : Mapped) {
    if (!M.Access)
      continue;
    bool Continues =
        !Ranges.empty() &&
        Ranges.back().Address + Ranges.back().Bytes == Address &&
        !Reserved.count(Address); // another reservation begins there
    if (Continues)
      Ranges.back().Bytes += M.Bytes;
    else
      Ranges.push_back({Address, M.Bytes});
  }
  return Ranges;
}

} // namespace gpuestimate
