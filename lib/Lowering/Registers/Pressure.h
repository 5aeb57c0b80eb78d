/// \file
/// How few values an order of a basic block's instructions can keep alive.
#ifndef GPU_ESTIMATE_LIB_LOWERING_REGISTERS_PRESSURE_H
#define GPU_ESTIMATE_LIB_LOWERING_REGISTERS_PRESSURE_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuestimate {

/// One instruction of a straight piece of code, in terms of the others.
struct PressureNode {
  unsigned Words =
      0; ///< 32-bit registers of its result; 0 when nobody reads it
  bool AtEntry = false;           ///< alive before the first instruction
  bool LiveOut = false;           ///< read after the piece
  std::vector<unsigned> Operands; ///< earlier nodes that it reads, each once
  /// Earlier nodes that must come before it for another reason: memory.
  std::vector<unsigned> After;
};

/// The most words alive at once, of the nodes' results, when a node that frees
/// registers is taken as soon as it can be, else the one after which the most
/// of its readers can be, the first of the given order where several are
/// equal. A list schedule: no bound from below, as finding the best order is
/// NP-hard (Sethi 1975).
unsigned leastPressure(llvm::ArrayRef<PressureNode> Nodes);

} // namespace gpuestimate

#endif
