/// \file
/// The parts of the IR that the parts of a kernel model stand for, so that an
/// execution of the IR can be mapped to the model. Valid as long as the module
/// lives unchanged.
#ifndef GPU_ESTIMATE_LOWERING_VALUES_IRORIGINS_H
#define GPU_ESTIMATE_LOWERING_VALUES_IRORIGINS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <vector>

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
} // namespace llvm

namespace gpuestimate {

/// An IR value or branch that an unknown of the model stands for: the unknown
/// is a trip count, or the share of lanes for which V is true.
struct UnknownOrigin {
  /// A condition (i1), or the terminator of a loop's header or of a branch.
  const llvm::Value *V = nullptr;
  bool Opposite = false; ///< the unknown is 1 less that share
  /// Set if V is a terminator: the unknown is the share of V's executions that
  /// continue with block To; with FromLoop, the share of that loop's exits.
  const llvm::BasicBlock *To = nullptr;
  const llvm::BasicBlock *FromLoop = nullptr; ///< header
};

struct LoopOrigin {
  const llvm::BasicBlock *Header = nullptr;
  /// The exit test precedes the body: the header runs once more than the body.
  bool TestFirst = false;
  /// The block of a guard that the model omits (a test of the loop's condition
  /// in front of the loop), or null. The model enters the loop whenever this
  /// block runs, and zero is among the trip counts.
  const llvm::BasicBlock *Guard = nullptr;
};

struct AccessOrigin {
  const llvm::Instruction *At = nullptr;
  uint64_t Offset = 0; ///< bytes from the address that At accesses
};

/// Share of the executions of a division by warps in which some lane has
/// special operands, so that the warp takes the slow path.
using SpecialDivisions = llvm::DenseMap<const llvm::Instruction *, double>;

struct IrOrigins {
  std::vector<const llvm::BasicBlock *>
      Blocks;                         ///< parallel to KernelModel::Blocks
  std::vector<LoopOrigin> Loops;      ///< parallel to KernelModel::Loops
  std::vector<AccessOrigin> Accesses; ///< parallel to KernelModel::Accesses
  /// Divisions whose operands change their cost.
  std::vector<const llvm::Instruction *> Divisions;
  /// By Unknown::Name. The copies of one condition that inlining and unrolling
  /// make share one unknown.
  llvm::StringMap<llvm::SmallVector<UnknownOrigin, 2>> Unknowns;
};

} // namespace gpuestimate

#endif
