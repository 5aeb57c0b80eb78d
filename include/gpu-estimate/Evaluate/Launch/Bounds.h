/// \file
/// The throughput bounds: each says how many cycles a group of blocks needs
/// at least if only this resource mattered. One table drives the evaluation,
/// `--without`, the report and the docs.
#ifndef GPU_ESTIMATE_EVALUATE_LAUNCH_BOUNDS_H
#define GPU_ESTIMATE_EVALUATE_LAUNCH_BOUNDS_H

#include "gpu-estimate/Evaluate/Launch/Workload.h"

namespace gpuestimate {

/// The thread blocks, of a launch of AllBlocks, that one multiprocessor or the
/// chip has to run.
struct BlockGroup {
  double Blocks = 0, AllBlocks = 1;
  double Density = 1; ///< work of one of them, in that of the mean block
};

/// Whether every multiprocessor has the resource or the chip has one.
enum class BoundScope : uint8_t { Multiprocessor, Chip };

struct BoundInfo {
  Resource Id;
  Term SwitchedOffBy; ///< the term of `--without`
  BoundScope Scope;
  llvm::StringRef Formula; ///< for docs
  double (*Cycles)(const Workload &, const GpuModel &, const BlockGroup &);

  llvm::StringRef name() const { return gpuestimate::name(Id); }
};

/// Parallel to Resource.
llvm::ArrayRef<BoundInfo> boundTable();
inline const BoundInfo &boundOf(Resource R) {
  return boundTable()[static_cast<size_t>(R)];
}

/// Sustained DRAM bandwidth of a mix with this share of written bytes:
/// interpolated in time per byte between the measured pure-read, copy (half
/// written) and pure-write rates, because a byte of a mix costs the turn-around
/// of the bus, which the copy rate measures. At most what L2 exchanges with
/// DRAM per core cycle, which limits it at low core clocks.
BytesPerSecond dramBandwidth(const GpuModel &Gpu, double WriteShare);

/// The part of it that is left for data in whole lines, each of which DRAM
/// moves with its error-correcting code (GpuModel::InlineEccRead).
BytesPerSecond dramBandwidthOfLines(const GpuModel &Gpu, double WriteShare);

} // namespace gpuestimate

#endif
