/// \file
/// Operands of the divisions of a kernel. NVIDIA's code for an IEEE division
/// checks its operands and takes a slow path, of three to four times the
/// instructions, where the fast path's quotient would be wrong. A whole warp
/// takes the slow path when one of its lanes has to. Source: machine code of
/// CUDA 11.8 for sm_75 (FCHK and its branches).
#ifndef GPU_ESTIMATE_MODEL_KERNEL_DIVISIONOPERANDS_H
#define GPU_ESTIMATE_MODEL_KERNEL_DIVISIONOPERANDS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuestimate {

enum class DivisionOperands : uint8_t {
  Ordinary,     ///< the check passes
  ZeroDividend, ///< 0/x
  Invalid,      ///< 0/0, the invalid operation of IEEE 754
};

/// "ordinary", "zero" or "invalid".
llvm::StringRef name(DivisionOperands Operands);
std::optional<DivisionOperands> divisionOperandsFromName(llvm::StringRef Name);

} // namespace gpuestimate

#endif
