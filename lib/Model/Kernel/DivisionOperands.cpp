#include "gpu-estimate/Model/Kernel/DivisionOperands.h"

namespace gpuestimate {

llvm::StringRef name(DivisionOperands Operands) {
  switch (Operands) {
  case DivisionOperands::Ordinary:
    return "ordinary";
  case DivisionOperands::ZeroDividend:
    return "zero";
  case DivisionOperands::Invalid:
    return "invalid";
  }
  return "ordinary";
}

std::optional<DivisionOperands> divisionOperandsFromName(llvm::StringRef Name) {
  for (DivisionOperands Operands :
       {DivisionOperands::Ordinary, DivisionOperands::ZeroDividend,
        DivisionOperands::Invalid})
    if (name(Operands) == Name)
      return Operands;
  return std::nullopt;
}

} // namespace gpuestimate
