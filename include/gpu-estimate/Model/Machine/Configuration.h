/// \file
/// A GPU at another number of multiprocessors or at other clocks.
///
/// Each row of the key table says how its value moves (MachineKeys.h, Scaling).
/// With c = new / old core clock and m = new / old memory clock:
///
///   in cycles, per cycle      stays             (takes 1/c of its seconds)
///   L2 bandwidth              * c               (L2 runs at the core clock)
///   DRAM bandwidth and clock  * m
///   latency of DRAM and L3    L2 + (old - L2) * c   (beyond L2 constant in
///                                                    time)
///   in seconds; the link      stays             (launch, DRAM activations)
///   blocks per cycle          stays, or / c (launch.block_rate_follows_core)
///
/// Values of a multiprocessor are multiplied by their number where they are
/// used, so another number of them leaves nearly every other value: L2, DRAM
/// and the work distributor remain those of the chip. The idle power of the
/// clock tree is taken to be that of the multiprocessors, and follows their
/// number; leakage remains that of the whole die.
///
/// Example: V100, 1380 MHz, L2 215 cycles, DRAM 436.6 cycles. At 690 MHz DRAM
/// takes 215 + 221.6 / 2 = 325.8 cycles and L2 carries half of its bytes per
/// second.
///
/// The L2 of Titan X, V100 and RTX 8000 takes the same core cycles at every
/// core clock, within 3 % (programs L2 of gpuPTXModel and cachebench of
/// NV-DVFS-Benchmark); for other GPUs it is an assumption.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_CONFIGURATION_H
#define GPU_ESTIMATE_MODEL_MACHINE_CONFIGURATION_H

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"

namespace gpuestimate {

/// What is not given stays as it is.
struct Configuration {
  std::optional<unsigned> SmCount;
  std::optional<Hertz> CoreClock;
  std::optional<Hertz> MemoryClock; ///< in the unit of GpuModel::DramClock

  auto operator<=>(const Configuration &) const = default;
};

/// Kind of provenance and source of a value that `--set` gave.
inline constexpr llvm::StringLiteral WhatIfKind = "what-if",
                                     SetForThisRun = "set for this run";

/// dram.clock, or what peak bandwidth and bus width make of it; nullopt where
/// neither is stated.
std::optional<Hertz> memoryClock(const GpuModel &Gpu);

/// A part of a configuration that the card cannot have.
struct ExceededLimit {
  std::string Key; ///< "core_clock"
  double Value = 0;
  /// "the core clock of NVIDIA Tesla V100 PCIe is between 135 MHz and 1380 MHz"
  std::string Range;
  std::string Got;      ///< "got 2000 MHz"
  std::string LimitKey; ///< "limits.core_clock_max"
};

/// Compares with GpuModel::Limits. Where the range of a clock is not known, a
/// twentieth and twice the clock of Card are its limits.
std::vector<ExceededLimit> exceededLimits(const GpuModel &Card,
                                          const Configuration &To);

/// What about the configuration goes beyond what is known of the card, as
/// sentences for the user; none for the card as it is.
std::vector<std::string> extrapolations(const GpuModel &Card,
                                        const Configuration &To);

/// The card in this configuration. Values that the user has set stay as set.
/// What has changed has the kind "what-if" in GpuModel::Sources. Errors: a
/// configuration that the card cannot have, with the range; a memory clock for
/// a card whose own is not known.
llvm::Expected<GpuModel> configured(const GpuModel &Card,
                                    const Configuration &To);

/// As configured(), for a GPU that need not exist: limits do not count.
llvm::Expected<GpuModel> hypothetical(const GpuModel &Gpu,
                                      const Configuration &To);

/// Moves the clocks of one GPU many times. The number of multiprocessors is
/// none of its business.
class ClockScaling {
public:
  /// Values that the user has set do not move.
  explicit ClockScaling(const GpuModel &Card);

  /// Gives To, a copy of the card, the values that it has at these clocks,
  /// relative to those of the card; leaves GpuModel::Sources alone.
  void apply(GpuModel &To, double CoreFactor, double MemoryFactor) const;

  struct MovingValue {
    const GpuKey *Key;
    double Value; ///< of the card
  };
  llvm::ArrayRef<MovingValue> values() const { return Values; }

private:
  double OnChipCycles; ///< latency of L2, mean over its partitions
  bool BlockRateFollowsCore;
  std::vector<MovingValue> Values;
};

} // namespace gpuestimate

#endif
