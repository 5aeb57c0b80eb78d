/// \file
/// Two scalar operations on 16-bit floating-point numbers in one instruction.
///
/// ptxas packs them where the source and nvcc's PTX have scalars: the outer
/// product of 8 x 8 halves is 32 HFMA2, not 64. Found in the machine code of
/// ptxas 13 for sm_75, sm_86, sm_90 and sm_100:
///   - any two operations of a kind are packed that do not wait for each other,
///     although bytes must be permuted (PRMT) where operands or results are not
///     in one register: two products have one HMUL2 and three PRMT
///   - a result that is used before the other operation could start is not: an
///     array that is written between the loads of the next element
///   - of three chains it packs elements of one chain's turn with another's,
///   and
///     of four polynomials of degree four it leaves some (10 HFMA2 for 16
///     operations): here 64 for 96 and 8
///   - LLVM's SLPVectorizer, which counts what a pair saves, leaves most of
///   them
#ifndef GPU_ESTIMATE_LIB_LOWERING_PIPELINE_PACKHALVES_H
#define GPU_ESTIMATE_LIB_LOWERING_PIPELINE_PACKHALVES_H

#include "llvm/IR/PassManager.h"

namespace gpuestimate {

/// Makes vectors of two of such operations in functions for NVIDIA's GPUs, and
/// of the loop-carried values that they compute. Wants neighbouring loads to be
/// vectors already.
class PackHalves : public llvm::PassInfoMixin<PackHalves> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace gpuestimate

#endif
