#include "gpu-estimate/Model/Result/KernelFormulas.h"
#include "llvm/Support/ErrorHandling.h"

namespace gpuestimate {

llvm::StringRef name(FormulaParameter::KindType Kind) {
  switch (Kind) {
  case FormulaParameter::Argument:
    return "argument";
  case FormulaParameter::Coordinate:
    return "coordinate";
  case FormulaParameter::Cost:
    return "cost";
  case FormulaParameter::HitRate:
    return "hit-rate";
  case FormulaParameter::Assumption:
    return "assumption";
  }
  llvm_unreachable("all kinds are listed");
}

} // namespace gpuestimate
