/// \file
/// Behaviour of executed warps of a launch, in terms of a kernel model. The
/// executor fills it; Evaluate reads it instead of guessing data-dependent
/// branches, trip counts and addresses.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_EXECUTEDLAUNCH_H
#define GPU_ESTIMATE_MODEL_KERNEL_EXECUTEDLAUNCH_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include <map>

namespace gpuestimate {

/// Executions of the blocks and loops of the kernel by one warp.
struct ExecutedWarp {
  double Weight = 1;         ///< warps of the launch that it stands for
  unsigned SampledBlock = 0; ///< number of its thread block
  /// [block], [loop] executions and entries for each execution of the
  /// enclosing body.
  std::vector<double> BlockShare, LoopShare;
  std::vector<double> LoopTrips; ///< [loop] iterations for each entry
  /// [access][execution] of loads from global memory, the first of them: bytes
  /// of what the warps which ran together have loaded since the sectors of this
  /// request; infinite for a first use. Of several sectors the largest counts,
  /// because a warp waits for the last. Empty for other accesses.
  std::vector<std::vector<double>> ReuseBytes = {};
};

/// Uses of sectors by one access of the traced warps of some thread blocks.
/// Counts are those of the launch; the warps of a traced block take turns.
struct SectorReuse {
  struct Class {
    double Bytes = 0; ///< of other lines of 128 bytes since the use before
    double Sectors = 0;
  };
  std::vector<Class> Classes; ///< by rising distances
  double FirstUses = 0;       ///< sectors that the thread block had not used
  /// Sectors of the traced blocks: one by one, and such that no other traced
  /// block had used.
  double Footprint = 0, Union = 0;
  double FootprintLines = 0, UnionLines = 0; ///< the same in lines

  SectorReuse &operator+=(const SectorReuse &Other);
  /// A part of the uses that is like all of them.
  SectorReuse part(double Share) const;
  double sectors() const; ///< uses of sectors, the first ones included
};

struct ExecutedReuse {
  SectorReuse AmongLoads; ///< of loads: among the loads
  SectorReuse AmongAll;   ///< among all accesses to global memory

  ExecutedReuse &operator+=(const ExecutedReuse &Other) {
    AmongLoads += Other.AmongLoads;
    AmongAll += Other.AmongAll;
    return *this;
  }
  ExecutedReuse part(double Share) const {
    return {AmongLoads.part(Share), AmongAll.part(Share)};
  }
};

/// Requests of one access: of all traced warps, not only the sampled ones.
struct ExecutedCounts {
  double Requests = 0; ///< 0: not known
  double Lanes = 0;
  double Sectors = 0; ///< of 32 bytes
};

struct ExecutedLaunch {
  /// Sizes of the model that was executed; a copy that was changed for advice
  /// differs in them.
  size_t Blocks = 0, Loops = 0, Accesses = 0;
  /// Empty if some of their behaviour depends on data that were not given.
  std::vector<ExecutedWarp> Warps;
  /// [block] mean active lanes of one execution by a warp, of all traced warps;
  /// 0 where none executed it. May be empty.
  std::vector<double> BlockLanes;
  /// [access][request][lane]: samples of the requests whose addresses depend on
  /// given data, in bytes from the start of the object; NaN for idle lanes.
  std::vector<std::vector<std::vector<double>>> Requests;
  /// [access][request] requests that it stands for; all as many where empty.
  std::vector<std::vector<double>> RequestWeights;
  std::vector<ExecutedCounts> Counts; ///< [access]; may be empty
  /// [access] of global memory; empty if it was not traced.
  std::vector<ExecutedReuse> Reuse;
  /// By all accesses to a buffer (MemoryAccess::buffer()), also those without
  /// data-dependent addresses; "" stands for unknown buffers.
  std::map<std::string, ExecutedReuse> ReuseOfBuffers;
  double TracedBlocks = 0; ///< thread blocks of which warps were traced
  double TracedWarps = 0, RepresentedWarps = 0;

  /// How many requests one of Requests stands for.
  double weight(unsigned Access, unsigned Request) const {
    return Access < RequestWeights.size() && !RequestWeights[Access].empty()
               ? RequestWeights[Access][Request]
               : 1;
  }
  /// True if Kernel has the executed shape. It may have further accesses at the
  /// end (spilled registers).
  bool isAbout(const KernelModel &Kernel) const {
    return Kernel.Blocks.size() == Blocks && Kernel.Loops.size() == Loops &&
           Kernel.Accesses.size() >= Accesses;
  }
};

} // namespace gpuestimate

#endif
