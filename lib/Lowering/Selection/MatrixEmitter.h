/// \file
/// Tensor cores: multiply-accumulates of a warp and the loads and stores of
/// their fragments.
///
/// A matrix instruction of a warp does m*n*k multiply-adds; the machine has
/// fixed shapes (fp16 16x8x16, tf32 16x8x8, int8 16x8x32, fp64 8x8x4), so that
/// a larger one is several instructions. A fragment is cut into tiles of 8
/// rows; a group of four lanes holds one row: lane l has row l/4 and word l mod
/// 4 of it.
///
/// wgmma multiplies m64 rows for four warps, of which each executes 16; it
/// reads n*k elements, and m*k unless they are in registers, from shared memory
/// without bank conflicts. tcgen05.mma multiplies for the whole block. The
/// machine executes both without waiting; their sums are chained in the unit,
/// so that one does not wait for the one before. AMD's MFMA and WMMA are single
/// machine instructions of any shape.
#ifndef GPU_ESTIMATE_LIB_LOWERING_SELECTION_MATRIXEMITTER_H
#define GPU_ESTIMATE_LIB_LOWERING_SELECTION_MATRIXEMITTER_H

#include "OperationBuilder.h"
#include "gpu-estimate/Ptx/InlineAssembly.h"

namespace gpuestimate {

class MatrixEmitter {
public:
  explicit MatrixEmitter(OperationBuilder &B)
      : B(B), V(B.V), Model(B.Model), Ctx(B.Ctx) {}

  /// Emits the matrix instruction Name (an intrinsic or a PTX mnemonic); false
  /// if its shape is not known.
  bool emit(const llvm::CallBase &I, llvm::StringRef Name);
  /// wgmma and tcgen05.mma in assembly; false for other statements, and where
  /// the shape is not known.
  bool emitAsynchronous(const llvm::CallBase &I, const InlineAssembly &Assembly,
                        const PtxInstruction &P);
  /// wgmma.wait_group N: with N = 0 for all, else for those of the iteration
  /// before.
  void emitWait(const llvm::CallBase &I, bool AllGroups);
  /// llvm.amdgcn.mfma.f32.32x32x8f16 and its like; false for other names.
  bool emitAmd(const llvm::CallBase &I, llvm::StringRef Name);

private:
  /// Elements of a matrix that one instruction reads from shared memory, by
  /// Lanes threads, which the layout spreads over the banks.
  void emitSharedOperands(const llvm::CallBase &I, double Bytes,
                          unsigned Lanes);
  /// The load or store of a fragment.
  void emitFragment(const llvm::CallBase &I, llvm::StringRef Name);

  OperationBuilder &B;
  Values &V;
  KernelModel &Model;
  ExprContext &Ctx;
  /// wgmma so far.
  llvm::SmallVector<unsigned, 8> Asynchronous;
};

} // namespace gpuestimate

#endif
