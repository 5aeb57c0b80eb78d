/// \file
/// Inline assembly: each PTX statement by its mnemonic. The pipeline has
/// translated those that LLVM IR can say (Ptx/InlineAssembly.h).
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_ASSEMBLYEMITTER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_ASSEMBLYEMITTER_H

#include "OperationBuilder.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"

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
  /// Lists what I reads of another block's shared memory as an assumption: the
  /// network between the multiprocessors of a cluster is not modelled.
  void noteRemoteMemory(const llvm::CallBase &I);

private:
  void emitStatement(const llvm::CallBase &I, const InlineAssembly &Assembly,
                     const PtxInstruction &P);
  /// The access of a statement that has one.
  bool emitAccess(const llvm::CallBase &I, const InlineAssembly &Assembly,
                  const PtxInstruction &P);

  OperationBuilder &B;
  KernelModel &Model;
  MemoryEmitter &Memory;
  MatrixEmitter &Matrix;
  BulkCopyEmitter &Bulk;
};

} // namespace gpuestimate

#endif
