/// \file
/// The operations of a kernel and their operands.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPERATIONS_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPERATIONS_H

#include "AssemblyEmitter.h"
#include "BulkCopyEmitter.h"
#include "CallEmitter.h"
#include "MatrixEmitter.h"
#include "MemoryEmitter.h"
#include "OperationBuilder.h"

namespace gpuestimate {

/// Translates every live instruction of a kernel to operations.
class Operations {
public:
  Operations(KernelAnalyses &A, Values &V, Regions &R, Unknowns &Names,
             KernelModel &Model, llvm::Function &F, DivisionCosts Divisions,
             CallSummaries &Calls, llvm::ArrayRef<ClockLoop> ClockLoops)
      : B(A, V, R, Names, Model, F, Divisions, Calls), Model(Model),
        ClockLoops(ClockLoops) {}

  /// Fills KernelModel::Operations with their operands, Accesses, and the
  /// operation ranges of the blocks.
  void build();
  const InstructionSelection &selection() const { return B.selection(); }
  std::vector<const llvm::Instruction *> checkedDivisions() const {
    return B.checkedDivisions();
  }
  const std::vector<AccessOrigin> &accessOrigins() const {
    return B.accesses().origins();
  }

private:
  void emitPrologue();
  void emitBlock(const llvm::BasicBlock &BB);
  void emit(const llvm::Instruction &I);
  void emitAddress(const llvm::GetElementPtrInst &Gep);
  /// Does an addition scale the index (IMAD.WIDE, LEA)?
  bool scalesIndices() const;
  /// The operation, by Row, that scales a variable index of Gep for all
  /// addresses that it is added to.
  unsigned emitScaledIndex(const llvm::GetElementPtrInst &Gep,
                           const llvm::Value &Index, const OpRow &Row);
  bool emitSharedQuotient(const llvm::Instruction &I);
  void emitSwitch(const llvm::SwitchInst &I);
  void linkClockLoops(const llvm::Instruction &I);

  OperationBuilder B;
  KernelModel &Model;
  llvm::ArrayRef<ClockLoop> ClockLoops;
  /// By index and size of the element: the operations that scale it.
  using BlockAndOp = std::pair<const llvm::BasicBlock *, unsigned>;
  llvm::DenseMap<std::pair<const llvm::Value *, uint64_t>,
                 llvm::SmallVector<BlockAndOp, 1>>
      ScaledIndices;
  /// [clock loop] its wait, an operation.
  llvm::SmallVector<unsigned, 2> ClockWaits;
  MemoryEmitter Memory{B};
  MatrixEmitter Matrix{B};
  BulkCopyEmitter Bulk{B};
  AssemblyEmitter Assembly{B, Memory, Matrix, Bulk};
  CallEmitter Calls{B, Memory, Matrix, Bulk, Assembly};
};

} // namespace gpuestimate

#endif
