/// \file
/// The memory that the program got from this library.
#include "MemoryTable.h"

namespace gpuestimate {

namespace {
uint64_t countedBytes(const RuntimeAllocation &A) {
  return A.onDevice() && A.Kind != RunMemory::Variable ? A.Bytes : 0;
}
} // namespace

void MemoryTable::add(const RuntimeAllocation &A) {
  ByAddress[A.Address] = A;
  DeviceBytes[A.Device] += countedBytes(A);
}

uint64_t MemoryTable::bytesOn(unsigned Device) const {
  auto It = DeviceBytes.find(Device);
  return It == DeviceBytes.end() ? 0 : It->second;
}

const RuntimeAllocation *MemoryTable::find(const void *Address) const {
  uint64_t Place = reinterpret_cast<uint64_t>(Address);
  auto It = ByAddress.upper_bound(Place);
  if (It == ByAddress.begin())
    return nullptr;
  const RuntimeAllocation &A = std::prev(It)->second;
  return Place - A.Address < A.Bytes ? &A : nullptr;
}

const RuntimeAllocation *MemoryTable::findStart(const void *Address) const {
  auto It = ByAddress.find(reinterpret_cast<uint64_t>(Address));
  return It == ByAddress.end() ? nullptr : &It->second;
}

void MemoryTable::remove(const RuntimeAllocation &A) {
  DeviceBytes[A.Device] -= countedBytes(A);
  ByAddress.erase(A.Address);
}

bool MemoryTable::fits(const void *Address, uint64_t Bytes) const {
  const RuntimeAllocation *A = find(Address);
  if (!A)
    return true;
  uint64_t Offset = reinterpret_cast<uint64_t>(Address) - A->Address;
  return Bytes <= A->Bytes - Offset;
}

} // namespace gpuestimate
