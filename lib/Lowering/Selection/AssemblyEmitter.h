/// \file
/// Inline assembly: each PTX statement by its mnemonic.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_ASSEMBLYEMITTER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_ASSEMBLYEMITTER_H

#include "Lowering/Values/AssemblyText.h"
#include "OperationBuilder.h"

namespace gpuestimate {

class BulkCopyEmitter;
class MatrixEmitter;
class MemoryEmitter;

class AssemblyEmitter {
public:
  AssemblyEmitter(OperationBuilder &B, MemoryEmitter &Memory,
                  MatrixEmitter &Matrix, BulkCopyEmitter &Bulk)
      : B(B), Model(B.Model), Memory(Memory), Matrix(Matrix), Bulk(Bulk) {}

  void emit(const llvm::CallBase &I);

private:
  void emitStatement(const llvm::CallBase &I,
                     const AssemblyStatement &Statement);
  /// The value of a statement's first operand, a number or "$1".
  Expr firstOperand(const llvm::CallBase &I,
                    const AssemblyStatement &Statement);

  OperationBuilder &B;
  KernelModel &Model;
  MemoryEmitter &Memory;
  MatrixEmitter &Matrix;
  BulkCopyEmitter &Bulk;
};

} // namespace gpuestimate

#endif
