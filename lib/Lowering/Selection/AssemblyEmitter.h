/// \file
/// Inline assembly: each PTX statement by its mnemonic.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_ASSEMBLYEMITTER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_ASSEMBLYEMITTER_H

#include "OperationBuilder.h"

namespace gpuestimate {

class MatrixEmitter;
class MemoryEmitter;

class AssemblyEmitter {
public:
  AssemblyEmitter(OperationBuilder &B, MemoryEmitter &Memory,
                  MatrixEmitter &Matrix)
      : B(B), Model(B.Model), Memory(Memory), Matrix(Matrix) {}

  void emit(const llvm::CallBase &I);

private:
  void emitStatement(const llvm::CallBase &I, llvm::StringRef Statement);
  /// The value of a statement's first operand, a number or "$1"; the operands
  /// of the call follow its Results.
  Expr firstOperand(const llvm::CallBase &I, llvm::StringRef Statement,
                    unsigned Results);

  OperationBuilder &B;
  KernelModel &Model;
  MemoryEmitter &Memory;
  MatrixEmitter &Matrix;
};

} // namespace gpuestimate

#endif
