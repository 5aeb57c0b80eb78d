/// \file
/// The model `kleimenov`: Kleimenov & Popova 2021 (Computational Nanotechnology
/// 8(1), 38-45) as published. The default model extends it
/// (LatencyBandwidth.h); this one is for comparison with the paper.
///
///   time_kernel = time_launch + sum of the times of its waves
///   time_launch = x1 * gridSize + x2          one line for each number of
///                                             warps per block
///   time_WP     = time(main thread, lat) + time_sync
///   time_sync   = syncs * delay_dep * (blockSize - 1)
///   delay_dep   = (lat_uncoal - lat_DRAM) / 28
///   time_PB     = max( max over warps of time_WP, sum of delay_WP )
///   time_SM     = max over its processing blocks; time_GPU over all SMs
///   lat_SM      = coalpct * (l1pct * lat_L1 + l2pct * lat_L2
///                            + drampct * lat_DRAM) + uncoalpct * lat_uncoal
///
/// Figures 4 and 5 raise lat_L1, then lat_L2, lat_DRAM and lat_uncoal:
///
///   repeat: time = time(lat); lat_level *= mem_level / time / band_level
///   until |old_time - time| <= eps
///
/// The printed loop would also shrink a latency; the text says "while the
/// bandwidth that is needed exceeds the one there is", so only factors above 1
/// act.
///
/// What the paper leaves open, and what is chosen here:
/// docs/models/kleimenov.md.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_KLEIMENOV_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_KLEIMENOV_H

#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuestimate {

/// The memory levels of the paper, in the order in which their latencies are
/// raised: requests that hit L1, L2 or nothing, and uncoalesced ones.
enum class KleimenovLevel : uint8_t { L1, L2, Dram, Uncoalesced };
inline constexpr unsigned NumKleimenovLevels = 4;
/// "l1", "l2", "dram", "uncoalesced"
llvm::StringRef name(KleimenovLevel Level);

/// A value for each level.
template <typename T> struct PerKleimenovLevel {
  std::array<T, NumKleimenovLevels> Values{};
  T &operator[](KleimenovLevel L) { return Values[unsigned(L)]; }
  const T &operator[](KleimenovLevel L) const { return Values[unsigned(L)]; }
};

/// Sectors that a fully uncoalesced request of 32 words has beyond the 4 of a
/// coalesced one: the paper's divisor 28.
inline constexpr double SectorsBeyondCoalesced = 28;

/// lat_mem and band_mem of the GPU model.
struct KleimenovMachine {
  PerKleimenovLevel<double> Latency; ///< cycles
  /// Bytes per core cycle; L1 of one multiprocessor, the others of the chip.
  PerKleimenovLevel<double> Bandwidth;

  /// delay_dep: departure delay of one sector of an uncoalesced request.
  double departureDelay() const {
    return (Latency[KleimenovLevel::Uncoalesced] -
            Latency[KleimenovLevel::Dram]) /
           SectorsBeyondCoalesced;
  }
};

/// x1 and x2 of time_launch.
struct LaunchRegression {
  Seconds PerBlock, Intercept;
};
/// The line of blocks of this many warps. x1 is the time between two blocks
/// that do nothing: the work distributor starts block_rate of them per cycle,
/// and each holds its place for block_start + warps * block_start_per_warp.
LaunchRegression launchRegression(const GpuModel &Gpu, unsigned WarpsPerBlock,
                                  Seconds EmptyLaunch);

/// The thread blocks that run together, the same on every multiprocessor that
/// has the most of them.
struct KleimenovWave {
  /// time_WP(lat) of the slowest warp, in cycles.
  llvm::function_ref<double(double Latency)> WarpTime;
  double DelayCycles = 0; ///< sum of delay_WP over the warps of one
                          ///< processing block
  /// Bytes that one multiprocessor and the chip access in all.
  double SmBytes = 0, ChipBytes = 0;
  /// l1pct, l2pct, drampct of all bytes, and uncoalpct.
  PerKleimenovLevel<double> Share;
};

struct KleimenovResult {
  double Cycles = 0;
  PerKleimenovLevel<double> Latency; ///< in the end
  PerKleimenovLevel<unsigned> Iterations;
  bool Converged = true; ///< no loop was cut off
};

/// lat_SM.
double kleimenovLatency(const PerKleimenovLevel<double> &Latency,
                        const PerKleimenovLevel<double> &Share);

/// The time of a wave: figures 4 and 5. A loop is cut off after
/// MaxKleimenovIterations.
KleimenovResult kleimenovWave(const KleimenovMachine &M,
                              const KleimenovWave &W);
inline constexpr unsigned MaxKleimenovIterations = 100;

KleimenovMachine kleimenovMachine(const GpuModel &Gpu);

/// Whether an access counts as mem: to global, local or texture memory.
bool isMem(const MemoryAccess &A);
/// Whether the requests of an access need more sectors than sequential access,
/// which touches one more than its bytes fill where it is not aligned.
bool isUncoalesced(const MemoryAccess &A, const AccessTotals &T,
                   const GpuModel &Gpu);

/// mem of a launch in bytes, and l1pct, l2pct, drampct and uncoalpct.
struct KleimenovTraffic {
  double Bytes = 0;
  PerKleimenovLevel<double> Share;
};
KleimenovTraffic kleimenovTraffic(const ModelInputs &In);

/// The conditions of a warp's walk: all accesses that count as mem have one
/// latency; barriers, register reads and bank conflicts cost nothing.
WarpConditions kleimenovConditions(const ModelInputs &In, double Latency);

/// Refuses GPUs that lack one of the latencies or bandwidths.
llvm::Error fillKleimenov(Prediction &P, const ModelInputs &In);

} // namespace gpuestimate

#endif
