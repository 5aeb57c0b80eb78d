/// \file
/// Conditions and bounds that depend on data, as terms over the loaded values.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_DATAFORMS_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_DATAFORMS_H

#include "Values.h"

namespace gpuestimate {

/// Translates IR values with loads from the buffers of arguments: the condition
/// `mask[i] > t` becomes `load0 > t`, load0 being 4 bytes at 4 * i of mask. Who
/// knows what a buffer contains can then compute the share of threads for which
/// the condition holds.
class DataForms {
public:
  DataForms(KernelAnalyses &A, Values &V, Unknowns &Names, ExprContext &Ctx)
      : A(A), V(V), Names(Names), Ctx(Ctx), Layout(A.DL) {}

  struct Form {
    Expr Value; ///< null: the value has no such form
    std::vector<DataLoad> Loads;
    /// The loads in the IR, in the same order.
    llvm::SmallVector<const llvm::Instruction *, 2> Places;
    explicit operator bool() const { return static_cast<bool>(Value); }
  };
  Form of(const llvm::Value *V);
  /// Forms of several values with common loads.
  Form of(llvm::ArrayRef<const llvm::Value *> Operands,
          llvm::function_ref<Expr(llvm::ArrayRef<Expr>)> Combine);

private:
  /// A condition has few operations; a checksum of a line has many.
  static constexpr unsigned MaxDepth = 12, MaxLoads = 8;

  /// The value of a binary operator of Bits bits on L and R.
  Expr binary(const llvm::Instruction &I, Expr L, Expr R, unsigned Bits);
  Expr translate(const llvm::Value *V, Form &Into, unsigned Depth);
  Expr load(const llvm::LoadInst &Load, Form &Into, unsigned Depth);
  /// A counter that starts at a loaded value.
  Expr counter(const llvm::PHINode &Phi, Form &Into, unsigned Depth);
  Expr compare(const llvm::CmpInst &C, Form &Into, unsigned Depth);
  /// The address of a load relative to its object; null where that has no name.
  Expr address(const llvm::Value *Pointer, std::string &Buffer, Form &Into,
               unsigned Depth);

  KernelAnalyses &A;
  Values &V;
  Unknowns &Names;
  ExprContext &Ctx;
  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Instruction *, std::string> LoadNames;
};

} // namespace gpuestimate

#endif
