/// \file
/// Tensor cores: multiply-accumulates of a warp and the loads and stores of
/// their fragments.
///
/// A matrix instruction of a warp does m*n*k multiply-adds; the machine has
/// fixed shapes (fp16 16x8x16, tf32 16x8x8, int8 16x8x32, fp64 8x8x4), so that
/// a larger one is several instructions. A fragment is cut into tiles of 8
/// rows; a group of four lanes holds one row: lane l has row l/4 and word l mod
/// 4 of it.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_MATRIXEMITTER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_MATRIXEMITTER_H

#include "OperationBuilder.h"

namespace gpuestimate {

class MatrixEmitter {
public:
  explicit MatrixEmitter(OperationBuilder &B)
      : B(B), V(B.V), Model(B.Model), Ctx(B.Ctx) {}

  /// Emits the matrix instruction Name (an intrinsic or a PTX mnemonic); false
  /// if its shape is not known.
  bool emit(const llvm::CallBase &I, llvm::StringRef Name);

private:
  /// The load or store of a fragment.
  void emitFragment(const llvm::CallBase &I, llvm::StringRef Name);

  OperationBuilder &B;
  Values &V;
  KernelModel &Model;
  ExprContext &Ctx;
};

} // namespace gpuestimate

#endif
