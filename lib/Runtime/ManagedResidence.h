/// \file
/// On which side the pages of managed memory lie.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_MANAGEDRESIDENCE_H
#define GPU_ESTIMATE_LIB_RUNTIME_MANAGEDRESIDENCE_H

#include "MemoryTable.h"
#include <map>
#include <set>
#include <vector>

namespace gpuestimate {

/// The host writes to managed memory without a call. What it wrote is found out
/// at the next launch: pages that it touched first are in the process's memory
/// (mincore), and pages that lie on the GPU have other contents than after the
/// last launch. Contents are compared by hashes, of allocations above 1 MiB by
/// those of every eighth 64 bytes, above 64 MiB of the first 64 of a page. What
/// the host only reads is not seen.
class ManagedResidence {
public:
  static constexpr uint64_t PageBytes = 4096;

  /// Bytes of pages that migrate.
  struct Migration {
    uint64_t ToHost = 0; ///< the host wrote to pages that lay on the GPU
    uint64_t ToGpu = 0;
    bool any() const { return ToHost || ToGpu; }
  };
  /// A launch, or a prefetch, uses Bytes of A from Offset on: its pages lie on
  /// the GPU afterwards.
  Migration useOnGpu(const RuntimeAllocation &A, uint64_t Offset,
                     uint64_t Bytes);
  /// The launch that used A has executed: pages with new contents were written
  /// on the GPU.
  void executed(const RuntimeAllocation &A);
  /// The host uses Bytes of A from Offset on. Returns the bytes of the pages
  /// that lay on the GPU; OnlyWritten: that the GPU wrote to, too.
  uint64_t useOnHost(const RuntimeAllocation &A, uint64_t Offset,
                     uint64_t Bytes, bool OnlyWritten);
  /// The GPU accesses A where it is, through the link: nothing migrates to it.
  void stayOnHost(const RuntimeAllocation &A) { OnHost.insert(A.Address); }
  void forget(const RuntimeAllocation &A) {
    Allocations.erase(A.Address);
    OnHost.erase(A.Address);
  }

private:
  struct Page {
    uint64_t Hash = 0; ///< while it lies on the GPU
    bool OnGpu = false, WrittenByGpu = false;
  };
  std::vector<Page> &pages(const RuntimeAllocation &A);
  std::map<uint64_t, std::vector<Page>> Allocations; ///< by address
  std::set<uint64_t> OnHost;                         ///< addresses
};

} // namespace gpuestimate

#endif
