/// \file
/// The memory that the program got from this library.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_MEMORYTABLE_H
#define GPU_ESTIMATE_LIB_RUNTIME_MEMORYTABLE_H

#include "gpu-estimate/Run/Records.h"
#include <map>

namespace gpuestimate {

/// One allocation. Addresses of host and device are the same.
struct RuntimeAllocation {
  uint64_t Address = 0, Bytes = 0;
  RunMemory Kind = RunMemory::Device;
  unsigned Flags = 0;  ///< of cudaHostAlloc
  unsigned Device = 0; ///< current at the call

  bool onDevice() const {
    return Kind == RunMemory::Device || Kind == RunMemory::Managed ||
           Kind == RunMemory::Variable;
  }
  bool isPageLocked() const {
    return Kind == RunMemory::Pinned || Kind == RunMemory::Registered;
  }
};

class MemoryTable {
public:
  void add(const RuntimeAllocation &A);
  /// The allocation that has the address; null where there is none.
  const RuntimeAllocation *find(const void *Address) const;
  /// The allocation that begins there.
  const RuntimeAllocation *findStart(const void *Address) const;
  void remove(const RuntimeAllocation &A);
  /// Are all bytes from Address on inside one allocation, or in none?
  bool fits(const void *Address, uint64_t Bytes) const;
  /// Memory of cudaMalloc and cudaMallocManaged.
  uint64_t bytesOn(unsigned Device) const;
  const std::map<uint64_t, RuntimeAllocation> &all() const { return ByAddress; }

private:
  std::map<uint64_t, RuntimeAllocation> ByAddress;
  std::map<unsigned, uint64_t> DeviceBytes;
};

} // namespace gpuestimate

#endif
