/// \file
/// Calls: intrinsics, library functions, textures, and functions that could
/// not be inlined.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_CALLEMITTER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_CALLEMITTER_H

#include "OperationBuilder.h"

namespace gpuestimate {

class AssemblyEmitter;
class BulkCopyEmitter;
class MatrixEmitter;
class MemoryEmitter;

class CallEmitter {
public:
  CallEmitter(OperationBuilder &B, MemoryEmitter &Memory, MatrixEmitter &Matrix,
              BulkCopyEmitter &Bulk, AssemblyEmitter &Assembly)
      : B(B), A(B.A), V(B.V), Names(B.Names), Model(B.Model), Memory(Memory),
        Matrix(Matrix), Bulk(Bulk), Assembly(Assembly) {}

  void emit(const llvm::CallBase &I);

private:
  /// A function with a body.
  void emitCall(const llvm::CallBase &I, llvm::Function &Callee);
  /// Emits an instruction that lets time pass; false if Name is none.
  bool emitSleep(const llvm::CallBase &I, llvm::StringRef Name);
  /// Emits an intrinsic that accesses memory; false if Name is none.
  bool emitMemoryCall(const llvm::CallBase &I, llvm::StringRef Name);
  void emitTexture(const llvm::CallBase &I, llvm::StringRef Name);

  OperationBuilder &B;
  KernelAnalyses &A;
  Values &V;
  Unknowns &Names;
  KernelModel &Model;
  MemoryEmitter &Memory;
  MatrixEmitter &Matrix;
  BulkCopyEmitter &Bulk;
  AssemblyEmitter &Assembly;
};

} // namespace gpuestimate

#endif
