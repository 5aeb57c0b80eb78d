/// \file
/// What the divisions of a kernel meet. An IEEE division of NVIDIA's compilers
/// checks its operands and takes a longer way where the quotient would be
/// wrong without: three to four times the instructions. A whole warp takes it
/// when one of its lanes has to. Source: machine code of CUDA 11.8 for sm_75
/// (FCHK and what follows it).
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
