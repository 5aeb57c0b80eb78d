/// \file
/// Reuse distances of the loads of emulated warps.
#ifndef GPU_ESTIMATE_LIB_EMULATE_RESOLVE_REUSERECORDER_H
#define GPU_ESTIMATE_LIB_EMULATE_RESOLVE_REUSERECORDER_H

#include "gpu-estimate/Emulate/Emulate.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <vector>

namespace gpuestimate {

/// Records for each load of each warp how many bytes of different sectors its
/// thread block has loaded since it loaded the same sectors (Mattson et al.
/// 1970: an LRU cache of that size or less misses). Whether a load hits a cache
/// of a GPU is decided later: the distances are those of any GPU.
class ReuseRecorder {
public:
  using ReusesOfWarp =
      llvm::DenseMap<const llvm::Instruction *, std::vector<double>>;
  /// Executions of a load that are recorded for a warp.
  static constexpr size_t MaxReuses = 256;

  /// Requests arrive in the order of execution, thread block after block.
  void add(const EmulatedRequest &Request);
  /// Of all loads of a warp; null if it loads nothing.
  const ReusesOfWarp *find(const EmulatedWarp &Warp) const;

private:
  /// Sectors that a thread block loads; later loads are not recorded.
  static constexpr unsigned MaxTouches = 1 << 14;
  static constexpr unsigned SectorBytes = 32;

  void beginBlock(const std::array<uint64_t, 3> &Block);
  double distance(uint64_t Sector) const;
  void touch(uint64_t Sector);
  /// A Fenwick tree over the times of touches counts the sectors that were
  /// touched last at that time or before.
  void count(unsigned Time, int By);
  unsigned touchedUntil(unsigned Time) const;

  std::array<uint64_t, 3> Block{~uint64_t(0), 0, 0};
  llvm::DenseMap<uint64_t, unsigned> LastTouch; ///< sector -> time, from 1
  std::vector<unsigned> Tree;
  unsigned Time = 0;
  std::map<std::pair<std::array<uint64_t, 3>, unsigned>, ReusesOfWarp> Reuses;
};

} // namespace gpuestimate

#endif
