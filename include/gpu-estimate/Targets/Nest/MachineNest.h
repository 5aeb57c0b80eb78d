/// \file
/// A loop nest as the machine code of a CPU: its loops, and the cycles that
/// each takes for one of its own iterations. Plain data; HostCode makes it.
#ifndef GPU_ESTIMATE_TARGETS_NEST_MACHINENEST_H
#define GPU_ESTIMATE_TARGETS_NEST_MACHINENEST_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "gpu-estimate/Support/Units.h"
#include <string>
#include <vector>

namespace gpuestimate {

struct MachineLoop {
  SourceLocation Location; ///< of the source loop that it came from
  int Parent = -1;         ///< index of the enclosing MachineLoop, or -1
  /// Iterations of the source loop in one of this: vector width x interleaved
  /// copies x unrolling.
  double Covers = 1;
  bool Vector = false;
  /// Runs what a loop that covers several iterations leaves over.
  bool Remainder = false;
  /// One iteration of its own blocks, without inner loops, one after the other
  /// forever: what llvm-mca calls the block's reciprocal throughput.
  Cycles PerIteration;
  unsigned Instructions = 0;
  /// The only innermost loop in Parent: cycles of one iteration of Parent with
  /// 1, 2, 4, ... iterations of this. Less than the sum of both where the core
  /// begins the next one before this one ends; longer loops go on by
  /// PerIteration. Empty where that is not known.
  std::vector<Cycles> WithParent;
  /// Its own conditional jumps that loaded data decide; blends and predicated
  /// instructions are none.
  std::vector<SourceLocation> DataBranches;
  double ConstantTrips = 0; ///< source iterations where the code tells; else 0
};

struct MachineNest {
  std::vector<MachineLoop> Loops; ///< parents first
  Cycles Mispredicted{};          ///< what a jump costs that went another way
};

} // namespace gpuestimate

#endif
