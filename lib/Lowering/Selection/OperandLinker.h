/// \file
/// Operands of operations: the def-use chains of the IR, followed through
/// instructions that cost nothing, and around loops through header phis.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPERANDLINKER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_OPERANDLINKER_H

#include "OperationBuilder.h"
#include "llvm/ADT/DenseSet.h"

namespace gpuestimate {

class OperandLinker {
public:
  explicit OperandLinker(OperationBuilder &Builder)
      : Builder(Builder), A(Builder.A), R(Builder.R), Model(Builder.Model),
        Selection(Builder.selection()) {}

  /// Fills Operation::Operands of every operation.
  void run();

private:
  /// Appends to Out the producers of V as operands of operation User.
  void linkTo(const llvm::Value *V, unsigned User, std::vector<Operand> &Out);
  /// Makes an access depend on the last barrier before it in its block.
  void linkToBarrier(unsigned User, std::vector<Operand> &Out);
  /// Does the incoming value number Incoming of Phi come from the previous
  /// iteration of a loop around User?
  bool isCarriedTo(unsigned User, const llvm::PHINode &Phi,
                   unsigned Incoming) const;
  void addOperand(unsigned User, unsigned Producing, bool Carried,
                  std::vector<Operand> &Out);
  /// The innermost loop around both operations, or -1.
  int commonLoop(unsigned OpA, unsigned OpB) const;

  OperationBuilder &Builder;
  KernelAnalyses &A;
  Regions &R;
  KernelModel &Model;
  const InstructionSelection &Selection;
  /// Operands of the current operation, with Operand::Carried.
  llvm::DenseSet<std::pair<unsigned, unsigned>> Linked;
  /// Barriers of each block in program order.
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 2>> BarriersOfBlock;
};

} // namespace gpuestimate

#endif
