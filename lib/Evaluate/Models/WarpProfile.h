/// \file
/// What one warp does alone, as the interval model wants it. The closed form
/// here walks the scheduled loop tree with the timing of Timing.h; whoever has
/// executed a warp can make the same data from its trace.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_MODELS_WARPPROFILE_H
#define GPU_ESTIMATE_LIB_EVALUATE_MODELS_WARPPROFILE_H

#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Model/Kernel/ExecutedLaunch.h"

namespace gpuestimate {

/// A run of instructions and the stall behind it; equal ones are one entry.
struct WarpInterval {
  double Count = 1;        ///< of such intervals in the warp's execution
  double Instructions = 0; ///< k_i
  double Stall = 0;        ///< cycles
  /// Traffic of the instructions: lines that loads miss in L1, and lines that
  /// are read from and written to DRAM.
  double Misses = 0, DramReads = 0, DramWrites = 0;
};

/// Stall cycles by what the stalled instruction waits for; those for a load
/// whose hits are not known one by one are divided as its mean latency is.
struct StallCycles {
  double Dependency = 0, Shared = 0, L1 = 0, L2 = 0, Dram = 0;
  double Passes = 0; ///< serialised passes of a request
  double sum() const { return Dependency + Shared + L1 + L2 + Dram + Passes; }
};

struct WarpProfile {
  std::vector<WarpInterval> Intervals;
  StallCycles Stalls;

  double count() const;
  double instructions() const;
  double stall() const;
};

/// The warp that stands for all.
struct RepresentativeWarp {
  WarpPath Path;
  const ExecutedWarp *Executed = nullptr; ///< where it was executed
};

/// One warp, at unloaded latencies, in order, one scheduler to itself. Loads of
/// an executed warp hit or miss one by one (LoadEvents.h): the intervals are
/// those of the walks by each combination of events, in its share. Other loads
/// have the mean latency of their hits and misses.
WarpProfile profileWarp(const ModelInputs &In, const RepresentativeWarp &Warp);

/// The path that stands for all, of the warps that were executed if there are
/// some, else of In.Sample: K-means with two clusters over (instructions,
/// instructions per cycle), each divided by its mean; the path nearest to the
/// centre of the larger cluster. Nothing without any path.
std::optional<RepresentativeWarp> representativePath(const ModelInputs &In);

/// A point of representativeOf: two features and how often it stands.
struct ProfilePoint {
  double Instructions = 0, Performance = 0, Weight = 1;
};
/// Index of the point that represents Points; they must not be empty.
unsigned representativeOf(llvm::ArrayRef<ProfilePoint> Points);

} // namespace gpuestimate

#endif
