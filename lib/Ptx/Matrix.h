/// \file
/// Instructions of tensor cores (PTX ISA, "Warp Level Matrix Instructions").
#ifndef GPU_ESTIMATE_LIB_PTX_MATRIX_H
#define GPU_ESTIMATE_LIB_PTX_MATRIX_H

#include "InstructionTranslator.h"

namespace gpuestimate {

class PtxMatrix : public PtxInstructionTranslator {
public:
  using PtxInstructionTranslator::PtxInstructionTranslator;

  /// Appends the intrinsic of a wmma, mma or ldmatrix instruction. False if
  /// LLVM has none for its types and shape.
  bool intrinsic();
};

} // namespace gpuestimate

#endif
