/// \file
/// A loop nest as the machine code of a CPU: its loops and the cycles of one
/// iteration of each. Plain data, made by Targets/Cpu/HostCode.h.
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
  /// Iterations of the source loop in one iteration of this loop: vector width
  /// x interleaved copies x unrolling.
  double Covers = 1;
  bool Vector = false;
  /// Executes the iterations that a vectorised or unrolled loop leaves over.
  bool Remainder = false;
  /// Cycles of one iteration of its own blocks, without inner loops, in the
  /// steady state: llvm-mca's block reciprocal throughput.
  Cycles PerIteration;
  unsigned Instructions = 0;
  /// Cycles of one iteration of Parent with 1, 2, 4, ... iterations of this
  /// loop, if this is the only innermost loop in Parent. They are less than the
  /// sum of both where the core overlaps iterations of Parent; longer loops add
  /// PerIteration. Empty if unknown.
  std::vector<Cycles> WithParent;
  /// Conditional jumps of its own blocks that depend on loaded data; blends and
  /// predicated instructions are no jumps.
  std::vector<SourceLocation> DataBranches;
  double ConstantTrips =
      0; ///< source iterations if constant in the code, else 0
};

struct MachineNest {
  std::vector<MachineLoop> Loops; ///< parents first
  Cycles Mispredicted{};          ///< cost of a mispredicted jump
};

} // namespace gpuestimate

#endif
