/// \file
/// Calls of functions of real numbers that have closed forms: floor, fabs, fma,
/// sqrt, conversions to integers and others of LLVM and the device libraries.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_REALFUNCTIONS_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_REALFUNCTIONS_H

#include "gpu-estimate/Symbolic/Expr.h"

namespace llvm {
class CallInst;
} // namespace llvm

namespace gpuestimate {

/// The number of leading arguments that the value of the call is computed from;
/// 0 for every other call.
unsigned operandsOfRealCall(const llvm::CallInst &Call);
/// The value of such a call.
Expr realCall(ExprContext &Context, const llvm::CallInst &Call,
              llvm::ArrayRef<Expr> Operands);
/// X without its fraction, as a conversion to an integer has it.
Expr truncatedReal(ExprContext &Context, Expr X);

} // namespace gpuestimate

#endif
