/// \file
/// cvt and cvt.pack: conversions between types (PTX ISA, "cvt").
#ifndef GPU_ESTIMATE_LIB_PTX_CONVERSIONS_H
#define GPU_ESTIMATE_LIB_PTX_CONVERSIONS_H

#include "InstructionTranslator.h"

namespace gpuestimate {

class PtxConversion : public PtxInstructionTranslator {
public:
  using PtxInstructionTranslator::PtxInstructionTranslator;

  /// Appends the code of a cvt instruction. False for types that LLVM does not
  /// have, such as e4m3; then nothing was appended that has an effect.
  bool convert();
};

} // namespace gpuestimate

#endif
