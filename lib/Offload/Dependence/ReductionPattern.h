/// \file
/// Recognizes accumulation through associative operators.
#ifndef GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_REDUCTIONPATTERN_H
#define GPU_ESTIMATE_LIB_OFFLOAD_DEPENDENCE_REDUCTIONPATTERN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instruction.h"

namespace gpuestimate {

/// The assumption of every reduction of floating-point sums or products.
inline constexpr const char *ReassociationAssumption =
    "the order of floating-point operations does not matter";

/// The step of an accumulation that I applies to its operand V: the operator
/// "+", "*", "min", "max", "&", "|" or "^" if I applies an associative one to V
/// once, "=" if I passes V on unchanged, "" otherwise.
llvm::StringRef accumulationStep(const llvm::Instruction &I,
                                 const llvm::Value *V,
                                 const llvm::TargetLibraryInfo &TLI);
/// The only operator through which Result accumulates onto Leaf; "" if there is
/// none. Strict: intermediate results have no other uses. Example: "+" for
/// Result = Leaf + x[i] + y[i].
llvm::StringRef accumulationOperator(const llvm::Value *Leaf,
                                     const llvm::Value *Result, bool Strict,
                                     const llvm::TargetLibraryInfo &TLI);

/// Does a minimum or maximum of integers compare them as unsigned numbers?
bool comparesUnsigned(const llvm::Value &Result);

/// Is the call a floating-point function of the C library? Its only side
/// effect, errno, is ignored.
bool isMathCall(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

} // namespace gpuestimate

#endif
