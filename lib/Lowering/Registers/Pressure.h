/// \file
/// Register pressure of a list schedule of a basic block.
#ifndef GPU_ESTIMATE_LIB_LOWERING_REGISTERS_PRESSURE_H
#define GPU_ESTIMATE_LIB_LOWERING_REGISTERS_PRESSURE_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuestimate {

/// One instruction of a basic block, as a node of its dependence graph.
struct PressureNode {
  unsigned Size = 0;              ///< of its result in registers; 0 if unused
  bool AtEntry = false;           ///< alive before the first instruction
  bool LiveOut = false;           ///< read after the block
  std::vector<unsigned> Operands; ///< earlier nodes that it reads, each once
  /// Earlier nodes that must precede it because of memory.
  std::vector<unsigned> After;
};

/// The register pressure of greedy list schedules, in the unit of Size: a ready
/// node that frees registers goes first, else the one that makes the most of
/// its readers ready, or the one with the first reader in the given order; the
/// better of the two. Not a lower bound: finding the best order is NP-hard
/// (Sethi 1975).
unsigned scheduledPressure(llvm::ArrayRef<PressureNode> Nodes);

} // namespace gpuestimate

#endif
