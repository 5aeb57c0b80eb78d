/// \file
/// Which parts of the IR the parts of a kernel model were made from, so that
/// what an execution of the IR shows can be said of the model. Valid as long as
/// the module lives unchanged.
#ifndef GPU_ESTIMATE_LOWERING_VALUES_IRPLACES_H
#define GPU_ESTIMATE_LOWERING_VALUES_IRPLACES_H

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

/// A value or branch that an unknown of the model stands for.
struct UnknownPlace {
  /// A condition (i1), or the terminator of a loop's header or of a branch.
  const llvm::Value *V = nullptr;
  bool Opposite = false; ///< the unknown is the share for which V is false
  /// Of a terminator: the unknown is the share that goes there, of what leaves
  /// the loop by any of its exits (FromLoop), or of what reaches V.
  const llvm::BasicBlock *To = nullptr;
  const llvm::BasicBlock *FromLoop = nullptr; ///< header
};

struct LoopPlace {
  const llvm::BasicBlock *Header = nullptr;
  /// The test that ends it comes before the body: the header runs once more
  /// than the trip count says.
  bool TestFirst = false;
  /// A test of the same condition in front of the loop that the model leaves
  /// out: zero is then among its trip counts, and it is entered as often as
  /// this block runs. Null: as it is entered.
  const llvm::BasicBlock *Guard = nullptr;
};

struct AccessPlace {
  const llvm::Instruction *At = nullptr;
  uint64_t Offset = 0; ///< bytes from the address of At
};

struct IrPlaces {
  std::vector<const llvm::BasicBlock *> Blocks; ///< as KernelModel::Blocks
  std::vector<LoopPlace> Loops;                 ///< as KernelModel::Loops
  std::vector<AccessPlace> Accesses;            ///< as KernelModel::Accesses
  /// By Unknown::Name; the copies that inlining and unrolling make of one
  /// condition are one unknown.
  llvm::StringMap<llvm::SmallVector<UnknownPlace, 2>> Unknowns;
};

} // namespace gpuestimate

#endif
