/// \file
/// Pointers in place of integer addresses. PTX computes addresses as 64-bit
/// (shared memory: also 32-bit) integers:
///
///     %r = ptrtoint ptr %p to i64        %q = getelementptr i8, ptr %p, i64 %i
///     %s = add i64 %r, %i           ->   load float, ptr %q
///     %q = inttoptr i64 %s to ptr
///     load float, ptr %q
///
/// Each inttoptr is followed back through sums, phis and selects to the value
/// that the address is derived from: a variable, a parameter, or a pointer that
/// was loaded. A 64-bit parameter that an address is derived from becomes a
/// pointer parameter.
#ifndef GPU_ESTIMATE_LIB_PTX_POINTERRECOVERY_H
#define GPU_ESTIMATE_LIB_PTX_POINTERRECOVERY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace gpuestimate {

class PtxPointerRecovery {
public:
  /// Known are the numbers of parameters that the file declares as pointers.
  PtxPointerRecovery(llvm::Function &F, llvm::ArrayRef<unsigned> Known);

  /// The function is one that the front end made: only addresses of inline
  /// assembly are replaced, and no parameter that is a number is taken for a
  /// pointer.
  void onlyAssembly() { OnlyAssembly = true; }
  /// The metadata of an inttoptr that is an address of inline assembly.
  static constexpr llvm::StringLiteral AssemblyAddress =
      "gpu-estimate.assembly-address";

  /// Replaces the addresses of the function. The result is the function, which
  /// is a new one, of the same name, where parameters became pointers.
  llvm::Function *run();

private:
  enum Likelihood : uint8_t { No, Unknown, Loaded, Parameter, Certain };

  /// How likely V is the pointer of a sum rather than an offset in it.
  Likelihood likelihood(const llvm::Value *V) const;
  /// The likelihood of a result, from those of the operands.
  Likelihood ofResult(const llvm::Instruction &I) const;
  /// Finds the likelihood of every integer of the function.
  void findLikelihoods();
  /// The operand of a sum that is the pointer; null if none can be.
  llvm::Value *pointerOperand(llvm::BinaryOperator &Sum);
  /// Parameters that an address is derived from without a doubt.
  void findParameters(llvm::Value *Address, unsigned Depth = 0);
  /// V as a pointer; null if it is derived from none.
  llvm::Value *pointerOf(llvm::Value *V, unsigned Depth = 0);
  llvm::Value *build(llvm::Value *V, unsigned Depth);
  llvm::Value *buildPhi(llvm::PHINode &Phi, unsigned Depth);
  llvm::Value *buildSum(llvm::BinaryOperator &Sum, unsigned Depth);
  llvm::Value *buildLoad(llvm::LoadInst &Load);
  unsigned spaceOf(llvm::Value *V, unsigned Depth = 0);
  llvm::Function *withPointerParameters();

  /// Deeper chains of sums stay integers.
  static constexpr unsigned MaxDepth = 256;
  /// Larger factors of an index are no size of an element.
  static constexpr unsigned MaxScaleBits = 20;

  llvm::Function &F;
  bool OnlyAssembly = false;
  llvm::DenseMap<llvm::Value *, llvm::WeakTrackingVH> Pointers;
  llvm::DenseMap<const llvm::Value *, Likelihood> Likelihoods;
  llvm::SmallPtrSet<llvm::Value *, 8> PointerParameters;
};

} // namespace gpuestimate

#endif
