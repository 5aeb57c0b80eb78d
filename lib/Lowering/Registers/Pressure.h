/// \file
/// Register pressure of a list schedule of a basic block.
#ifndef GPU_ESTIMATE_LIB_LOWERING_REGISTERS_PRESSURE_H
#define GPU_ESTIMATE_LIB_LOWERING_REGISTERS_PRESSURE_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuestimate {

/// One instruction of a basic block, as a node of its dependence graph.
struct PressureNode {
  unsigned Words = 0;   ///< 32-bit registers of its result; 0 if unused
  bool AtEntry = false; ///< alive before the first instruction
  bool LiveOut = false; ///< read after the block
  std::vector<unsigned> Operands; ///< earlier nodes that it reads, each once
  /// Earlier nodes that must precede it because of memory.
  std::vector<unsigned> After;
};

/// The register pressure in words of a greedy list schedule: a ready node that
/// frees registers goes first, else the one that makes the most of its readers
/// ready; the first in the given order among equals. Not a lower bound: finding
/// the best order is NP-hard (Sethi 1975).
unsigned scheduledPressure(llvm::ArrayRef<PressureNode> Nodes);

} // namespace gpuestimate

#endif
